"""Scores of joinability: from the evidence on pairs of columns, and the similarity of their texts, to one number.

A score takes a block of evidence and the cosine similarities of the same pairs, both of any one shape, and gives an
array of that shape: 0 where two columns do not join, at most 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from joinability.evidence import EvidenceBlock, Floats


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
    score = (0.5 * block.jaccard + schema) * block.greater_uniqueness
    score *= block.same_family & ~block.same_table
    return _with_declared(score, block) if trust_declared else score


def default_score(block: EvidenceBlock, cosine: Floats, *, trust_declared: bool = True) -> Floats:
    """Evidence-gated score: one column's values lie in the other's, which is like a key, and their names agree.

    Parameters
    ----------
    block : EvidenceBlock
    cosine : array of the shape of the block
        Cosine similarity of the texts of the columns.
    trust_declared : bool
        Give declared keys the score 1.
    """
    containment = np.maximum(block.containment_left, block.containment_right)
    schema = 0.25 * np.maximum(cosine, 0) + 0.25 * block.token_overlap
    score = (0.5 * containment + schema) * block.greater_uniqueness
    score *= (block.intersection > 0) & ~block.same_table
    return _with_declared(score, block) if trust_declared else score


def _with_declared(score: Floats, block: EvidenceBlock) -> Floats:
    return np.asarray(np.where(block.declared, 1, score), dtype=np.float32)


SCORES: dict[str, Score] = {"default": default_score, "paper": paper_score}


def score_named(name: str) -> Score:
    """The score of a name.

    Raises
    ------
    ValueError
        When there is none; the message lists the names.
    """
    if name not in SCORES:
        raise ValueError(f"unknown score {name!r}; known scores: {', '.join(sorted(SCORES))}")
    return SCORES[name]
