"""What values of tables mean: vectors of the texts of columns that have few of them.

A question for "orders that were sent back" means a table one of whose states is 'Returned', though no word of it is
there. Phrases of questions and values are compared as the distilled word pieces of the package read them, whatever
embeds the index: these are there without an installation, and read 25,000 texts in a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray, Vectors
from jar.values.known_values import MOST_WORDS, value_hash
from joinability.attributes import cached_property
from joinability.sparse.sparse_rows import ranges

if TYPE_CHECKING:
    import duckdb

    from jar.distilled.distilled_words import DistilledWords

MEANINGS = "value_meanings"
"""The table of the file."""
FEW = MOST_WORDS
"""Different texts of a column beyond which it has names of things, not kinds of them."""
PER_COLUMN = 30
"""Values of a column whose meanings are kept: those of least hash."""
LONGEST = 60
"""Characters of the longest value that has a meaning here."""
LETTERS = 3
"""Letters of the shortest one. In upper case throughout it is made of letters alone, and a word has one more."""
DIMENSIONS = 128
"""Numbers of a vector that are kept: the first ones, which tell most."""
STEPS = 127
"""Steps from 0 to 1 in which they are kept, one byte each."""

MOST_IN_UNITS = 30_000
"""Vectors that are held in units, too, as they are compared: 15 MB. To read them anew takes longer than to compare."""

Steps = npt.NDArray[np.int8]


def has_meaning(text: str) -> bool:
    """Whether a value is one of words, and not a code or a number with its unit.

    Examples
    --------
    >>> [text for text in ("Returned", "cash on delivery", "IN_PROGRESS", "EUR", "A-17B", "4 kg") if has_meaning(text)]
    ['Returned', 'cash on delivery', 'IN_PROGRESS']
    """
    if len(text) > LONGEST:
        return False
    if text.isupper():
        words = re.split(r"[\s_-]+", text)
        return all(map(str.isalpha, words)) and max(map(len, words)) > LETTERS
    return sum(map(str.isalpha, text)) >= max(LETTERS, len(text) / 2)


def chosen_values(texts: Iterable[str]) -> list[str]:
    """The values of a column whose meanings are kept: none where fewer than half have one."""
    stripped = {text.strip() for text in texts}
    telling = [text for text in stripped if has_meaning(text)]
    if 2 * len(telling) < len(stripped):
        return []
    return sorted(telling, key=lambda text: value_hash([text]))[:PER_COLUMN]


def meaning_vectors(texts: Sequence[str]) -> Vectors:
    """Vectors of texts, shape (n, `DIMENSIONS`), of length 1; zeros where no word is known."""
    vectors = _words()(texts)[:, :DIMENSIONS]
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    read: Vectors = (vectors / np.where(length > 0, length, 1)).astype(np.float32)
    return read


def in_steps(vectors: Vectors) -> Steps:
    """Unit vectors as they are kept, a byte a number."""
    return np.rint(vectors * STEPS).astype(np.int8)


def _in_units(vectors: Steps) -> Vectors:
    return vectors.astype(np.float32) / np.float32(STEPS)


@cache
def _words() -> DistilledWords:
    from jar.distilled.distilled_words import DistilledWords

    return DistilledWords()


@dataclass(frozen=True, eq=False)
class ValueMeanings:
    """The meanings of values of n tables.

    Attributes
    ----------
    vectors : array (v, `DIMENSIONS`) of int8
        Table by table, in `STEPS`.
    first : array (n + 1,)
        Those of table i are ``first[i]`` to ``first[i + 1] - 1``.
    """

    vectors: Steps
    first: IntArray

    def count(self, tables: IntArray) -> int:
        """How many values of some tables have a meaning here."""
        return int((self.first[tables + 1] - self.first[tables]).sum())

    def near(self, phrases: Vectors, tables: IntArray) -> Array:
        """How near the nearest value of each table is to each phrase.

        Parameters
        ----------
        phrases : array (p, `DIMENSIONS`)
        tables : array (n,)

        Returns
        -------
        array (p, n)
            Cosines, at least 0; 0 where a table has no values.
        """
        found = np.zeros((len(phrases), len(tables)))
        starts, counts = self.first[tables], self.first[tables + 1] - self.first[tables]
        some = np.flatnonzero(counts)
        if len(some) and len(phrases):
            cosines = self._cosines(phrases, ranges(starts, counts))
            place = (np.cumsum(counts) - counts)[some]
            found[:, some] = np.maximum(np.maximum.reduceat(cosines, place, axis=1), 0)
        return found

    def _cosines(self, phrases: Vectors, values: IntArray) -> Vectors:
        """Cosines of p phrases and some values, shape (p, m)."""
        if len(self.vectors) > MOST_IN_UNITS:
            return np.asarray(phrases @ _in_units(self.vectors[values]).T)
        if 2 * len(values) > len(self.vectors):  # to copy most of them takes longer than to compare all
            return np.asarray(phrases @ self._in_units.T)[:, values]
        return np.asarray(phrases @ self._in_units[values].T)

    @cached_property
    def _in_units(self) -> Vectors:
        return _in_units(self.vectors)


def no_meanings(tables: int) -> ValueMeanings:
    """What an index of n tables has that keeps none."""
    return ValueMeanings(np.zeros((0, DIMENSIONS), dtype=np.int8), np.zeros(tables + 1, dtype=np.int64))


def read_meanings(
    connection: duckdb.DuckDBPyConnection, column_ids: Sequence[int], first_column: IntArray
) -> ValueMeanings:
    """The meanings of the values of the given columns; none where the file is of a version without them.

    Parameters
    ----------
    column_ids : (C,)
        Their numbers in the file.
    first_column : array (n + 1,)
        The columns of table i are ``first_column[i]`` to ``first_column[i + 1] - 1``.
    """
    import duckdb

    try:
        rows = connection.execute(f"SELECT column_id, vectors FROM {MEANINGS}").fetchall()
    except duckdb.CatalogException:
        return no_meanings(len(first_column) - 1)
    vectors_of = dict(rows)
    kept = [vectors_of.get(column, b"") for column in column_ids]
    vectors = np.frombuffer(b"".join(kept), dtype=np.int8).reshape(-1, DIMENSIONS)
    ends = np.cumsum([0, *(len(told) // DIMENSIONS for told in kept)])
    return ValueMeanings(vectors, ends[first_column])
