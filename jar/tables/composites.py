"""Composite keys among the candidates of a question: each stands at its first pair of columns, where it is better."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from jar.answers.connecting import STRONG
from jar.answers.join import Join
from jar.arrays import IntArray
from joinability.composite.stored_keys import TOLD

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.tables.query import Limits
    from joinability import CompositeJoin
    from joinability.scores.score import JoinScore

FEW_TABLES = 4
"""Tables up to which a polymorphic reference counts what it scores."""
SECOND = 0.99
"""What it counts at most of a likely plain reference to the same key."""

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


def joins_beside(contents: IndexContents, tables: IntArray, limits: Limits, score: JoinScore) -> list[Join]:
    """The likely joins of rows of one table with each other, of each of some tables, and those of their codes with a
    list of codes by type among them.

    Parameters
    ----------
    tables : array (n,)
        Positions of tables in the index.
    """
    forbidden = {frozenset(pair) for pair in limits.forbid_columns}
    alone, among = [frozenset([table]) for table in tables.tolist()], set(tables.tolist())
    coded = [pair for pair in contents.joins.coded_pairs if pair <= among]
    return [
        Join.of(join.to_edge(contents.evidence))
        for pairs, is_coded in ((alone, False), (coded, True))
        for join in contents.joins.composites(score, pairs)
        if join.is_coded is is_coded and join.score >= TOLD and frozenset((*join.left, *join.right)) not in forbidden
    ]


def one_of_each_list(
    contents: IndexContents, joins: Sequence[CompositeJoin], place: Mapping[int, int], relevance: npt.NDArray[Any]
) -> list[CompositeJoin]:
    """Composite joins with those to each list of codes by type that come from its most relevant table alone: two tables
    do not meet in a list where each has codes of a type of its own.

    Parameters
    ----------
    place : mapping
        The place of each table among the candidates.
    relevance : array (n,)
        Of the candidates.
    """

    def worth(join: CompositeJoin) -> float:
        return float(relevance[place[int(contents.owner[join.left[0]])]])

    best: dict[int, CompositeJoin] = {}
    for join in joins:
        if join.is_coded and (join.right[0] not in best or worth(join) > worth(best[join.right[0]])):
            best[join.right[0]] = join
    child = {code: int(contents.owner[join.left[0]]) for code, join in best.items()}
    return [join for join in joins if not join.is_coded or contents.owner[join.left[0]] == child[join.right[0]]]


def polymorphic_neighbours(
    contents: IndexContents, tables: Collection[int], score: JoinScore
) -> Iterator[tuple[int, int, float]]:
    """The tables that each of some tables joins by polymorphic references, with what these count."""
    owner, kinds = contents.owner, contents.joins.fanned
    if not kinds:
        return
    for join in contents.joins.composites(score):
        ends = int(owner[join.left[0]]), int(owner[join.right[0]])
        for table, other in (ends, ends[::-1]):
            if join.where and table in tables and table != other:
                yield table, other, _counted(join, kinds)


def _counted(join: CompositeJoin, kinds: Mapping[int, int]) -> float:
    """What a join counts; see `place_composites`."""
    if join.where is None:
        return join.score
    column = (join.right if join.where.of_parent else join.left)[0]
    return join.score * min(1, FEW_TABLES / kinds[column])


def polymorphic_among(
    composites: Composites, columns: IntArray, chosen: npt.NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """The pairs of columns of polymorphic references among c columns, both of which are chosen, by their places."""
    place = {int(columns[row]): int(row) for row in np.flatnonzero(chosen)}
    return [
        (place[join.left[0]], place[join.right[0]])
        for join in composites.values()
        if join.where and place.keys() >= {join.left[0], join.right[0]}
    ]


def place_composites(
    joinability: npt.NDArray[Any],
    columns: IntArray,
    owner: IntArray,
    joins: Collection[CompositeJoin],
    kinds: Mapping[int, int],
) -> Composites:
    """Raise the joinability of the first columns of composite keys and polymorphic references, in place.

    A composite key counts what it scores. One that is no better than a single pair of columns of the same tables is
    left out, for that is the simpler condition; a declared one is not, for its parts are declared with it.

    A polymorphic reference of score w to n tables counts ``w min(1, 4 / n)``: a log of all changes connects any two
    tables and chooses none. Beside a likely plain reference to the same key it counts a little less than this, as the
    rarer meaning: which user was changed, beside who changed something. Where its columns are stated to join in all
    rows, by a pin or a declared key, that counts.

    Parameters
    ----------
    joinability : array (C, C)
    columns, owner : arrays (C,)
        Positions in the index of its rows and columns, table by table, and the table of each.
    joins : collection of CompositeJoin
        Between the tables of the columns, best first for each two tables.
    kinds : mapping
        As `KnownJoins.fanned` has it.

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
        weight = _counted(join, kinds)
        if join.where and joinability[k, l] == 1:
            continue
        if join.where and (plain := joinability[table == one, l].max()) >= STRONG:
            weight = min(weight, SECOND * plain)
        if join.where or weight > best[one, other] or (join.evidence["declared"] and weight == best[one, other]):
            joinability[k, l] = joinability[l, k] = weight
            best[one, other] = best[other, one] = max(weight, best[one, other])
            for pair in zip(join.left, join.right, strict=True):
                placed.setdefault((min(pair), max(pair)), join)
    return placed
