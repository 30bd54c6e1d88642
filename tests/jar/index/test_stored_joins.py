"""What the file knows of joins: answers are the same with it and without, whatever becomes of the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker, Selection
from jar.mapped.mapped_contents import SWITCH
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


def without_joins(index: Index) -> Index:
    loaded = Index.load(index.path, embedder=toy_embedder)
    loaded.contents = replace(loaded.contents, stored_joins=None)
    return loaded


def test_answers_are_those_without_stored_scores(path: Path) -> None:
    """Fresh, with a veto and a pin, and after tables changed, came and went."""
    index = Index.load(path, embedder=toy_embedder)
    assert index.contents.stored_joins is not None
    assert index.contents.stored_joins.scores.scores.nnz
    plain = answers(index)
    assert plain == answers(without_joins(index))
    index.veto_join("shop.orders.client_id", "shop.client.id")
    assert answers(index) == answers(without_joins(index)) != plain
    index.pin_join("store.visit.client_id", "shop.client.id")
    assert answers(index) == answers(without_joins(index)) == answers(Index.load(path, embedder=toy_embedder))
    for name in ("shop.orders.client_id", "store.visit.client_id"):
        index.unpin_join(name, "shop.client.id")
    assert answers(index) == plain
    changed = build(path, shop(9))
    assert answers(changed) == answers(without_joins(changed))
    fewer = build(path, Catalog([table for table in shop(9) if table.id != "shop.item"]))
    known = fewer.contents.stored_joins
    assert known is not None
    computed = KnownScores.of(fewer.contents.evidence)
    np.testing.assert_array_equal(known.scores.scores.toarray(), computed.scores.toarray())


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE meta SET value = 'other' || value WHERE key = 'joins'",  # other rules, or other weights
        "UPDATE meta SET value = 'other' WHERE key = 'build'",  # refreshed by a version that stores none
        "DELETE FROM meta WHERE key = 'joins'; DROP TABLE join_scores; DROP TABLE named_joins",  # made by one
    ],
)
def test_scores_of_other_rules_or_builds_are_not_read(path: Path, change: str) -> None:
    wanted = answers(Index.load(path, embedder=toy_embedder))
    with duckdb.connect(str(path)) as connection:
        connection.execute(change)
    index = Index.load(path, embedder=toy_embedder)
    assert index.contents.stored_joins is None
    assert answers(index) == wanted


def test_a_refresh_over_unchanged_tables_stores_joins_by_the_rules_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade to other rules `jar index` reads no table, and stores the joins anew; once, not each time."""
    monkeypatch.setenv(SWITCH, "off")  # the rules are of the same code
    path = tmp_path / "shop.jar"
    made = Index.build(shop(), path=path, embedder="distilled", progress=False)
    assert made.contents.stored_joins is not None
    monkeypatch.setattr("joinability.store.stored_joins.rules_fingerprint", lambda: "rules of the next version")
    assert Index.load(path).contents.stored_joins is None
    refreshed = Index.build(shop(), path=path, embedder="distilled", progress=False)
    assert refreshed.changes is not None
    assert (refreshed.changes.added, refreshed.changes.dropped, refreshed.changes.kept) == ((), (), len(shop()))
    assert refreshed.contents.stored_joins is not None
    again = Index.build(shop(), path=path, embedder="distilled", progress=False)
    assert again.contents.meta == refreshed.contents.meta


def test_other_scores_are_computed(path: Path) -> None:
    """Those of the paper, and those that do not trust declared keys, are not those that are stored."""
    index = Index.load(path, embedder=toy_embedder)
    for chosen in ({"score": "paper"}, {"trust_declared": False}):
        one, other = (
            Reranker(each, candidates=4, **chosen).rank(QUESTIONS[0], 3)  # type: ignore[arg-type]
            for each in (index, without_joins(index))
        )
        assert told(one) == told(other)


def test_an_index_of_no_tables_has_no_scores(tmp_path: Path) -> None:
    contents = build(tmp_path / "empty.jar", Catalog.from_frames({})).contents
    assert contents.stored_joins is not None
    assert contents.stored_joins.scores.scores.nnz == 0


def test_joins_by_name_are_those_that_names_tell(tmp_path: Path) -> None:
    """Of a schema alone, with their kinds; the same after tables came and went."""
    orders = "CREATE TABLE orders (id INT, customer_id INT, bill_addr_id INT);"
    others = "CREATE TABLE customers (id INT, name TEXT); CREATE TABLE addresses (id INT, town TEXT);"
    for ddl in (orders + others, others, others + orders):
        index = build(tmp_path / "names.jar", Catalog.from_ddl(ddl, database="shop"))
        contents = Index.load(index.path, embedder=toy_embedder).contents
        stored, computed = contents.evidence.named, replace(contents.evidence).named
        assert contents.stored_joins is not None
        assert stored is contents.stored_joins.named
        assert stored.kinds == computed.kinds
        assert bool(stored.kinds) == (orders in ddl)
        for name in ("is_key", "begins", "shared"):
            np.testing.assert_array_equal(getattr(stored, name), getattr(computed, name))
        np.testing.assert_array_equal(stored.chance.toarray(), computed.chance.toarray())
