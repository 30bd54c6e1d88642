"""How joins that only names speak for count in a ranking (`joinability.by_name.key_names`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import Array, IntArray

if TYPE_CHECKING:
    from jar.index.contents import IndexContents

UNVERIFIED = 0.5
"""Share of the score of a join that counts where no values of a side are known."""


def unverified(contents: IndexContents, left: IntArray, right: IntArray) -> Array:
    """The share of the score of p pairs of columns that counts."""
    silent = contents.evidence.traits.silent
    return np.where(silent[left] | silent[right], UNVERIFIED, 1.0)
