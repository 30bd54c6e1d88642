"""Examples by the shape of the SQL that a question needs: likely skeletons, or questions that need such trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from jar.arrays import Array, IntArray, Vectors, units
from jar.errors import QueryError
from jar.examples.finding import ExampleRetriever
from jar.examples.graph_reranker import GraphOrder, GraphReranker
from jar.examples.nearest import LexicalExamples
from jar.examples.store import ExampleStore
from jar.examples.structure_head import StructureHead, shipped_head

__all__ = ["SkeletonExamples", "StructureExamples"]

ODDS = 0.1
"""What the log-odds of a skeleton weigh beside the cosine of questions; chosen on training databases."""
Metric: TypeAlias = Literal["cosine", "mahalanobis"]
EPSILON = 0.06
"""Added to variances, which are 0.02 on average; chosen on training databases."""
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

    With ``metric="mahalanobis"`` the first term is, with mu and var the mean and the variances of the r dimensions over
    the questions of the store that have the skeleton of e, all of norm 1,

        -(h(question) - mu)' diag(var + EPSILON)^-1 (h(question) - mu) / r

    The paper's form has the variance in place of its inverse, and the opposite sign in its loss. Of one skeleton all
    examples are worth the same then; the nearest question comes first.

    Parameters
    ----------
    store, values :
        As of `ExampleRetriever`.
    head : StructureHead, optional
        By default the one that comes with the package.
    odds : float
        What the log-odds of the skeleton weigh; with 0 questions alone are compared, as in the paper.
    metric : "cosine" or "mahalanobis"
        How questions are compared.
    graph : GraphReranker, optional
        Orders the best examples again by the graphs of questions and schemas, the paper's second stage.
    distinct : bool
        By default every skeleton is told once, so that k examples show k shapes.

    Raises
    ------
    QueryError
        When the metric is another.
    """

    def __init__(
        self,
        store: ExampleStore,
        head: StructureHead | None = None,
        *,
        odds: float = ODDS,
        metric: Metric = "cosine",
        graph: GraphReranker | None = None,
        distinct: bool = True,
        values: bool = False,
    ) -> None:
        if metric not in get_args(Metric):
            raise QueryError(f"metric is {metric!r}; it must be one of {', '.join(map(repr, get_args(Metric)))}")
        super().__init__(store, distinct=distinct, values=values)
        self._head = shipped_head() if head is None else head
        self.odds = odds
        self._vectors = self._embedded([example.question for example in store])
        self._skeletons = SkeletonOdds(store, self._head)
        self._spread = SkeletonSpread(self._vectors, self._skeletons.which) if metric == "mahalanobis" else None
        self._order = None if graph is None else GraphOrder(store, graph)

    def scores(self, questions: Sequence[str]) -> Array:
        """Cosines or distances, the weighted log-odds, and what the graphs add."""
        asked = self._embedded(questions)
        scores = (asked @ self._vectors.T).astype(np.float64)
        if self._spread is not None:
            scores = CLOSE * scores + self._spread(asked)
        if self.odds:
            scores += self.odds * self._skeletons(questions)
        return scores if self._order is None else self._order(questions, scores)

    def _embedded(self, questions: Sequence[str]) -> Vectors:
        return units(self._head.question_vectors(questions))


class SkeletonSpread:
    """How far questions are from those of each skeleton, in the variances of these: the corrected form of ReFSQL.

    Parameters
    ----------
    vectors : array (N, r)
        Of the examples.
    which : array (N,)
        The number of each example's skeleton.
    """

    def __init__(self, vectors: Vectors, which: IntArray) -> None:
        counts = np.bincount(which)[:, None]
        exact = vectors.astype(np.float64)
        self._which = which
        self._means: Array = np.zeros((len(counts), exact.shape[1]))
        np.add.at(self._means, which, exact)
        self._means /= counts
        variances = np.zeros_like(self._means)
        np.add.at(variances, which, (exact - self._means[which]) ** 2)
        self._weights: Array = 1 / (variances / counts + EPSILON) / exact.shape[1]

    def __call__(self, asked: Vectors) -> Array:
        """D of n vectors and N examples, at most 0, shape (n, N)."""
        # (q - mu)^2 w = q^2 w - 2 q mu w + mu^2 w, summed over dimensions: three products, no array of three axes.
        vectors = asked.astype(np.float64)
        weighted = self._means * self._weights
        squares = vectors**2 @ self._weights.T - 2 * vectors @ weighted.T + (self._means * weighted).sum(axis=1)
        spread: Array = -squares[:, self._which]
        return spread


class SkeletonOdds:
    """How likely a question needs the skeleton of each example, among those of a store."""

    def __init__(self, store: ExampleStore, head: StructureHead) -> None:
        self._head = head
        self._skeletons = list(dict.fromkeys(example.skeleton for example in store))
        place = {skeleton: number for number, skeleton in enumerate(self._skeletons)}
        self.which = np.array([place[example.skeleton] for example in store])

    def __call__(self, questions: Sequence[str]) -> Array:
        """Logarithms of probabilities, of n questions and N examples, shape (n, N)."""
        odds = self._head.log_odds(questions, self._skeletons).astype(np.float64)
        odds -= np.logaddexp.reduce(odds, axis=1, keepdims=True)
        spread: Array = odds[:, self.which]
        return spread
