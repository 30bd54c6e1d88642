"""Pins and vetoes of single joins: heard by rankings and lists, kept in the file through refreshes and copies."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from jar import Catalog, Index, QueryError, Reranker
from jar.errors import IndexBusyError
from jar.index.contents import IndexContents
from jar.index.file import open_index
from jar.sample import sample_frames
from tests.jar.conftest import toy_embedder

QUESTION = "Which female clients own credit cards and also have loans?"
KEY = ("bank.client.client_id", "bank.disposition.client_id")
TABLES = ["bank.client", "bank.disposition", "bank.card", "bank.loan"]


@pytest.fixture
def index(lake_index: Index, tmp_path: Path) -> Index:
    """An index that a test may write to."""
    lake_index.save(tmp_path / "lake.jar")
    return Index.load(tmp_path / "lake.jar", embedder=toy_embedder)


def pairs(index: Index) -> set[frozenset[str]]:
    frame = index.joins()
    return set(map(frozenset, zip(frame["left"], frame["right"], strict=True)))


def weights(index: Index) -> dict[frozenset[str], float]:
    chosen = Reranker(index).rank(QUESTION, 4, candidates=TABLES, require=TABLES)
    return {frozenset((join.left, join.right)): join.score for join in chosen.joins}


def test_a_veto_takes_a_join_away_everywhere(index: Index) -> None:
    """Neither the list, nor the graph, nor a ranking has a join that the user vetoed, not even an open reranker."""
    reranker = Reranker(index)
    assert frozenset(KEY) in weights(index)
    index.veto_join(*reversed(KEY))
    assert frozenset(KEY) not in pairs(index)
    assert frozenset(KEY) not in {frozenset((edge.left, edge.right)) for edge in index.join_graph()}
    chosen = reranker.rank(QUESTION, 4, candidates=TABLES, require=TABLES)
    assert frozenset(KEY) not in {frozenset((join.left, join.right)) for join in chosen.joins}


def test_a_pin_is_a_certain_join(index: Index) -> None:
    """A pair without any evidence joins with w = 1, and the list, the graph and the explanation say by whose word."""
    pin = ("bank.client.gender", "bank.loan.status")
    assert frozenset(pin) not in pairs(index)
    index.pin_join(*pin)
    row = index.joins(table="bank.client").set_index(["left", "right"]).loc[pin]
    assert (row["score"], bool(row["pinned"])) == (1.0, True)
    (edge,) = [edge for edge in index.join_graph(0.99) if edge.evidence["pinned"]]
    assert edge.condition == "bank.client.gender = bank.loan.status"
    chosen = Reranker(index).rank(QUESTION, 2, candidates=TABLES, require=["bank.client", "bank.loan"])
    assert [(join.left, join.right, join.score) for join in chosen.joins] == [(*pin, 1.0)]
    assert "pinned by user" in chosen.explain()


@pytest.mark.parametrize("more", [0, 90])
def test_other_joins_follow_a_verdict(more: int, tmp_path: Path) -> None:
    """The true join rises in list, graph and ranking when the likelier key is vetoed, and falls back with the veto.

    Where the keys of both are the same (`more` is 0), one is taken for a reference to the other, and a ranking joins by
    way of it; list and graph do not.
    """
    keys = [f"c{i}" for i in range(50)]
    frames = {
        "shop.accounts": pd.DataFrame({"id": [*keys, *(f"a{i}" for i in range(more))]}),
        "shop.customer": pd.DataFrame({"id": keys}),
        "shop.orders": pd.DataFrame({"nr": range(200), "customer_id": [keys[i * 7 % 50] for i in range(200)]}),
    }
    index = Index.build(Catalog.from_frames(frames), path=tmp_path / "s.jar", embedder=toy_embedder, progress=False)
    true = ("shop.accounts.id", "shop.orders.customer_id")

    def scores() -> list[float]:
        graph = [edge.score for edge in index.join_graph(0) if {edge.left, edge.right} == set(true)]
        listed = index.joins().set_index(["left", "right"])["score"].get(true, 0.0)
        chosen = Reranker(index).rank("orders of accounts", 2, candidates=["shop.accounts", "shop.orders"])
        return [sum(graph), float(listed), sum(join.score for join in chosen.joins)]

    ways = 3 if more else 2
    assert max(scores()[:ways]) < 0.1
    index.veto_join("shop.customer", "shop.orders")
    assert min(scores()) > 0.3
    index.unpin_join("shop.customer", "shop.orders")
    assert max(scores()[:ways]) < 0.1


def test_the_caller_may_still_forbid_a_pinned_join(index: Index) -> None:
    """`forbid_joins` of one question outdoes what holds for all."""
    index.pin_join(*KEY)
    chosen = Reranker(index).rank(QUESTION, 4, candidates=TABLES, require=TABLES, forbid_joins=[KEY])
    assert frozenset(KEY) not in {frozenset((join.left, join.right)) for join in chosen.joins}


def test_the_last_word_counts_and_can_be_taken_back(index: Index) -> None:
    """A pin replaces a veto of the same pair in either order; taken back, the evidence counts as before."""
    before = index.joins()
    index.veto_join(*KEY)
    index.pin_join(*reversed(KEY))
    assert index.verdicts()[["verdict", "left", "right"]].to_numpy().tolist() == [["pin", *KEY]]
    index.unpin_join(*reversed(KEY))
    assert len(index.verdicts()) == 0
    pd.testing.assert_frame_equal(index.joins(), before)
    with pytest.raises(QueryError, match="nothing was said"):
        index.unpin_join(*KEY)


def test_verdicts_outlive_refreshes_and_copies(index: Index, tmp_path: Path) -> None:
    """They stay through a refresh that drops their tables, count again when these are back, and go with a copy."""
    index.veto_join(*KEY)
    index.veto_join("bank.loan", "bank.account")
    frames = sample_frames(rows=60)
    fewer = Catalog.from_frames({name: frame for name, frame in frames.items() if name != "bank.client"})
    without = Index.build(fewer, path=index.path, embedder=toy_embedder, progress=False)
    assert without.verdicts()["in_index"].tolist() == [True, False]
    assert len(without.joins()) > 0
    again = Index.build(Catalog.from_frames(frames), path=index.path, embedder=toy_embedder, progress=False)
    assert again.verdicts()["in_index"].tolist() == [True, True]
    assert frozenset(KEY) not in pairs(again)
    assert not [
        edge for edge in again.join_graph() if {edge.left_table, edge.right_table} == {"bank.loan", "bank.account"}
    ]
    again.save(tmp_path / "copy.jar")
    assert len(Index.load(tmp_path / "copy.jar", embedder=toy_embedder).verdicts()) == 2


def test_what_is_said_while_a_build_is_interrupted_is_not_lost(index: Index, lake: Catalog) -> None:
    """The build that goes on from an older partial file takes the verdicts of the index, not the partial file's."""
    partial = index.path.with_name(index.path.name + ".partial")
    index.veto_join("bank.loan", "bank.account")
    partial.write_bytes(index.path.read_bytes())
    index.unpin_join("bank.loan", "bank.account")
    index.veto_join(*KEY)
    again = Index.build(lake, path=index.path, embedder=toy_embedder, progress=False)
    assert again.verdicts()[["left", "right"]].to_numpy().tolist() == [list(KEY)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda index: index.pin_join("bank.client.gender", "client.gender"), "on both sides; a pin is on two columns"),
        (lambda index: index.veto_join("bank.client", "bank.client"), "both sides; a veto is on two columns or tables"),
        (lambda index: index.pin_join("bank.client", "bank.loan"), "two columns"),
        (lambda index: index.veto_join("bank.client.client_ids", "bank.loan.loan_id"), "bank.client.client_id"),
    ],
)
def test_senseless_verdicts_are_refused(index: Index, call: object, message: str) -> None:
    """Unknown names, one name twice and pins on tables are errors that say so, and nothing is kept."""
    with pytest.raises(QueryError, match=message):
        call(index)  # type: ignore[operator]
    assert len(index.verdicts()) == 0


