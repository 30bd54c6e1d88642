"""Are the probabilities of a fit right? Of the candidates called needed with probability p, a share of p should be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from scipy.special import expit

from jar.arrays import Array

EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Limits of the bins: most candidates are not needed, and their probabilities are small."""


@dataclass(frozen=True)
class ReliabilityBin:
    """Candidates of questions whose probabilities lie between two limits.

    Attributes
    ----------
    low, high : float
        Probabilities from `low` on and below `high` (the last bin holds 1).
    pairs : int
        Candidates, counted for each question anew; at least 1.
    probability : float
        Mean probability that the question needs them.
    needed : float
        Share that it needs.
    """

    low: float
    high: float
    pairs: int
    probability: float
    needed: float


@dataclass(frozen=True)
class Reliability:
    """The bins without and with a fit that has not seen the questions, and the expected calibration errors.

    The error is the mean of |probability - needed| over the bins, weighted by their pairs, from 0 to 1 (Naeini, Cooper
    and Hauskrecht, 2015, Obtaining well calibrated probabilities using Bayesian binning).
    """

    before: tuple[ReliabilityBin, ...]
    after: tuple[ReliabilityBin, ...]

    @property
    def error_before(self) -> float:
        """The expected calibration error without the fit."""
        return _error(self.before)

    @property
    def error_after(self) -> float:
        """The expected calibration error with the fit."""
        return _error(self.after)


def reliability_bins(log_odds: Array, needed: Array) -> tuple[ReliabilityBin, ...]:
    """The bins of pairs by their log-odds and whether they are needed (1 or 0), shapes (p,); without empty ones."""
    chances = expit(log_odds)
    bins = []
    for low, high in pairwise(EDGES):
        inside = (chances >= low) & ((chances < high) | (high == EDGES[-1]))
        if inside.any():
            mean, share = float(chances[inside].mean()), float(needed[inside].mean())
            bins.append(ReliabilityBin(low, high, int(inside.sum()), mean, share))
    return tuple(bins)


def _error(bins: Iterable[ReliabilityBin]) -> float:
    rows = list(bins)
    return sum(row.pairs * abs(row.probability - row.needed) for row in rows) / max(sum(row.pairs for row in rows), 1)
