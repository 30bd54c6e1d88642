"""Join neighbours and the number of candidates, beside brute force; joins by shared key names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.tables.first_stage import Pool
from jar.tables.neighbours import FEW, HEADS, LEAST_JOIN, MARGIN, OWN, join_neighbours
from joinability import Column, ColumnStatistics, Table, TableStatistics
from joinability.by_name.name_kinds import NAME_KINDS
from joinability.scores.score import JoinScore
from tests.jar.conftest import toy_embedder

SCORE = JoinScore("default")


@pytest.fixture(scope="module")
def chains() -> Index:
    """Two databases in which table i refers to tables i - 1 and i - 2."""
    return chained("ab", 9)


@pytest.fixture(scope="module")
def many_chains() -> Index:
    """Three such of 14 tables."""
    return chained("abc", 14)


def chained(databases: str, tables: int) -> Index:
    """An index of databases in which table i refers to tables i - 1 and i - 2."""
    rng = np.random.default_rng(3)
    frames: dict[str, Any] = {}
    for database in databases:
        for i in range(tables):
            size = 40 + 5 * i
            columns: dict[str, Any] = {f"t{i}_id": 1000 * i + np.arange(size)}
            for j in (i - 1, i - 2):
                if j >= 0:
                    columns[f"t{j}_id"] = rng.choice(1000 * j + np.arange(40 + 5 * j), size)
            frames[f"{database}.t{i}"] = pd.DataFrame(columns)
    return Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False)


def brute_force(index: Index, tables: list[int], relevance: Any, count: int) -> list[int]:
    """The neighbours by all pairs of columns of all tables."""
    contents = index.contents
    every = np.arange(len(contents.evidence))
    w = SCORE(contents.evidence.block(every), np.zeros((len(every), len(every))))
    base = min(relevance[t] for t in tables)
    if len(tables) < FEW or base == max(relevance[t] for t in tables):
        base = min(base, sorted(relevance)[-FEW:][0]) - MARGIN
    heads = sorted(tables, key=lambda t: -relevance[t])[:HEADS]
    worth = {}
    for j in range(len(contents.tables)):
        gains = [
            (relevance[i] - base) * joined
            for i in heads
            if j not in tables and relevance[i] > base and contents.databases[i] == contents.databases[j]
            if (joined := w[np.ix_(contents.owner == i, contents.owner == j)].max()) >= LEAST_JOIN
        ]
        if gains:
            worth[j] = sum(sorted(gains)[-2:]) + OWN * (relevance[j] - base)
    return sorted(worth, key=lambda j: (-worth[j], j))[:count]


@pytest.mark.parametrize("seed", range(12))
def test_neighbours_are_those_of_brute_force(chains: Index, seed: int) -> None:
    """All pairs of columns of all tables are scored there."""
    rng = np.random.default_rng(seed)
    relevance = rng.random(18).round(3)
    tables = rng.permutation(18)[: rng.integers(1, 7)]
    found = join_neighbours(chains.contents, SCORE, tables, relevance, 4)
    assert [n.table for n in found] == brute_force(chains, tables.tolist(), relevance, 4)
    assert all(n.candidate in tables and n.table not in tables for n in found)


@pytest.mark.parametrize("seed", range(6))
def test_neighbours_in_a_large_index_are_those_of_brute_force(many_chains: Index, seed: int) -> None:
    """With more than `FEW` tables around few candidates, as many as `FEW`, and more; some of equal relevance."""
    rng = np.random.default_rng(seed)
    count = len(many_chains.contents.tables)
    relevance = rng.random(count).round(1 + seed % 2)
    for size in (1, 2, 5, FEW - 1, FEW, FEW + 3):
        tables = rng.permutation(count)[:size]
        found = join_neighbours(many_chains.contents, SCORE, tables, relevance, 5)
        assert [n.table for n in found] == brute_force(many_chains, tables.tolist(), relevance, 5)
    members = np.arange(FEW) * 2
    tied = np.where(np.isin(np.arange(count), members), 0.5, 0.1)
    found = join_neighbours(many_chains.contents, SCORE, members, tied, 5)
    assert [n.table for n in found] == brute_force(many_chains, members.tolist(), tied, 5) != []


@pytest.mark.parametrize(
    "candidates",
    [
        ["bank.loan", "bank.client"],
        ["bank.client", "bank.loan"],
        [("bank.loan", 1.0), ("bank.client", 1.0)],
        {"bank.loan": 0.9, "bank.client": 0.1},
    ],
)
def test_two_candidates_get_the_bridge_between_them(lake_index: Index, candidates: Any) -> None:
    """In any order, with scores or without, equal ones or not."""
    chosen = Reranker(lake_index).rank("Which clients have loans?", 3, candidates=candidates)
    assert set(chosen.tables) == {"bank.loan", "bank.client", "bank.disposition"}
    assert chosen.connected


def test_one_candidate_gets_neighbours(lake_index: Index) -> None:
    """Tables that join it; so k = 2 is two connected tables."""
    chosen = Reranker(lake_index).rank("Which clients have loans?", 2, candidates=["bank.loan"])
    assert chosen.tables[0] == "bank.loan"
    assert chosen.connected
    assert chosen.retrieval[chosen.tables[1]] == "join neighbour of bank.loan"


def test_excluded_tables_are_no_neighbours(chains: Index) -> None:
    """And no neighbour is wanted where none is asked for."""
    relevance = np.linspace(1, 0, 18)
    tables = np.array([0, 3, 8])
    every = {n.table for n in join_neighbours(chains.contents, SCORE, tables, relevance, 9)}
    gone = min(every)
    assert gone not in {n.table for n in join_neighbours(chains.contents, SCORE, tables, relevance, 9, [gone])}
    assert join_neighbours(chains.contents, SCORE, tables, relevance, 0) == []
    assert join_neighbours(chains.contents, SCORE, tables[:0], relevance, 5) == []


@pytest.mark.parametrize(("tables", "count"), [(1, 20), (40, 20), (60, 24), (160, 40), (250, 50), (9_000, 50)])
def test_the_pool_grows_with_the_best_database(tables: int, count: int) -> None:
    """With the root of its size; a number that is given stays."""
    databases = np.array([0] * 7 + [1] * tables)
    relevance = np.zeros(len(databases))
    relevance[9 if tables > 2 else 7] = 1
    assert Pool().size(databases, relevance, Pool().least(5)) == count
    assert Pool().size(databases, relevance, Pool().least(60)) == 60
    assert Pool(count=8).size(databases, relevance, Pool(count=8).least(5)) == 8


def test_a_selection_says_how_its_tables_came_in(lake_index: Index) -> None:
    """By the own retriever, from the caller, or because they are required."""
    reranker = Reranker(lake_index)
    first, second, third = [table.id for table in lake_index.contents.tables[:3]]
    assert set(reranker.rank("clients with cards", k=3).retrieval.values()) == {"relevance"}
    chosen = reranker.rank("clients with cards", k=3, candidates=[first, second], require=[third])
    assert chosen.retrieval == {first: "given", second: "given", third: "required"}


DDL = """
CREATE TABLE a (wafer_code TEXT, lot_key INTEGER, x TEXT);
CREATE TABLE b (wafer_code TEXT, y TEXT);
CREATE TABLE c (lot_key INTEGER, z TEXT, code TEXT);
CREATE TABLE d (lot_key INTEGER, code TEXT);
"""


def by_name(index: Index) -> dict[tuple[str, str], float]:
    """The chances of an index's references by name, child and parent."""
    names, chance = index.contents.column_names, index.contents.evidence.named.chance
    return {(names[k], names[j]): w for k, j, w in zip(*chance.nonzero(), chance.data.tolist(), strict=True)}


