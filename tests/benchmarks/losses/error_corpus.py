"""A corpus of four small databases in which each class of losses occurs.

Each table has a meaning of its own, a unit vector; columns and databases have none. So the cosine of a question and a
table is the share of the table's name among the words of the question, and everything can be worked out by hand.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from benchmarks.data.dataset_form import Dataset, Question, Weights
from jar import Index
from jar.text.texts import words
from joinability import Catalog, Column, ForeignKey, Table

MEANINGS = ("orders", "customers", "members", "visits", "sacks", "sorts", "twins")
"""Words with a dimension each; "against" is the opposite of orders and customers."""


def embed(texts: list[str]) -> npt.NDArray[np.float64]:
    """The sum of the vectors of the known words of each text, at length 1; zero where no word is known."""
    rows = np.zeros((len(texts), len(MEANINGS)))
    for row, text in zip(rows, texts, strict=True):
        for word in words(text):
            if word in MEANINGS:
                row[MEANINGS.index(word)] += 1
            elif word == "against":
                row[:2] -= 1
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def table(database: str, name: str, *columns: str, key: tuple[str, str, str] | None = None) -> Table:
    """A table without rows; `key` is a column with the table and the column that it refers to."""
    keys = () if key is None else (ForeignKey((key[0],), f"{database}.{key[1]}", (key[2],)),)
    return Table(database, name, tuple(Column(column, "TEXT") for column in columns), (), keys)


@pytest.fixture(scope="session")
def corpus() -> Catalog:
    """Orders of customers and visits of members join by declared keys; sacks and sorts by nothing; twins are alike."""
    return Catalog(
        [
            table("shop", "orders", "a1", "b2", key=("b2", "customers", "c3")),
            table("shop", "customers", "c3", "d4"),
            table("club", "members", "e5", "f6"),
            table("club", "visits", "g7", "h8", key=("h8", "members", "e5")),
            table("mill", "sacks", "i9", "j10"),
            table("mill", "sorts", "k11", "l12"),
            table("east", "twins", "m13"),
            table("west", "twins", "m13"),
        ]
    )


@pytest.fixture(scope="session")
def index(corpus: Catalog) -> Index:
    """The index of the corpus."""
    return Index.build(corpus, embedder=embed)


def ask(catalog: Catalog, text: str, sql: str, *gold: str, subqueries: tuple[str, ...] = ()) -> Dataset:
    """A data set of one question; `gold` are ids of tables, all of one database."""
    database = gold[0].partition(".")[0]
    question = Question("7", text, database, frozenset(gold), subqueries, sql)
    return Dataset("made", catalog, (question,), Weights(10, 2, 8, 1))
