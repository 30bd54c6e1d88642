"""Scores of joinability: from the evidence on pairs of columns, and the similarity of their texts, to one number.

A score takes a block of evidence and the cosine similarities of the same pairs, both of any one shape, and gives an
array of that shape: 0 where two columns do not join, at most 1.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from joinability.errors import ScoreRangeError, UnknownScoreError
from joinability.evidence.blocks import PairBlock
from joinability.scores.features import FEATURES, RIVALS, features
from joinability.scores.weights import SAMPLES, SCHEMA, VALUES, load_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from joinability.evidence.blocks import EvidenceBlock, Flags, Floats
    from joinability.evidence.evidence import JoinEvidence

LEAST = 0.0005
"""Lower probabilities count as no evidence: the largest of 1, 2, 5, 10, ... hundred-thousandths at which no pair of
tables of the training databases, scored by models without its database, loses its declared key as the best pair."""
LEAST_SHOWN = 0.002
"""Lower scores are no edges of a graph unless asked for: at most one in a hundred such pairs loses its key."""
SIMILAR_NAMES = 0.6
"""Similarity of headers that makes two columns worth a look where not all their values are known."""
NAMED_AFTER = 0.75
"""Share of a table's name in that of a column that makes it worth a look with the column that leads the table."""


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
    """Probability that one column of the pair refers to the other, as far as the evidence tells.

    For a child k and a parent l the evidence on the pair has the odds o_kl = exp(b + sum_f a_f x_f(k, l)), with the
    features x_f of `FEATURES` and weights that were fitted on databases whose keys are known, one set of them for each
    state of knowledge (see `Weights`). They yield to stronger rivals (see `Rivals`): another parent l' of k with the
    odds o', and another column k' of k's table with the odds o'' to l.

        o = o_kl / ((1 + max(0, o' - o_kl)) * (1 + max(0, o'' - o_kl)))
        P(k -> l) = o / (1 + o),    w_kl = max(P(k -> l), P(l -> k))

    To a column l of another database the rivals are those at home, and o_kl counts as 0 beside them.

    Without evidence there is no edge: of two columns whose values are known, at least one value has to be common; where
    the values are a sample or unknown, common values or names that are alike. Probabilities below `LEAST` are cut to 0,
    and the graph stays sparse.

    Parameters
    ----------
    block : EvidenceBlock
    cosine : array of the shape of the block
        Cosine similarity of the texts of the columns. Not used: the score means the same with every embedder, and with
        none.
    trust_declared : bool
        Give declared keys the score 1.
    """
    score = likelihood(block)
    return _with_declared(np.where(score < LEAST, 0, score), block, trust_declared)


def likelihood(block: EvidenceBlock) -> Floats:
    """The greater probability of the two directions of each pair, 0 where there is no evidence."""
    where = np.flatnonzero(supported(block) & block.once)
    part = block.chosen(where)
    return block.spread(where, np.maximum(probabilities(part), probabilities(part.reversed())))


def probabilities(block: PairBlock) -> NDArray[np.float64]:
    """P(left -> right) of p pairs: the probability that the left column refers to the right one."""
    intercepts, terms = _all_terms(block)
    return np.asarray(1 / (1 + np.exp(-(intercepts + terms.sum(axis=-1)))))


def log_odds(block: PairBlock) -> NDArray[np.float64]:
    """Log-odds that the left column of p pairs refers to the right one, by the evidence on the pair alone."""
    intercepts, terms = _terms(block)
    return np.asarray(intercepts + terms.sum(axis=-1))


def contributions(evidence: JoinEvidence, left: ArrayLike, right: ArrayLike) -> dict[str, NDArray[Any]]:
    """What the default score of p pairs is made of, in the likelier direction of each.

    Returns
    -------
    dict of arrays (p,)
        "child": "left" or "right", the side that refers to the other. "intercept" and, by its name, the term a_f x_f of
        each of `FEATURES`, and what each of `RIVALS` takes: their sum is the log-odds of the reference, verdicts
        apart.
    """
    forth = PairBlock(evidence, np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64))
    (intercepts, one), (_, other) = (_all_terms(block) for block in (forth, forth.reversed()))
    is_left = one.sum(axis=-1) >= other.sum(axis=-1)
    terms = np.where(is_left[:, None], one, other)
    named = dict(zip((*FEATURES, *RIVALS), terms.T, strict=True))
    return {"child": np.where(is_left, "left", "right"), "intercept": intercepts, **named}


def _terms(block: PairBlock) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Intercepts (p,) and terms (p, F) of the log-odds that the left column refers to the right one."""
    weights = load_weights()
    state = np.where(block.unknown, SCHEMA, np.where(block.estimated, SAMPLES, VALUES))
    return weights.intercepts[state], features(block) * weights.coefficients[state]


def _all_terms(block: PairBlock) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Intercepts (p,) and terms (p, F + 2) of the log-odds with what the rivals take."""
    intercepts, terms = _terms(block)
    taken = block.evidence.rivals.terms(block.left, block.right, intercepts + terms.sum(axis=-1))
    return intercepts, np.column_stack([terms, taken])


def supported(block: EvidenceBlock) -> Flags:
    """Which pairs of a block there is evidence on: common values, or names where not all values are known."""
    common = block.intersection > 0
    vague = (block.estimated | block.unknown) & block.same_kind
    if vague.any():
        leads_left, leads_right = block.sides(block.evidence.traits.leads)
        common |= vague & (
            (block.header_similarity >= SIMILAR_NAMES)
            | block.name_ends_right
            | block.name_ends_left
            | ((block.named_after_right >= NAMED_AFTER) & leads_right)
            | ((block.named_after_left >= NAMED_AFTER) & leads_left)
        )
    return np.asarray(common & ~block.same_table)


def _with_declared(score: NDArray[Any], block: EvidenceBlock, trust_declared: bool) -> Floats:
    return np.asarray(np.where(block.declared, 1, score) if trust_declared else score, dtype=np.float32)


SCORES: dict[str, Score] = {"default": default_score, "paper": paper_score}


def check_least(min_score: float) -> None:
    """Raise where a least score is none that a join can have.

    Raises
    ------
    ScoreRangeError
        Unless it is a number between 0 and 1.
    """
    if not isinstance(min_score, Real) or not 0 <= min_score <= 1:
        raise ScoreRangeError(f"min_score is {min_score!r}; scores are numbers between 0 and 1")


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
