"""The join score of an index, and what speaks for a join in the words and the order in which users read it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability import Edges, score_named

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from joinability import EvidenceBlock, JoinEvidence

    IntArray = npt.NDArray[np.int64]

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


def describe(evidence: JoinEvidence, left: IntArray, right: IntArray) -> list[dict[str, Any]]:
    """The evidence on p pairs of columns as plain values: booleans and floats, by the names that `Index.joins` has."""
    columns = Edges(evidence, left, right, np.zeros(len(left), dtype=np.float32)).columns()
    kinds = [name for name in columns if name not in ("left", "right", "score")]
    rows = zip(*(np.asarray(columns[name]).tolist() for name in kinds), strict=True)
    return [dict(zip(kinds, row, strict=True)) for row in rows]
