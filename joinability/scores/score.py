"""Scores of joinability: from the evidence on pairs of columns, and the similarity of their texts, to one number.

A score takes a block of evidence and the cosine similarities of the same pairs, both of any one shape, and gives an
array of that shape: 0 where two columns do not join, at most 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from joinability.errors import ScoreRangeError, UnknownScoreError
from joinability.evidence.blocks import PairBlock
from joinability.scores.bounds import SLACK, bounds_of
from joinability.scores.estimates import estimated_odds
from joinability.scores.features import FEATURES, Pairs
from joinability.scores.implied import IMPLIED
from joinability.scores.odds import LEAST, log_odds, supported, terms
from joinability.scores.rivals import RIVALS
from joinability.scores.rivals_by_table import rivals_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from joinability.arrays import AnyArray, Array, Flags, Indices, Vectors
    from joinability.evidence.blocks import EvidenceBlock
    from joinability.evidence.evidence import JoinEvidence
    from joinability.scores.verdicts import Verdicts

LEAST_SHOWN = 0.002
"""The default `min_score` of a join graph: at most one in a hundred such pairs of tables loses its declared key."""
SECOND = 0.01
"""What is left of a reference's probability where its child has a declared key of another table: of 791 such columns of
Spider's databases one has two of them."""


class Score(Protocol):
    """Signature of a score."""

    def __call__(self, block: EvidenceBlock, cosine: Vectors, *, trust_declared: bool = ...) -> Vectors:
        """Joinability of each pair of the block."""


def paper_score(block: EvidenceBlock, cosine: Vectors, *, trust_declared: bool = False) -> Vectors:
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


def default_score(block: EvidenceBlock, cosine: Vectors, *, trust_declared: bool = True) -> Vectors:
    """Probability that one column of the pair refers to the other, estimated from the evidence.

    For a child k and a parent l the evidence on the pair has the odds o_kl = exp(b + sum_f a_f x_f(k, l)), with the
    features x_f of `FEATURES` and weights that were fitted on databases whose keys are known, one set of them for each
    state of knowledge (see `Weights`). A chain k -> l' -> l lowers them to o^_kl, as far as it explains the reference
    (see `implied`), and so do stronger rivals (see `Rivals`): another parent l' of k with the odds o' = o^_kl', and
    another column k' of k's table with the odds o'' = o^_k'l.

        o = o^_kl / ((1 + max(0, o' - o^_kl)) * (1 + max(0, o'' - o^_kl)))
        P(k -> l) = o / (1 + o),    w_kl = max(P(k -> l), P(l -> k))

    Where l is in another database, the rivals are those in the database of k, and o^_kl counts as 0 beside them.

    A pair without evidence scores 0. Evidence is a common value, or, where the values of a side are a sample or
    unknown, also names that are alike. Probabilities below `LEAST` become 0, so that the join graph stays sparse.

    Parameters
    ----------
    block : EvidenceBlock
    cosine : array of the shape of the block
        Cosine similarity of the texts of the columns. Not used, so that the score is the same with every embedder.
    trust_declared : bool
        Give declared keys the score 1, and leave `SECOND` of the probability of what else their children refer to.
    """
    score = likelihood(block, max(LEAST, block.least), trust_declared=trust_declared)
    return _with_declared(np.where(score < LEAST, 0, score), block, trust_declared)


def likelihood(block: EvidenceBlock, least: float = 0.0, *, trust_declared: bool = False) -> Vectors:
    """The greater probability of the two directions of each pair, 0 where there is no evidence; by `trust_declared`
    with what declared keys say of other ones.

    Rivals only lower odds, and to know those of a table is work. So they are not asked of where the evidence on the
    pair alone decides: below `least`, where the result may be less than the probability, down to 0, and for the
    direction that falls short of the other one even without its rivals. Nor is anything compared of pairs whose columns
    by themselves decide (see `Bounds`), and of very many pairs those are compared that are likely at a first look (see
    `joinability.scores.estimates`).
    """
    with np.errstate(divide="ignore"):
        floor = np.log(least) - np.log1p(-min(least, 1 - 1e-12)) - SLACK
    where, forth = _possible_pairs(block, floor)
    if not len(where):
        return block.spread(where, np.zeros(0))
    alone = log_odds(forth.both_ways()).reshape(2, -1)
    return block.spread(where, _greater_probability(forth, alone, floor, trust_declared))


