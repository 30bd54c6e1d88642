"""Values that a sub-query names answer it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.index.contents import IndexContents
from jar.tables.fine_relevance import with_values
from jar.text.word_runs import folded_words
from jar.values.known_values import Mention
from tests.jar.conftest import toy_embedder

OWNER = np.array([0, 0, 1, 1, 2])
COLUMNS = np.array([0, 1, 2, 3, 4])


@pytest.fixture(scope="module")
def index() -> Index:
    """People and cities, which share the values of a column with a town in it, and a table beside them."""
    frames = {
        "d.person": pd.DataFrame({"pid": range(6), "town": ["Brno", "Olomouc", "Brno", "Zlin", "Zlin", "Opava"]}),
        "d.receipt": pd.DataFrame({"rid": range(9), "sum": range(100, 109)}),
    }
    return Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False)


def test_fine_relevance_with_values_is_that_of_the_formula() -> None:
    """Equation (7), by loops over sub-queries, values and columns."""
    rng = np.random.default_rng(0)
    subqueries = ["Brno", "female clients of Brno", "new york city", "york new"]
    mentions = [
        Mention("Brno", np.array([1, 2, 9])),
        Mention("New York", np.array([3])),
        Mention("female", np.array([0, 4]), 0.5),
        Mention("clients", np.array([8])),
    ]
    for _ in range(20):
        fine = rng.uniform(-0.2, 1, (4, 5))
        expected = fine.copy()
        for mention in mentions:
            words = folded_words(mention.text)
            tables = {OWNER[column] for column in COLUMNS if column in mention.columns}
            for place, subquery in enumerate(subqueries):
                if f" {' '.join(words)} " in f" {' '.join(folded_words(subquery))} ":
                    share = mention.weight * len(words) / len(folded_words(subquery)) / max(len(tables), 1) ** 0.5
                    for column in COLUMNS:
                        if column in mention.columns:
                            expected[place, column] += (1 - expected[place, column]) * share
        found = with_values(fine, np.r_[OWNER, 3, 3, 3, 3, 3], COLUMNS, subqueries, mentions)
        np.testing.assert_allclose(found, expected)
        assert not np.array_equal(found, fine)


def test_a_subquery_that_is_a_value_is_answered_by_its_column(index: Index) -> None:
    """Completely, for no other table has it; with the weight of values at 0 the names decide alone."""
    (coverage,) = Reranker(index).rank("sums in Olomouc", 1, subqueries=["Olomouc"], require=["d.person"]).coverage
    assert (coverage.column, coverage.score) == ("d.person.town", pytest.approx(1.0))
    names_alone = Reranker(index, value=0)
    (without,) = names_alone.rank("sums in Olomouc", 1, subqueries=["Olomouc"], require=["d.person"]).coverage
    assert without.score < 1


def test_values_are_looked_up_once_for_a_question(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """For its phrases, the candidates of each number of tables and the answer; not at all where they weigh nothing."""
    asked: list[str] = []
    look_up = IndexContents.mentions

    def counting(contents: IndexContents, question: str) -> list[Mention]:
        asked.append(question)
        return look_up(contents, question)

    monkeypatch.setattr(IndexContents, "mentions", counting)
    found = Reranker(index, candidates=1).rank_sizes(["sums in Olomouc"], [1, 2])
    assert {k: selection.values[0].text for k, (selection,) in found.items()} == {1: "Olomouc", 2: "Olomouc"}
    Reranker(index).rank("people of Brno", "auto")
    Reranker(index, value=0).rank("people of Brno", 1)
    assert asked == ["sums in Olomouc", "people of Brno"]
