"""Keys of the columns that a table begins with, and the columns beside each other in other tables that refer to them.

Tables of old systems have no column that is a key: a flat is the 12th of building 3 of estate 7. Such a key stands in
front, and what refers to it keeps its order, whatever the columns are called: (`repair_wo`, `repair_op`) refers to
(`wo_no`, `opr_no`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, takewhile
from typing import TYPE_CHECKING

import numpy as np

from joinability.by_name.bookkeeping import is_bookkeeping
from joinability.by_name.quantity_words import PLURAL
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.names import name_words

if TYPE_CHECKING:
    from joinability.arrays import Flags, Indices
    from joinability.evidence.evidence import JoinEvidence

Columns = tuple[int, ...]

LONGEST = 4
"""Columns of such a key."""
SUMS = frozenset("amount balance charge cost count percent price sum total".split())
"""Last words of names for what is added up; a tariff may be by weight."""
MOSTLY_CONTAINED = 0.6
"""Share of a column's values that has to be among those of its column of the key: where one refers to what is gone."""
MOST, MOST_BY_CHANCE = 512, 64
"""References to a key, at most: to one with a column whose values tell something, and to one of counts and years."""
SMALLEST = 4
"""Least number of rows of a parent; in smaller tables nearly all pairs of columns are a key."""


def leading_columns(
    evidence: JoinEvidence, readable: Flags, known: Collection[int], touched: Flags | None = None
) -> dict[int, list[Columns]]:
    """The columns that may be the key of a table, in the order in which the first key is taken for it: of the first two
    columns, of the first three and so on, constants and what is `measured` left out, and the fewest of these first.

    Only tables with rows, of which none of these columns is a key by itself, and none of the `known` ones; nor those
    to which nothing can refer, as fewer than two columns have a value of another table's.

    Parameters
    ----------
    evidence : JoinEvidence
    readable : (T,) array of bool
        Tables whose rows can be read.
    known : collection of int
        Tables whose key is known.
    touched : (T,) array of bool, optional
        Only tables that are among these, or have the values of columns of these.
    """
    is_parent = readable & (_shared_columns(evidence, touched) > 1)
    is_parent[list(known)] = False
    kept = is_parent[evidence.table] & (evidence.distinct > 1) & (evidence.rows >= SMALLEST) & ~evidence.estimated
    kept &= ~measured(evidence, np.flatnonzero(kept))
    columns_of: dict[int, list[int]] = {}
    for column in np.flatnonzero(kept).tolist():
        columns_of.setdefault(int(evidence.table[column]), []).append(column)
    return {table: _tuples(evidence, columns) for table, columns in columns_of.items()}


def columns_with_common_values(evidence: JoinEvidence, touched: Flags | None = None) -> tuple[Indices, Indices]:
    """Pairs of columns of two tables with a value in common, in both orders; of which one table is `touched`."""
    column, other = (side.astype(np.int64) for side in evidence.intersections.nonzero())
    kept = evidence.table[column] != evidence.table[other]
    if touched is not None:
        kept &= touched[evidence.table[column]] | touched[evidence.table[other]]
    return column[kept], other[kept]


def measured(evidence: JoinEvidence, columns: Indices) -> Flags:
    """Which columns hold sums, counts, or the time when a row was made, by their names, of those that are asked of,
    shape (C,): rows that are equal in these are not the same thing."""
    found = np.zeros(len(evidence), dtype=np.bool_)
    plural, names = evidence.traits.quantity == PLURAL, [evidence.read[column] for column in columns.tolist()]
    told = {name: not SUMS.isdisjoint(name_words(name)[-1:]) or is_bookkeeping(name) for name in set(names)}
    found[columns] = [told[name] for name in names]
    found[columns] |= plural[columns]
    return found


def _shared_columns(evidence: JoinEvidence, touched: Flags | None) -> Indices:
    """How many columns of each table have a value in common with another one, of which one is `touched`."""
    column, _ = columns_with_common_values(evidence, touched)
    return np.bincount(evidence.table[np.unique(column)], minlength=len(evidence.table_names))