def test_key_names_join_where_nothing_else_is_known() -> None:
    """The chances of `named_references` where both sides are unknown; a veto takes their joins away."""
    index = Index.build(Catalog.from_ddl(DDL), embedder=toy_embedder, progress=False)
    lead, many = NAME_KINDS["both lead"].chance, NAME_KINDS["lead"].chance * 3 / 4
    expected = {
        ("main.a.wafer_code", "main.b.wafer_code"): lead,
        ("main.b.wafer_code", "main.a.wafer_code"): lead,
        ("main.a.lot_key", "main.c.lot_key"): many,
        ("main.a.lot_key", "main.d.lot_key"): many,
        ("main.c.lot_key", "main.d.lot_key"): lead,
        ("main.d.lot_key", "main.c.lot_key"): lead,
    }
    assert by_name(index) == pytest.approx(expected)
    assert {frozenset(pair) for pair in expected} == listed(index)
    index.veto_join("a.wafer_code", "b.wafer_code")
    assert frozenset(("main.a.wafer_code", "main.b.wafer_code")) not in listed(index)


def listed(index: Index) -> set[frozenset[str]]:
    """The pairs of the list of joins from .1 on."""
    frame = index.joins(0.1)
    return {frozenset(pair) for pair in zip(frame["left"], frame["right"], strict=True)}


def test_a_declared_key_leaves_no_room_for_names() -> None:
    """A column that refers to one table does not refer to another."""
    ddl = "CREATE TABLE a (id INT); CREATE TABLE b (a_id INT); CREATE TABLE c (a_id INT REFERENCES b (a_id));"
    index = Index.build(Catalog.from_ddl(ddl), embedder=toy_embedder, progress=False)
    assert set(by_name(index)) == {("main.b.a_id", "main.a.id")}


