"""Which composite keys are counted among the rows: a bounded number, chosen by the evidence on single columns alone.

A child table refers to a parent by a composite key when its tuples of several columns are among the parent's, the
parent's tuples are a key, and no single column of them is a key. It follows that the values of each child column are
among those of its parent column, and that the numbers of distinct values of the parent's columns, multiplied, reach its
number of rows. The evidence tells both without reading rows; only what passes is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise, product
from typing import TYPE_CHECKING

import numpy as np

from joinability.composite.leading_keys import SMALLEST, columns_with_common_values, measured
from joinability.evidence.name_forms import AFTER_TABLE
from joinability.evidence.traits import KEY_UNIQUENESS

if TYPE_CHECKING:
    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.blocks import EvidenceBlock
    from joinability.evidence.evidence import JoinEvidence

CONTAINED = 0.8
"""Share of the child's values that has to be among the parent's."""
ALIKE = 0.5
"""Similarity of names below which two columns are no condition of a composite key."""
SPEAKS = 0.3
"""Similarity of names from which that of the first condition counts for those beside it."""
SAME = 0.9
"""Similarity of names from which two keys are one."""
CONDITIONS = 12
"""Most pairs of columns of two tables that are combined; those with the most similar names."""
KEYS = 64
"""Most composite keys of one table that are counted, as child and as parent."""


@dataclass(frozen=True)
class Candidate:
    """Columns of a child that may refer to those of a parent, in order; positions in the evidence."""

    child: tuple[int, ...]
    parent: tuple[int, ...]
    names: float
    declared: bool = False

    @property
    def conditions(self) -> frozenset[tuple[int, int]]:
        """The pairs (child column, parent column), in no order."""
        return frozenset(zip(self.child, self.parent, strict=True))


def composite_candidates(
    evidence: JoinEvidence,
    *,
    readable: Flags,
    primary_keys: Mapping[int, Sequence[Sequence[int]]],
    declared: Sequence[tuple[Sequence[int], Sequence[int]]] = (),
    in_a_row: Sequence[tuple[Sequence[int], Sequence[int]]] = (),
    touched: Flags | None = None,
) -> list[Candidate]:
    """Composite keys to be counted, the most promising first.

    Parameters
    ----------
    evidence : JoinEvidence
    readable : (T,) array of bool
        Tables whose rows can be read.
    primary_keys : mapping
        Table to the columns of its primary key, declared or in front, where these are several; to those of two such
        keys, the better one first, where it is not clear which it is.
    declared : pairs of sequences of int
        Declared foreign keys of several columns: child columns, parent columns.
    in_a_row : pairs of sequences of int
        Columns beside each other, and keys to which they may refer, see `joinability.composite.leading_keys`.
    touched : (T,) array of bool, optional
        Only keys of which at least one table is among these.

    Returns
    -------
    list of Candidate
        At most `KEYS` of each table as child and as many as parent, besides the declared ones.
    """
    child, parent, names = _conditions(evidence, readable, touched)
    candidates: list[Candidate] = []
    for group in _by_tables(evidence, child, parent, names):
        candidates += _combined(evidence, child[group], parent[group], names[group], primary_keys)
    candidates += _named(evidence, in_a_row)
    candidates.sort(key=lambda candidate: (-candidate.names, len(candidate.child), candidate.child, candidate.parent))
    table = evidence.table
    stated = [
        Candidate(tuple(child_columns), tuple(parent_columns), 1.0, declared=True)
        for child_columns, parent_columns in declared
        if touched is None or touched[table[child_columns[0]]] or touched[table[parent_columns[0]]]
    ]
    distinct = {key.conditions: key for key in reversed([*stated, *candidates])}
    return stated + _capped([key for key in candidates if distinct[key.conditions] is key], table)


def _conditions(evidence: JoinEvidence, readable: Flags, touched: Flags | None) -> tuple[Indices, Indices, Array]:
    """Pairs (child column, parent column) that may be a condition, with the similarity of their names."""
    child, parent = columns_with_common_values(evidence, touched)
    kept = readable[evidence.table[child]] & readable[evidence.table[parent]]
    kept &= ~evidence.is_key[child] & (evidence.uniqueness[parent] < KEY_UNIQUENESS)
    kept &= (evidence.distinct[parent] > 1) & (evidence.rows[parent] >= SMALLEST)
    kept &= ~evidence.estimated[child] & ~evidence.estimated[parent]
    child, parent = child[kept], parent[kept]
    is_measured = measured(evidence, np.union1d(child, parent))
    identify = np.flatnonzero(~is_measured[child] & ~is_measured[parent])
    child, parent = child[identify], parent[identify]
    block = evidence.pairs(child, parent)
    names = _names(block)
    good = np.flatnonzero(_is_contained(block) & (names >= ALIKE))
    good = good[~_share_a_key(evidence, child[good], parent[good])]
    return child[good], parent[good], names[good]


def _share_a_key(evidence: JoinEvidence, child: Indices, parent: Indices) -> Flags:
    """Whether the tables of two columns have a key of one column in common, by its name and values: copies and subtypes
    have, and then all their other columns agree as well."""
    table, tables = evidence.table, len(evidence.table_names)
    pairs = table[child] * tables + table[parent]
    left, right = (side.astype(np.int64) for side in evidence.intersections.nonzero())
    unique = evidence.uniqueness >= KEY_UNIQUENESS
    keys = unique[left] & unique[right] & np.isin(table[left] * tables + table[right], pairs)
    left, right = left[keys], right[keys]
    block = evidence.pairs(left, right)
    shared = _is_contained(block) & (np.asarray(block.name_similarity) >= SAME)
    return np.isin(pairs, table[left[shared]] * tables + table[right[shared]])


def _is_contained(block: EvidenceBlock) -> Flags:
    return np.asarray((block.containment_left >= CONTAINED) & ~block.differ_in_kind)


def _names(block: EvidenceBlock) -> Array:
    """Similarities of the names of a child's columns and a parent's: alike, or the child's named after the parent."""
    return np.asarray(np.maximum(block.header_similarity, AFTER_TABLE * block.named_after_right), dtype=np.float64)


