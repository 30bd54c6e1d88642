"""How long the stages of an answer take."""

from __future__ import annotations

from formulations.off_clock import Clock


class Stopwatch:
    """Measures stages that follow each other, without code that had to be loaded; it runs from its making on."""

    def __init__(self) -> None:
        self._clock = Clock()
        self._last = 0.0

    def lap(self) -> float:
        """Seconds since the last lap, or since the start."""
        now = self._clock.seconds()
        seconds, self._last = now - self._last, now
        return seconds
