"""The join score of an index, and what speaks for a join in the words and the order in which users read it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability import score_named

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from joinability import EvidenceBlock

    JoinScore = Callable[[EvidenceBlock, npt.NDArray[Any]], npt.NDArray[Any]]


def join_score(name: str, trust_declared: bool | None = None) -> JoinScore:
    """The score of a name; `trust_declared` overrides whether it gives declared keys the score 1.

    Raises
    ------
    ValueError
        When there is none of that name; the message lists the names.
    """
    score = score_named(name)
    return score if trust_declared is None else partial(score, trust_declared=trust_declared)


def evidence_columns(pairs: EvidenceBlock) -> dict[str, Any]:
    """The evidence on p pairs of columns, an array (p,) for each kind.

    `containment_left` is the share of the left column's values that the right one has; `uniqueness_left` the distinct
    values of the left column per row; `name_similarity` the cosine of the names' trigrams; `estimated` tells
    that the values of a side are a sample.
    """
    unique_left, unique_right = pairs.sides(pairs.evidence.uniqueness)
    return {
        "declared": pairs.declared,
        "containment_left": pairs.containment_left,
        "containment_right": pairs.containment_right,
        "jaccard": pairs.jaccard,
        "uniqueness_left": unique_left,
        "uniqueness_right": unique_right,
        "name_similarity": pairs.header_similarity,
        "estimated": pairs.estimated,
    }


def describe(pairs: EvidenceBlock) -> list[dict[str, Any]]:
    """The evidence of each of p pairs as plain values: booleans and floats."""
    columns = {name: np.asarray(values).tolist() for name, values in evidence_columns(pairs).items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