def _by_tables(evidence: JoinEvidence, child: Indices, parent: Indices, names: Array) -> Iterator[Indices]:
    """The conditions of each pair of tables that has several, at most `CONDITIONS`, most similar names first."""
    pair = evidence.table[child] * len(evidence.table_names) + evidence.table[parent]
    order = np.lexsort((parent, child, -names, pair))
    starts = np.flatnonzero(np.diff(pair[order], prepend=-1))
    for group in np.split(order, starts[1:]) if len(order) else ():
        if len(group) > 1:
            yield group[:CONDITIONS]


def _combined(
    evidence: JoinEvidence,
    child: Indices,
    parent: Indices,
    names: Array,
    primary_keys: Mapping[int, Sequence[Sequence[int]]],
) -> list[Candidate]:
    """Candidates between two tables: the parent's primary key, where it is covered; pairs of columns, where it has none
    of several."""
    conditions = list(zip(child.tolist(), parent.tolist(), names.tolist(), strict=True))
    if keys := primary_keys.get(int(evidence.table[parent[0]])):
        return next(filter(None, (_ways(conditions, key) for key in keys)), [])
    rows = int(evidence.rows[parent[0]])
    pairs = [_candidate(sorted(two, key=lambda condition: condition[1])) for two in combinations(conditions, 2)]
    return [
        pair
        for pair in pairs
        if len(set(pair.child)) == len(set(pair.parent)) == 2
        and evidence.distinct[list(pair.parent)].prod() >= KEY_UNIQUENESS * rows
    ]


