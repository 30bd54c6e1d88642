"""Values of tables that a question names: short texts of the cells, kept as hashes, found by their words.

A question for "students from Bavaria" means a table that has Bavaria in a cell, whatever its columns are called. Values
and questions are compared by their words without accents, case and plural.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray
from jar.errors import JarError
from jar.text.stop_words import STOP_WORDS
from joinability.spelling.common_words import word_ranks

if TYPE_CHECKING:
    import duckdb

ValueStore = Literal["off", "hashed", "plain"]
"""Whether an index keeps values of the tables: not at all, as hashes, or as text too."""

LONGEST = 6
"""Words of the longest value that is kept."""
LETTERS = (3, 80)
"""Letters of the shortest and the longest text that may be a value."""
PER_COLUMN = 1_000
"""Values that are kept of a column: those of least hash."""
UNMARKED = 0.5
"""What a single word counts that nothing marks as a name: most such words are spoken of, and not a value."""
MOST = 1_000_000
"""Values that are kept of an index; beyond, the columns with most of them keep fewer."""

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"""(?<!\w)(?:"([^"]+)"|“([^”]+)”|`([^`]+)`|'([^']+)'(?!\w)|‘([^’]+)’(?!\w))""")


class Mention(NamedTuple):
    """Words of a question that are a value, the columns (positions in the index) that have it, and what it counts."""

    text: str
    columns: IntArray
    weight: float = 1.0


class _Word(NamedTuple):
    """A word of a question: as it is compared, where it stands, and whether it looks like a name by itself."""

    folded: str
    start: int
    end: int
    is_quoted: bool
    is_marked: bool


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


def folded_words(text: str) -> list[str]:
    """The words of a text without accents, case and plural.

    Examples
    --------
    >>> folded_words("Études_Sociales (2)")
    ['etude', 'sociale', '2']
    """
    return [_fold(word) for word in _WORD.findall(text)]


def value_hash(words: Sequence[str]) -> int:
    """64 bits that stand for a value."""
    return int.from_bytes(blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=8).digest(), "little")


def is_telling(words: Sequence[str]) -> bool:
    """Whether folded words can be a value that a question names: few, and not only numbers, letters and stop words."""
    return 0 < len(words) <= LONGEST and any(
        len(word) > 1 and not word.isnumeric() and word not in STOP_WORDS for word in words
    )


@dataclass(frozen=True)
class KnownValues:
    """The values of an index: which columns have which, sorted by hash.

    Attributes
    ----------
    hashes : array (v,) of uint64
    columns : array (v,)
        Positions in the index.
    texts : tuple of str
        The values as they are, where the index keeps them; else empty.
    """

    hashes: npt.NDArray[np.uint64]
    columns: IntArray
    texts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.hashes)

    def mentions(self, question: str, names: Collection[str] = ()) -> list[Mention]:
        """The values that a question names: quoted strings, then the longest runs of words, none inside another.

        A single word counts `UNMARKED` unless it is quoted, has a digit, has a letter in upper case and does not begin
        the question, is of a script without case, or is no common word of English.

        Parameters
        ----------
        names : set of str
            Folded words of the names of tables and columns: what is made of them alone is not taken for a value, unless
            it is quoted.

        Returns
        -------
        list of Mention
            In the order of the question.
        """
        words = _marked_words(question) if len(self) else []
        spans = [*_quoted_spans(question, words), *_runs(words)]
        grams = [[word.folded for word in words[start:end]] for start, end in spans]
        usable = [
            place
            for place, (gram, (start, _)) in enumerate(zip(grams, spans, strict=True))
            if is_telling(gram) and (words[start].is_quoted or not all(word in names for word in gram))
        ]
        keys = np.array([value_hash(grams[place]) for place in usable], dtype=np.uint64)
        first, last = (np.searchsorted(self.hashes, keys, side) for side in ("left", "right"))
        taken = np.zeros(len(words), dtype=np.bool_)
        by_start: dict[int, Mention] = {}
        first_named: dict[int, int] = {}
        for place, low, high in zip(usable, first.tolist(), last.tolist(), strict=True):
            start, end = spans[place]
            if low < high and not taken[start:end].any():
                taken[start:end] = True
                text = self.texts[low] if self.texts else question[words[start].start : words[end - 1].end]
                plain = end - start == 1 and not words[start].is_marked and words[start].folded in word_ranks()
                weight = UNMARKED if plain else 1.0
                named = first_named.setdefault(low, start)  # a value counts once, however often it is named
                if named == start or by_start[named].weight < weight:
                    by_start[named] = Mention(text, self.columns[low:high], weight)
        return [by_start[start] for start in sorted(by_start)]


NO_VALUES = KnownValues(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64))
"""What an index has that keeps no values."""


def read_values(connection: duckdb.DuckDBPyConnection, column_ids: Sequence[int]) -> KnownValues:
    """The values of the given columns, in whose order they are numbered; none where the file has none."""
    tables = "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'known_values'"
    if connection.execute(tables).fetchone() == (0,):
        return NO_VALUES
    query = "SELECT hash, column_id FROM known_values ORDER BY hash, column_id"
    rows = connection.execute(query).fetchnumpy()
    hashes = np.asarray(rows["hash"], dtype=np.uint64)
    if not len(hashes):
        return NO_VALUES
    ids = np.asarray(column_ids, dtype=np.int64)
    columns = np.asarray(rows["column_id"], dtype=np.int64)
    position = np.full(max(columns.max(), ids.max()) + 1, -1, dtype=np.int64)
    position[ids] = np.arange(len(ids))
    texts = connection.execute(
        "SELECT text FROM known_values WHERE text IS NOT NULL ORDER BY hash, column_id"
    ).fetchall()
    plain = tuple(str(row[0]) for row in texts) if len(texts) == len(hashes) else ()
    return KnownValues(hashes, position[columns], plain)


def _marked_words(question: str) -> list[_Word]:
    quoted = [match.span() for match in _QUOTED.finditer(question)]
    words = []
    for match in _WORD.finditer(question):
        text, start = match.group(), match.start()
        inside = any(low < start < high for low, high in quoted)
        begins = not question[:start].strip(" \t\n¿¡\"'“‘`([")
        named = not text.islower() and not (begins and text.istitle())
        words.append(_Word(_fold(text), start, match.end(), inside, inside or named or any(map(str.isdigit, text))))
    return words


def _quoted_spans(question: str, words: Sequence[_Word]) -> list[tuple[int, int]]:
    """First word and the one after the last of each quoted string."""
    spans = []
    for match in _QUOTED.finditer(question):
        inside = [place for place, word in enumerate(words) if match.start() < word.start < match.end()]
        if inside:
            spans.append((inside[0], inside[-1] + 1))
    return spans


def _runs(words: Sequence[_Word]) -> list[tuple[int, int]]:
    """Runs of words, longest first."""
    count = len(words)
    return [
        (start, start + size)
        for size in range(min(LONGEST, count), 0, -1)
        for start in range(count - size + 1)
    ]  # fmt: skip


def _fold(word: str) -> str:
    folded = word.casefold()
    if not folded.isascii():
        plain = (letter for letter in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(letter))
        folded = "".join(plain).casefold()
    return folded[:-1] if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss") else folded