def test_a_declared_key_of_several_columns_is_no_key_of_one() -> None:
    """Stock has many rows of a warehouse."""
    columns = "whse_id INT, prod_id INT, qty INT"
    found = {}
    for key in ("", ", PRIMARY KEY (whse_id, prod_id)"):
        ddl = f"CREATE TABLE stock ({columns}{key}); CREATE TABLE moved (id INT, whse_id INT, on_day DATE);"
        index = Index.build(Catalog.from_ddl(ddl), embedder=toy_embedder, progress=False)
        found[key] = index.contents.evidence.named.kinds
    plain, declared = (list(kinds.values()) for kinds in found.values())
    assert plain == ["lead"]
    assert declared == ["siblings"]


def test_rows_leave_no_room_for_shared_names() -> None:
    """Where values are known, they speak."""
    frames = {"m.a": pd.DataFrame({"lot_key": [1, 2]}), "m.b": pd.DataFrame({"lot_key": [7, 8]})}
    index = Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False)
    assert not by_name(index)
    assert len(index.joins(0.0)) == 0


def test_names_speak_where_one_side_has_no_rows() -> None:
    """An empty table beside one with rows."""
    rows = pd.DataFrame({"user_id": [1, 2, 3], "login": ["a", "b", "c"]})
    frames = {"m.users": rows, "m.visits": pd.DataFrame({"visit_id": [], "user_id": []}, dtype="int64")}
    index = Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False)
    assert by_name(index) == pytest.approx({("m.visits.user_id", "m.users.user_id"): NAME_KINDS["same"].chance})
    (kind,) = index.joins(0.5)["by_name"]
    assert kind == "same"


@pytest.mark.parametrize(
    ("samples", "distinct", "joined"), [(2, None, True), (3, None, True), (4, None, False), (2, 9, False)]
)
def test_a_few_sample_values_are_not_known_rows(samples: int, distinct: int | None, joined: bool) -> None:
    """Two rows of each table hardly ever have a value in common; with more of them, or with counts, they speak."""

    def table(name: str, first: int) -> Table:
        values = tuple(str(first + place) for place in range(samples))
        column = ColumnStatistics(sample_values=values, distinct=distinct)
        return Table("m", name, [Column("lot_key"), Column(name)], statistics=TableStatistics(9, {"lot_key": column}))

    index = Index.build(Catalog([table("a", 1), table("b", 50)]), embedder=toy_embedder, progress=False)
    pair = frozenset(("m.a.lot_key", "m.b.lot_key"))
    assert (pair in {frozenset(ends) for ends in by_name(index)}) is joined
    if joined:
        (join,) = Reranker(index).rank("a b", k=2).joins
        assert not join.is_verified
        assert join.score == pytest.approx(index.joins()["score"].iloc[0])


def test_lists_of_joins_say_what_kind_of_name_speaks_for_each() -> None:
    """The frame and the graph, of all tables or one; each pair once."""
    index = Index.build(Catalog.from_ddl(DDL), embedder=toy_embedder, progress=False)
    frame = index.joins(0.1)
    assert sorted(frame["by_name"]) == ["both lead", "both lead", "lead", "lead"]
    assert [edge.evidence["by_name"] for edge in index.join_graph(0.1)] == frame["by_name"].tolist()
    assert [edge.score for edge in index.join_graph(0.1)] == frame["score"].tolist()
    assert len(index.joins(0.1, table="b")) == len(index.join_graph(0.1, table="b")) == 1


def test_the_paper_score_knows_no_names() -> None:
    """It is that of the paper."""
    index = Index.build(Catalog.from_ddl(DDL), embedder=toy_embedder, score="paper", progress=False)
    assert not (index.joins()["score"] > 0.5).any()


def test_one_number_in_lists_graphs_and_answers() -> None:
    """And a set earns all of it."""
    index = Index.build(Catalog.from_ddl(DDL), embedder=toy_embedder, progress=False)
    selection = Reranker(index, relevance="cosine").rank("wafer", k=2, require=["a", "b"])
    (join,) = selection.joins
    (listed_score,) = index.joins(0.1, table="b")["score"]
    assert join.score == pytest.approx(listed_score, abs=1e-6)
    assert "names alone, not verified, no rows to measure, by name: both lead" in selection.explain()
    earned = sum(part.join for part in selection.contributions)
    assert earned == pytest.approx(2.5 * listed_score, abs=1e-5)


def test_a_join_by_a_shared_name_says_so() -> None:
    """In the evidence, the explanation and the context for SQL."""
    ddl = "CREATE TABLE wafer (batch_barcode TEXT, x TEXT); CREATE TABLE furnace (batch_barcode TEXT, y TEXT);"
    index = Index.build(Catalog.from_ddl(ddl), embedder=toy_embedder, progress=False)
    selection = Reranker(index).rank("wafers of a furnace", k=2)
    (join,) = selection.joins
    assert not join.is_verified
    assert "names alone, not verified" in selection.explain()
    assert "(names alone, not verified)" in selection.to_sql_context()
