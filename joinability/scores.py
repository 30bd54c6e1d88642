"""Scores of joinability: from the evidence on pairs of columns, and the similarity of their texts, to one number.

A score takes a block of evidence and the cosine similarities of the same pairs, both of any one shape, and gives an
array of that shape: 0 where two columns do not join, at most 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from joinability.errors import UnknownScoreError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.evidence import EvidenceBlock, Flags, Floats


class Score(Protocol):
    """Signature of a score."""

    def __call__(self, block: EvidenceBlock, cosine: Floats, *, trust_declared: bool = ...) -> Floats:
        """Joinability of each pair of the block."""


def paper_score(block: EvidenceBlock, cosine: Floats, *, trust_declared: bool = False) -> Floats:
    """Score of the JAR paper, as in its released code.

    w = (0.5 * Jaccard + 0.25 * cosine + 0.25 * overlap coefficient of the words of "database table column") *
    max(u_k, u_l) for two columns of one type family in different tables, else 0. A negative cosine counts as 0, so that
    no score is negative.

    Parameters
    ----------
    block : EvidenceBlock
    cosine : array of the shape of the block
        Cosine similarity of the texts of the columns.
    trust_declared : bool
        Give declared keys the score 1 (the paper's JAR-G).
    """
    schema = 0.25 * np.maximum(cosine, 0) + 0.25 * block.token_overlap
    score = (0.5 * block.jaccard + schema) * block.greater_uniqueness * (block.same_family & ~block.same_table)
    return _with_declared(score, block, trust_declared)


def default_score(block: EvidenceBlock, cosine: Floats, *, trust_declared: bool = True) -> Floats:
    """Score gated by evidence: the values of a child column lie in a parent column like a key, and the names agree.

    For a child k and a parent l, w(k -> l) = contents * u_l^4 * (f + (1 - f) * names); w is the greater direction's.

    - contents is the containment |A n B| / |A|, shrunk for small domains, so that flags and constants say little.
      Foreign keys are inclusions, which is why it stands in place of the Jaccard similarity.
    - u_l is the uniqueness of the parent.
    - names is the cosine of the names' trigrams, or the share of the parent table's name that is in the child's name.
    - f is what contents say without names: 0.3, and nothing where the parent holds the integers of a range with few
      gaps, because every column of small integers lies in every such surrogate key.

    Where a side's contents are not known, a containment of 0.3 is assumed for columns of one type family. Scores below
    0.15 are cut to 0: they are no evidence, and the graph stays sparse.

    Parameters
    ----------
    block : EvidenceBlock
    cosine : array of the shape of the block
        Cosine similarity of the texts of the columns. Not used: it is high between all columns of a database.
    trust_declared : bool
        Give declared keys the score 1.
    """
    evidence = block.evidence
    gapless = (evidence.integer_share > 0.99) & (evidence.distinct > 0.5 * (evidence.highest - evidence.lowest + 1))
    gapless_left, gapless_right = block.sides(gapless)
    unique_left, unique_right = block.sides(evidence.uniqueness)
    left_in_right = _directed(block, block.expected_left, unique_right, block.named_after_right, gapless_right)
    right_in_left = _directed(block, block.expected_right, unique_left, block.named_after_left, gapless_left)
    score = np.maximum(left_in_right, right_in_left) * ~block.same_table
    return _with_declared(np.where(score < 0.15, 0, score), block, trust_declared)


def _directed(
    block: EvidenceBlock, expected: Floats, uniqueness: NDArray[Any], named_after: Floats, gapless: Flags
) -> NDArray[Any]:
    """Score of one direction; `expected` is the size of the intersection, were all the child's values in the parent."""
    exact = block.intersection / (expected + 0.3)
    guessed = np.minimum((block.intersection + 0.3) / (expected + 1), 1) * block.same_family
    contents = np.where(block.estimated | block.unknown, guessed, exact)
    names = np.maximum(block.header_similarity, 0.8 * named_after)
    floor = np.where(gapless, 0, 0.3)
    return np.asarray(contents * uniqueness**4 * (floor + (1 - floor) * names))


def _with_declared(score: NDArray[Any], block: EvidenceBlock, trust_declared: bool) -> Floats:
    return np.asarray(np.where(block.declared, 1, score) if trust_declared else score, dtype=np.float32)


SCORES: dict[str, Score] = {"default": default_score, "paper": paper_score}


def score_named(name: str) -> Score:
    """The score of a name.

    Raises
    ------
    UnknownScoreError
        When there is none; the message lists the names.
    """
    if name not in SCORES:
        raise UnknownScoreError(f"unknown score {name!r}; known scores: {', '.join(sorted(SCORES))}")
    return SCORES[name]
