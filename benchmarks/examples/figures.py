"""How well retrieved examples match the SQL that a question needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jar.examples import Example, ExampleStore, FoundExample
from jar.examples.tree_distance import tree_differences

MOST = 5
"""Examples that are looked at."""


@dataclass(frozen=True)
class ExampleFigures:
    """Of one retriever on one set of questions.

    Attributes
    ----------
    first, any : float
        Percent of the questions with the gold query's skeleton first, or among the first five.
    distance : float
        Mean difference of the trees (0 to 1) over the first five; `nearest`: of the best of these.
    by_hardness : mapping
        `first` and `any` for each hardness.
    """

    first: float
    any: float
    distance: float
    nearest: float
    by_hardness: Mapping[str, tuple[float, float]]


def measure(
    found: Sequence[Sequence[FoundExample]], store: ExampleStore, questions: Sequence[Example], hardness: Sequence[str]
) -> ExampleFigures:
    """The figures of what a retriever found for questions."""
    same = same_skeletons(found, questions)
    far = np.array(
        [
            tree_differences([question.tree], [store[entry.position].tree for entry in row[:MOST]])[0]
            for row, question in zip(found, questions, strict=True)
        ]
    )
    levels = np.array(hardness)
    parts = {
        level: (_percent(same[levels == level, 0]), _percent(same[levels == level].any(axis=1)))
        for level in dict.fromkeys(sorted(hardness, key=_order))
    }
    return ExampleFigures(
        _percent(same[:, 0]), _percent(same.any(axis=1)), float(far.mean()), float(far.min(axis=1).mean()), parts
    )


def same_skeletons(found: Sequence[Sequence[FoundExample]], questions: Sequence[Example]) -> npt.NDArray[np.bool_]:
    """Whether each of the first five examples has the skeleton of the gold query: (questions, 5)."""
    return np.array(
        [
            [place < len(row) and row[place].skeleton == question.skeleton for place in range(MOST)]
            for row, question in zip(found, questions, strict=True)
        ],
        dtype=bool,
    )


def ceiling(store: ExampleStore, questions: Sequence[Example]) -> float:
    """Percent of the questions whose skeleton the store has at all."""
    known = {example.skeleton for example in store}
    return _percent(np.array([question.skeleton in known for question in questions]))


def _percent(hits: np.ndarray) -> float:
    return round(100 * float(hits.mean()), 1) if hits.size else 0.0


def _order(level: str) -> int:
    return ["easy", "medium", "hard", "extra"].index(level)
