"""Words that a question and a table's names share: BM25 over the names of a corpus.

An embedding knows that a customer is a client, but of a thousand tables it hardly knows the one called ``customers``.
Shared words decide between tables whose texts are all about the same, and they need no model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from jar.arrays import Array, IntArray
from jar.text.short_forms import ShortForms
from jar.text.spelled_names import NamedTable, SpelledTable, spell
from jar.text.stop_words import STOP_WORDS, language_words
from joinability.attributes import cached_property
from joinability.spelling.accents import spellings, unaccented
from joinability.spelling.common_words import ACRONYMS, word_ranks
from joinability.spelling.vocabulary import plain_words, singular

SATURATION, NORMALISATION = 1.5, 0.75
"""k_1 and b of BM25 (Robertson and Zaragoza, 2009, equation 3.15)."""
TABLE_NAME, SCHEMA = 2, 2
"""How often the words of the table's name count, and those of its schema that not all tables have; those of its
database and its columns count once."""
DESCRIPTION = 0.5
"""How often a word of the description of a table counts, however often it is there."""


@dataclass(frozen=True, eq=False)
class CountedWords:
    """How often each word counts in the names of n tables: e entries, sorted by word and table.

    Attributes
    ----------
    n : int
    words : tuple of str
    word, table, times : arrays (e,)
        Place in `words`, position of the table, how often the word counts in it.
    """

    n: int
    words: tuple[str, ...]
    word: IntArray
    table: IntArray
    times: Array


class WordIndex:
    """BM25 weights of the words in the names of tables.

    Parameters
    ----------
    counted : CountedWords
        How often each word counts in each of n tables.
    """

    def __init__(self, counted: CountedWords) -> None:
        self.n = counted.n
        self._table, self._times = counted.table, counted.times
        times = counted.times
        lengths = np.bincount(counted.table, weights=times, minlength=self.n)
        shares = 1 - NORMALISATION + NORMALISATION * lengths / max(lengths.mean() if self.n else 0.0, 1.0)
        having = np.bincount(counted.word, minlength=len(counted.words))
        rarity = np.log1p((self.n - having + 0.5) / (having + 0.5))[counted.word]
        self._weight = rarity * times * (SATURATION + 1) / (times + SATURATION * shares[counted.table])
        self._first = np.concatenate([[0], np.cumsum(having)])
        self._place = {word: place for place, word in enumerate(counted.words)}
        self._counted = counted
        self.short_forms = ShortForms(counted.words)

    @classmethod
    def of(cls, tables: Sequence[NamedTable]) -> WordIndex:
        """The words of n tables with the names of their databases and columns."""
        return cls(count_words(spell(tables)))

    @property
    def of_tables(self) -> list[str]:
        """The words that count as often in a table as those of its name."""
        starts = self._first[:-1]
        most = np.maximum.reduceat(self._times, starts) if len(starts) else self._times
        return [word for word, place in self._place.items() if most[place] >= TABLE_NAME]

    def of_name(self, table: int) -> list[str]:
        """The words that count as often in a table as those of its name."""
        order, first = self._by_table
        rows = order[first[table] : first[table + 1]]
        words = self._counted.word[rows[self._times[rows] >= TABLE_NAME]]
        return [self._counted.words[word] for word in words.tolist()]

    @cached_property
    def _by_table(self) -> tuple[IntArray, IntArray]:
        """The entries table by table, and where each table begins."""
        first = np.concatenate([[0], np.cumsum(np.bincount(self._table, minlength=self.n))])
        return np.argsort(self._table, kind="stable"), first

    def weights(self, word: str) -> tuple[IntArray, Array]:
        """The tables that have a word, and what it is worth in each: its rarity times its saturated frequency."""
        return self.entries(word)[:2]

    def entries(self, word: str) -> tuple[IntArray, Array, Array]:
        """The tables that have a word or a short form of it, what it is worth in each, and how often it counts there.

        Of several forms that a table has, the one of greatest worth counts.
        """
        places = [self._place[form] for form in (word, *self.short_forms.of(word)) if form in self._place]
        if len(places) == 1:
            entries = slice(self._first[places[0]], self._first[places[0] + 1])
            return self._table[entries], self._weight[entries], self._times[entries]
        rows = np.concatenate([np.zeros(0, np.int64), *(np.arange(*self._first[[p, p + 1]]) for p in places)])
        rows = rows[np.lexsort((-self._weight[rows], self._table[rows]))]
        rows = rows[np.unique(self._table[rows], return_index=True)[1]]
        return self._table[rows], self._weight[rows], self._times[rows]

    def tables_with(self, word: str) -> IntArray:
        """The tables whose names have just this word."""
        place = self._place.get(word)
        return self._table[slice(0) if place is None else slice(self._first[place], self._first[place + 1])]

    def knows(self, word: str) -> bool:
        """Whether the singular of a word, or a short form of it, stands in a name."""
        return singular(word) in self._place or bool(self.short_forms.of(singular(word)))

    def has_part_of(self, question: str) -> bool:
        """Whether a name of a script that may be written without blanks stands in a question."""
        return not question.isascii() and any(not word.isascii() and word in question for word in self._place)

    def match(self, question: str, stop_words: Collection[str] = STOP_WORDS) -> Array:
        """How well the words of a question match each table, by the best match in the corpus.

        Returns
        -------
        array of shape (n,)
            BM25 score by the greatest one of the corpus, from 0 to 1; all 0 where no table has a word of the question.
        """
        return self.match_words(map(singular, content_words(question, stop_words)))

    def match_words(self, words: Iterable[str]) -> Array:
        """The same for words in the singular, of which repeated ones count once."""
        scores = np.zeros(self.n)
        for word in dict.fromkeys(words):
            tables, weights = self.weights(word)
            scores[tables] += weights
        best = scores.max(initial=0.0)
        return scores / best if best > 0 else scores


def content_words(text: str, stop_words: Collection[str] = STOP_WORDS) -> list[str]:
    """The words of a text, in lower case and as names may spell them, but for stop words and single letters.

    An acronym is followed by the words that it stands for.

    Examples
    --------
    >>> content_words("Which POs of Étude are open?")
    ['pos', 'purchase', 'order', 'etude', 'open']
    """
    return list(_content_words(text, frozenset(stop_words)))


@lru_cache(maxsize=1 << 10)
def _content_words(text: str, stop_words: frozenset[str]) -> tuple[str, ...]:
    """Kept, for each part of a question is read several times."""
    words = [word for word in plain_words(text) if len(word) > 1 and word not in stop_words]
    meant = (part for word in words for part in (word, *ACRONYMS.get(word.removesuffix("s"), ())))
    return tuple(spelling for word in meant if word not in stop_words for spelling in spellings(word))


@lru_cache(maxsize=1 << 16)
def name_parts(name: str) -> frozenset[str]:
    """The words of a name as case, digits and separators show them, in the singular and without accents."""
    return frozenset(singular(unaccented(word)) for word in plain_words(name))


def unknown_words(question: str, index: WordIndex) -> str:
    """What is wrong with the words of a question, as a note; "" where an index or English has one that means a table.

    A model that knows other languages may still understand it: the note says what it is based on.
    """
    words = content_words(question, language_words(question))
    if not words or all(word.isdigit() for word in words):
        return "the question has no word that says which table is meant: the order of tables means little"
    if any(index.knows(word) or word in word_ranks() or singular(word) in word_ranks() for word in words):
        return ""
    if index.has_part_of(question):
        return ""
    return (
        "no word of the question is known, neither in the names of the index nor in English: "
        "the order of tables means little unless the embedder knows its language"
    )


def count_words(tables: Sequence[SpelledTable]) -> CountedWords:
    """How often each word counts in each table, in the singular."""
    entries = sorted(
        (word, place, times) for place, table in enumerate(tables) for word, times in _counts(table).items()
    )
    words = tuple(dict.fromkeys(word for word, _, _ in entries))
    place = {word: number for number, word in enumerate(words)}
    return CountedWords(
        n=len(tables),
        words=words,
        word=np.array([place[word] for word, _, _ in entries], dtype=np.int64),
        table=np.array([table for _, table, _ in entries], dtype=np.int64),
        times=np.array([times for _, _, times in entries], dtype=np.float64),
    )


def _counts(table: SpelledTable) -> dict[str, float]:
    """How often each word counts in a table.

    A part of a name counts beside the words that it is read as, for it may stand for others. A word of the table's
    description that is in no name counts `DESCRIPTION` times. Those of its columns count where they stand for a name.
    """
    count: Counter[str] = Counter()
    columns = [plain_words(" ".join(words)) for words in table.columns]
    fields = [(1, table.database), (SCHEMA, table.schema), (TABLE_NAME, table.name)]
    for times, words in [*fields, *((1, tuple(words)) for words in columns)]:
        for word in map(unaccented, words):
            count[word] += times
    written = [table.table.name.rpartition(".")[2], *table.table.column_names]
    for part in {unaccented(part) for name in written for part in plain_words(name)}:
        count[part] = max(count[part], 1)
    kept: dict[str, float] = {}
    for word, times in count.items():
        if len(word) > 1 and word not in STOP_WORDS:
            kept[singular(word)] = kept.get(singular(word), 0) + times
    for word in map(singular, map(unaccented, table.description)):
        if len(word) > 1:
            kept.setdefault(word, DESCRIPTION)
    return kept
