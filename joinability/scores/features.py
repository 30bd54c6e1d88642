"""Features of a reference: what the default score weighs when one column, the child, may refer to another, the parent.

All are numbers between 0 and 1, but for one logarithm, so that their weights can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.traits import INTEGERS
from joinability.families import KINDS

if TYPE_CHECKING:
    from joinability.arrays import AnyArray, Array, Flags, Vectors
    from joinability.evidence.blocks import PairBlock

SAMPLE_INCLUSION = 0.3
"""Inclusion that is assumed, with the weight of one value, where the values are samples or unknown."""


class Pairs:
    """p pairs (child, parent), and the evidence on them.

    Parameters
    ----------
    block : PairBlock
        The children on the left, the parents on the right.
    """

    def __init__(self, block: PairBlock) -> None:
        self.block, self.evidence, self.traits = block, block.evidence, block.evidence.traits
        self.child, self.parent = block.left, block.right

    @cached_property
    def inclusion(self) -> Vectors:
        """|A n B| / |A|. Where values are samples, x common values of `expected_left`, after one more expected value
        with the inclusion `SAMPLE_INCLUSION`."""
        block = self.block
        guess = np.minimum((block.intersection + SAMPLE_INCLUSION) / (block.expected_left + 1), 1)
        return np.where(block.estimated | block.unknown, guess, block.containment_left)


@dataclass(frozen=True)
class Feature:
    """One quantity of a reference.

    Attributes
    ----------
    name : str
    sign : 1 or -1
        1 where it is evidence for a reference, -1 where against it: the sign of its weight, unless that is 0.
    of : callable
        The quantity of p pairs, as an array (p,) of any type.
    meaning : str
    """

    name: str
    sign: int
    of: Callable[[Pairs], AnyArray]
    meaning: str


def features(block: PairBlock) -> Vectors:
    """The features of a reference of the left column to the right one, for p pairs.

    Returns
    -------
    array (p, F)
        A column for each of `FEATURES`.
    """
    pairs = Pairs(block)
    return np.stack([feature.of(pairs).astype(np.float32) for feature in FEATURES.values()], axis=-1)


def _telling_inclusion(pairs: Pairs) -> AnyArray:
    return np.asarray(pairs.inclusion * ~pairs.traits.counted[pairs.parent])


def _narrow_range(pairs: Pairs) -> Array:
    """How far the span of the child's integers in n rows falls short of (n - 1) / (n + 1) of the parent's range.

    That is the expected span of n numbers drawn uniformly from it: references spread over all rows of the parent,
    quantities, ranks and constants do not.
    """
    evidence, child, parent = pairs.evidence, pairs.child, pairs.parent
    integers = evidence.integer_share > INTEGERS
    span = evidence.highest - evidence.lowest + 1
    n = evidence.rows[child] - evidence.nulls[child]
    with np.errstate(invalid="ignore", divide="ignore"):  # columns without numbers have no range
        short = np.clip((n - 1) / (n + 1) - span[child] / span[parent], 0, 1)
    return np.where(integers[child] & integers[parent], np.nan_to_num(short), 0)


def _excluded(pairs: Pairs) -> Flags:
    evidence, child, parent = pairs.evidence, pairs.child, pairs.parent
    number = pairs.block.same_kind & (pairs.traits.kind[child] == KINDS.index("number"))
    with np.errstate(invalid="ignore"):
        beyond = (evidence.lowest[child] < evidence.lowest[parent]) | (
            evidence.highest[child] > evidence.highest[parent]
        )
    more = evidence.distinct[child] > evidence.rows[parent]
    return np.asarray(((number & beyond) | more) & ~pairs.block.unknown)


def _parent_leads(pairs: Pairs) -> AnyArray:
    return np.asarray(pairs.evidence.uniqueness[pairs.parent] * pairs.traits.leads[pairs.parent])


def _child_leads(pairs: Pairs) -> AnyArray:
    return np.asarray(pairs.evidence.uniqueness[pairs.child] * pairs.traits.leads[pairs.child])


def _named_after_other(pairs: Pairs) -> Vectors:
    traits, child = pairs.traits, pairs.child
    is_parent = traits.other_table[child] == pairs.evidence.table[pairs.parent]
    return np.where(is_parent, traits.next_name[child], traits.other_name[child])


# fmt: off
_TABLE = (
    Feature("inclusion", 1, lambda pairs: pairs.inclusion,
            "share of the child's values that the parent has"),
    Feature("telling_inclusion", 1, _telling_inclusion,
            "the same, but 0 where the parent counts 1, 2, 3, ...: all such columns hold small integers"),
    Feature("narrow_range", -1, _narrow_range,
            "the child's integers span less of the parent's range than as many rows drawn at random would"),
    Feature("excluded", -1, _excluded,
            "the child has numbers beyond the parent's range, or more distinct values than the parent has rows"),
    Feature("parent_uniqueness", 1, lambda pairs: pairs.evidence.uniqueness[pairs.parent],
            "distinct values of the parent by its rows"),
    Feature("parent_leads", 1, _parent_leads,
            "the parent's uniqueness where it is the first of the most unique columns of its table, else 0"),
    Feature("parent_first", 1, lambda pairs: pairs.evidence.position[pairs.parent] == 0,
            "the parent is the first column of its table"),
    Feature("parent_nulls", -1, lambda pairs: pairs.evidence.nulls[pairs.parent] > 0,
            "the parent has missing values"),
    Feature("child_leads", -1, _child_leads,
            "the child's uniqueness where it is the first of the most unique columns of its table, else 0"),
    Feature("child_width", -1, lambda pairs: pairs.traits.width[pairs.child],
            "decimal logarithm of the number of columns of the child's table: most of many are no references"),
    Feature("same_kind", 1, lambda pairs: pairs.block.same_kind,
            "both hold numbers, both text, or both dates and times"),
    Feature("header_similarity", 1, lambda pairs: pairs.block.header_similarity,
            "cosine of the letter trigrams of the two names"),
    Feature("name_ends", 1, lambda pairs: pairs.block.name_ends_right,
            "the child's name is the parent's, or ends with it; a generic one counts with that of its table"),
    Feature("named_after_parent", 1, lambda pairs: pairs.block.named_after_right,
            "share of the words of the parent table's name in the child's name, abbreviated or not"),
    Feature("named_after_other", -1, _named_after_other,
            "the greatest such share among the other tables of the child's database"),
)
# fmt: on
FEATURES: dict[str, Feature] = {feature.name: feature for feature in _TABLE}
"""The features by name, in the order of the columns of `features`. A new one is a row; then the weights are fitted."""
