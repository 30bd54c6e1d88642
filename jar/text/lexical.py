"""Words that a question and a table's names share: BM25 over the names of a corpus.

An embedding knows that a customer is a client, but of a thousand tables it hardly knows the one called ``customers``.
Shared words decide between tables whose texts are all about the same, and they need no model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from jar.arrays import Array, IntArray
from jar.text.spelled_names import NamedTable, spell
from jar.text.stop_words import STOP_WORDS
from joinability.spelling.common_words import word_ranks
from joinability.spelling.vocabulary import plain_words, singular

SATURATION, NORMALISATION = 1.5, 0.75
"""k_1 and b of BM25 (Robertson and Zaragoza, 2009, equation 3.15)."""
TABLE_NAME, SCHEMA = 2, 2
"""How often the words of the table's name count, and those of its schema that not all tables have; those of its
database and its columns count once."""


class WordIndex:
    """BM25 weights of the words in the names of tables.

    Parameters
    ----------
    tables : sequence of NamedTable
        n tables with the names of their databases and columns.
    """

    def __init__(self, tables: Sequence[NamedTable]) -> None:
        counts = _word_counts(tables)
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

    def knows(self, word: str) -> bool:
        """Whether a word, or its singular, stands in a name."""
        return singular(word) in self._weights

    def match(self, question: str, stop_words: Collection[str] = STOP_WORDS) -> Array:
        """How well the words of a question match each table, by the best match in the corpus.

        Returns
        -------
        array of shape (n,)
            BM25 score by the greatest one of the corpus, from 0 to 1; all 0 where no table has a word of the question.
        """
        scores = np.zeros(self.n)
        for word in dict.fromkeys(map(singular, content_words(question, stop_words))):
            if word in self._weights:
                tables, weights = self._weights[word]
                scores[tables] += weights
        best = scores.max(initial=0.0)
        return scores / best if best > 0 else scores


def content_words(text: str, stop_words: Collection[str] = STOP_WORDS) -> list[str]:
    """The words of a text, in lower case, but for stop words and single letters."""
    return [word for word in plain_words(text) if len(word) > 1 and word not in stop_words]


def unknown_words(question: str, index: WordIndex) -> str:
    """What is wrong with the words of a question, as a note; "" where an index or English has one that means a table.

    A model that knows other languages may still understand it: the note says what it is based on.
    """
    words = content_words(question)
    if not words or all(word.isdigit() for word in words):
        return "the question has no word that says which table is meant: the order of tables means little"
    if any(index.knows(word) or word in word_ranks() or singular(word) in word_ranks() for word in words):
        return ""
    return (
        "no word of the question is known, neither in the names of the index nor in English: "
        "the order of tables means little unless the embedder knows its language"
    )


def _word_counts(tables: Sequence[NamedTable]) -> list[Counter[str]]:
    """How often each word counts in each table; a part of a table's name counts beside the words that it stands for."""
    counts = []
    for table in spell(tables):
        count: Counter[str] = Counter()
        columns = [plain_words(" ".join(words)) for words in table.columns]
        fields = [(1, table.database), (SCHEMA, table.schema), (TABLE_NAME, table.name)]
        for times, words in [*fields, *((1, tuple(words)) for words in columns)]:
            for word in words:
                count[word] += times
        for part in plain_words(table.table.name.rpartition(".")[2]):
            count[part] = max(count[part], 1)
        kept: Counter[str] = Counter()
        for word, times in count.items():
            if len(word) > 1 and word not in STOP_WORDS:
                kept[singular(word)] += times
        counts.append(kept)
    return counts
