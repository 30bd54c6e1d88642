"""Features of a reference: what the default score weighs when one column, the child, may refer to another, the parent.

All are numbers between 0 and 1, but for one logarithm, so that their weights can be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from joinability.families import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from joinability.evidence.blocks import EvidenceBlock, Floats, PairBlock

FEATURES: dict[str, str] = {
    "inclusion": "share of the child's values that the parent has",
    "telling_inclusion": "the same, but 0 where the parent counts 1, 2, 3, ...: all such columns hold small integers",
    "narrow_range": "the child's integers span less of the parent's range than as many rows drawn at random would",
    "excluded": "the child has numbers beyond the parent's range, or more distinct values than the parent has rows",
    "parent_uniqueness": "distinct values of the parent by its rows",
    "parent_leads": "the parent's uniqueness where it is the first of the most unique columns of its table, else 0",
    "parent_first": "the parent is the first column of its table",
    "parent_nulls": "the parent has missing values",
    "child_leads": "the child's uniqueness where it is the first of the most unique columns of its table, else 0",
    "child_width": "decimal logarithm of the number of columns of the child's table: most of many are no references",
    "same_kind": "both hold numbers, both text, or both dates and times",
    "header_similarity": "cosine of the letter trigrams of the two names",
    "name_ends": "the child's name is the parent's, or ends with it; a generic one counts with that of its table",
    "named_after_parent": "share of the words of the parent table's name in the child's name, abbreviated or not",
    "named_after_other": "the greatest such share among the other tables of the child's database",
}
"""Name and meaning of each feature, in the order of the columns of `features`."""

AGAINST = frozenset({"narrow_range", "excluded", "parent_nulls", "child_leads", "child_width", "named_after_other"})
"""The features that speak against a reference; their weights are not positive, those of the others not negative."""

RIVALS: dict[str, str] = {
    "other_parent": "what a likelier other parent of the child takes",
    "other_child": "what a likelier other child of the parent in the child's table takes",
}
"""Name and meaning of each kind of rival, in the order of the columns of `Rivals.terms`."""

SAMPLE_INCLUSION = 0.3
"""Inclusion that is assumed, with the weight of one value, where the values are samples or unknown."""


def features(block: PairBlock) -> Floats:
    """The features of a reference of the left column to the right one, for p pairs.

    Parameters
    ----------
    block : PairBlock
        p pairs (child, parent).

    Returns
    -------
    array (p, F)
        A column for each of `FEATURES`.
    """
    columns = list(_quantities(block))
    return np.stack([np.broadcast_to(column, block.shape).astype(np.float32) for column in columns], axis=-1)


def _quantities(block: PairBlock) -> Iterator[NDArray[np.generic]]:
    evidence, child, parent = block.evidence, block.left, block.right
    traits = evidence.traits
    inclusion = _inclusion(block)
    yield inclusion
    yield inclusion * ~traits.counted[parent]
    yield _narrow_range(block)
    yield _excluded(block)
    yield evidence.uniqueness[parent]
    yield evidence.uniqueness[parent] * traits.leads[parent]
    yield evidence.position[parent] == 0
    yield evidence.nulls[parent] > 0
    yield evidence.uniqueness[child] * traits.leads[child]
    yield traits.width[child]
    yield block.same_kind
    yield block.header_similarity
    yield block.name_ends_right
    yield block.named_after_right
    yield np.where(
        traits.other_table[child] == evidence.table[parent], traits.next_name[child], traits.other_name[child]
    )


def _inclusion(block: EvidenceBlock) -> Floats:
    """|A n B| / |A|; of samples, x values found of `expected_left`, an estimate that starts from `SAMPLE_INCLUSION`."""
    guess = np.minimum((block.intersection + SAMPLE_INCLUSION) / (block.expected_left + 1), 1)
    return np.where(block.estimated | block.unknown, guess, block.containment_left)


def _narrow_range(block: PairBlock) -> NDArray[np.float64]:
    """How far the span of the child's integers in n rows falls short of (n - 1) / (n + 1) of the parent's range.

    That is the expected span of n numbers drawn uniformly from it: references spread over all rows of the parent,
    quantities, ranks and constants do not.
    """
    evidence, child, parent = block.evidence, block.left, block.right
    integers = evidence.integer_share > 0.99
    span = evidence.highest - evidence.lowest + 1
    n = evidence.rows[child] - evidence.nulls[child]
    with np.errstate(invalid="ignore", divide="ignore"):  # columns without numbers have no range
        short = np.clip((n - 1) / (n + 1) - span[child] / span[parent], 0, 1)
    return np.where(integers[child] & integers[parent], np.nan_to_num(short), 0)


def _excluded(block: PairBlock) -> NDArray[np.bool_]:
    evidence, child, parent = block.evidence, block.left, block.right
    number = block.same_kind & (evidence.traits.kind[child] == KINDS.index("number"))
    with np.errstate(invalid="ignore"):
        beyond = (evidence.lowest[child] < evidence.lowest[parent]) | (
            evidence.highest[child] > evidence.highest[parent]
        )
    more = evidence.distinct[child] > evidence.rows[parent]
    return np.asarray(((number & beyond) | more) & ~block.unknown)
