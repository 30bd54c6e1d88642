"""Time that no answer is charged for: reading code from the disk, or compiling it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class _Spent(threading.local):
    seconds = 0.0
    inside = False


_spent = _Spent()


@contextmanager
def off_the_clock() -> Iterator[None]:
    """Count what the block takes, of this thread and once where blocks are nested."""
    if _spent.inside:
        yield
        return
    start = perf_counter()
    _spent.inside = True
    try:
        yield
    finally:
        _spent.inside = False
        _spent.seconds += perf_counter() - start


class Clock:
    """Measures the seconds of this thread from its making on, less those off the clock."""

    def __init__(self) -> None:
        self._start, self._spent = perf_counter(), _spent.seconds

    def seconds(self) -> float:
        """Seconds so far."""
        return perf_counter() - self._start - (_spent.seconds - self._spent)
