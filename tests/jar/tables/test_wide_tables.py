"""Tables of more columns than a ranking looks at: the answer is that of all columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jar.tables.table_ranker
import jar.tables.wide_tables
from jar import Catalog, Index, Reranker, Selection
from jar.tables.problem import joinability_of
from jar.tables.query import Limits
from jar.tables.wide_tables import telling_columns
from joinability.evidence.traits import LOOKED_AT
from joinability.scores.score import JoinScore
from tests.jar.conftest import toy_embedder

QUESTIONS = (
    "Which stores sold umbrellas in the rain?",
    "measure 51 of the visits by region",
    "regions of stores and their visitors",
)


def ddl() -> str:
    """Wide tables that refer to each other, by keys among their first columns and beyond."""
    measures = [f"measure_{place} FLOAT" for place in range(60)]
    stores = ", ".join([*measures[:50], "store_id INT", "region_id INT", *measures[50:], "umbrellas_sold INT"])
    visits = ", ".join(["visit_id INT", *measures, "store_id INT", "rain TEXT", "late_column INT"])
    return (
        f"CREATE TABLE stores ({stores}); CREATE TABLE visits ({visits});"
        "CREATE TABLE regions (region_id INT, name TEXT, late_column INT);"
        "CREATE TABLE weather (day DATE, rain TEXT);"
    )


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.build(Catalog.from_ddl(ddl(), database="d"), embedder=toy_embedder, progress=False)


def test_the_answer_is_that_of_all_columns(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Value, order, joins and answered sub-queries, for tables and for columns with them."""

    def answers(objective: str) -> list[dict[str, Any]]:
        return [plain(Reranker(index, objective).rank(question, k)) for question in QUESTIONS for k in (1, 2, 3)]

    some = answers("jar"), answers("jar+crush")
    with monkeypatch.context() as patch:
        patch.setattr(jar.tables.wide_tables, "MANY", 1)
        assert some == (answers("jar"), answers("jar+crush"))
    with monkeypatch.context() as patch:
        patch.setattr(jar.tables.table_ranker, "telling_columns", lambda _, columns, *rest: np.ones(len(columns), bool))
        assert some == (answers("jar"), answers("jar+crush"))


def plain(selection: Selection) -> dict[str, Any]:
    """What does not depend on the clock."""
    return replace(selection, seconds=0.0, timings={}).to_dict()


def test_columns_that_may_join_and_the_best_for_each_subquery_are_looked_at(index: Index) -> None:
    """By a loop over tables and sub-queries."""
    contents = index.contents
    tables = np.array([1, 0, 3])
    columns = contents.columns_of(tables)
    fine = np.random.default_rng(1).integers(0, 6, (3, len(columns))) / 5
    wanted = contents.joins.may_join[columns].copy()
    for table in tables:
        places = np.flatnonzero(contents.owner[columns] == table)
        for scores in fine:
            wanted[places[np.argmax(scores[places])]] = True
    telling = telling_columns(contents, columns, fine, JoinScore("default"))
    np.testing.assert_array_equal(telling, wanted)
    assert not telling.all()
    assert telling_columns(contents, columns, fine, JoinScore("paper")).all()


def test_of_many_columns_those_that_join_are_looked_at(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the candidates alone: by the joinability of all their columns."""
    contents, score = index.contents, JoinScore("default")
    columns = contents.columns_of(np.array([0, 1]))
    whole = joinability_of(contents, columns, contents.owner[columns], Limits(), score)
    monkeypatch.setattr(jar.tables.wide_tables, "MANY", 1)
    telling = telling_columns(contents, columns, np.zeros((0, len(columns))), score)
    np.testing.assert_array_equal(telling, whole.any(axis=0))
    assert 0 < telling.sum() < contents.joins.may_join[columns].sum()


def test_keys_come_before_measures(index: Index) -> None:
    """Of a wide table of which no rows are known a few columns may join, its keys among them."""
    contents = index.contents
    may_join = {name for name, may in zip(contents.column_names, contents.evidence.may_join, strict=True) if may}
    assert {"d.stores.store_id", "d.stores.region_id", "d.visits.visit_id", "d.visits.store_id"} <= may_join
    assert sum(name.startswith("d.stores.") for name in may_join) == LOOKED_AT
    assert "d.visits.late_column" not in may_join
    assert "d.regions.late_column" in may_join


def test_which_columns_may_join_is_stored(index: Index, tmp_path: Path) -> None:
    """A question does not wait until the names of all columns are read."""
    built = Index.build(Catalog.from_ddl(ddl(), database="d"), path=tmp_path / "d.jar", embedder=toy_embedder)
    evidence = Index.load(built.path, embedder=toy_embedder).contents.evidence
    assert evidence.stored_may_join is not None
    np.testing.assert_array_equal(evidence.may_join, index.contents.evidence.traits.may_join)
    assert not evidence.may_join.all()


def test_a_pin_makes_a_join_of_any_columns(index: Index) -> None:
    """What the user says counts whatever the width."""
    pair = ("d.visits.late_column", "d.regions.late_column")
    asked = "measure 51 of the visits and the late column of regions"
    unaided = Reranker(index).rank(asked, 2, candidates=["d.visits", "d.regions"]).joins
    assert pair not in [(join.left, join.right) for join in unaided]
    pinned = Index.build(Catalog.from_ddl(ddl(), database="d"), embedder=toy_embedder, progress=False)
    pinned.pin_join(*pair)
    (join,) = Reranker(pinned).rank(asked, 2, candidates=["d.visits", "d.regions"]).joins
    assert {join.left, join.right} == {*pair}


def test_a_declared_key_is_looked_at_wherever_it_stands() -> None:
    """As a pin is."""
    measures = ", ".join(f"measure_{place} FLOAT" for place in range(60))
    text = (
        "CREATE TABLE places (spot INT PRIMARY KEY, title TEXT);"
        f"CREATE TABLE facts ({measures}, whereabouts INT REFERENCES places (spot));"
    )
    index = Index.build(Catalog.from_ddl(text, database="d"), embedder=toy_embedder, progress=False)
    (join,) = Reranker(index).rank("facts and places", 2).joins
    assert join.score == 1
