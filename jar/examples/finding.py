"""What all retrievers of examples have in common: scores, order, and what is told of an example."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from jar.arrays import Array
from jar.examples.example import FoundExample
from jar.examples.store import ExampleStore
from jar.tables.query import check_question, check_size

__all__ = ["ExampleRetriever"]

TOGETHER = 256
"""Questions whose scores are in memory together."""


class ExampleRetriever(ABC):
    """Finds the examples of a store that fit a question best.

    Parameters
    ----------
    store : ExampleStore
    distinct : bool
        Of each skeleton the best example alone.
    values : bool
        Show the values in the questions and the SQL of what is found; by default they are masked.
    """

    def __init__(self, store: ExampleStore, *, distinct: bool = False, values: bool = False) -> None:
        self.store, self.distinct, self.values = store, distinct, values

    @abstractmethod
    def scores(self, questions: Sequence[str]) -> Array:
        """How well each of N examples fits each of n questions, shape (n, N): greater is better."""

    def __call__(self, question: str, k: int = 5) -> list[FoundExample]:
        """The k best examples, best first; of equal ones the earlier in the store.

        Raises
        ------
        QueryError
            When the question is empty, or k no whole number from 1 up.
        """
        return self.many([question], k)[0]

    def many(self, questions: Sequence[str], k: int = 5) -> list[list[FoundExample]]:
        """The answers to many questions."""
        texts, count = [check_question(question) for question in questions], check_size(k, "k")
        found = []
        for start in range(0, len(texts), TOGETHER):
            for row in self.scores(texts[start : start + TOGETHER]):
                found.append([self._told(place, row[place]) for place in self._best(row, count)])
        return found

    def _best(self, scores: Array, count: int) -> list[int]:
        order: list[int] = np.argsort(-scores, kind="stable").tolist()
        if not self.distinct:
            return order[:count]
        best: dict[str, int] = {}
        for place in order:
            best.setdefault(self.store[place].skeleton, place)
            if len(best) == count:
                break
        return list(best.values())

    def _told(self, place: int, score: float) -> FoundExample:
        example = self.store[place]
        question, sql = (example.question, example.sql) if self.values else example.masked
        used = example.structure.used
        return FoundExample(question, sql, example.database, example.skeleton, float(score), place, used)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.store!r})"
