"""Every pair of columns that a score gives an edge, best first, with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.scores.scores import NAMED_AFTER, SIMILAR_NAMES, check_least

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from joinability.evidence.evidence import EvidenceBlock, Floats, JoinEvidence
    from joinability.scores.verdicts import Verdicts

    Indices = NDArray[np.int64]
    Pairs = tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]

CHUNK_PAIRS = 200_000
"""Pairs scored at a time."""
CHUNK_COLUMNS = 512
"""Columns whose values are not all known that are compared by name at a time."""


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
    score: Floats
    verdicts: Verdicts | None = None

    def __len__(self) -> int:
        return len(self.score)

    def columns(self) -> dict[str, Any]:
        """The edges and their evidence, a list or array for each column of a table."""
        ids = np.array(self.evidence.ids, dtype=object)
        return {"left": ids[self.left], "right": ids[self.right], "score": self.score, **self.measures()}

    def measures(self) -> dict[str, Any]:
        """The evidence alone, an array for each kind."""
        block = self.evidence.pairs(self.left, self.right)
        unique_left, unique_right = block.sides(self.evidence.uniqueness)
        padded_left, padded_right = block.sides(self.evidence.padded_share)
        silent = np.zeros(len(self.left), dtype=np.bool_)
        return {
            "declared": block.declared,
            "jaccard": block.jaccard,
            "containment_left": block.containment_left,
            "containment_right": block.containment_right,
            "jaccard_error": block.jaccard_error,
            "containment_left_error": block.containment_left_error,
            "containment_right_error": block.containment_right_error,
            "uniqueness_left": unique_left,
            "uniqueness_right": unique_right,
            "padded_left": padded_left,
            "padded_right": padded_right,
            "name_similarity": block.name_similarity,
            "estimated": block.estimated | (block.intersection_error > 0),
            "pinned": silent if self.verdicts is None else self.verdicts.are_pinned(block),
        }


def edges(
    evidence: JoinEvidence,
    score: Callable[[EvidenceBlock, Floats], Floats],
    min_score: float = 0.0,
    *,
    vectors: Floats | None = None,
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
        Pairs that the owner pins score 1 whatever the evidence, those that he vetoes are left out.

    Raises
    ------
    ScoreRangeError
        When `min_score` is not between 0 and 1.
    """
    check_least(min_score)
    left, right = candidate_pairs(evidence, verdicts)
    judged = score if verdicts is None else verdicts.applied(score)
    if tables is not None:
        wanted = np.isin(evidence.table, np.fromiter(tables, dtype=np.int64))
        touched = wanted[left] | wanted[right]
        left, right = left[touched], right[touched]
    scores = np.zeros(len(left), dtype=np.float32)
    for part in chunks(len(left)):
        k, l = left[part], right[part]  # noqa: E741
        cosine = np.zeros(len(k), dtype=np.float32) if vectors is None else _cosine(vectors, k, l)
        scores[part] = judged(evidence.pairs(k, l), cosine)
    kept = np.flatnonzero((scores > 0) & (scores >= min_score))
    kept = kept[np.argsort(-scores[kept], kind="stable")]
    return Edges(evidence, left[kept], right[kept], scores[kept], verdicts)


def _cosine(vectors: Floats, left: Indices, right: Indices) -> Floats:
    return np.asarray(np.einsum("pd,pd->p", vectors[left], vectors[right]), dtype=np.float32)


def chunks(pairs: int) -> Iterator[slice]:
    """Parts of a list of pairs that fit into memory with all that is known of them."""
    return (slice(start, start + CHUNK_PAIRS) for start in range(0, pairs, CHUNK_PAIRS))


def candidate_pairs(evidence: JoinEvidence, verdicts: Verdicts | None = None) -> tuple[Indices, Indices]:
    """Pairs left < right of columns of different tables that there is any evidence on, sorted, each once."""
    found: list[Pairs] = [evidence.intersections.nonzero(), evidence.declared.nonzero(), *_similar_names(evidence)]
    if verdicts is not None:
        found.append((verdicts.pinned[:, 0], verdicts.pinned[:, 1]))
    size = len(evidence)
    keys = [np.minimum(a, b).astype(np.int64) * size + np.maximum(a, b) for a, b in found]
    pairs = np.sort(np.concatenate(keys))  # several times as fast as np.unique
    pairs = pairs[np.diff(pairs, prepend=-1) != 0]
    left, right = np.divmod(pairs, max(size, 1))
    different = evidence.table[left] != evidence.table[right]
    return left[different], right[different]


def _similar_names(evidence: JoinEvidence) -> Iterator[Pairs]:
    """Pairs with a column whose values are not all known, and names that are alike, end alike, or of which one is named
    after the table that the other one leads."""
    vague = evidence.estimated | evidence.traits.silent
    chosen = np.flatnonzero(vague)
    if not len(chosen):
        return
    sizes = np.sqrt(np.diff(evidence.headers.indptr))
    named = _membership(evidence.name_number, evidence.name_endings.shape[0])
    endings = evidence.name_endings + evidence.name_endings.T
    for start in range(0, len(chosen), CHUNK_COLUMNS):
        rows = chosen[start : start + CHUNK_COLUMNS]
        common = (evidence.headers[rows] @ evidence.headers.T).tocoo()
        alike = common.data >= SIMILAR_NAMES * sizes[rows[common.row]] * sizes[common.col]
        yield rows[common.row[alike]], common.col[alike]
        ending = (named[rows] @ endings @ named.T).tocoo()
        yield rows[ending.row], ending.col
    leaders = np.flatnonzero(evidence.traits.leads)
    titles = evidence.table_words[evidence.table[leaders]]
    after = (evidence.words @ titles.T).tocoo()
    child, parent = after.row, leaders[after.col]
    kept = (after.data >= NAMED_AFTER * np.diff(titles.indptr)[after.col]) & (vague[child] | vague[parent])
    yield child[kept], parent[kept]


def _membership(group: Indices, groups: int) -> csr_array:
    """Binary matrix (n, groups) of members and their groups."""
    from scipy.sparse import csr_array

    size = len(group)
    return csr_array((np.ones(size, dtype=np.float32), group, np.arange(size + 1)), shape=(size, groups))
