"""How long the stages of an answer take."""

from __future__ import annotations

import time


class Stopwatch:
    """Measures stages that follow each other; it runs from the moment at which it is made."""

    def __init__(self) -> None:
        self._last = time.perf_counter()

    def lap(self) -> float:
        """Seconds since the last lap, or since the start."""
        now = time.perf_counter()
        seconds, self._last = now - self._last, now
        return seconds
