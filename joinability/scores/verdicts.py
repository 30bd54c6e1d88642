"""What the owner of the tables says of single joins: a pinned pair of columns joins for certain, a vetoed one never."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.scores.rivals import Rivals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.evidence.evidence import EvidenceBlock, Flags, JoinEvidence

    Indices = NDArray[np.int64]
    Score = Callable[[EvidenceBlock, NDArray[Any]], NDArray[Any]]

Pair = tuple[str, str]


@dataclass(frozen=True)
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
    def of(cls, evidence: JoinEvidence, *, pinned: Iterable[Pair] = (), vetoed: Iterable[Pair] = ()) -> Verdicts:
        """Verdicts by name; a pair with a name that the evidence does not have is passed over.

        Parameters
        ----------
        pinned : pairs of columns "db.table.column"
        vetoed : pairs of columns, or pairs of tables "db.table"
        """
        columns = {name: number for number, name in enumerate(evidence.ids)}
        tables = {name: number for number, name in enumerate(evidence.table_names)}
        said = list(vetoed)
        return cls(_positions(columns, pinned), _positions(columns, said), _positions(tables, said))

    def __len__(self) -> int:
        return len(self.pinned) + len(self.vetoed) + len(self.vetoed_tables)

    def applied(self, score: Score) -> Score:
        """The score with these verdicts: 0 for what is vetoed, 1 for what is pinned.

        Other pairs rise where they yielded to what is vetoed.
        """
        if not len(self):
            return score

        def judged(block: EvidenceBlock, cosine: NDArray[Any]) -> NDArray[Any]:
            kept = np.where(self.are_vetoed(block), 0, score(self._judged(block), cosine))
            return np.where(self.are_pinned(block), 1, kept).astype(np.float32)

        return judged

    def _judged(self, block: EvidenceBlock) -> EvidenceBlock:
        """The same block, of evidence in which the rivals are those that the verdicts leave."""
        if not (len(self.vetoed) or len(self.vetoed_tables)):
            return block
        known: tuple[JoinEvidence, JoinEvidence] | None = self.__dict__.get("_known")
        if known is None or known[0] is not block.evidence:
            judged = copy(block.evidence)
            judged.__dict__["rivals"] = Rivals.among(block.evidence, self)
            known = self.__dict__["_known"] = (block.evidence, judged)
        same = copy(block)
        same.evidence = known[1]
        return same

    def are_pinned(self, block: EvidenceBlock) -> Flags:
        """Which pairs of a block are pinned; shape of the block."""
        return _members(block.left, block.right, self.pinned)

    def are_vetoed(self, block: EvidenceBlock) -> Flags:
        """Which pairs of a block are vetoed, they or their tables, and not pinned; shape of the block."""
        table = block.evidence.table
        by_table = _members(table[block.left], table[block.right], self.vetoed_tables)
        return (by_table | _members(block.left, block.right, self.vetoed)) & ~self.are_pinned(block)

    def forbid(self, left: Sequence[int], right: Sequence[int], evidence: JoinEvidence) -> bool:
        """Whether a join on several column pairs is vetoed: one of its pairs is, or its tables are."""
        block = evidence.pairs(left, right)
        return bool(self.are_vetoed(block).any())


def _positions(known: dict[str, int], pairs: Iterable[Pair]) -> Indices:
    found = [(known[left], known[right]) for left, right in pairs if left in known and right in known]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _members(left: Indices, right: Indices, pairs: Indices) -> Flags:
    """Which pairs (left, right), of any shape that broadcasts, are among `pairs` (p, 2) in either order."""
    shape = np.broadcast_shapes(left.shape, right.shape)
    if not len(pairs):
        return np.zeros(shape, dtype=np.bool_)
    size = int(max(left.max(initial=0), right.max(initial=0), pairs.max())) + 1
    keys = np.minimum(left, right) * size + np.maximum(left, right)
    return np.isin(keys, pairs.min(axis=1) * size + pairs.max(axis=1)).reshape(shape)
