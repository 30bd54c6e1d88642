"""The systems beside the package's own: each on a corpus small enough to know the answer by heart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.systems.first_stage import fuse
from benchmarks.systems.graphs import declared_graph, expand, walk
from benchmarks.systems.rows import Setting
from benchmarks.systems.table_systems import SYSTEMS, find_system
from jar import Catalog, Index
from jar.text.embedding import load_embedder

DDL = """
CREATE TABLE client (client_id INTEGER PRIMARY KEY, gender TEXT);
CREATE TABLE disposition (
  disposition_id INTEGER PRIMARY KEY, holder INTEGER REFERENCES client, held INTEGER REFERENCES account
);
CREATE TABLE account (account_id INTEGER PRIMARY KEY, district TEXT);
CREATE TABLE weather (day TEXT, rainfall REAL);
"""
WORDS = ("client", "gender", "disposition", "account", "district", "weather", "rainfall", "day")


def embed(texts: list[str]) -> np.ndarray:
    """Which of a few words a text has."""
    return np.array([[float(word in text.lower()) for word in WORDS] for text in texts])


@pytest.fixture(scope="module")
def setting() -> Setting:
    """Two questions over four tables with declared keys."""
    catalog = Catalog.from_ddl(DDL, database="bank")
    questions = tuple(
        Question(str(place), text, "bank", frozenset(gold), None, "")
        for place, (text, gold) in enumerate(
            [
                ("gender of clients in each district", {"bank.client", "bank.account", "bank.disposition"}),
                ("rainfall by day", {"bank.weather"}),
            ]
        )
    )
    index = Index.build(catalog, embedder=embed)
    return Setting(Dataset("bank", catalog, questions, SPIDER_WEIGHTS), index, load_embedder(embed))


@pytest.mark.parametrize("name", [name for name in SYSTEMS if not name.startswith("late")])  # these need tokens
def test_every_system_names_known_tables_once(name: str, setting: Setting) -> None:
    """At each size: a list for each question of different tables of the corpus, at most as many as asked for."""
    known = {table.id for table in setting.dataset.catalog}
    row, _ = find_system(name)
    answers = row.answer(setting, (1, 3))
    assert set(answers.tables) == {1, 3}
    for k, chosen in answers.tables.items():
        assert len(chosen) == len(setting.dataset.questions)
        for tables in chosen:
            assert len(set(tables)) == len(tables) <= k
            assert set(tables) <= known


@pytest.mark.parametrize("name", ["bm25", "hybrid", "retriever", "neighbours", "pagerank", "jar"])
def test_what_is_asked_for_by_name_comes_first(name: str, setting: Setting) -> None:
    """One table has both words of the second question."""
    assert list(SYSTEMS[name].answer(setting, (1,)).tables[1][1]) == ["bank.weather"]


@pytest.mark.parametrize("name", ["neighbours", "pagerank"])
def test_declared_keys_lead_to_the_bridge(name: str, setting: Setting) -> None:
    """No word of the first question names the table of dispositions; its keys do."""
    assert "bank.disposition" not in SYSTEMS["bm25"].answer(setting, (3,)).tables[3][0]
    assert set(SYSTEMS[name].answer(setting, (3,)).tables[3][0]) == setting.dataset.questions[0].gold_tables


def test_expansion_by_hand() -> None:
    """Each table is followed by its neighbours in the order of the ranking."""
    graph = nx.Graph([("a", "c"), ("a", "d"), ("b", "d")])
    assert expand(["b", "a", "c", "d"], graph, 4) == ["b", "d", "a", "c"]
    assert expand(["a", "d", "c", "b"], graph, 2) == ["a", "d"]


def test_walk_stays_near_its_start() -> None:
    """A path from its end: nearer tables have the higher rank, what is not connected has none."""
    graph = nx.path_graph(["a", "b", "c", "d"])
    graph.add_edge("x", "y")
    assert walk(graph, {"a": 1.0}) == ["a", "b", "c", "d"]


def test_declared_graph_has_each_key_once(setting: Setting) -> None:
    """Undirected, without loops, with tables that have no key."""
    graph = declared_graph(setting.dataset.catalog)
    assert {frozenset(edge) for edge in graph.edges} == {
        frozenset({"bank.disposition", "bank.client"}),
        frozenset({"bank.disposition", "bank.account"}),
    }
    assert "bank.weather" in graph


@pytest.mark.parametrize(
    ("rankings", "fused"),
    [([["a", "b"], ["b", "a"]], ["a", "b"]), ([["a", "b", "c"], ["c"]], ["c", "a", "b"]), ([[], ["b"]], ["b"])],
)
def test_reciprocal_rank_fusion_by_hand(rankings: Sequence[Sequence[str]], fused: list[str]) -> None:
    """1/61 + 1/63 beats 1/61; equal sums keep the first order."""
    assert [table for table, _ in fuse(rankings)] == fused


def test_endings_of_a_name(setting: Setting) -> None:
    """Sub-queries, score and solver are set by endings, in any order; the row gets the setting with them."""
    row, decomposition = find_system("jar-f+solver=greedy+given+score=default")
    assert decomposition == "given"
    asked = replace(setting.dataset.questions[0], text="client", subqueries=("gender",))
    given = replace(setting, dataset=replace(setting.dataset, questions=(asked,)), decomposition="given")
    assert row.answer(given, (1,)).tables[1] == [("bank.client",)]


@pytest.mark.parametrize(
    "name",
    [
        "bm42",
        "bm25+given",
        "jar-f+sometimes",
        "jar-f+solver=abacus",
        "jar-f+score=none",
        "jar+retriever=owl",
        "jar+connect=maybe",
        "dense+score=paper",
    ],
)
def test_what_is_no_system_is_said(name: str) -> None:
    """The message names what there is."""
    with pytest.raises(ValueError, match=r"choose among|did you mean"):
        find_system(name)


def test_walks_start_without_a_known_word(setting: Setting) -> None:
    """A question with no known word has cosines of zero: its candidates are as likely a start as each other."""
    questions = (replace(setting.dataset.questions[0], text="???"),)
    alone = replace(setting, dataset=replace(setting.dataset, questions=questions))
    assert len(SYSTEMS["pagerank"].answer(alone, (4,)).tables[4][0]) == 4
