"""The join score of an index, and what speaks for a join in the words and the order in which users read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.scores.edges import Edges
from joinability.scores.scores import score_named

if TYPE_CHECKING:
    import numpy.typing as npt

    from joinability.evidence.blocks import EvidenceBlock
    from joinability.evidence.evidence import JoinEvidence
    from joinability.scores.verdicts import Verdicts

    IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class JoinScore:
    """A score of joins by name; `trust_declared` overrides whether it gives declared keys the score 1."""

    name: str
    trust_declared: bool | None = None

    def __call__(self, block: EvidenceBlock, cosine: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Joinability of each pair of a block of columns."""
        score = score_named(self.name)
        given = {} if self.trust_declared is None else {"trust_declared": self.trust_declared}
        return score(block, cosine, **given)

    @property
    def reads_texts(self) -> bool:
        """Whether the similarity of the columns' texts counts; "default" means the same with every embedder."""
        return self.name == "paper"

    @property
    def has_composites(self) -> bool:
        """Whether joins on several columns count: the paper leaves them to future work."""
        return self.name != "paper"


def join_score(name: str, trust_declared: bool | None = None) -> JoinScore:
    """The score of a name; `trust_declared` overrides whether it gives declared keys the score 1.

    Raises
    ------
    ValueError
        When there is none of that name; the message lists the names.
    """
    score_named(name)
    return JoinScore(name, trust_declared)


def describe(
    evidence: JoinEvidence, left: IntArray, right: IntArray, verdicts: Verdicts | None = None
) -> list[dict[str, Any]]:
    """The evidence on p pairs of columns as plain values: booleans and floats, by the names that `Index.joins` has."""
    measures = Edges(evidence, left, right, np.zeros(len(left), dtype=np.float32), verdicts).measures()
    rows = zip(*(measure.tolist() for measure in measures.values()), strict=True)
    return [dict(zip(measures, row, strict=True)) for row in rows]