def _tuples(evidence: JoinEvidence, columns: list[int]) -> list[Columns]:
    """Those up to a column that is a key by itself, as far as they have as many combinations as there are rows."""
    columns = list(takewhile(lambda column: evidence.uniqueness[column] < KEY_UNIQUENESS, columns[:LONGEST]))
    in_order = [
        (*some, last)
        for place, last in enumerate(columns)
        for count in range(1, place + 1)
        for some in combinations(columns[:place], count)
    ]
    enough = KEY_UNIQUENESS * float(evidence.rows[columns[0]]) if columns else 0.0
    return [key for key in in_order if evidence.distinct[list(key)].prod(dtype=np.float64) >= enough]


def likely_keys(tuples: Sequence[Columns], uniqueness: Mapping[Columns, float]) -> list[Columns]:
    """Of columns in the order of `leading_columns` the first key, after a key of more columns that is one without
    exception where that has exceptions: few columns may be nearly unique by chance.

    Examples
    --------
    >>> likely_keys([(1, 3), (1, 2, 3)], {(1, 3): 0.99, (1, 2, 3): 1.0})
    [(1, 2, 3), (1, 3)]
    """
    keys = [columns for columns in tuples if uniqueness.get(columns, 0.0) >= KEY_UNIQUENESS]
    exact = [columns for columns in keys if uniqueness[columns] >= 1 and set(columns) > set(keys[0])]
    return exact[:1] + keys[:1] if keys and uniqueness[keys[0]] < 1 else keys[:1]


def references_in_a_row(
    evidence: JoinEvidence, keys: Sequence[Columns], readable: Flags, touched: Flags | None = None
) -> list[tuple[Columns, Columns]]:
    """Columns beside each other whose values are among those of a key's columns, in the order of the key; and the key.

    The first ones alone of a key of which there are too many, as of one of small numbers, which are everywhere.

    Parameters
    ----------
    evidence : JoinEvidence
    keys : sequence of tuples of int
        Columns of one table each.
    readable, touched : (T,) arrays of bool
        Tables whose rows can be read, and those of which a reference has one (by default all).
    """
    if not keys:
        return []
    child, parent = _contained(evidence, np.concatenate(keys), readable, touched)
    size = len(evidence.table)
    known = np.sort(parent * size + child)
    is_telling = ~evidence.traits.counted
    found: list[tuple[Columns, Columns]] = []
    order = np.argsort(parent, kind="stable")
    child, parent = child[order], parent[order]
    for key in keys:
        first, end = np.searchsorted(parent, [key[0], key[0] + 1])
        starts = child[first:end]
        for place, column in enumerate(key[1:], 1):
            beside = starts + place
            inside = beside < size
            starts, beside = starts[inside], beside[inside]
            same = evidence.table[beside] == evidence.table[starts]
            starts, wanted = starts[same], column * size + beside[same]
            at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
            starts = starts[known[at] == wanted]
        most = MOST if is_telling[list(key)].any() else MOST_BY_CHANCE
        found += [(tuple(range(start, start + len(key))), key) for start in starts[:most].tolist()]
    return found


def _contained(
    evidence: JoinEvidence, parents: Indices, readable: Flags, touched: Flags | None
) -> tuple[Indices, Indices]:
    """Pairs of a column and one of some parents that has its values."""
    is_parent = np.zeros(len(evidence.table), dtype=np.bool_)
    is_parent[parents] = True
    child, parent = columns_with_common_values(evidence, touched)
    kept = is_parent[parent] & readable[evidence.table[child]] & ~evidence.estimated[child]
    child, parent = child[kept], parent[kept]
    block = evidence.pairs(child, parent)
    good = np.flatnonzero((block.containment_left >= MOSTLY_CONTAINED) & ~block.differ_in_kind)
    return child[good], parent[good]
