"""Join neighbours: tables that connect the candidates of a question, though they share no word with it."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from jar.tables.composites import polymorphic_neighbours
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.sparse.sparse_entries import entries_of

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from joinability.scores.score import JoinScore

Flags = npt.NDArray[np.bool_]

HEADS = 10
"""Candidates whose neighbours are looked at: the most relevant ones."""
JOINS = 2
"""Joins of a neighbour that count: a bridge connects two tables."""
LEAST_JOIN = 0.3
"""The least joinability of a neighbour."""
OWN = 0.5
"""Weight of a neighbour's own relevance."""
INSIDE = 0.5
"""The least share of a column's values that another one has to hold for the two to be looked at."""
FEW = 20
"""Candidates that are fewer than those of a small database's own pool: the least of them may gain a bridge, too."""
MARGIN = 1e-9
"""What the least relevance stays below the candidates, where each of them gains."""
MOST_PAIRS = 400
"""Pairs of columns of a table that are scored; beyond, those that hold most of each other's values."""


class Neighbour(NamedTuple):
    """A table that joins candidates, and the candidate that it joins with most gain."""

    table: int
    candidate: int


class _Pairs(NamedTuple):
    """Pairs of columns of candidates and of other tables."""

    inside: IntArray
    outside: IntArray


def join_neighbours(
    contents: IndexContents,
    score: JoinScore,
    tables: IntArray,
    relevance: Array,
    count: int,
    exclude: Collection[int] = (),
) -> list[Neighbour]:
    """The tables beside some candidates that connect most relevance, best first.

    With the gain g_i = r_i - b > 0 of a candidate i, a table j outside that joins some of the first `HEADS` candidates
    of its database by w_ij >= `LEAST_JOIN` is worth, by equation (4) of docs/ranking.md,

        v_j = sum of the `JOINS` greatest g_i w_ij + `OWN` (r_j - b)

    The base b is the least relevance of a candidate. Of less than `FEW` candidates, or equal ones, that would leave too
    few that gain: there b is the `FEW`-th greatest relevance of the index, if that is less, minus `MARGIN`.

    Parameters
    ----------
    tables : array (n,)
        The candidates, whoever proposes them.
    relevance : array (N,)
        Of all tables of the index.
    count : int
        How many neighbours are wanted at most.
    exclude : positions
        Tables that are no neighbours.
    """
    if not count or not len(tables):
        return []
    base = _base(relevance, relevance[tables])
    heads = tables[np.argsort(-relevance[tables], kind="stable")[:HEADS]]
    heads = heads[relevance[heads] > base]
    free = np.isin(contents.databases, contents.databases[heads])
    free[[*tables.tolist(), *exclude]] = False
    if not free.any():
        return []
    joins = _joins(contents, score, heads, free)
    gains: dict[int, list[tuple[float, int]]] = {}
    for (head, table), joined in joins.items():
        gains.setdefault(table, []).append((float(relevance[head] - base) * joined, head))
    worth = {
        table: sum(gain for gain, _ in sorted(gains_of, reverse=True)[:JOINS]) + OWN * (relevance[table] - base)
        for table, gains_of in gains.items()
    }
    best = sorted(worth, key=lambda table: (-worth[table], table))[:count]
    return [Neighbour(table, min(gains[table], key=lambda gain: (-gain[0], gain[1]))[1]) for table in best]


def _base(relevance: Array, candidates: Array) -> float:
    """The relevance from which candidates gain.

    Parameters
    ----------
    relevance, candidates : arrays (N,) and (n,)
        Of all tables, and of the candidates.
    """
    base = float(candidates.min())
    if len(candidates) >= FEW and base < candidates.max():
        return base
    place = min(FEW, len(relevance)) - 1
    return min(base, float(-np.partition(-relevance, place)[place])) - MARGIN


def _joins(contents: IndexContents, score: JoinScore, heads: IntArray, free: Flags) -> dict[tuple[int, int], float]:
    """Joinability of tables with free ones of their database, where it is `LEAST_JOIN` or more."""
    known = contents.joins.neighbours(score, heads.tolist(), partial(_neighbours_of, contents, score))
    joins = ((head, known[head].items()) for head in heads.tolist())
    return {(head, table): joined for head, tables in joins for table, joined in tables if free[table]}


def _neighbours_of(contents: IndexContents, score: JoinScore, tables: IntArray) -> dict[int, dict[int, float]]:
    """The tables of its database that each of some tables joins by `LEAST_JOIN` or more, with their joinability."""
    columns = contents.columns_of(tables)
    pairs = _possible(contents, columns[contents.joins.may_join[columns]])
    similar = np.zeros(len(pairs.inside), dtype=np.float32)
    if score.reads_texts:
        similar = np.einsum("ij,ij->i", contents.schema_vectors[pairs.inside], contents.schema_vectors[pairs.outside])
    joinability = np.asarray(contents.joins.judged(score)(contents.evidence.pairs(*pairs), similar), dtype=np.float64)
    left, right = pairs
    kept = joinability >= LEAST_JOIN
    best: dict[int, dict[int, float]] = {table: {} for table in tables.tolist()}
    ends = contents.owner[left[kept]].tolist(), contents.owner[right[kept]].tolist()
    for table, joined, weight in zip(*ends, joinability[kept].tolist(), strict=True):
        best[table][joined] = max(best[table].get(joined, 0.0), weight)
    for table, joined, weight in polymorphic_neighbours(contents, best.keys(), score):
        best[table][joined] = max(best[table].get(joined, 0.0), weight)
    for joined_tables in best.values():
        for first in joined_tables.keys() & contents.joined_families.keys():
            joined_tables.update(dict.fromkeys(contents.joined_families[first], joined_tables[first]))
    return best


def _possible(contents: IndexContents, columns: IntArray) -> _Pairs:
    """Pairs of these columns and columns of other tables of their database that may join.

    One is declared to refer to the other, one is nearly unique and holds `INSIDE` of the other's values, or names tell
    that one refers to the other. Of a family whose tables have one evidence, the first one stands for all.
    """
    evidence = contents.evidence
    stands = np.ones(len(contents.tables), dtype=np.bool_)
    stands[[member for members in contents.joined_families.values() for member in members[1:]]] = False
    inside, outside, common = entries_of(evidence.intersections, columns)
    size, unique = np.maximum(evidence.values, 1), evidence.key_uniqueness >= KEY_UNIQUENESS
    held = np.maximum(
        np.where(unique[outside], common / size[inside], 0.0),
        np.where(unique[inside], common / size[outside], 0.0),
    )
    declared, to_declared, _ = entries_of(evidence.declared.with_transposed(), columns)
    named, to_named, chance = entries_of(evidence.named.either, columns)
    inside = np.concatenate([inside, declared, named])
    outside = np.concatenate([outside, to_declared, to_named])
    held = np.concatenate([held, np.ones(len(declared)), INSIDE + chance])
    kept = (held >= INSIDE) & (contents.owner[inside] != contents.owner[outside])
    kept &= stands[contents.owner[outside]]
    kept &= contents.column_databases[inside] == contents.column_databases[outside]
    places = np.flatnonzero(kept)
    places = places[np.lexsort((-held[places], contents.owner[inside[places]]))]
    starts = np.searchsorted(contents.owner[inside[places]], contents.owner[inside[places]])
    places = places[np.arange(len(places)) - starts < MOST_PAIRS]
    return _Pairs(inside[places], outside[places])
