"""Joins that only names speak for: key names that few tables of a database share, where rows are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jar.arrays import Array, IntArray

if TYPE_CHECKING:
    from jar.index.contents import IndexContents


MOST_LISTED = 50
"""Tables that have a key name, up to which lists of joins tell all pairs of them."""
ROUNDING = 1e-6
"""Share by which a weight may differ that has been a 32-bit number on its way."""


class KeyPairs(NamedTuple):
    """Pairs of columns of different tables of one database that share a rare key name, and their joinability."""

    left: IntArray
    right: IntArray
    weight: Array

    def where(self, kept: Any) -> KeyPairs:
        """Some of the pairs."""
        return KeyPairs(self.left[kept], self.right[kept], self.weight[kept])


def shared_key_pairs(contents: IndexContents, tables: IntArray) -> KeyPairs:
    """The shared keys of some tables with all others, the tables' own columns on the left.

    Two columns of one database that are called alike, by a key name of several words (`joinability.names.key_of`),
    join by

        w = 0.5 min(1, 1.5 / log2(1 + n))

    with n the number of tables of the database that have the name: two tables 0.47, three 0.38, ten 0.22. One of them
    leads its table, where keys stand: two tables that both have the code of a status share no key. Only where
    nothing is known of the values of either (`Traits.silent`), and the user vetoes nothing.
    """
    groups, leads = contents.shared_keys, contents.evidence.traits.leads
    left: list[int] = []
    right: list[int] = []
    weight: list[float] = []
    for column in contents.columns_of(tables).tolist():
        group = groups.get(column)
        if group is not None:
            others = group[(group != column) & (leads[group] | leads[column])].tolist()
            left += [column] * len(others)
            right += others
            weight += [key_weight(len(group))] * len(others)
    pairs = KeyPairs(np.array(left, dtype=np.int64), np.array(right, dtype=np.int64), np.array(weight))
    if contents.verdicts is None:
        return pairs
    return pairs.where(~contents.verdicts.are_vetoed(contents.evidence.pairs(pairs.left, pairs.right)))


def listed_key_pairs(contents: IndexContents, tables: IntArray) -> KeyPairs:
    """The same pairs, each once with its columns in order, of names that few enough tables have to list them all."""
    pairs = shared_key_pairs(contents, tables)
    left, right = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    _, once = np.unique(np.stack([left, right]), axis=1, return_index=True)
    each = KeyPairs(left, right, pairs.weight).where(np.sort(once))
    return each.where(each.weight >= key_weight(MOST_LISTED))


def place_shared_keys(contents: IndexContents, joinability: Array, columns: IntArray, owners: IntArray) -> None:
    """Raise the joinability of columns that share a key name, in place, where less is known of them.

    Parameters
    ----------
    joinability : array (c, c)
    columns, owners : arrays (c,)
        Positions of the columns and of their tables.
    """
    if not contents.shared_keys:
        return
    left, right, weight = shared_key_pairs(contents, np.unique(owners))
    order = np.argsort(columns)
    at = order[np.searchsorted(columns, left, sorter=order) % len(columns)]
    to = order[np.searchsorted(columns, right, sorter=order) % len(columns)]
    here = (columns[at] == left) & (columns[to] == right)
    np.maximum.at(joinability, (at[here], to[here]), weight[here])


def key_weight(tables: int) -> float:
    """Joinability of columns by a key name that so many tables of a database have."""
    return 0.5 * min(1.0, 1.5 / float(np.log2(1 + tables)))


def is_shared_key(contents: IndexContents, left: int, right: int, weight: float) -> bool:
    """Whether two columns join by nothing but a key name that they share."""
    group = contents.shared_keys.get(left)
    return group is not None and bool(np.isin(right, group)) and weight <= key_weight(len(group)) * (1 + ROUNDING)
