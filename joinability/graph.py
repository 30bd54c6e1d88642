"""The join graph: every pair of columns that a score gives an edge, best first, with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.evidence import EvidenceBlock, Floats, JoinEvidence

    Indices = NDArray[np.int64]
    Pairs = tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]

CHUNK_PAIRS = 200_000
"""Pairs scored at a time."""
CHUNK_COLUMNS = 512
"""Columns without known contents that are compared by name at a time."""
SIMILAR_NAMES = 0.6
"""Similarity of names that makes two columns worth a look where nothing else is known of them."""


@dataclass(frozen=True)
class Edges:
    """Pairs of columns with their scores, best first.

    Attributes
    ----------
    evidence : JoinEvidence
    left, right : (p,) arrays of int
        Columns, left < right.
    score : (p,) array of float
    """

    evidence: JoinEvidence
    left: Indices
    right: Indices
    score: Floats

    def __len__(self) -> int:
        return len(self.score)

    def columns(self) -> dict[str, Any]:
        """The edges and their evidence, a list or array for each column of a table."""
        block = self.evidence.pairs(self.left, self.right)
        unique_left, unique_right = block.sides(self.evidence.uniqueness)
        ids = np.array(self.evidence.ids, dtype=object)
        return {
            "left": ids[self.left],
            "right": ids[self.right],
            "score": self.score,
            "declared": block.declared,
            "jaccard": block.jaccard,
            "containment_left": block.containment_left,
            "containment_right": block.containment_right,
            "uniqueness_left": unique_left,
            "uniqueness_right": unique_right,
            "name_similarity": block.name_similarity,
            "estimated": block.estimated,
        }


def edges(
    evidence: JoinEvidence,
    score: Callable[[EvidenceBlock, Floats], Floats],
    min_score: float = 0.0,
    *,
    vectors: Floats | None = None,
    tables: Iterable[int] | None = None,
) -> Edges:
    """Score every pair of columns that there is evidence on: common values, a declared key, or, of columns whose
    contents are not known, similar names.

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
    """
    left, right = _candidates(evidence)
    if tables is not None:
        wanted = np.isin(evidence.table, np.fromiter(tables, dtype=np.int64))
        touched = wanted[left] | wanted[right]
        left, right = left[touched], right[touched]
    scores = np.zeros(len(left), dtype=np.float32)
    for start in range(0, len(left), CHUNK_PAIRS):
        part = slice(start, start + CHUNK_PAIRS)
        k, l = left[part], right[part]  # noqa: E741
        cosine = np.zeros(len(k), dtype=np.float32) if vectors is None else _cosine(vectors, k, l)
        scores[part] = score(evidence.pairs(k, l), cosine)
    kept = np.flatnonzero((scores > 0) & (scores >= min_score))
    kept = kept[np.argsort(-scores[kept], kind="stable")]
    return Edges(evidence, left[kept], right[kept], scores[kept])


def _cosine(vectors: Floats, left: Indices, right: Indices) -> Floats:
    return np.asarray(np.einsum("pd,pd->p", vectors[left], vectors[right]), dtype=np.float32)


def _candidates(evidence: JoinEvidence) -> tuple[Indices, Indices]:
    """Pairs left < right of columns of different tables that there is any evidence on, sorted, each once."""
    found: list[Pairs] = [evidence.intersections.nonzero(), evidence.declared.nonzero(), *_similar_names(evidence)]
    size = len(evidence)
    keys = [np.minimum(a, b).astype(np.int64) * size + np.maximum(a, b) for a, b in found]
    pairs = np.unique(np.concatenate(keys))
    left, right = np.divmod(pairs, max(size, 1))
    different = evidence.table[left] != evidence.table[right]
    return left[different], right[different]


def _similar_names(evidence: JoinEvidence) -> Iterator[Pairs]:
    """Pairs with a column whose contents are not known, and names that are alike."""
    silent = np.flatnonzero((evidence.values == 0) & (evidence.estimated | (evidence.rows == 0)))
    sizes = np.sqrt(np.diff(evidence.headers.indptr))
    for start in range(0, len(silent), CHUNK_COLUMNS):
        rows = silent[start : start + CHUNK_COLUMNS]
        common = (evidence.headers[rows] @ evidence.headers.T).tocoo()
        alike = common.data >= SIMILAR_NAMES * sizes[rows[common.row]] * sizes[common.col]
        yield rows[common.row[alike]], common.col[alike]
