"""The odds of a reference by the evidence on a pair of columns alone, whatever else the columns may refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.layers import never_meet
from joinability.evidence.traits import NAMED_AFTER
from joinability.families import KINDS
from joinability.scores.features import features
from joinability.scores.weights import SAMPLES, SCHEMA, VALUES, load_weights

if TYPE_CHECKING:
    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.blocks import EvidenceBlock, PairBlock

LEAST = 0.0005
"""Lower probabilities count as no evidence. Of the pairs of tables of the training databases, scored by models without
their database, hardly one in two hundred loses its declared key as the best pair (`python -m benchmarks joins fit`)."""
SIMILAR_NAMES = 0.6
"""Similarity of headers that makes two columns worth a look where not all their values are known."""


def supported(block: EvidenceBlock) -> Flags:
    """Which pairs of a block there is evidence on: common values, or names where not all values are known.

    Of a wide table whose values are not all known only some columns may join (`Traits.may_join`), and those between
    which names suggest a reference. Some columns of a warehouse and of the system beside it never meet.
    """
    has_evidence = block.intersection > 0
    vague = block.estimated & block.same_kind
    if block.unknown.any():
        has_key = np.logical_or(*block.sides(block.evidence.may_refer_by_name))
        vague = np.where(block.unknown, has_key & ~block.differ_in_kind, vague)
    if vague.any():
        leads_left, leads_right = block.sides(block.evidence.traits.leads)
        has_evidence |= vague & (
            (block.header_similarity >= SIMILAR_NAMES)
            | block.name_ends_right
            | block.name_ends_left
            | ((block.named_after_right >= NAMED_AFTER) & leads_right)
            | ((block.named_after_left >= NAMED_AFTER) & leads_left)
        )
    may_join = np.logical_and(*block.sides(block.evidence.may_join)) & np.logical_not(_apart(block))
    has_evidence &= may_join
    if block.evidence.named.kinds:
        has_evidence |= (block.by_name_right > 0) | (block.by_name_left > 0)
    return np.asarray(has_evidence & ~block.same_table)


def _apart(block: EvidenceBlock) -> Flags | bool:
    """Which pairs of columns never join, whatever they have in common."""
    evidence = block.evidence
    if not evidence.layer_kind.any():
        return False
    times = evidence.traits.kind == KINDS.index("time")
    return never_meet(evidence.dimensional, evidence.layer_kind, times, block.left, block.right)


def states(block: EvidenceBlock) -> Indices:
    """What is known of each pair of a block: the number of its weights."""
    return np.where(block.unknown, SCHEMA, np.where(block.estimated, SAMPLES, VALUES))


def terms(block: PairBlock) -> tuple[Array, Array]:
    """Intercepts (p,) and terms a_f x_f (p, F) of the log-odds that the left column refers to the right one."""
    weights, state = load_weights(), states(block)
    return weights.intercepts[state], features(block) * weights.coefficients[state]


def log_odds(block: PairBlock) -> Array:
    """Log-odds that the left column of p pairs refers to the right one, by the evidence on the pair alone."""
    intercepts, weighted = terms(block)
    return np.asarray(intercepts + weighted.sum(axis=-1))
