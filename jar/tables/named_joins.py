"""Joins that only names speak for, where rows are not known: `joinability.scores.named_keys` over an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jar.arrays import Array, IntArray
from joinability.scores.candidates import entries_of

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

ROUNDING = 1e-6
"""Share by which a weight may differ that has been a 32-bit number on its way."""


class NamedPairs(NamedTuple):
    """Pairs of columns of different tables of one database that join by their names, and their joinability."""

    left: IntArray
    right: IntArray
    weight: Array


def named_pairs(contents: IndexContents, tables: IntArray) -> NamedPairs:
    """The joins by name of some tables with all others, the tables' own columns on the left.

    Only where nothing is known of the values of either (`Traits.silent`), and the user vetoes nothing.
    """
    pairs = NamedPairs(*entries_of(contents.named_joins, contents.columns_of(tables)))
    if contents.verdicts is None:
        return pairs
    kept = ~contents.verdicts.are_vetoed(contents.evidence.pairs(pairs.left, pairs.right))
    return NamedPairs(pairs.left[kept], pairs.right[kept], pairs.weight[kept])


def listed_pairs(contents: IndexContents, tables: IntArray) -> NamedPairs:
    """The same pairs, each once with its columns in order."""
    pairs = named_pairs(contents, tables)
    ends = np.sort(np.stack(pairs[:2]), axis=0)
    once, first = np.unique(ends, axis=1, return_index=True)
    return NamedPairs(once[0], once[1], pairs.weight[first])


def place_named_joins(contents: IndexContents, joinability: Array, columns: IntArray, owners: IntArray) -> None:
    """Raise the joinability of columns that join by their names, in place, where less is known of them.

    Parameters
    ----------
    joinability : array (c, c)
    columns, owners : arrays (c,)
        Positions of the columns and of their tables.
    """
    if not contents.named_joins.nnz:
        return
    left, right, weight = named_pairs(contents, np.unique(owners))
    order = np.argsort(columns)
    at = order[np.searchsorted(columns, left, sorter=order) % len(columns)]
    to = order[np.searchsorted(columns, right, sorter=order) % len(columns)]
    here = (columns[at] == left) & (columns[to] == right)
    np.maximum.at(joinability, (at[here], to[here]), weight[here])


def is_named_join(contents: IndexContents, left: int, right: int, weight: float) -> bool:
    """Whether two columns join by nothing but their names."""
    return 0 < weight <= float(contents.named_joins[left, right]) * (1 + ROUNDING)
