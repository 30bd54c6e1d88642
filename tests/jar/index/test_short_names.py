"""Short names stand for tables and columns wherever an id does, as long as only one can be meant."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pandas as pd
import pytest

from jar import Catalog, Foreign, Index, QueryError, Reranker
from joinability import CatalogError
from tests.jar.conftest import toy_embedder

QUESTION = "Which clients have loans?"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A bank, and a second schema with a table of a name that the first has, too."""
    numbers = list(range(30))
    frames = {
        "bank.client": pd.DataFrame({"client_id": numbers, "gender": ["f", "m"] * 15}),
        "bank.loan": pd.DataFrame({"loan_id": [n + 100 for n in numbers], "client_id": numbers, "amount": numbers}),
        "bank.old.loan": pd.DataFrame({"loan_id": [n + 900 for n in numbers], "client_id": numbers}),
        "bank.card": pd.DataFrame({"card_id": [n + 500 for n in numbers], "client_id": numbers}),
    }
    path = tmp_path_factory.mktemp("short") / "a.jar"
    return Index.build(Catalog.from_frames(frames), path=path, embedder=toy_embedder, progress=False)


def test_a_ranking_takes_them_as_ids(index: Index) -> None:
    """Required, excluded, forbidden and given tables, and columns: the answer is that of the ids."""
    reranker = Reranker(index)
    for short, full in (
        ({"require": ["card"]}, {"require": ["bank.card"]}),
        ({"exclude": ["client"]}, {"exclude": ["bank.client"]}),
        ({"forbid_joins": [("client", "bank.loan")]}, {"forbid_joins": [("bank.client", "bank.loan")]}),
        (
            {"forbid_joins": [("client.client_id", "card.client_id")]},
            {"forbid_joins": [("bank.client.client_id", "bank.card.client_id")]},
        ),
        ({"candidates": [("card", 2.0), ("client", 1.0)]}, {"candidates": [("bank.card", 2.0), ("bank.client", 1.0)]}),
        ({"candidates": ["old.loan", "client"]}, {"candidates": ["bank.old.loan", "bank.client"]}),
    ):
        one, other = reranker.rank(QUESTION, 2, **short), reranker.rank(QUESTION, 2, **full)
        assert (one.tables, one.scores, one.joins) == (other.tables, other.scores, other.joins)
    assert (
        reranker.columns(QUESTION, require=["card"]).tables == reranker.columns(QUESTION, require=["bank.card"]).tables
    )


def test_an_ambiguous_name_lists_what_it_may_mean(index: Index) -> None:
    """Everywhere, and a whole id is never ambiguous though another ends with it."""
    reranker, graph = Reranker(index), index.join_graph()
    both = r"'loan' is the short name of 2 tables: bank\.loan, bank\.old\.loan; give the id"
    for ask in (
        lambda: reranker.rank(QUESTION, require=["loan"]),
        lambda: reranker.rank(QUESTION, candidates=["loan"]),
        lambda: reranker.rank(QUESTION, forbid_joins=[("loan", "client")]),
        lambda: index.joins(table="loan"),
        lambda: index.sample_values(["loan"]),
        lambda: index.veto_join("loan", "client"),
        lambda: graph.paths("loan", "client"),
    ):
        with pytest.raises((QueryError, CatalogError), match=both):
            ask()
    with pytest.raises(QueryError, match=r"'loan_id' is the short name of 2 columns"):
        index.pin_join("loan_id", "bank.card.card_id")
    assert reranker.rank(QUESTION, 1, require=["bank.loan"]).tables == ("bank.loan",)


def test_foreign_names_are_found_by_them(index: Index) -> None:
    """Unless a database is said, in which they are looked for; what may be skipped is skipped where it is ambiguous."""
    skipping = Reranker(index, foreign=Foreign(unknown="skip"))
    found = skipping.rank(QUESTION, 2, candidates=["card", "loan", "client"])
    assert {table for table, how in found.retrieval.items() if how == "given"} <= {"bank.card", "bank.client"}
    assert "1 candidate is not in the index and left out: loan" in found.notes
    elsewhere = Reranker(index, foreign=Foreign(database="bank.old"))
    with pytest.raises(QueryError, match="'card'"):
        elsewhere.rank(QUESTION, candidates=["card"])


def test_the_views_and_the_graph_take_them(index: Index) -> None:
    """`joins`, `sample_values`, neighbours, paths, pins and vetoes."""
    pd.testing.assert_frame_equal(index.joins(table="card"), index.joins(table="bank.card"))
    assert index.sample_values(["card"]) == index.sample_values(["bank.card"])
    graph = index.join_graph()
    assert graph.neighbours("card") == graph.neighbours("bank.card")
    assert graph.between("card", "client") == graph.between("bank.card", "bank.client")
    assert graph.paths("card", "old.loan") == graph.paths("bank.card", "bank.old.loan")
    assert graph.around("card").edges == graph.around("bank.card").edges
    assert index.join_graph(table="card").edges == index.join_graph(table="bank.card").edges
    index.veto_join("card.client_id", "client.client_id")
    assert index.verdicts()[["left", "right"]].to_numpy().tolist() == [["bank.card.client_id", "bank.client.client_id"]]
    index.unpin_join("client.client_id", "card.client_id")
    assert len(index.verdicts()) == 0


def test_agents_may_use_them(index: Index) -> None:
    """The tools of the server say the ids."""
    pytest.importorskip("mcp")
    from jar.adapters.mcp import serve

    server = serve(index)
    short = asyncio.run(server.call_tool("joins_of", {"table": "card"}))
    assert short == asyncio.run(server.call_tool("joins_of", {"table": "bank.card"}))
    assert "bank.card.client_id" in str(short)


def test_an_unknown_name_still_names_the_nearest(index: Index, tmp_path: Path) -> None:
    """A part of a word is no short name."""
    for name in ("ard", "client_id.bank", ""):
        with pytest.raises(QueryError, match="no table"):
            index.joins(table=name)
