"""Every pair of columns that a score gives an edge, best first, with its evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.scores.candidates import candidate_pairs, chunks
from joinability.scores.score import check_least, measures

if TYPE_CHECKING:
    from joinability.arrays import Indices, Vectors
    from joinability.evidence.blocks import PairScore
    from joinability.evidence.evidence import JoinEvidence
    from joinability.scores.verdicts import Verdicts


@dataclass(frozen=True)
class Edges:
    """Pairs of columns with their scores, best first.

    Attributes
    ----------
    evidence : JoinEvidence
    left, right : (p,) arrays of int
        Columns, left < right.
    score : (p,) array of float
    verdicts : Verdicts, optional
        What the owner of the tables says of single joins.
    """

    evidence: JoinEvidence
    left: Indices
    right: Indices
    score: Vectors
    verdicts: Verdicts | None = None

    def __len__(self) -> int:
        return len(self.score)

    def columns(self) -> dict[str, Any]:
        """The edges and their evidence, a list or array for each column of a table."""
        ids = np.array(self.evidence.ids, dtype=object)
        return {"left": ids[self.left], "right": ids[self.right], "score": self.score, **self.measures()}

    def measures(self) -> dict[str, Any]:
        """The evidence alone, an array for each kind."""
        return measures(self.evidence, self.left, self.right, self.verdicts)


def edges(
    evidence: JoinEvidence,
    score: PairScore,
    min_score: float = 0.0,
    *,
    vectors: Vectors | None = None,
    tables: Iterable[int] | None = None,
    verdicts: Verdicts | None = None,
) -> Edges:
    """Score every pair of columns that there is evidence on: common values, a declared key, a pin, or, of columns whose
    values are not all known, similar names.

    Parameters
    ----------
    evidence : JoinEvidence
    score : callable
        A score of `SCORES`, or one with the same signature.
    min_score : float
        Lower scores are left out, and so is 0.
    vectors : (C, d) array, optional
        Unit vectors of the texts of the columns; without them every cosine counts as 0.
    tables : iterable of int, optional
        Only pairs with a column of one of these tables (indices into `evidence.table_names`).
    verdicts : Verdicts, optional
        Pins and vetoes of the owner of the tables: a pinned pair scores 1 whatever the evidence, a vetoed one is left
        out.

    Raises
    ------
    ScoreRangeError
        When `min_score` is not between 0 and 1.
    """
    check_least(min_score)
    asked = None if tables is None else np.fromiter(tables, dtype=np.int64)
    left, right = candidate_pairs(evidence, verdicts, asked)
    judged = score if verdicts is None else verdicts.applied(score)
    scores = np.zeros(len(left), dtype=np.float32)
    for part in chunks(len(left)):
        k, l = left[part], right[part]  # noqa: E741
        cosine = np.zeros(len(k), dtype=np.float32) if vectors is None else _cosine(vectors, k, l)
        scores[part] = judged(evidence.pairs(k, l, least=min_score), cosine)
    kept = np.flatnonzero((scores > 0) & (scores >= min_score))
    kept = kept[np.argsort(-scores[kept], kind="stable")]
    return Edges(evidence, left[kept], right[kept], scores[kept], verdicts)


def _cosine(vectors: Vectors, left: Indices, right: Indices) -> Vectors:
    return np.asarray(np.einsum("pd,pd->p", vectors[left], vectors[right]), dtype=np.float32)
