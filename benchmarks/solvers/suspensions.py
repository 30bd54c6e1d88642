"""Whether this process was suspended (Ctrl-Z, a debugger, another measurement) while something was timed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def counted_suspensions() -> Iterator[Callable[[], int]]:
    """A function that tells how often this process has been resumed since; always 0 outside the main thread.

    The system sends SIGCONT to a process that goes on. Where there is no such signal, nothing is counted.
    """
    if not hasattr(signal, "SIGCONT") or threading.current_thread() is not threading.main_thread():
        yield lambda: 0
        return
    count = 0

    def resumed(number: int, frame: FrameType | None) -> None:
        nonlocal count
        count += 1

    before = signal.signal(signal.SIGCONT, resumed)
    try:
        yield lambda: count
    finally:
        signal.signal(signal.SIGCONT, before)
