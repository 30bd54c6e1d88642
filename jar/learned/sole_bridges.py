"""How much a candidate is needed to connect others: of bridges no word of a question tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jar.learned.logistic import expit

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.learned.candidates_seen import Candidates

ENDS = 12
"""So many of the likeliest candidates are looked at in pairs."""
CERTAIN = 0.999
"""The most that p_j w_aj w_jb counts, so that the logarithm of what it leaves is finite."""


def sole_bridges(seen: Candidates, log_odds: Array) -> Array:
    """How likely two needed candidates join by each candidate alone, shape (n,), 0 to 1.

        connecting_i = max_{a < b} p_a p_b (1 - w_ab) way_ab,i prod_{j != a, b, i} (1 - p_j w_aj w_jb)
        way_ab,i = max(r_ia r_ib, r_ia r_bi, r_ai r_ib)

    with probabilities p, joinability w and how likely one refers to another, r, where a and b are of one database and
    among the `ENDS` likeliest. A candidate to which both refer is no way: most tables refer to people and dates.

    Parameters
    ----------
    log_odds : array (n,)
        That each candidate is needed.
    """
    p = expit(log_odds)
    first, second = _ends(seen, p)
    if not len(first):
        return np.zeros(seen.n)
    apart = p[first] * p[second] * (1 - seen.joins[first, second])
    doubt = np.log1p(-np.minimum(p * seen.joins[first] * seen.joins[second], CERTAIN))
    others = np.exp(doubt.sum(axis=1, keepdims=True) - doubt)
    alone: Array = (apart[:, None] * _ways(seen, first, second) * others).max(axis=0)
    return alone


def _ends(seen: Candidates, p: Array) -> tuple[IntArray, IntArray]:
    """The pairs of likely candidates of one database."""
    likeliest = np.argsort(-p, kind="stable")[:ENDS]
    one, other = np.triu_indices(len(likeliest), 1)
    first, second = likeliest[one], likeliest[other]
    alike = seen.databases[first] == seen.databases[second]
    return first[alike], second[alike]


def _ways(seen: Candidates, first: IntArray, second: IntArray) -> Array:
    """How likely each candidate joins the two of each pair, of which it refers to one at least, or one to it and it to
    the other, shape (pairs, n). Element (a, i) of `Candidates.refers` tells how likely i refers to a."""
    to_first, to_second = seen.refers[first], seen.refers[second]
    by_first, by_second = seen.refers[:, first].T, seen.refers[:, second].T
    ways: Array = np.maximum(to_first * np.maximum(to_second, by_second), by_first * to_second)
    return ways
