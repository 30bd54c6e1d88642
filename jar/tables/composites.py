"""Composite keys among the candidates of a question: each stands at its first pair of columns, where it is better."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.tables.query import Limits
    from joinability import CompositeJoin
    from joinability.scores.score import JoinScore

Composites = Mapping[tuple[int, int], "CompositeJoin"]


def composites_between(
    contents: IndexContents, tables: IntArray, limits: Limits, score: JoinScore
) -> list[CompositeJoin]:
    """The composite keys between some tables, without those that are forbidden, they or one of their conditions.

    Parameters
    ----------
    tables : array (n,)
        Positions of tables in the index.
    """
    apart = {frozenset(pair) for pair in limits.forbid_tables}
    pairs = (pair for pair in map(frozenset, combinations(tables.tolist(), 2)) if pair not in apart)
    forbidden = {frozenset(pair) for pair in limits.forbid_columns}
    return [
        join
        for join in contents.joins.composites(score, pairs)
        if forbidden.isdisjoint(map(frozenset, zip(join.left, join.right, strict=True)))
    ]


def place_composites(
    joinability: npt.NDArray[Any], columns: IntArray, owner: IntArray, joins: Collection[CompositeJoin]
) -> Composites:
    """Raise the joinability of the first columns of composite keys to their scores, in place.

    One that is no better than a single pair of columns of the same tables is left out, for that is the simpler
    condition; a declared one is not, for its parts are declared with it.

    Parameters
    ----------
    joinability : array (C, C)
    columns, owner : arrays (C,)
        Positions in the index of its rows and columns, table by table, and the table of each.
    joins : collection of CompositeJoin
        Between the tables of the columns, best first for each two tables.

    Returns
    -------
    mapping
        Pairs of columns that stand for a composite key, the lesser position first, to the join.
    """
    placed: dict[tuple[int, int], CompositeJoin] = {}
    if not joins:
        return placed
    place = {int(column): row for row, column in enumerate(columns)}
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    table = np.cumsum(np.diff(owner, prepend=owner[0]) != 0)
    best = np.maximum.reduceat(np.maximum.reduceat(joinability, starts, axis=0), starts, axis=1)
    for join in joins:
        k, l = place[join.left[0]], place[join.right[0]]  # noqa: E741
        one, other = table[k], table[l]
        if join.score > best[one, other] or (join.evidence["declared"] and join.score == best[one, other]):
            joinability[k, l] = joinability[l, k] = best[one, other] = best[other, one] = join.score
            for pair in zip(join.left, join.right, strict=True):
                placed.setdefault((min(pair), max(pair)), join)
    return placed
