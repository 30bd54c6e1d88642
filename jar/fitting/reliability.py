"""Are probabilities right? Of what is called true with probability p, a share of p should be.

For a fit these are the candidates of logged questions, and whether the question needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import Any

from jar.arrays import Array
from jar.learned.logistic import expit

EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Limits of the bins: most candidates are not needed, and their probabilities are small."""


@dataclass(frozen=True)
class ReliabilityBin:
    """Pairs, such as a question and a candidate, whose probabilities lie between two limits.

    Attributes
    ----------
    low, high : float
        Probabilities from `low` on and below `high` (the last bin holds 1).
    pairs : int
        A candidate counts anew for each question; at least 1.
    probability : float
        Mean probability, for a fit that the question needs the candidate.
    needed : float
        Share of which that is true.
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
        return calibration_error(self.before)

    @property
    def error_after(self) -> float:
        """The expected calibration error with the fit."""
        return calibration_error(self.after)

    def to_dict(self) -> dict[str, list[list[float]]]:
        """Plain values, ready for JSON: the numbers of each bin in the order of `ReliabilityBin`."""
        sides = {"before": self.before, "after": self.after}
        return {side: [list(astuple(row)) for row in rows] for side, rows in sides.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reliability:
        """The bins that `to_dict` tells.

        Raises
        ------
        KeyError, TypeError
            When they are of another form.
        """
        before, after = (tuple(ReliabilityBin(*row) for row in data[side]) for side in ("before", "after"))
        return cls(before, after)


def reliability_bins(log_odds: Array, needed: Array) -> tuple[ReliabilityBin, ...]:
    """The bins of pairs by their log-odds and whether they are needed (1 or 0), shapes (p,); without empty ones."""
    return probability_bins(expit(log_odds), needed)


def probability_bins(chances: Array, true: Array, edges: Sequence[float] = EDGES) -> tuple[ReliabilityBin, ...]:
    """The bins of pairs by their probabilities and whether they are true (1 or 0), shapes (p,); without empty ones."""
    bins = []
    for low, high in pairwise(edges):
        inside = (chances >= low) & ((chances < high) | (high == edges[-1]))
        if inside.any():
            mean, share = float(chances[inside].mean()), float(true[inside].mean())
            bins.append(ReliabilityBin(low, high, int(inside.sum()), mean, share))
    return tuple(bins)


def calibration_error(bins: Iterable[ReliabilityBin]) -> float:
    """Expected calibration error: the mean of |probability - share| over the bins, weighted by their pairs."""
    rows = list(bins)
    return sum(row.pairs * abs(row.probability - row.needed) for row in rows) / max(sum(row.pairs for row in rows), 1)
