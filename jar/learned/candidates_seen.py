"""What is known of the candidates of a question, as arrays: all that the features of the relevance model read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray, Vectors
from jar.learned.connected_parts import connected_parts
from jar.learned.people import people_asked_for
from jar.learned.standardising import standard_rows
from jar.text.lexical import TABLE_NAME
from jar.text.stop_words import STOP_WORDS
from joinability.attributes import cached_property
from joinability.names import name_words
from joinability.spelling.vocabulary import singular

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.learned.referring import Referring
    from jar.values.known_values import Mention

MOST = 0.5
"""Share of the columns whose values have to be known for the rows to count as known."""
JOINED, JOINED_BY_NAMES = 0.5, 0.2
"""Weight from which a join tells how wide a schema is, with rows and without: names cut short tell less than half of a
join."""


class Asked(NamedTuple):
    """A question: its text, its unit vector (d,), the values that it names, and words that do not count."""

    question: str
    vector: Vectors
    mentions: Sequence[Mention] = ()
    stop_words: Collection[str] = STOP_WORDS


class Drawn(NamedTuple):
    """The n candidates of a question, as a ranking draws them.

    Attributes
    ----------
    tables : array (n,)
        Positions in the index.
    coarse : array (n,)
        Their coarse relevance.
    fine : array (m, C)
        Relevance of their columns, table by table, to the sub-queries.
    joins : array (n, n)
        Joinability of each pair of them, 0 where there is none.
    meant : array (n,)
        Probability that a phrase of the question means a column of each.
    near : array (q, n)
        How near the nearest value of each is to the question and each phrase, 0 where it has none.
    referring : Referring
        Which of them refer to which.
    """

    tables: IntArray
    coarse: Array
    fine: Array
    joins: Array
    meant: Array
    near: Array
    referring: Referring


@dataclass(frozen=True, eq=False)
class Candidates:
    """What is known of n candidates of a question, W of whose words are in their names, and V of whose values in their
    rows.

    Attributes
    ----------
    coarse : array (n,)
        Relevance by the weights of the package.
    text, name : arrays (n,)
        Cosines of the question with signature, and with the words of database and name.
    columns : array (n,)
        Number of columns of each in `asked` and `fine`.
    breadth : array (n,)
        Number of columns of each; more than `columns` where the best of them stand for all.
    asked : array (C,)
        Cosine of the question with each column, table by table.
    fine : array (m, C)
        Relevance of each column to each sub-query.
    words, heads : arrays (W, n)
        BM25 weight of each word of the question in the names of each; 1 where it is in the table's name, or is counted
        as often as that, else 0.
    named : array (n,)
        Share of the words of the table's name that are in the question.
    meant : array (n,)
        Probability that a phrase of the question means a column of each.
    values : array (V, n)
        What each value that the question names counts, where a table has it, else 0.
    within : array (U, n)
        What each word of the question counts that is one of several of a value, where a table has it, else 0.
    near : array (q, n)
        Cosine of the question, and of each of its phrases, with the nearest value of each, 0 where it has none whose
        meaning is known (`jar.values.value_meanings`).
    databases : array (n,)
        A number for each database.
    joins : array (n, n)
        Joinability of each pair, 0 where there is none and on the diagonal.
    refers, answers : arrays (n, n)
        How likely a column of one candidate refers to another one, and answers a part of the question: see `Referring`.
    people : array (n,)
        Where the question asks for somebody: 1 for a table that holds people, 1/2 for one that names some, else 0
        (`people_asked_for`).
    together : array (n,)
        A number for the candidates of each group of editions that the question asks for together, else -1
        (`Editions.together`).
    length : int
        Words of the question that count.
    has_rows : bool
        Whether values of at least `MOST` of the columns are known: of rows, samples or statistics.
    """

    coarse: Array
    text: Array
    name: Array
    columns: IntArray
    breadth: IntArray
    asked: Array
    fine: Array
    words: Array
    heads: Array
    named: Array
    meant: Array
    values: Array
    within: Array
    near: Array
    databases: IntArray
    joins: Array
    refers: Array
    answers: Array
    people: Array
    together: IntArray
    length: int
    has_rows: bool = True

    @property
    def n(self) -> int:
        """Number of candidates."""
        return len(self.coarse)

    @cached_property
    def database(self) -> IntArray:
        """The databases numbered from 0 up, shape (n,)."""
        numbers: IntArray = np.unique(self.databases, return_inverse=True)[1]
        return numbers

    @cached_property
    def neighbours(self) -> npt.NDArray[np.bool_]:
        """Whether two candidates are different tables of one database, shape (n, n)."""
        alike: npt.NDArray[np.bool_] = self.databases[:, None] == self.databases[None, :]
        np.fill_diagonal(alike, False)
        return alike

    @cached_property
    def joined(self) -> npt.NDArray[np.bool_]:
        """Which pairs of one database join by a weight that tells how wide their schema is, shape (n, n)."""
        return self.neighbours & (self.joins >= (JOINED if self.has_rows else JOINED_BY_NAMES))

    @cached_property
    def reached(self) -> IntArray:
        """How many candidates these joins connect with each, itself included, shape (n,)."""
        _, part, size = np.unique(connected_parts(self.joined), return_inverse=True, return_counts=True)
        reached: IntArray = size[part]
        return reached

    @cached_property
    def parts(self) -> Array:
        """Relevance of the best column of each candidate to each sub-query, shape (m, n); the least where it has none.
        """
        return best_columns(self.fine, self.columns)

    @cached_property
    def standard_parts(self) -> Array:
        """`parts` in standard deviations over the candidates, shape (m, n)."""
        return standard_rows(self.parts)

    @cached_property
    def nearest(self) -> Array:
        """Cosine of the question with the best column of each candidate, shape (n,); the least where it has none."""
        return best_columns(self.asked, self.columns)

    @cached_property
    def gains(self) -> Array:
        """Coarse relevance between 0 for the least relevant candidate and 1 for the best, shape (n,)."""
        least, best = self.coarse.min(initial=np.inf), self.coarse.max(initial=-np.inf)
        gains: Array = (self.coarse - least) / (best - least) if best > least else np.zeros(self.n)
        return gains


def see_candidates(contents: IndexContents, asked: Asked, drawn: Drawn) -> Candidates:
    """What an index tells of the candidates of a question."""
    tables = drawn.tables
    columns = contents.columns_of(tables)
    names = contents.table_vectors if contents.name_vectors is None else contents.name_vectors
    said = contents.asked_words(asked.question, asked.stop_words)
    words, heads = _shared_words(contents, said, tables)
    breadth = np.diff(contents.first_column)[tables]
    joins = np.array(drawn.joins, dtype=np.float64)
    np.fill_diagonal(joins, 0.0)
    return Candidates(
        coarse=np.asarray(drawn.coarse, dtype=np.float64),
        text=(contents.table_vectors[tables] @ asked.vector).astype(np.float64),
        name=(names[tables] @ asked.vector).astype(np.float64),
        columns=breadth,
        breadth=breadth,
        asked=(contents.column_vectors[columns] @ asked.vector).astype(np.float64),
        fine=np.asarray(drawn.fine, dtype=np.float64),
        words=words,
        heads=heads,
        named=np.array([_named(contents.tables[table].name, set(said)) for table in tables.tolist()], dtype=np.float64),
        meant=np.asarray(drawn.meant, dtype=np.float64),
        values=_named_values(contents, [mention for mention in asked.mentions if mention.named_by != "word"], tables),
        within=_named_values(contents, [mention for mention in asked.mentions if mention.named_by == "word"], tables),
        near=np.asarray(drawn.near, dtype=np.float64),
        databases=contents.databases[tables],
        joins=joins,
        refers=drawn.referring.refers,
        answers=drawn.referring.answers,
        people=people_asked_for(contents, asked.question, tables),
        together=contents.editions.together(asked.question, tables, drawn.coarse),
        length=len(said),
        has_rows=bool(len(columns)) and float((contents.evidence.values[columns] > 0).mean()) >= MOST,
    )


def best_columns(scores: Array, columns: IntArray) -> Array:
    """The greatest score (..., n) of the columns of each table, (..., C) table by table; the least of all where a table
    has none."""
    least = scores.min(axis=-1, keepdims=True, initial=np.inf)
    best = np.repeat(np.where(np.isfinite(least), least, 0.0), len(columns), axis=-1)
    some = columns > 0
    if some.any() and scores.size:
        best[..., some] = np.maximum.reduceat(scores, (np.cumsum(columns) - columns)[some], axis=-1)
    return best


def _shared_words(contents: IndexContents, words: Sequence[str], tables: IntArray) -> tuple[Array, Array]:
    """BM25 weights, and whether names have them, of those of some words that the names of some tables have."""
    place = np.full(len(contents.tables), -1, dtype=np.int64)
    place[tables] = np.arange(len(tables))
    weights, heads = [], []
    for word in words:
        having, worth, times = contents.words.entries(word)
        here = place[having]
        here, worth, times = here[here >= 0], worth[here >= 0], times[here >= 0]
        if len(here):
            weights.append(np.zeros(len(tables)))
            heads.append(np.zeros(len(tables)))
            weights[-1][here] = worth
            heads[-1][here] = times >= TABLE_NAME
    empty = np.zeros((0, len(tables)))
    return np.array(weights) if weights else empty, np.array(heads) if heads else empty


def _named(name: str, said: Collection[str]) -> float:
    words = [singular(word) for word in name_words(name.rpartition(".")[2])]
    return sum(word in said for word in words) / max(len(words), 1)


def _named_values(contents: IndexContents, mentions: Sequence[Mention], tables: IntArray) -> Array:
    """What each value counts in each of n tables, shape (V, n), without those that none has."""
    rows = [mention.weight * np.isin(tables, contents.owner[mention.columns]) for mention in mentions]
    named = [row for row in rows if row.any()]
    return np.array(named, dtype=np.float64) if named else np.zeros((0, len(tables)))
