"""Is the score a probability? Of the pairs that score about p, a share of p should be keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from benchmarks.joins.key_ranking import Scored

EDGES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class Bin:
    """Pairs whose scores lie between two limits.

    Attributes
    ----------
    low, high : float
        Scores from `low` on and below `high` (the last bin holds 1).
    pairs : int
    score : float
        Mean score.
    declared : float
        Share of declared keys.
    """

    low: float
    high: float
    pairs: int
    score: float
    declared: float


def reliability(scored: Iterable[Scored], edges: tuple[float, ...] = EDGES) -> list[Bin]:
    """The reliability table of a score; bins without pairs are left out."""
    databases = list(scored)
    score = np.concatenate([database.score for database in databases])
    declared = np.concatenate([database.declared for database in databases])
    bins = []
    for number, (low, high) in enumerate(pairwise(edges)):
        last = number == len(edges) - 2
        inside = (score >= low) & ((score < high) | last)
        if inside.any():
            bins.append(Bin(low, high, int(inside.sum()), float(score[inside].mean()), float(declared[inside].mean())))
    return bins


def calibration_error(bins: Iterable[Bin]) -> float:
    """Expected calibration error: the mean of |score - share of keys| over the bins, weighted by their pairs.

    Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning.
    """
    rows = list(bins)
    return sum(row.pairs * abs(row.score - row.declared) for row in rows) / max(sum(row.pairs for row in rows), 1)
