"""Stochastic gradient descent with moments (Adam; Kingma and Ba, ICLR 2015)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from benchmarks.late.contrastive import Maps

MEAN, SPREAD = 0.9, 0.999
"""How much of the running means of gradients, and of their squares, stays in a step."""


@dataclass
class Adam:
    """Steps of a size, which falls to 0 over a number of them as a line."""

    rate: float
    steps: int
    _done: int = 0
    _means: list[np.ndarray] = field(default_factory=list)
    _squares: list[np.ndarray] = field(default_factory=list)

    def step(self, maps: Maps, slopes: Maps) -> Maps:
        """The maps after a step."""
        if not self._means:
            self._means = [np.zeros_like(part) for part in maps]
            self._squares = [np.zeros_like(part) for part in maps]
        self._done += 1
        rate = self.rate * max(0.0, 1 - (self._done - 1) / self.steps)
        moved = []
        for place, (part, slope) in enumerate(zip(maps, slopes, strict=True)):
            self._means[place] = MEAN * self._means[place] + (1 - MEAN) * slope
            self._squares[place] = SPREAD * self._squares[place] + (1 - SPREAD) * slope**2
            mean = self._means[place] / (1 - MEAN**self._done)
            spread = self._squares[place] / (1 - SPREAD**self._done)
            moved.append((part - rate * mean / (np.sqrt(spread) + 1e-8)).astype(part.dtype))
        return Maps(*moved)
