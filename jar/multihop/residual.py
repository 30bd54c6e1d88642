"""`ResidualRewriter`: what a list of tables leaves of the words of a question, without a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import Array
from jar.errors import QueryError
from jar.multihop.rewriting import Asked, Rewrite
from jar.text.decomposition import decompose
from jar.text.lexical import content_words
from joinability.spelling.vocabulary import singular

if TYPE_CHECKING:
    from jar.index.index import Index


class ResidualRewriter:
    """Drops the chunks of the question that the tables of a list cover, and searches for the others.

    A chunk is covered when no table of the database has more of its words than those of the list, by the BM25 weights
    of the names (`jar.text.lexical`). A chunk that no name of the database has, such as a value, is never covered. The
    database is that of the list's first table, and its name stands before what is left, so that its tables come first:
    ``database.chunk chunk``. When every chunk is covered nothing is missing.

    Parameters
    ----------
    index : Index
    decomposer : callable
        ``question -> chunks``.
    keep_question : bool
        Whether the question stands before what is left of it, which then counts twice in the text; by default it does,
        since more tables are found (docs/multihop.md). Without, covered chunks are gone, as in the paper.
    """

    def __init__(
        self, index: Index, decomposer: Callable[[str], Sequence[str]] = decompose, *, keep_question: bool = True
    ) -> None:
        self.index = index
        self.decomposer = decomposer
        self.keep_question = keep_question

    def __call__(self, question: str, signatures: Sequence[str]) -> Rewrite:
        """The chunks that the tables do not cover, as one text.

        Raises
        ------
        QueryError
            When the list is empty, or the index has no table of a signature.
        """
        return self.many([(question, tuple(signatures))])[0]

    def many(self, asked: Sequence[Asked]) -> list[Rewrite]:
        """The rewrites of many lists; each question is taken apart once."""
        place = {signature: table for table, signature in enumerate(self.index.signatures)}
        chunks = {question: self._weighed(question) for question in dict.fromkeys(question for question, _ in asked)}
        return [self._rewrite(question, _places(place, signatures), chunks[question]) for question, signatures in asked]

    def _weighed(self, question: str) -> list[tuple[str, Array]]:
        """Each chunk with what its words weigh in the names of each table, shape (N,)."""
        contents = self.index.contents
        weighed = []
        for chunk in self.decomposer(question):
            weights = np.zeros(len(contents.tables))
            for word in dict.fromkeys(map(singular, content_words(chunk))):
                tables, weight = contents.words.weights(word)
                weights[tables] += weight
            weighed.append((chunk, weights))
        return weighed

    def _rewrite(self, question: str, tables: list[int], chunks: list[tuple[str, Array]]) -> Rewrite:
        databases = self.index.contents.databases
        siblings = databases == databases[tables[0]]
        left = [
            chunk
            for chunk, weights in chunks
            if not weights[siblings].any() or weights[tables].max() < weights[siblings].max()
        ]
        if not left:
            return Rewrite(stop=True)
        text = f"{self.index.contents.tables[tables[0]].database}.{' '.join(left)}"
        return Rewrite((f"{question} {text}" if self.keep_question else text,))

    def __repr__(self) -> str:
        return "ResidualRewriter()" if self.keep_question else "ResidualRewriter(keep_question=False)"


def _places(place: dict[str, int], signatures: Sequence[str]) -> list[int]:
    if not signatures or not set(signatures) <= set(place):
        raise QueryError(f"the index has not all tables of {list(signatures)}: index.signatures lists what it has")
    return [place[signature] for signature in signatures]
