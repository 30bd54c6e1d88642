"""What the owner of the tables says of single joins: a pinned pair of columns joins for certain, a vetoed one never."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from joinability.arrays import AnyArray, Flags, Indices
    from joinability.evidence.blocks import EvidenceBlock, PairScore
    from joinability.evidence.evidence import JoinEvidence

NamePair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Pins and vetoes as positions in one `JoinEvidence`; the two sides of a pair stand in either order.

    Attributes
    ----------
    pinned, vetoed : (p, 2) arrays of int
        Pairs of columns.
    vetoed_tables : (t, 2) array of int
        Pairs of tables that must not be joined directly (indices into `JoinEvidence.table_names`).
    """

    pinned: Indices
    vetoed: Indices
    vetoed_tables: Indices

    @classmethod
    def of(
        cls, evidence: JoinEvidence, *, pinned: Iterable[NamePair] = (), vetoed: Iterable[NamePair] = ()
    ) -> Verdicts:
        """Verdicts by name; a pair with a name that the evidence does not have is skipped.

        Parameters
        ----------
        pinned : pairs of columns "db.table.column"
        vetoed : pairs of columns, or pairs of tables "db.table"
        """
        columns = {name: number for number, name in enumerate(evidence.ids)}
        tables = {name: number for number, name in enumerate(evidence.table_names)}
        vetoes = list(vetoed)
        return cls(_positions(columns, pinned), _positions(columns, vetoes), _positions(tables, vetoes))

    def __len__(self) -> int:
        return len(self.pinned) + len(self.vetoed) + len(self.vetoed_tables)

    def applied(self, score: PairScore) -> PairScore:
        """The score with these verdicts: 0 for vetoed pairs, 1 for pinned ones.

        Vetoing a pair raises the score of competing pairs that it had suppressed (see `Rivals`).
        """
        if not len(self):
            return score

        def judged(block: EvidenceBlock, cosine: AnyArray) -> AnyArray:
            kept = np.where(self.are_vetoed(block), 0, score(self._without_vetoed(block), cosine))
            return np.where(self.are_pinned(block), 1, kept).astype(np.float32)

        return judged

    def _without_vetoed(self, block: EvidenceBlock) -> EvidenceBlock:
        """The block with these vetoes, so that vetoed pairs are no rivals of others."""
        if not (len(self.vetoed) or len(self.vetoed_tables)):
            return block
        same = copy(block)
        same.vetoes = self
        return same

    def are_pinned(self, block: EvidenceBlock) -> Flags:
        """Which pairs of a block are pinned; shape of the block."""
        return _members(block.left, block.right, self.pinned)

    def are_vetoed(self, block: EvidenceBlock) -> Flags:
        """Which pairs of a block are vetoed, themselves or by their tables, and not pinned; shape of the block."""
        table = block.evidence.table
        by_table = _members(table[block.left], table[block.right], self.vetoed_tables)
        return (by_table | _members(block.left, block.right, self.vetoed)) & ~self.are_pinned(block)


def _positions(numbers: dict[str, int], pairs: Iterable[NamePair]) -> Indices:
    known = [(numbers[left], numbers[right]) for left, right in pairs if left in numbers and right in numbers]
    return np.array(known, dtype=np.int64).reshape(-1, 2)


def _members(left: Indices, right: Indices, pairs: Indices) -> Flags:
    """Which pairs (left, right), of any shape that broadcasts, are among `pairs` (p, 2) in either order."""
    shape = np.broadcast_shapes(left.shape, right.shape)
    if not len(pairs):
        return np.zeros(shape, dtype=np.bool_)
    size = int(max(left.max(initial=0), right.max(initial=0), pairs.max())) + 1
    keys = np.minimum(left, right) * size + np.maximum(left, right)
    return np.isin(keys, pairs.min(axis=1) * size + pairs.max(axis=1)).reshape(shape)
