"""Values of tables that a question names: short texts of the cells, kept as hashes, found by their words.

A question for "students from Bavaria" means a table that has Bavaria in a cell, whatever its columns are called. Values
and questions are compared by their words without accents, case and plural. A name may be that of a value in part:
"Meridian Pharma" for "Meridian Pharma GmbH".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray
from jar.errors import JarError
from jar.text.nationalities import NATIONALITIES, VERBS
from jar.text.stop_words import STOP_WORDS
from jar.text.word_runs import Run, folded_words, word_runs
from joinability.spelling.common_words import word_ranks

if TYPE_CHECKING:
    import duckdb

ValueStore = Literal["off", "hashed", "plain"]
"""Whether an index keeps values of the tables: not at all, as hashes, or as text too."""

LONGEST = 6
"""Words of the longest value that is kept."""
LETTERS = (3, 80)
"""Letters of the shortest and the longest text that may be a value."""
PER_COLUMN = 10_000
"""Values that are kept of a column: those of least hash."""
UNMARKED = 0.5
"""What a single word counts that nothing marks as a name: most such words are spoken of, and not a value."""
MOST = 1_000_000
"""Values that are kept of an index; beyond, the columns with most of them keep fewer."""

ARTICLES = frozenset("the der die das den la le les el los las il lo gli os het".split())
"""Words at the start of a value that a question may leave out."""
WITHIN = 0.5
"""What a word counts that is one of several of a value."""
MOST_WORDS = 200
"""Different words in the values of a column beyond which none is kept: it has texts or names, not kinds of things."""
WHOLE_VALUES, STARTS, WORDS = "known_values", "value_starts", "value_words"
"""Tables of the file."""
SHORTEST_PART = 3
"""Letters of what names a value by its beginning, or by one of its words."""


NamedBy = Literal["itself", "beginning", "nationality", "word"]
"""How a question names a value: in full, by its first words, a country by its adjective, or by one of its words."""


class Mention(NamedTuple):
    """Words of a question that name a value, the columns that have it, what it counts, and how it is named.

    The columns are positions in the index.
    """

    text: str
    columns: IntArray
    weight: float = 1.0
    named_by: NamedBy = "itself"


def checked_store(values: ValueStore) -> ValueStore:
    """The same, when it is one.

    Raises
    ------
    JarError
        When it is none.
    """
    if values not in get_args(ValueStore):
        raise JarError(f'values is "off", "hashed" or "plain", not {values!r}')
    return values


def value_hash(words: Sequence[str]) -> int:
    """64 bits that stand for a value."""
    return int.from_bytes(blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=8).digest(), "little")


def is_telling(words: Sequence[str]) -> bool:
    """Whether folded words can be a value that a question names: few, and not only numbers, letters and stop words."""
    return len(words) <= LONGEST and any(map(_tells, words))


@lru_cache(maxsize=1 << 16)
def _tells(word: str) -> bool:
    return len(word) > 1 and not word.isnumeric() and word not in STOP_WORDS


def starts(words: Sequence[str]) -> list[Sequence[str]]:
    """The beginnings of a value of several folded words by which a question may name it, and all behind an article.

    Examples
    --------
    >>> starts(["meridian", "pharma", "gmbh"])
    [['meridian'], ['meridian', 'pharma']]
    >>> starts(["der", "rosenkavalier"])
    [['der'], ['rosenkavalier']]
    """
    begun = [words[:end] for end in range(_first_telling(words) + 1, len(words))]
    if len(words) < 2 or words[0] not in ARTICLES:
        return begun
    rest = words[1:]
    return [*begun, *(rest[:end] for end in range(_first_telling(rest) + 1, len(words)))]


def words_within(words: Sequence[str]) -> list[str]:
    """The words of a value of several by each of which a question may speak of it.

    Examples
    --------
    >>> words_within(["wheelchair", "to", "the", "seat"])
    ['wheelchair', 'seat']
    """
    return [word for word in words if _may_be_within(word)] if len(words) > 1 else []


def is_address(text: str) -> bool:
    """Whether a text is the address of a mailbox or a page, of whose words no question speaks.

    Examples
    --------
    >>> [text for text in ("info@city-housing.org", "https://city.org", "3 items @ 2 EUR") if is_address(text)]
    ['info@city-housing.org', 'https://city.org']
    """
    return " " not in text and ("@" in text or "://" in text)


def _may_be_within(word: str) -> bool:
    return len(word) >= SHORTEST_PART and _tells(word)


def _first_telling(words: Sequence[str]) -> int:
    return next((place for place, word in enumerate(words) if _tells(word)), len(words))


@dataclass(frozen=True)
class HashedTexts:
    """Texts of cells by their hashes, in ascending order.

    Attributes
    ----------
    hashes : array (v,) of uint64
    columns : array (v,)
        Positions in the index of the columns that have them.
    """

    hashes: npt.NDArray[np.uint64]
    columns: IntArray

    def __len__(self) -> int:
        return len(self.hashes)

    def places(self, words: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
        """For each text, by its folded words, its first place and the one after the last; the same where it is none."""
        keys = np.array(list(map(value_hash, words)), dtype=np.uint64)
        first, last = (np.searchsorted(self.hashes, keys, side) for side in ("left", "right"))
        return zip(first.tolist(), last.tolist(), strict=True)


NO_TEXTS = HashedTexts(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64))
"""None at all."""


@dataclass(frozen=True)
class KnownValues:
    """The values of an index: which columns have which.

    Attributes
    ----------
    whole, starts : HashedTexts
        The values, and the beginnings of those of several words.
    words : HashedTexts
        The words of values of several, of columns with few (`MOST_WORDS`).
    texts : tuple of str
        The values as they are, where the index keeps them; else empty.
    """

    whole: HashedTexts = NO_TEXTS
    starts: HashedTexts = NO_TEXTS
    words: HashedTexts = NO_TEXTS
    texts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.whole)

    def mentions(self, question: str, names: Collection[str] = ()) -> list[Mention]:
        """The values that a question names, none inside another: quoted strings first, then the longest runs of words.

        Of equally long ones values come first, then the beginnings of values (quoted strings and names, see
        `jar.text.word_runs`), then countries by their adjectives (`jar.text.nationalities`), then words that are within
        values.

        A word within values counts `WITHIN`. Any other single word counts `UNMARKED` unless it is quoted, has a digit,
        has a letter in upper case and does not begin a sentence, is of a script without case, or is no common word of
        English.

        Parameters
        ----------
        names : set of str
            Folded words of the names of tables and columns: what is made of them alone is not taken for a value, unless
            it is quoted, or is several words that look like a name ("Customer Support").

        Returns
        -------
        list of Mention
            In the order of the question.
        """
        runs = [run for run in word_runs(question, LONGEST) if _may_name(run, names)] if len(self) else []
        possible = [*self._in_full(runs), *self._by_beginning(runs), *self._by_nationality(runs), *self._by_word(runs)]
        found = _Found()
        for named in sorted(possible, key=lambda named: (not named.run.is_quoted, -len(named.run.folded))):
            found.add(named)
        return found.in_order()

    def _in_full(self, runs: Sequence[Run]) -> Iterator[_Named]:
        for run, (low, high) in zip(runs, self.whole.places([run.folded for run in runs]), strict=True):
            if low < high:
                text = self.texts[low] if self.texts else run.text
                yield _Named(run, low, Mention(text, self.whole.columns[low:high], _weight(run)))

    def _by_beginning(self, runs: Sequence[Run]) -> Iterator[_Named]:
        some = [run for run in runs if _may_begin(run)]
        for run, (low, high) in zip(some, self.starts.places([run.folded for run in some]), strict=True):
            if low < high:
                yield _Named(run, low, Mention(run.text, self.starts.columns[low:high], _weight(run), "beginning"))

    def _by_nationality(self, runs: Sequence[Run]) -> Iterator[_Named]:
        for run in runs:
            adjective = " ".join(run.folded)
            if adjective in _COUNTRIES:
                places = self.whole.places(_COUNTRIES[adjective])
                parts = [self.whole.columns[low:high] for low, high in places]
                columns = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *parts]))
                weight = UNMARKED if adjective in VERBS and not run.is_marked else 1.0
                yield _Named(run, adjective, Mention(run.text, columns, weight, "nationality"))


    def _by_word(self, runs: Sequence[Run]) -> Iterator[_Named]:
        some = [run for run in runs if len(run.folded) == 1 and _may_be_within(run.folded[0])]
        for run, (low, high) in zip(some, self.words.places([run.folded for run in some]), strict=True):
            if low < high:
                yield _Named(run, low, Mention(run.text, self.words.columns[low:high], WITHIN, "word"))


class _Named(NamedTuple):
    """A run of words that names a value, told by its place among those named in the same way."""

    run: Run
    value: int | str
    mention: Mention


class _Found:
    """The mentions in a question: of words that are free, each value once, however often it is named."""

    def __init__(self) -> None:
        self._taken: set[int] = set()
        self._first: dict[tuple[NamedBy, int | str], int] = {}
        self._mentions: dict[int, Mention] = {}

    def add(self, named: _Named) -> None:
        """Take the words where all are free; of several mentions of a value the one that counts most stays."""
        words = range(named.run.first, named.run.end)
        if not self._taken.isdisjoint(words):
            return
        self._taken.update(words)
        first = self._first.setdefault((named.mention.named_by, named.value), named.run.first)
        if first not in self._mentions or self._mentions[first].weight < named.mention.weight:
            self._mentions[first] = named.mention

    def in_order(self) -> list[Mention]:
        """The mentions of what some column has, in the order of the question."""
        found = [self._mentions[first] for first in sorted(self._mentions)]
        return [mention for mention in found if len(mention.columns)]


_COUNTRIES = {
    " ".join(folded_words(adjective)): [folded_words(name) for name in names]
    for adjective, names in NATIONALITIES.items()
}


def _may_name(run: Run, names: Collection[str]) -> bool:
    is_proper = run.is_quoted or (run.is_name and len(run.folded) > 1)
    return is_telling(run.folded) and (is_proper or not all(word in names for word in run.folded))


def _may_begin(run: Run) -> bool:
    return run.is_name and len("".join(run.folded)) >= SHORTEST_PART


def _weight(run: Run) -> float:
    is_common = run.text.casefold() in word_ranks() or run.folded[0] in word_ranks()
    is_plain = len(run.folded) == 1 and not run.is_marked and is_common
    return UNMARKED if is_plain else 1.0


NO_VALUES = KnownValues()
"""What an index has that keeps no values."""


def read_values(connection: duckdb.DuckDBPyConnection, column_ids: Sequence[int]) -> KnownValues:
    """The values of the given columns, in whose order they are numbered; none where the file has none."""
    found = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    whole, starts_of, words = (
        _read(connection, name, column_ids) if (name,) in found else NO_TEXTS for name in (WHOLE_VALUES, STARTS, WORDS)
    )
    if not len(whole):
        return NO_VALUES
    texts = connection.execute(
        f"SELECT text FROM {WHOLE_VALUES} WHERE text IS NOT NULL ORDER BY hash, column_id"
    ).fetchall()
    plain = tuple(str(row[0]) for row in texts) if len(texts) == len(whole) else ()
    return KnownValues(whole, starts_of, words, plain)


def _read(connection: duckdb.DuckDBPyConnection, name: str, column_ids: Sequence[int]) -> HashedTexts:
    rows = connection.execute(f"SELECT hash, column_id FROM {name}").fetchnumpy()
    hashes, columns = np.asarray(rows["hash"], dtype=np.uint64), np.asarray(rows["column_id"], dtype=np.int64)
    if not _in_order(hashes, columns):  # as after a refresh
        order = np.lexsort((columns, hashes))
        hashes, columns = hashes[order], columns[order]
    ids = np.asarray(column_ids, dtype=np.int64)
    position = np.full(max(columns.max(initial=0), ids.max(initial=0)) + 1, -1, dtype=np.int64)
    position[ids] = np.arange(len(ids))
    return HashedTexts(hashes, position[columns])


def _in_order(hashes: npt.NDArray[np.uint64], columns: IntArray) -> bool:
    """Whether the rows of a table are sorted by hash, then column."""
    steps = hashes[1:] > hashes[:-1]
    return bool((steps | ((hashes[1:] == hashes[:-1]) & (columns[1:] >= columns[:-1]))).all())