def _possible_pairs(block: EvidenceBlock, floor: float) -> tuple[Indices, PairBlock]:
    """The pairs that there is evidence on and whose log-odds may reach `floor`: their places, and a list of them."""
    bounds = bounds_of(block.evidence)
    reaching = bounds.reach(block.left, block.right, floor) | bounds.reach(block.right, block.left, floor)
    where = np.flatnonzero(np.broadcast_to(reaching & block.once, block.shape))
    pairs = block.chosen(where)
    estimates = estimated_odds(pairs, both=True)
    if estimates is not None:
        near = np.flatnonzero(estimates >= floor - SLACK)
        where, pairs = where[near], pairs.chosen(near)
    counted = np.flatnonzero(supported(pairs))
    return where[counted], pairs.chosen(counted)


def _greater_probability(forth: PairBlock, alone: Array, floor: float, trust_declared: bool) -> Array:
    """The greater probability of the two directions of p pairs, beside their rivals.

    The likelier direction of each pair is looked at first, then the other one where it may still be likelier.

    Parameters
    ----------
    forth : PairBlock
    alone : (2, p) array
        Log-odds of each direction by the evidence on the pair alone.
    floor : float
        A direction with less counts as 0.
    """
    likelier = np.argmax(alone, axis=0)
    first = _probability(forth, alone, likelier, floor, trust_declared)
    least = np.maximum(floor, _logit(first) - SLACK)
    return np.maximum(first, _probability(forth, alone, 1 - likelier, least, trust_declared))


def _probability(
    forth: PairBlock, alone: Array, direction: Indices, least: Array | float, trust_declared: bool
) -> Array:
    """The probability of one direction of each pair (0 for forth, 1 for back) beside its rivals; 0 where its log-odds
    by the evidence alone are below `least`."""
    probability = np.zeros(len(direction))
    for number, block in enumerate((forth, forth.reversed())):
        places = np.flatnonzero((direction == number) & (alone[number] >= least))
        if len(places):
            odds = _beside_rivals(block, places, alone[number, places])
            probability[places] = 1 / (1 + np.exp(-odds))
            if trust_declared:
                probability[places] *= np.where(_is_second(block)[places], SECOND, 1.0)
    return probability


def _is_second(block: PairBlock) -> Flags:
    """Which references are beside a declared key: that of the child, or that of a parent which is no key itself."""
    evidence = block.evidence
    refers = evidence.declared_alone
    return np.asarray((refers[block.left] | (refers & evidence.beside_keys)[block.right]) & ~block.declared)


def _logit(probability: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probability) - np.log1p(-probability))


def _beside_rivals(block: PairBlock, places: Indices, strength: Array) -> Array:
    """Log-odds of some pairs of a block with what chains and rivals take, by those of the evidence on each alone."""
    child, parent = block.left[places], block.right[places]
    rivals = rivals_of(block.evidence, block.vetoes, block.evidence.table[child])
    left = strength - rivals.implied(child, parent)
    unrivalled = Pairs(block.chosen(places)).unrivalled
    return np.asarray(left + rivals.terms(child, parent, left, unrivalled).sum(axis=-1))


def contributions(evidence: JoinEvidence, left: ArrayLike, right: ArrayLike) -> dict[str, AnyArray]:
    """The terms of the default score of p pairs, in the likelier direction of each.

    Returns
    -------
    dict of arrays (p,)
        "child": "left" or "right", the side that refers to the other. "intercept", the term a_f x_f of each of
        `FEATURES` by its name, and what chains ("implied") and each of `RIVALS` take: these sum up to the log-odds of
        the reference. Pins and vetoes are not taken into account.
    """
    forth = PairBlock(evidence, np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64))
    (intercepts, from_left), (_, from_right) = (_all_terms(block) for block in (forth, forth.reversed()))
    is_left = from_left.sum(axis=-1) >= from_right.sum(axis=-1)
    likelier = np.where(is_left[:, None], from_left, from_right)
    named = dict(zip((*FEATURES, IMPLIED, *RIVALS), likelier.T, strict=True))
    return {"child": np.where(is_left, "left", "right"), "intercept": intercepts, **named}


def _all_terms(block: PairBlock) -> tuple[Array, Array]:
    """Intercepts (p,) and terms (p, F + 3) of the log-odds with what chains and rivals take."""
    intercepts, weighted = terms(block)
    rivals = rivals_of(block.evidence, block.vetoes, block.evidence.table[block.left])
    by_chains = rivals.implied(block.left, block.right)
    alone = intercepts + weighted.sum(axis=-1) - by_chains
    taken = rivals.terms(block.left, block.right, alone, Pairs(block).unrivalled)
    return intercepts, np.column_stack([weighted, -by_chains, taken])


