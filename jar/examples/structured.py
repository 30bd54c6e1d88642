"""Examples by the shape of the SQL that a question needs: likely skeletons, or questions that need such trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jar.arrays import Array, Vectors
from jar.examples.finding import ExampleRetriever
from jar.examples.nearest import LexicalExamples
from jar.examples.store import ExampleStore
from jar.examples.structure_head import StructureHead, shipped_head

__all__ = ["SkeletonExamples", "StructureExamples"]

ODDS = 0.1
"""What the log-odds of a skeleton weigh beside the cosine of questions; chosen on training databases."""
CLOSE = 1e-3
"""What the nearness of questions weighs among examples of one skeleton: less than any difference between skeletons."""


class SkeletonExamples(ExampleRetriever):
    """The likeliest skeletons for a question, and of each the example whose question shares most words with it.

    After MR-SQL's example retriever, which compares a question with skeletons by late interaction. Here the score is
    `StructureHead.log_odds`, a sum over pairs of a run of words of the question and one of the skeleton.

    Parameters
    ----------
    store, values :
        As of `ExampleRetriever`.
    distinct : bool
        By default every skeleton is told once, so that k examples show k shapes.
    head : StructureHead, optional
        By default the one that comes with the package.
    """

    def __init__(
        self, store: ExampleStore, head: StructureHead | None = None, *, distinct: bool = True, values: bool = False
    ) -> None:
        super().__init__(store, distinct=distinct, values=values)
        self._skeletons = SkeletonOdds(store, shipped_head() if head is None else head)
        self._lexical = LexicalExamples(store)

    def scores(self, questions: Sequence[str]) -> Array:
        """Log-odds of the skeletons among those of the store, less than 0; and a little for the words in common."""
        return self._skeletons(questions) + CLOSE * self._lexical.scores(questions)


class StructureExamples(ExampleRetriever):
    """Questions that need similar SQL: neighbours in the space of the structure head, of likely skeletons.

    After ReFSQL (Zhang et al., "ReFSQL: A Retrieval-Augmentation Framework for Text-to-SQL Generation", Findings of
    EMNLP 2023), which trains a head over frozen question vectors so that questions with similar SQL trees are near.
    With h of `StructureHead`, an example e is worth

        cos(h(question), h(question of e)) + odds * log p(skeleton of e | question)

    Parameters
    ----------
    store, values :
        As of `ExampleRetriever`.
    head : StructureHead, optional
        By default the one that comes with the package.
    odds : float
        What the log-odds of the skeleton weigh; with 0 questions alone are compared, as in the paper.
    distinct : bool
        By default every skeleton is told once, so that k examples show k shapes.
    """

    def __init__(
        self,
        store: ExampleStore,
        head: StructureHead | None = None,
        *,
        odds: float = ODDS,
        distinct: bool = True,
        values: bool = False,
    ) -> None:
        super().__init__(store, distinct=distinct, values=values)
        self._head = shipped_head() if head is None else head
        self.odds = odds
        self._vectors = self._embedded([example.question for example in store])
        self._skeletons = SkeletonOdds(store, self._head)

    def scores(self, questions: Sequence[str]) -> Array:
        """Cosines, and the weighted log-odds."""
        cosines = (self._embedded(questions) @ self._vectors.T).astype(np.float64)
        return cosines + self.odds * self._skeletons(questions) if self.odds else cosines

    def _embedded(self, questions: Sequence[str]) -> Vectors:
        vectors = self._head.question_vectors(questions)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(norms > 0, norms, 1)).astype(np.float32)


class SkeletonOdds:
    """How likely a question needs the skeleton of each example, among those of a store."""

    def __init__(self, store: ExampleStore, head: StructureHead) -> None:
        self._head = head
        self._skeletons = list(dict.fromkeys(example.skeleton for example in store))
        place = {skeleton: number for number, skeleton in enumerate(self._skeletons)}
        self._which = np.array([place[example.skeleton] for example in store])

    def __call__(self, questions: Sequence[str]) -> Array:
        """Logarithms of probabilities, of n questions and N examples, shape (n, N)."""
        odds = self._head.log_odds(questions, self._skeletons).astype(np.float64)
        odds -= np.logaddexp.reduce(odds, axis=1, keepdims=True)
        spread: Array = odds[:, self._which]
        return spread
