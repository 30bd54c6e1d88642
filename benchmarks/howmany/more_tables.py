"""Fits how likely a question that needs some tables needs one more (equation 5 of `jar.sizes.set_model`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.joins.logistic import fit_logistic
from benchmarks.learning.pools import Pool
from jar.learned.width import unknown_share
from jar.sizes.candidate_sets import LARGEST

Array = npt.NDArray[np.float64]


class Needs(NamedTuple):
    """A question: the tables that it needs, its sub-queries, which share of its words the candidates do not know, how
    many these are, and what it counts in a fit."""

    needed: int
    subqueries: int
    unknown: float
    candidates: int
    weight: float = 1.0


def needs_of(pools: Iterable[Pool]) -> list[Needs]:
    """What the questions of pools need; without those that nothing answers."""
    return [
        Needs(pool.gold, len(pool.seen.fine), unknown_share(pool.seen), pool.seen.n, pool.weight)
        for pool in pools
        if pool.gold
    ]


def fit_more(needs: Iterable[Needs]) -> Array:
    """The weights of equation (5), shape (4,).

    A logistic regression with an example for each question and each number l of tables, up to `LARGEST`, that it needs
    and that there are more candidates than: whether it needs more than l.
    """
    examples = [
        (np.log1p(one.subqueries), size, one.unknown, one.needed > size, one.weight)
        for one in needs
        for size in range(1, LARGEST + 1)
        if one.needed >= size and one.candidates > size
    ]
    rows = np.array(examples, dtype=np.float64)
    constant, slopes = fit_logistic(rows[:, :3], rows[:, 3], weight=rows[:, 4])
    return np.array([constant, *slopes])
