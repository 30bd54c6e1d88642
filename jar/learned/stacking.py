"""What the second stage of the relevance model sees beside the evidence: the first stage's judgement of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from jar.arrays import Array
from jar.learned.candidates_seen import Candidates
from jar.learned.evidence import in_databases
from jar.learned.logistic import expit
from jar.learned.sole_bridges import sole_bridges
from jar.learned.standardising import lead


@dataclass(frozen=True)
class StackedFeature:
    """A quantity of a candidate that follows from log-odds of all candidates.

    Attributes
    ----------
    name : str
    sign : -1, 0 or 1
        As that of a `Feature`.
    of : callable
        ``(candidates, log-odds (n,)) -> (n,)``.
    meaning, reason : str
    """

    name: str
    sign: int
    of: Callable[[Candidates, Array], Array]
    meaning: str
    reason: str = ""


def stacked(seen: Candidates, odds: Array) -> Array:
    """The stacked features of n candidates by their log-odds, shape (n, S), a column for each of `STACKED`."""
    return np.stack([feature.of(seen, odds) for feature in STACKED.values()], axis=-1)


def _joined(place: int) -> Callable[[Candidates, Array], Array]:
    def told(seen: Candidates, odds: Array) -> Array:
        if seen.n <= place:
            return np.zeros(seen.n)
        joined = np.sort(seen.joins * expit(odds)[None, :], axis=1)[:, ::-1]
        return np.ascontiguousarray(joined[:, place])

    return told


def _bridge(seen: Candidates, odds: Array) -> Array:
    """What speaks least for one of the two likeliest candidates that each refers to, shape (n,)."""
    if seen.n < 2:
        return np.zeros(seen.n)
    referred = np.sort(seen.refers * expit(odds)[:, None], axis=0)
    return np.ascontiguousarray(referred[-2])


def _database_best(seen: Candidates, odds: Array) -> Array:
    """The greatest probability among the others of the own database, shape (n,)."""
    best: Array = np.where(seen.neighbours, expit(odds), 0.0).max(axis=1, initial=0.0)
    return best


def _database_share(seen: Candidates, odds: Array) -> Array:
    p = expit(odds)
    part: Array = in_databases(seen, p, np.add, 0.0) / max(p.sum(), 1e-12) - 1
    return part


def _expected(seen: Candidates, odds: Array) -> Array:
    p = expit(odds)
    others: Array = np.log1p(np.maximum(p.sum() - p, 0.0))
    return others


# fmt: off
_TABLE = (
    StackedFeature("odds", 1, lambda seen, odds: odds,
                   "log-odds of the first stage", "the evidence speaks for it"),
    StackedFeature("odds_lead", 1, lambda seen, odds: lead(odds),
                   "the same, above the best of the others, in standard deviations", "no other candidate is as likely"),
    StackedFeature("neighbour", 1, _joined(0),
                   "greatest product of joinability and probability among the candidates that it joins",
                   "it joins a likely table"),
    StackedFeature("neighbour_second", 1, _joined(1),
                   "the next such product", "it connects two likely tables"),
    StackedFeature("referring", 1, lambda seen, odds: np.log1p(seen.refers @ expit(odds)),
                   "logarithm of the number of needed candidates that refer to it, as expected, plus one",
                   "likely tables refer to it"),
    StackedFeature("bridge", 1, _bridge,
                   "the next greatest product of joinability and probability among the candidates that it refers to",
                   "it refers to two likely tables"),
    StackedFeature("connecting", 1, sole_bridges,
                   "probability that two needed candidates join by it alone, the greatest over pairs of likely ones",
                   "it alone may connect two likely tables"),
    StackedFeature("database_best", 1, _database_best,
                   "greatest probability among the others of its database", "its database has a likely table"),
    StackedFeature("database_odds", 1, _database_share,
                   "share of its database in the probabilities of all, less 1", "its database is the likely one"),
    StackedFeature("others", 0, _expected,
                   "logarithm of the expected number of tables among the others, plus one"),
)
# fmt: on
STACKED: dict[str, StackedFeature] = {feature.name: feature for feature in _TABLE}
"""By name, in the order of the columns of `stacked`."""
