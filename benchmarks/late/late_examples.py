"""Training questions as arrays: their tokens, those of tables or columns, and which of these they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.gold_columns import Schema, gold_columns
from benchmarks.late.contrastive import Goals, Texts
from jar.index.contents import IndexContents
from jar.tokens.token_store import StoredTokens
from jar.tokens.token_vectors import TextTokens, units

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Examples:
    """Questions over documents, tables or columns.

    Attributes
    ----------
    questions : arrays (t, d), one for each of n questions
        Unit vectors of their tokens.
    documents : Texts
        Of m documents.
    needed : arrays of positions, one for each question
    asked, told : arrays (n,), (m,)
        Numbers of the databases of questions and of documents.
    """

    questions: Sequence[npt.NDArray[np.float32]]
    documents: Texts
    needed: Sequence[Ints]
    asked: Ints
    told: Ints

    def over(self, questions: npt.NDArray[np.bool_], documents: npt.NDArray[np.bool_]) -> Examples:
        """Some of the questions over some of the documents, which have to be those that they need, too."""
        place = np.cumsum(documents) - 1
        chosen = np.flatnonzero(questions).tolist()
        return replace(
            self,
            questions=[self.questions[question] for question in chosen],
            documents=some_texts(self.documents, np.flatnonzero(documents)),
            needed=[place[self.needed[question]] for question in chosen],
            asked=self.asked[questions],
            told=self.told[documents],
        )

    def batch(self, chosen: Ints) -> Texts:
        """The tokens of some questions."""
        return joined([self.questions[question] for question in chosen.tolist()])

    def goals(self, chosen: Ints) -> list[Goals]:
        """Some questions over all documents, and over those of their own databases."""
        needed = np.zeros((len(chosen), len(self.told)), dtype=np.float32)
        for row, question in enumerate(chosen.tolist()):
            needed[row, self.needed[question]] = 1 / max(len(self.needed[question]), 1)
        own = self.asked[chosen][:, None] == self.told[None, :]
        return [Goals(np.ones_like(own), needed), Goals(own, needed)]


def table_examples(
    dataset: Dataset, contents: IndexContents, stored: StoredTokens, read: Sequence[TextTokens]
) -> Examples:
    """The questions of a data set, whose tokens were read, over the tables of an index."""
    place = {table.id.casefold(): number for number, table in enumerate(contents.tables)}
    needed = [[place[table] for table in sorted(question.gold_tables)] for question in dataset.questions]
    return _examples(dataset, contents, (stored, stored.tables, contents.databases), read, needed)


def column_examples(
    dataset: Dataset, contents: IndexContents, stored: StoredTokens, read: Sequence[TextTokens]
) -> Examples:
    """The same over its columns."""
    place = {column.casefold(): number for number, column in enumerate(contents.column_names)}
    schemas = schemas_of(contents)
    needed = [
        [place[column] for column in sorted(gold_columns(question.sql, question.database, schemas[question.database]))]
        for question in dataset.questions
    ]
    return _examples(dataset, contents, (stored, stored.columns, contents.column_databases), read, needed)


def schemas_of(contents: IndexContents) -> dict[str, Schema]:
    """Columns by table of each database of an index, case folded."""
    schemas: dict[str, dict[str, frozenset[str]]] = {}
    for table in contents.tables:
        columns = frozenset(name.casefold() for name in table.column_names)
        schemas.setdefault(table.database, {})[table.name.casefold()] = columns
    return schemas


def _examples(
    dataset: Dataset,
    contents: IndexContents,
    documents: tuple[StoredTokens, Ints, Ints],
    read: Sequence[TextTokens],
    needed: Sequence[Sequence[int]],
) -> Examples:
    stored, places, databases = documents
    numbers = {table.database: int(number) for table, number in zip(contents.tables, contents.databases, strict=True)}
    texts = Texts(units(stored.vectors.astype(np.float32)), stored.first)
    return Examples(
        questions=[tokens.vectors for tokens in read],
        documents=some_texts(texts, places),
        needed=[np.array(places, dtype=np.int64) for places in needed],
        asked=np.array([numbers[question.database] for question in dataset.questions], dtype=np.int64),
        told=databases,
    )


def some_texts(texts: Texts, chosen: Ints) -> Texts:
    """Some of the texts, in an order."""
    return joined([texts.tokens[texts.first[text] : texts.first[text + 1]] for text in chosen.tolist()])


def joined(texts: Sequence[npt.NDArray[np.floating]]) -> Texts:
    """Texts one behind the other."""
    first = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64)
    return Texts(np.concatenate(texts), first)
