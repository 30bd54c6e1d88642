"""Words that a question and a table's names share: BM25 over the names of a corpus.

An embedding knows that a customer is a client, but of a thousand tables it hardly knows the one called ``customers``.
Shared words decide between tables whose texts are all about the same, and they need no model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from jar.arrays import Array, IntArray
from jar.text.decomposition import STOP_WORDS
from jar.text.texts import NamedTable
from joinability.names import name_words, stem

SATURATION, NORMALISATION = 1.5, 0.75
"""k_1 and b of BM25 (Robertson and Zaragoza, 2009, equation 3.15)."""
TABLE_NAME = 2
"""How often the name of the table counts; those of its database and its columns count once."""


class WordIndex:
    """BM25 weights of the words in the names of tables.

    Parameters
    ----------
    tables : sequence of NamedTable
        n tables with the names of their databases and columns.
    """

    def __init__(self, tables: Iterable[NamedTable]) -> None:
        counts = [Counter(_table_words(table)) for table in tables]
        self.n = len(counts)
        lengths = np.array([count.total() for count in counts], dtype=np.float64)
        shares = 1 - NORMALISATION + NORMALISATION * lengths / max(lengths.mean(), 1.0) if self.n else lengths
        entries: dict[str, list[tuple[int, int]]] = {}
        for table, count in enumerate(counts):
            for word, times in count.items():
                entries.setdefault(word, []).append((table, times))
        self._weights = {word: self._weigh(np.array(counted), shares) for word, counted in entries.items()}

    def _weigh(self, entries: IntArray, shares: Array) -> tuple[IntArray, Array]:
        """The tables that have a word and what it is worth in each: idf times the saturated frequency."""
        tables, times = entries.T
        rarity = np.log1p((self.n - len(tables) + 0.5) / (len(tables) + 0.5))
        return tables, rarity * times * (SATURATION + 1) / (times + SATURATION * shares[tables])

    def match(self, question: str) -> Array:
        """How well the words of a question match each table, by the best match in the corpus.

        Returns
        -------
        array of shape (n,)
            BM25 score by the greatest one of the corpus, from 0 to 1; all 0 where no table has a word of the question.
        """
        scores = np.zeros(self.n)
        for word in dict.fromkeys(_content_words(question)):
            if word in self._weights:
                tables, weights = self._weights[word]
                scores[tables] += weights
        best = scores.max(initial=0.0)
        return scores / best if best > 0 else scores


def _table_words(table: NamedTable) -> Iterable[str]:
    yield from _content_words(table.database)
    for _ in range(TABLE_NAME):
        yield from _content_words(table.name)
    for column in table.columns:
        yield from _content_words(column.natural_name or column.name)


def _content_words(text: str) -> Iterable[str]:
    """Stems of the words of a text but for stop words and single letters."""
    return (stem(word) for word in name_words(text) if len(word) > 1 and word not in STOP_WORDS)
