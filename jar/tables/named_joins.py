"""How joins that only names speak for count in a ranking (`joinability.by_name.key_names`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import Array, IntArray

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

UNVERIFIED = 0.5
"""Share of the chance of a join by name that counts: with all of it, what joins comes before what is relevant."""
ROUNDING = 1e-6
"""Share by which a weight may differ that has been a 32-bit number on its way."""


def place_named_joins(contents: IndexContents, joinability: Array, columns: IntArray, owners: IntArray) -> None:
    """Raise the joinability of columns that join by their names to `UNVERIFIED` of their chance, in place, where it is
    less: equation (5) of docs/ranking.md.

    Parameters
    ----------
    joinability : array (c, c)
    columns, owners : arrays (c,)
        Positions of the columns and of their tables.
    """
    left, right, chance = contents.named_pairs(np.unique(owners))
    if not len(left):
        return
    order = np.argsort(columns)
    at = order[np.searchsorted(columns, left, sorter=order) % len(columns)]
    to = order[np.searchsorted(columns, right, sorter=order) % len(columns)]
    here = (columns[at] == left) & (columns[to] == right)
    np.maximum.at(joinability, (at[here], to[here]), UNVERIFIED * chance[here])


def named_chance(contents: IndexContents, left: int, right: int, weight: float) -> float | None:
    """The chance that two columns join, which have a joinability by nothing but their names; None for others."""
    chance = float(contents.named_joins.chance[left, right])
    return chance if 0 < weight <= UNVERIFIED * chance * (1 + ROUNDING) else None
