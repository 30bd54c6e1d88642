"""Joins of sharded tables in an index: the answers of a question, the command line, files of earlier versions."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from jar import Catalog, Index, Reranker
from jar.adapters.items import ItemReranker
from jar.cli.main import main
from jar.tables.sibling_joins import best_joins
from tests.jar.conftest import toy_embedder

MONTHS = [f"shop.orders_2024{month:02d}" for month in range(1, 7)]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(0)
    numbers = 7000 + np.arange(120)
    frames = {
        month: pd.DataFrame({"order_no": part, "status": random.choice(["open", "sent"], len(part))})
        for month, part in zip(MONTHS, np.array_split(numbers, len(MONTHS)), strict=True)
    }
    frames["shop.payments"] = pd.DataFrame({"payment": [f"p{row}" for row in range(120)], "order_no": numbers})
    frames["shop.returns"] = pd.DataFrame({"rma": [f"r{row}" for row in range(50)], "order_no": numbers[-50:]})
    path = tmp_path_factory.mktemp("sharded") / "shop.jar"
    Index.build(Catalog.from_frames(frames), path=path, embedder=toy_embedder, progress=False)
    return path


@pytest.fixture(scope="module")
def reranker(file: Path) -> Reranker:
    return Reranker(Index.load(file, embedder=toy_embedder))


@pytest.mark.parametrize("question", ["orders and their payments", "orders of 202405 and their payments"])
def test_answers_join_what_stands_for_a_family_by_the_rows_of_all(reranker: Reranker, question: str) -> None:
    """The first member for all, and the one that the question numbers."""
    orders = MONTHS[4] if "202405" in question else MONTHS[0]
    (join,) = reranker.rank(question, require=["shop.payments", orders], k=2).joins
    assert {join.left_table, join.right_table} == {"shop.payments", orders}
    assert join.score > 0.9
    assert "unlikely" not in reranker.rank(question, require=["shop.payments", orders], k=2).to_sql_context()


def test_all_members_have_the_joins_of_the_family(reranker: Reranker) -> None:
    """Data frame and graph agree, and a table keeps the number of its own rows."""
    index = reranker.index
    for month in (MONTHS[0], MONTHS[3]):
        joins = index.joins(table=month)
        assert joins["score"].iloc[0] > 0.9
        assert index.join_graph().between(month, "shop.payments")[0].score == pytest.approx(joins["score"].iloc[0])
    assert index.tables().set_index("id")["rows"].loc[MONTHS].tolist() == [20] * len(MONTHS)


def test_join_neighbours_are_those_of_the_family(reranker: Reranker) -> None:
    """What joins the payments through any member is found, though each of them has a sixth of the orders."""
    from jar.tables.neighbours import _neighbours_of
    from joinability.scores.score import join_score

    contents = reranker.index.contents
    payments = contents.table_position["shop.payments"]
    joined = _neighbours_of(contents, join_score("default"), np.array([payments]))[payments]
    weights = {joined.get(contents.table_position[month], 0.0) for month in MONTHS}
    assert len(weights) == 1
    assert weights.pop() > 0.9


def test_ways_from_one_table_to_another_go_through_one_member(file: Path) -> None:
    """The best way between two references is the key of the family; no other way is the same through another month."""
    told = CliRunner().invoke(main, ["joins", str(file), "--path", "payments", "returns"])
    assert told.exit_code == 0, told.output
    assert MONTHS[0] in told.output
    assert not any(month in told.output for month in MONTHS[1:])


def test_a_file_of_another_version_is_read_with_each_table_apart(file: Path, tmp_path: Path) -> None:
    """Counts of another build say nothing of this one."""
    copy = tmp_path / "copy.jar"
    copy.write_bytes(file.read_bytes())
    with duckdb.connect(str(copy)) as connection:
        connection.execute("UPDATE meta SET value = 'another' WHERE key = 'shards'")
    contents = Index.load(copy, embedder=toy_embedder).contents
    assert contents.apart is None
    assert not contents.joined_families
    assert len(Index.load(file, embedder=toy_embedder).contents.joined_families) == 1


def test_lists_have_one_of_a_family(file: Path) -> None:
    """The first, which joins as all others do; with `--limit 0`, and of the one that is named, all have their lines."""

    def shards(*arguments: str) -> tuple[set[str], str]:
        done = CliRunner().invoke(main, ["joins", str(file), *arguments])
        return {month for month in MONTHS if month in done.stdout}, done.stderr

    told, hint = shards("--table", "payments")
    assert told == {MONTHS[0]}
    assert "more of sharded tables" in hint
    assert shards("--table", "payments", "--limit", "0")[0] == set(MONTHS)
    assert MONTHS[3] in shards("--table", MONTHS[3])[0]
    best = best_joins(Index.load(file, embedder=toy_embedder), "shop.payments", 0.2)
    assert {join.right_table for join in best} == {MONTHS[0], "shop.returns"}


def test_items_of_frameworks_say_what_a_table_stands_for(reranker: Reranker) -> None:
    """In the metadata of each, and in the statement of one that is made."""
    made = ItemReranker(reranker, 2, id_of=str, make=lambda name, statement: statement)
    places = made.retrieve("orders and their payments").places
    (orders,) = [place for place in places if place.table == MONTHS[0]]
    assert orders.metadata["stands_for"] == MONTHS
    assert "stands for 6 tables" in orders.item
    assert all("stands_for" not in place.metadata for place in places if place is not orders)
