"""Relevance from elsewhere: an object scores tables and columns, on the scale of cosines, and is told its mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from jar import Index, QueryError, Reranker
from jar.sample import QUESTIONS

BANK = QUESTIONS[0]
PLAIN: dict[str, Any] = {"lexical": 0, "names": 0, "value": 0}


class Cosines:
    """The cosines of an index, times and plus a number, as an object of the user's."""

    def __init__(self, index: Index, factor: float = 1.0, summand: float = 0.0) -> None:
        self.index, self.factor, self.summand = index, factor, summand
        self.asked: list[tuple[str, ...]] = []

    def tables(self, question: str) -> np.ndarray:
        contents = self.index.contents
        return self.summand + self.factor * (contents.table_vectors @ self.index.embedder([question])[0])

    def columns(self, question: str, subqueries: Sequence[str], columns: np.ndarray) -> np.ndarray:
        self.asked.append(tuple(subqueries))
        vectors = self.index.embedder(list(subqueries))
        return self.summand + self.factor * (vectors @ self.index.contents.column_vectors[columns].T)


class Fixed:
    """One that gives what it is told."""

    def __init__(self, tables: Any, columns: Any = None) -> None:
        self._tables, self._columns = tables, columns

    def tables(self, question: str) -> Any:
        return self._tables

    def columns(self, question: str, subqueries: Sequence[str], columns: np.ndarray) -> Any:
        return np.zeros((len(subqueries), len(columns))) if self._columns is None else self._columns


@pytest.mark.parametrize(("factor", "summand"), [(1.0, 0.0), (250.0, -40.0)])
def test_cosines_from_elsewhere_are_the_cosines_of_the_index(lake_index: Index, factor: float, summand: float) -> None:
    """An object that scores by cosines gives the answers of the package without words and values, in any unit."""
    own = Reranker(lake_index, **PLAIN, relevance="cosine")
    given = Cosines(lake_index, factor, summand)
    other = Reranker(lake_index, **PLAIN, relevance=given)
    for question in QUESTIONS:
        parts = ["client gender", "loan"]
        one, two = (reranker.rank(question.text, 4, subqueries=parts) for reranker in (own, other))
        assert one.tables == two.tables
        assert one.value == pytest.approx(two.value, abs=1e-4)
    assert given.asked[0] == ("client gender", "loan")


def test_what_an_object_finds_relevant_is_chosen(lake_index: Index) -> None:
    """It proposes the candidates as well, and its scores count for those of a retriever."""
    wanted = lake_index.contents.table_position["gym.members"]
    scores = np.zeros(len(lake_index.contents.tables))
    scores[wanted] = 1.0
    reranker = Reranker(lake_index, relevance=Fixed(scores), candidates=3, expand=0)
    assert reranker.rank(BANK.text, 1).tables == ("gym.members",)
    listed = [("bank.client", 9.0), ("bank.loan", 8.0), ("gym.members", 0.0)]
    assert reranker.rank(BANK.text, 1, candidates=listed).tables == ("gym.members",)


def test_questions_without_parts_ask_for_no_columns(lake_index: Index) -> None:
    """Where there is no sub-query, nothing is compared with columns."""
    given = Cosines(lake_index)
    Reranker(lake_index, relevance=given).rank(BANK.text, 2, subqueries=[])
    assert given.asked == []


def test_wrong_answers_of_an_object_are_told(lake_index: Index) -> None:
    """The message has the method, the shape or the place, and the remedy."""
    count = len(lake_index.contents.tables)
    broken = np.zeros(count)
    broken[3] = np.nan
    for tables, columns, message in (
        (np.zeros(count - 1), None, rf"tables\(\).*shape \({count - 1},\) for \({count},\) tables"),
        (broken, None, r"tables\(\).*nan at \(3,\): give finite numbers"),
        ("high", None, r"tables\(\).*no array of numbers"),
        (np.arange(count), np.zeros((1, 1)), r"columns\(\).*shape \(1, 1\) for \(\d+, \d+\) sub-queries and columns"),
    ):
        with pytest.raises(QueryError, match=message):
            Reranker(lake_index, relevance=Fixed(tables, columns)).rank(BANK.text, 2)


@pytest.mark.parametrize("relevance", ["cosines", 3, Fixed])
def test_what_scores_nothing_is_refused(lake_index: Index, relevance: Any) -> None:
    """A name that is none, a number, or a class in place of an object."""
    with pytest.raises(QueryError, match=r'relevance is "cosine", "learned", a RelevanceModel or an object'):
        Reranker(lake_index, relevance=relevance)


def test_scores_of_any_unit_count(lake_index: Index) -> None:
    """The greatest numbers that there are rank as their ratios do."""
    scores = np.arange(len(lake_index), dtype=float)

    def ranked(unit: float) -> tuple[str, ...]:
        return Reranker(lake_index, relevance=Fixed(unit * scores)).rank("clients", 3, subqueries=[]).tables

    assert ranked(1.7e308 / len(lake_index)) == ranked(1.0) == ranked(1e-200)


def test_objectives_over_columns_have_none(lake_index: Index) -> None:
    """They score columns by their own posterior."""
    with pytest.raises(QueryError, match="objectives over tables"):
        Reranker(lake_index, objective="crush", relevance="learned")
