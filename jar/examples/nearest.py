"""Examples whose questions are near the question: by vectors, by vectors of masked questions, by shared words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from jar.arrays import Array
from jar.examples.finding import ExampleRetriever
from jar.examples.question_terms import delexicalised, runs, words
from jar.examples.store import ExampleStore
from jar.text.embedding import load_embedder
from jar.text.stop_words import STOP_WORDS
from joinability.sparse.sparse_rows import SparseRows

__all__ = ["LexicalExamples", "MaskedExamples", "NearestExamples"]


class NearestExamples(ExampleRetriever):
    """By the cosine of the questions' vectors.

    Parameters
    ----------
    store, distinct, values :
        As of `ExampleRetriever`.
    embedder : optional
        A name, a model or a callable, as of `Index.build`; or that of an index (`index.embedder`).
    """

    def __init__(
        self, store: ExampleStore, embedder: Any = "minilm", *, distinct: bool = False, values: bool = False
    ) -> None:
        super().__init__(store, distinct=distinct, values=values)
        self._embedder = load_embedder(embedder)
        self._vectors = self._embedder([self._text(example.question) for example in store])

    def scores(self, questions: Sequence[str]) -> Array:
        """Cosines, from -1 to 1."""
        vectors = self._embedder([self._text(question) for question in questions])
        return (vectors @ self._vectors.T).astype(np.float64)

    def _text(self, question: str) -> str:
        return question


class MaskedExamples(NearestExamples):
    """By the cosine of the vectors of masked questions: of words that name no thing, with ``_`` for all others."""

    def _text(self, question: str) -> str:
        return " ".join(delexicalised(question, STOP_WORDS)[1:-1])


class LexicalExamples(ExampleRetriever):
    """By the words and pairs of words that the questions share: the cosine of their TF-IDF vectors.

    A term weighs its frequency times ln((1 + N) / (1 + df)) + 1 among N examples, df of which have it.
    """

    def __init__(self, store: ExampleStore, *, distinct: bool = False, values: bool = False) -> None:
        super().__init__(store, distinct=distinct, values=values)
        counts = [_counted(example.question) for example in store]
        having = Counter(term for count in counts for term in count)
        self._places = {term: place for place, term in enumerate(having)}
        self._rarity = np.log((1 + len(store)) / (1 + np.array([*having.values()], dtype=np.float64))) + 1
        self._vectors = self._weighted(counts)

    def scores(self, questions: Sequence[str]) -> Array:
        """Cosines, from 0 to 1."""
        asked = self._weighted([_counted(question) for question in questions])
        return np.asarray(self._vectors.times(asked.toarray().T).T)

    def _weighted(self, counts: Sequence[Counter[str]]) -> SparseRows:
        """TF-IDF vectors of n counted texts, each of norm 1 (or 0): sparse, shape (n, number of terms)."""
        places = self._places
        rows = [[(places[term], times) for term, times in count.items() if term in places] for count in counts]
        ends = np.cumsum([0, *map(len, rows)])
        columns = np.array([place for row in rows for place, _ in row], dtype=np.int64)
        times = np.array([times for row in rows for _, times in row], dtype=np.float64)
        weights = times * self._rarity[columns]
        row = np.repeat(np.arange(len(rows)), np.diff(ends))
        norms = np.sqrt(np.bincount(row, weights=weights**2, minlength=len(rows)))
        return SparseRows(weights / norms[row], columns.astype(np.int32), ends, len(places))


def _counted(question: str) -> Counter[str]:
    return Counter(runs(words(question), 2))
