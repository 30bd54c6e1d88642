"""Scores of joins in the file: answers are the same with them and without, whatever becomes of the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker, Selection
from joinability.scores.known_scores import KnownScores
from tests.jar.conftest import toy_embedder

QUESTIONS = ("city of each client", "orders of items", "which clients have an order")


def shop(orders: int = 6) -> Catalog:
    """Two databases, of which one refers to the other by its values."""
    ids = np.arange(orders)
    return Catalog.from_frames(
        {
            "shop.client": pd.DataFrame({"id": [1, 2, 3], "city": ["Rome", "Oslo", "Bonn"]}),
            "shop.orders": pd.DataFrame({"id": ids, "client_id": ids % 3 + 1, "item_id": ids % 2 + 7}),
            "shop.item": pd.DataFrame({"id": [7, 8], "label": ["cup", "pen"]}),
            "store.visit": pd.DataFrame({"id": [5, 6], "client_id": [1, 3], "city": ["Rome", "Bonn"]}),
        }
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    build(tmp_path / "shop.jar", shop())
    return tmp_path / "shop.jar"


def build(path: Path, catalog: Catalog, **chosen: str) -> Index:
    return Index.build(catalog, path=path, embedder=toy_embedder, progress=False, **chosen)  # type: ignore[arg-type]


def answers(index: Index) -> list[object]:
    """All that some answers say, but for times."""
    reranker = Reranker(index, candidates=4)
    return [told(reranker.rank(question, k)) for question in QUESTIONS for k in (2, 3)]


def told(selection: Selection) -> object:
    return replace(selection, seconds=0.0, timings={}).to_dict()


def without_scores(index: Index) -> Index:
    loaded = Index.load(index.path, embedder=toy_embedder)
    loaded.contents = replace(loaded.contents, known_scores=None)
    return loaded


def test_answers_are_those_without_stored_scores(path: Path) -> None:
    """Fresh, with a veto and a pin, and after tables changed, came and went."""
    index = Index.load(path, embedder=toy_embedder)
    assert index.contents.known_scores is not None
    assert index.contents.known_scores.scores.nnz
    plain = answers(index)
    assert plain == answers(without_scores(index))
    index.veto_join("shop.orders.client_id", "shop.client.id")
    assert answers(index) == answers(without_scores(index)) != plain
    index.pin_join("store.visit.client_id", "shop.client.id")
    assert answers(index) == answers(without_scores(index)) == answers(Index.load(path, embedder=toy_embedder))
    for name in ("shop.orders.client_id", "store.visit.client_id"):
        index.unpin_join(name, "shop.client.id")
    assert answers(index) == plain
    changed = build(path, shop(9))
    assert answers(changed) == answers(without_scores(changed))
    fewer = build(path, Catalog([table for table in shop(9) if table.id != "shop.item"]))
    known = fewer.contents.known_scores
    assert known is not None
    np.testing.assert_array_equal(
        known.scores.toarray(), KnownScores.of(fewer.contents.evidence).scores.toarray()
    )


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE meta SET value = 'other' || value WHERE key = 'scores'",  # other rules, or other weights
        "UPDATE meta SET value = 'other' WHERE key = 'build'",  # refreshed by a version that stores none
        "DELETE FROM meta WHERE key = 'scores'; DROP TABLE join_scores; DROP TABLE scored_databases",  # made by one
    ],
)
def test_scores_of_other_rules_or_builds_are_not_read(path: Path, change: str) -> None:
    wanted = answers(Index.load(path, embedder=toy_embedder))
    with duckdb.connect(str(path)) as connection:
        connection.execute(change)
    index = Index.load(path, embedder=toy_embedder)
    assert index.contents.known_scores is None
    assert answers(index) == wanted


def test_other_scores_are_computed(path: Path) -> None:
    """Those of the paper, and those that do not trust declared keys, are not those that are stored."""
    index = Index.load(path, embedder=toy_embedder)
    for chosen in ({"score": "paper"}, {"trust_declared": False}):
        one, other = (
            Reranker(each, candidates=4, **chosen).rank(QUESTIONS[0], 3)  # type: ignore[arg-type]
            for each in (index, without_scores(index))
        )
        assert told(one) == told(other)


def test_an_index_of_no_tables_has_no_scores(tmp_path: Path) -> None:
    contents = build(tmp_path / "empty.jar", Catalog.from_frames({})).contents
    assert contents.known_scores is not None
    assert contents.known_scores.scores.nnz == 0
