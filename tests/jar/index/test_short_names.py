"""Short names stand for tables and columns wherever an id does, as long as only one can be meant."""

from __future__ import annotations

import asyncio
import unicodedata
from pathlib import Path

import pandas as pd
import pytest

from jar import Catalog, Foreign, Index, QueryError, Reranker
from joinability import CatalogError
from joinability.names import name_words
from joinability.short_names import nearest_names
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
        ({"candidates": ["OLD.LOAN", "Bank.Client"]}, {"candidates": ["bank.old.loan", "bank.client"]}),
        ({"require": ["BANK.card"], "exclude": ["CLIENT"]}, {"require": ["bank.card"], "exclude": ["bank.client"]}),
    ):
        one, other = reranker.rank(QUESTION, 2, **short), reranker.rank(QUESTION, 2, **full)
        assert (one.tables, one.scores, one.joins) == (other.tables, other.scores, other.joins)
    assert (
        reranker.columns(QUESTION, require=["card"]).tables == reranker.columns(QUESTION, require=["bank.card"]).tables
    )


def test_letter_case_counts_where_names_differ_in_it_alone() -> None:
    """The exact name first; in another case, either may be meant."""
    frames = {f"d.{name}": pd.DataFrame({f"{name}_id": [1, 2]}) for name in ("Loan", "loan", "card")}
    reranker = Reranker(Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False))
    for name in ("Loan", "loan"):
        assert reranker.rank(QUESTION, 1, require=[name]).tables == (f"d.{name}",)
        assert reranker.rank(QUESTION, 1, candidates=[name]).tables == (f"d.{name}",)
    foreign = Reranker(reranker.index, foreign=Foreign(database="d"))
    assert foreign.rank(QUESTION, 1, candidates=["CARD"]).tables == ("d.card",)
    for ask in ({"require": ["LOAN"]}, {"candidates": ["LOAN"]}):
        with pytest.raises(QueryError, match=r"2 tables: d\.Loan, d\.loan"):
            reranker.rank(QUESTION, 1, **ask)


def test_a_schema_is_excluded_with_all_of_its_tables(index: Index) -> None:
    """A table before a schema of the same name; what is neither is told with what is near."""
    reranker = Reranker(index)
    everything = [table.id for table in index.contents.tables]
    for names, left in (
        (["bank.old"], ["bank.client", "bank.loan", "bank.card"]),
        (["BANK.OLD.*", "card"], ["bank.client", "bank.loan"]),
        (["bank.loan"], ["bank.client", "bank.old.loan", "bank.card"]),
    ):
        assert sorted(reranker.rank(QUESTION, 4, exclude=names).tables) == sorted(left)
        assert {*reranker.columns(QUESTION, exclude=names).tables} <= {*left}
        assert reranker.rank(QUESTION, 4, candidates=everything, exclude=names).tables
    apart = unicodedata.normalize("NFD", "bänk")
    frames = {f"{apart}.a": pd.DataFrame({"a": [1]}), "b.c": pd.DataFrame({"a": [1]})}
    accented = Reranker(Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False))
    for name in ("bänk", "BÄNK.*", apart):
        assert accented.rank(QUESTION, 2, exclude=[name]).tables == ("b.c",)
    with pytest.raises(QueryError, match=r"no table or schema 'bnak.client'; did you mean bank\.client"):
        reranker.rank(QUESTION, exclude=["bnak.client"])
    with pytest.raises(QueryError, match=r"no table or schema 'bank.odl'; did you mean bank\.old"):
        reranker.rank(QUESTION, exclude=["bank.odl"])
    for given in ("bank", 5):
        with pytest.raises(QueryError, match=rf"tables are a list of ids, such as \['{given}'\]"):
            reranker.rank(QUESTION, exclude=given)  # type: ignore[arg-type]


def test_both_forms_of_accents_are_one_name(tmp_path: Path) -> None:
    """macOS takes names of files apart, keyboards do not: `u` with two dots is one letter or two signs of Unicode."""
    for name, header in (("Bücher", "größe,titel"), ("Kunden", "kunde")):
        apart = unicodedata.normalize("NFD", f"{name}.csv"), unicodedata.normalize("NFD", f"{header}\n1,2\n")
        (tmp_path / apart[0]).write_text(apart[1])
    index = Index.build(Catalog.from_files(tmp_path), embedder="distilled", progress=False)
    assert name_words(unicodedata.normalize("NFD", "Größe")) == ("größe",)
    reranker = Reranker(index)
    (books,) = reranker.rank("Wie viele Bücher?", 1).tables
    assert not books.endswith("Bücher")
    assert unicodedata.normalize("NFC", books).endswith(".Bücher")
    assert reranker.rank("Kunden", 1, require=["Bücher"]).tables == (books,)
    apart = unicodedata.normalize("NFD", "Welche Größe?")
    assert reranker.rank(apart, 1).scores == reranker.rank("Welche Größe?", 1).scores


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


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("clint", r"no table or schema 'clint'; did you mean bank\.client\?"),
        ("CARDS", r"no table or schema 'CARDS'; did you mean bank\.card\?"),
        ("bank.crd", r"no table or schema 'bank\.crd'; did you mean bank\.card"),
        ("old.laon", r"no table or schema 'old\.laon'; did you mean bank\.old\.loan"),
    ],
)
def test_an_unknown_short_name_is_compared_with_short_names(index: Index, name: str, told: str) -> None:
    """The database before the name that is meant does not hide it, as it would in whole ids."""
    with pytest.raises(QueryError, match=told):
        Reranker(index).rank(QUESTION, exclude=[name])


def test_names_that_many_tables_have_are_hinted_at_a_few_times() -> None:
    """Three at most, though all tables have the column."""
    known = [f"shop.t{number}.cust_no" for number in range(50)]
    assert nearest_names("cust_nr", known) == known[:3]
    assert nearest_names("zzz", known) == []


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ("tb_x", "client", "the index has no table 'tb_x'$"),
        ("client", "crad", r"the index has no table 'crad'; did you mean bank\.card\?"),
        ("client.gender", "crad.client_id", r"the index has no table 'crad'; did you mean bank\.card\?"),
        ("client.gender", "card.client_ids", r"bank\.card has no column 'client_ids'; did you mean bank\.card\.client"),
        ("client.gender", "loan.zzz", r"'loan' is the short name of 2 tables"),
        ("gendre", "client.client_id", r"the index has no column 'gendre'; did you mean bank\.client\.gender\?"),
        ("tb_x", "tb_y", "the index has no table or column 'tb_x'$"),
        ("bank.tb_x", "client.gender", r"the index has no column 'bank\.tb_x'"),
    ],
)
def test_it_is_said_which_part_of_a_pair_is_unknown(index: Index, left: str, right: str, told: str) -> None:
    """The table, the column in a table that is there, or what may be either: of a veto, and of joins to do without."""
    with pytest.raises(QueryError, match=told):
        index.veto_join(left, right)
    with pytest.raises(QueryError, match=told):
        Reranker(index).rank(QUESTION, forbid_joins=[(left, right)])


def test_a_table_where_a_column_is_asked_for_is_told(index: Index) -> None:
    """A pin is on columns: who names a table and a column is told which is the table."""
    column = next(table for table in index.contents.tables if table.id == "bank.client").column_names[0]
    told = rf"bank\.client is a table; here a column of it is asked for, such as bank\.client\.{column}$"
    with pytest.raises(QueryError, match=told):
        index.pin_join("client", "card.client_id")
    with pytest.raises(QueryError, match=rf"a pin is on two columns, such as bank\.client\.{column}, not on two t"):
        index.pin_join("client", "card")