def _ways(conditions: Sequence[tuple[int, int, float]], key: Sequence[int]) -> list[Candidate]:
    """All ways to cover a key by a condition for each column; of those with the same columns of the child the one with
    the most similar names."""
    covering = [[condition for condition in conditions if condition[1] == column] for column in key]
    best: dict[frozenset[int], Candidate] = {}
    for way in sorted(map(_candidate, islice(product(*covering), CONDITIONS)), key=lambda way: -way.names):
        if len(set(way.child)) == len(key):
            best.setdefault(frozenset(way.child), way)
    return list(best.values())


def _named(evidence: JoinEvidence, in_a_row: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Candidate]:
    """Those of some references for which names speak, see `names_in_a_row`, and of no column against it."""
    if not in_a_row:
        return []
    sides = [np.array([column for key in in_a_row for column in key[side]]) for side in (0, 1)]
    block = evidence.pairs(*sides)
    names = _names(block)
    weak = np.flatnonzero(names < ALIKE)
    is_against = evidence.is_key[sides[0]] | _share_a_key(evidence, *sides)
    is_against[weak] |= _mean_others(evidence, sides[0][weak], sides[1][weak])
    found, start = [], 0
    for child, parent in in_a_row:
        own = slice(start, start + len(child))
        start = own.stop
        least = float(names_in_a_row(names[own]).min())
        if least >= ALIKE and not is_against[own].any():
            found.append(Candidate(tuple(child), tuple(parent), least))
    return found


def _mean_others(evidence: JoinEvidence, child: Indices, parent: Indices) -> Flags:
    """Whether names and values say of two columns that they refer to keys of different tables: to the rate plan and to
    the room."""
    columns, keys = columns_with_common_values(evidence)
    asked = np.zeros(len(evidence.table), dtype=np.bool_)
    asked[child] = asked[parent] = True
    kept = asked[columns] & (evidence.uniqueness[keys] >= KEY_UNIQUENESS)
    columns, keys = columns[kept], keys[kept]
    block = evidence.pairs(columns, keys)
    named = _is_contained(block) & (np.asarray(block.name_similarity) >= ALIKE)
    keys_of: dict[int, set[int]] = {}
    for column, key in zip(columns[named].tolist(), keys[named].tolist(), strict=True):
        keys_of.setdefault(column, set()).add(key)
    both = [(keys_of.get(one), keys_of.get(other)) for one, other in zip(child.tolist(), parent.tolist(), strict=True)]
    return np.array([bool(one and other and one.isdisjoint(other)) for one, other in both], dtype=np.bool_)


def names_in_a_row(names: Array) -> Array:
    """How well names say that columns beside each other refer to those of a key, in its order, of the names of each.

    The first one, which says of what, speaks for all others where it is like enough: they count at least `ALIKE`.
    """
    return np.maximum(names, ALIKE) if names[0] >= SPEAKS else names


def stand_in_a_row(columns: Sequence[int]) -> bool:
    """Whether columns of a table stand beside each other, in this order."""
    return all(after == before + 1 for before, after in pairwise(columns))


def _candidate(conditions: Sequence[tuple[int, int, float]]) -> Candidate:
    """The candidate with these conditions (child column, parent column, similarity of the names)."""
    child, parent, names = zip(*conditions, strict=True)
    return Candidate(child, parent, min(names))


def _capped(candidates: Sequence[Candidate], table: Indices) -> list[Candidate]:
    """The first candidates of each table: at most `KEYS` different keys as child, and as parent."""
    seen: tuple[dict[int, set[tuple[int, ...]]], ...] = ({}, {})
    kept = []
    for candidate in candidates:
        sides = [
            (columns, keys.setdefault(int(table[columns[0]]), set()))
            for columns, keys in zip((candidate.child, candidate.parent), seen, strict=True)
        ]
        if all(columns in keys or len(keys) < KEYS for columns, keys in sides):
            for columns, keys in sides:
                keys.add(columns)
            kept.append(candidate)
    return kept