def _with_declared(score: AnyArray, block: EvidenceBlock, trust_declared: bool) -> Vectors:
    return np.asarray(np.where(block.declared, 1, score) if trust_declared else score, dtype=np.float32)


SCORES: dict[str, Score] = {"default": default_score, "paper": paper_score}


def check_least(min_score: float) -> None:
    """Raise unless a least score is a number between 0 and 1.

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


@dataclass(frozen=True)
class JoinScore:
    """A score of joins by name; `trust_declared` overrides whether it gives declared keys the score 1."""

    name: str
    trust_declared: bool | None = None

    def __call__(self, block: EvidenceBlock, cosine: AnyArray) -> AnyArray:
        """Joinability of each pair of a block of columns."""
        options = {} if self.trust_declared is None else {"trust_declared": self.trust_declared}
        return score_named(self.name)(block, cosine, **options)

    @property
    def reads_texts(self) -> bool:
        """Whether the similarity of the columns' texts counts; "default" means the same with every embedder."""
        return self.name == "paper"

    @property
    def has_composites(self) -> bool:
        """Whether joins on several columns count: the paper leaves them to future work."""
        return self.name != "paper"

    @property
    def has_references(self) -> bool:
        """Whether it knows which column refers to which key, so that joins follow from others."""
        return self.name != "paper"

    @property
    def is_stored(self) -> bool:
        """Whether an index stores it when it is made."""
        return self.name == "default" and self.trust_declared is not False


def join_score(name: str, trust_declared: bool | None = None) -> JoinScore:
    """The score of a name; `trust_declared` overrides whether it gives declared keys the score 1.

    Raises
    ------
    UnknownScoreError
        When there is none of that name; the message lists the names.
    """
    score_named(name)
    return JoinScore(name, trust_declared)


def measures(
    evidence: JoinEvidence, left: ArrayLike, right: ArrayLike, verdicts: Verdicts | None = None
) -> dict[str, AnyArray]:
    """The evidence on p pairs of columns by the names under which users read it, an array (p,) for each kind.

    Where nothing is known of the values of a side, shares of values are NaN, and so is that side's uniqueness, unless
    it is a declared primary key.
    """
    block = evidence.pairs(left, right)
    silent = evidence.silent & ~evidence.is_key
    unique_left, unique_right = block.sides(np.where(silent, np.nan, evidence.uniqueness))
    padded_left, padded_right = block.sides(evidence.padded_share)
    return {
        "declared": block.declared,
        "jaccard": np.where(block.unknown, np.nan, block.jaccard),
        "containment_left": np.where(block.unknown, np.nan, block.containment_left),
        "containment_right": np.where(block.unknown, np.nan, block.containment_right),
        "jaccard_error": np.where(block.unknown, np.nan, block.jaccard_error),
        "containment_left_error": np.where(block.unknown, np.nan, block.containment_left_error),
        "containment_right_error": np.where(block.unknown, np.nan, block.containment_right_error),
        "uniqueness_left": unique_left,
        "uniqueness_right": unique_right,
        "padded_left": padded_left,
        "padded_right": padded_right,
        "name_similarity": evidence.forms.similarity(block.left, block.right),
        "estimated": block.estimated | (block.intersection_error > 0),
        "unmeasured": block.unknown,
        "pinned": np.zeros(block.shape, dtype=np.bool_) if verdicts is None else verdicts.are_pinned(block),
    }


def describe(
    evidence: JoinEvidence, left: ArrayLike, right: ArrayLike, verdicts: Verdicts | None = None
) -> list[dict[str, Any]]:
    """The evidence on p pairs of columns as plain values, by the names that `Index.joins` has: booleans, floats, and
    None for what was not measured."""
    return plain_rows(measures(evidence, left, right, verdicts))


def plain_rows(measured: Mapping[str, AnyArray]) -> list[dict[str, Any]]:
    """Arrays (p,) by name as p rows of plain values, None for NaN.

    Examples
    --------
    >>> plain_rows({"jaccard": np.array([0.5, np.nan]), "declared": np.array([True, False])})
    [{'jaccard': 0.5, 'declared': True}, {'jaccard': None, 'declared': False}]
    """
    columns = [[None if value != value else value for value in array.tolist()] for array in measured.values()]
    return [dict(zip(measured, row, strict=True)) for row in zip(*columns, strict=True)]
