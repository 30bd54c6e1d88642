"""The thread in which requests run, so that a caller's wait ends when its seconds are over, whatever a server does.

Timeouts of HTTP clients count from one piece of an answer to the next; a server that sends a byte now and then never
meets one. Here the caller waits for the whole, and at the end of its seconds the request is cancelled, which closes
the connection. It works from threads, inside notebooks (which have an event loop of their own) and after a fork.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, TypeVar

__all__ = ["run_within", "submit"]

Result = TypeVar("Result")

_lock = threading.Lock()
_started: list[tuple[threading.Thread, asyncio.AbstractEventLoop]] = []


def run_within(coroutine: Coroutine[Any, Any, Result], seconds: float) -> Result:
    """Run a coroutine in the loop's thread and wait for its result.

    Raises
    ------
    TimeoutError
        When there is none after so many seconds; the coroutine is cancelled then, as it is by Ctrl-C.
    """
    future = asyncio.run_coroutine_threadsafe(coroutine, _loop())
    try:
        return future.result(seconds)
    except FutureTimeoutError:  # another class than TimeoutError before Python 3.11
        raise TimeoutError from None
    finally:
        future.cancel()


def submit(coroutine: Callable[[], Coroutine[Any, Any, object]], loop: asyncio.AbstractEventLoop) -> None:
    """Start a coroutine without waiting for it, if the loop is the one that runs here.

    A forked child has its parent's loop as a copy, whose sockets and selector are still the parent's: nothing may be
    closed there.
    """
    with _lock:
        thread, current = _started[-1] if _started else (None, None)
    if thread is not None and thread.is_alive() and loop is current:
        asyncio.run_coroutine_threadsafe(coroutine(), loop)


def _loop() -> asyncio.AbstractEventLoop:
    """The loop that runs in this process; in a forked child the parent's thread is gone, and a new one starts."""
    with _lock:
        if not _started or not _started[-1][0].is_alive():
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name="jar-language", daemon=True)
            thread.start()
            _started.append((thread, loop))  # earlier ones stay: to collect a loop is to close its selector
        return _started[-1][1]
