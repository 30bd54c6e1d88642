"""The evidence in memory, from which blocks of pairs of columns are cut."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.blocks import EvidenceBlock, PairBlock
from joinability.evidence.grids import SquareBlock
from joinability.evidence.profiles import ColumnEvidence

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from joinability.arrays import Flags
    from joinability.by_name.named_joins import NamedJoins


class JoinEvidence(ColumnEvidence):
    """Evidence on every pair of C columns: the arrays of `ColumnEvidence`, and blocks of pairs."""

    def block(self, columns: ArrayLike) -> EvidenceBlock:
        """All pairs among c columns, as (c, c) arrays."""
        return SquareBlock(self, np.asarray(columns, dtype=np.int64))

    def pairs(self, left: ArrayLike, right: ArrayLike, *, least: float = 0.0) -> EvidenceBlock:
        """The given pairs of columns, as (p,) arrays; scores below `least` are of no interest."""
        left, right = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
        return PairBlock(self, left, right, least=least)

    def knowing(self, named: NamedJoins, may_join: Flags) -> JoinEvidence:
        """The same evidence with the references that names alone suggest and the columns that may join, both computed
        before."""
        return replace(self, stored_names=named, stored_may_join=may_join)