def test_a_veto_on_a_table_and_a_column_names_the_mistake(index: Index) -> None:
    """Both names are known, so neither is called unknown."""
    with pytest.raises(QueryError, match="two columns or on two tables"):
        index.veto_join("bank.client", "bank.loan.status")


def test_threads_say_and_read_at_once(index: Index) -> None:
    """What one thread writes into the file waits for those that read it, and they for it."""

    def work(number: int) -> None:
        if number % 2:
            assert index.sample_values(["bank.client"])
        elif number % 4:
            index.pin_join(*KEY)
        else:
            index.veto_join("bank.loan.amount", "bank.card.card_id")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(40)))
    assert sorted(index.verdicts()["verdict"]) == ["pin", "veto"]


def test_a_thread_that_waits_too_long_is_told(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file stays as it is, and the thread that has it goes on."""
    monkeypatch.setattr("jar.turns.PATIENCE", 0.05)
    with open_index(index.path) as reading, ThreadPoolExecutor(1) as pool:
        with pytest.raises(IndexBusyError, match=r"another thread has had .*lake\.jar open"):
            pool.submit(index.pin_join, *KEY).result()
        assert reading.execute("SELECT count(*) FROM catalog_tables").fetchone()
    index.pin_join(*KEY)
    assert len(index.verdicts()) == 1


def test_a_connection_of_the_caller_s_own_is_no_damage(lake_index: Index, tmp_path: Path) -> None:
    """DuckDB refuses a second connection of another kind; the file is not told to be damaged."""
    path = tmp_path / "lake.jar"
    lake_index.save(path)
    with duckdb.connect(str(path)), pytest.raises(IndexBusyError, match="close that connection"):
        Index.load(path, embedder=toy_embedder)


def test_a_name_that_two_columns_have_is_refused(tmp_path: Path) -> None:
    """Tables and columns may have dots, so that a name may mean two columns: which one is not guessed."""
    frames = {
        "shop.a": pd.DataFrame({"b.id": [1, 2]}),
        "shop.a.b": pd.DataFrame({"id": [1, 2]}),
        "shop.c": pd.DataFrame({"a_id": [1, 2]}),
    }
    index = Index.build(Catalog.from_frames(frames), path=tmp_path / "i.jar", embedder=toy_embedder, progress=False)
    with pytest.raises(QueryError, match=r"shop\.a\.b\.id is a column of shop\.a and of shop\.a\.b"):
        index.pin_join("shop.a.b.id", "shop.c.a_id")
    assert index.verdicts().empty


def test_verdicts_of_two_threads_are_both_in_memory(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes first does not put an older list in the place of a newer one."""
    began, ended = threading.Event(), threading.Event()

    def slow(contents: IndexContents, **changed: Any) -> IndexContents:
        if len(changed["stated"]) == 1:  # the first verdict waits for the second, or until that waits for it
            began.set()
            ended.wait(0.5)
        return dataclasses.replace(contents, **changed)

    monkeypatch.setattr("jar.index.index.replace", slow)
    with ThreadPoolExecutor() as pool:
        pinned = pool.submit(index.pin_join, *KEY)
        began.wait(10)
        index.veto_join("bank.client.gender", "bank.loan.status")
        ended.set()
        pinned.result()
    assert set(index.verdicts()["verdict"]) == {"pin", "veto"}


def test_a_moment_of_another_process_is_waited_for(index: Index) -> None:
    """Two people who pin at once both do."""
    code = "import duckdb, sys, time; c = duckdb.connect(sys.argv[1]); print('open', flush=True); time.sleep(0.5)"
    with subprocess.Popen([sys.executable, "-c", code, str(index.path)], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        index.pin_join("bank.client.birth_date", "retail.customers.customer_id")
    assert len(index.verdicts()) == 1


def test_no_verdict_makes_an_index(index: Index) -> None:
    """Where the file is gone, the error says so, and none comes in its place."""
    index.path.unlink()
    with pytest.raises(FileNotFoundError, match="there is no index"):
        index.pin_join("bank.client.birth_date", "retail.customers.customer_id")
    assert not index.path.exists()
