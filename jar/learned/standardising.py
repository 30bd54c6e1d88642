"""Numbers of candidates in standard deviations, so that the scale of an embedder does not matter.

They are computed for some twenty features of each question, from a few dozen numbers: the methods `mean` and `std` of
numpy, and `clip`, would take three times as long for the same sums.
"""

from __future__ import annotations

import numpy as np

from jar.arrays import Array

FAR = 4.0
"""Standard deviations beyond which nothing is told apart."""
EQUAL = 1e-9
"""Standard deviation up to which numbers are taken for equal."""


def mean_and_spread(x: Array) -> tuple[float, float]:
    """Mean and standard deviation of n numbers, shape (n,), as `mean` and `std` give them; 0 and 0 of none."""
    if not len(x):
        return 0.0, 0.0
    mean = np.add.reduce(x) / len(x)
    apart = x - mean
    return mean, np.sqrt(np.add.reduce(apart * apart) / len(x))


def standard(x: Array) -> Array:
    """In standard deviations from the mean, at most `FAR`; 0 where all are equal."""
    mean, spread = mean_and_spread(x)
    return within((x - mean) / spread) if spread > EQUAL else np.zeros(len(x))


def lead(x: Array) -> Array:
    """By how many standard deviations each is above the best of the others, negative where below, at most `FAR`."""
    _, spread = mean_and_spread(x)
    return within((x - best_other(x)) / spread) if spread > EQUAL else np.zeros(len(x))


def within(x: Array, most: float = FAR) -> Array:
    """Not below -`FAR`, and not above `most`."""
    cut: Array = np.minimum(np.maximum(x, -FAR), most)
    return cut


def best_other(x: Array) -> Array:
    """The greatest of the others, for each of n > 1 numbers."""
    best = int(x.argmax())
    others = np.full(len(x), x[best])
    others[best] = max(x[:best].max(initial=-np.inf), x[best + 1 :].max(initial=-np.inf))
    return others


def standard_rows(x: Array) -> Array:
    """Each row of an array (m, n) as by `standard`."""
    spread = x.std(axis=1, keepdims=True)
    apart = spread > EQUAL
    standardised = (x - x.mean(axis=1, keepdims=True)) / np.where(apart, spread, 1)
    return np.where(apart, within(standardised), 0)
