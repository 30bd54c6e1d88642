"""The core of the adapters: items become table ids and items again, untouched and in the order of the answer."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from jar import Foreign, Index, QueryError, Reranker
from jar.adapters.item_names import from_metadata, named_table, possible_names
from jar.adapters.items import ItemReranker, conditions_of
from jar.adapters.lazy_reranker import LazyReranker

QUESTION = "Which clients have loans?"
TABLES = ("library.loans", "bank.loan", "retail.loyalty_cards", "bank.client", "bank.disposition", "bank.card")


def items(*tables: str) -> list[dict[str, Any]]:
    """Items that hold the ids of their tables."""
    return [{"table": table, "text": f"{place}: {table}"} for place, table in enumerate(tables)]


def of(source: Any, k: int = 3, **options: Any) -> ItemReranker[dict[str, Any]]:
    """A re-ranker of such items."""
    return ItemReranker(source, k, id_of=lambda item: item.get("table"), **options)


def test_the_items_of_the_chosen_tables_come_in_the_order_of_the_answer(lake_index: Index) -> None:
    """Each is the very object that was given, and the answer is that of `Reranker.rank`."""
    given = items(*TABLES)
    result = of(lake_index).rerank(QUESTION, given)
    answer = Reranker(lake_index, expand=0).rank(QUESTION, 3, candidates=TABLES)
    assert [place.table for place in result.places] == list(answer.tables)
    assert all(place.item is given[place.position] for place in result.places)
    assert given == items(*TABLES)
    assert result.selection is not None
    assert result.selection.tables == answer.tables


def test_scores_fall_and_contributions_stand_in_the_metadata(lake_index: Index) -> None:
    """Frameworks sort by score: sorting must not undo the order."""
    result = of(lake_index, 5).rerank(QUESTION, items(*TABLES))
    scores = [place.score for place in result.places]
    assert scores == [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]
    assert result.selection is not None
    assert [place.metadata["contribution"] for place in result.places] == list(result.selection.scores)
    assert [place.metadata["rank"] for place in result.places] == [1, 2, 3, 4, 5]
    assert result.places[0].metadata["joins"] == conditions_of(result.selection, result.places[0].metadata["table"])
    assert any(place.metadata["joins"] for place in result.places)


def test_chunks_of_a_table_stay_together(lake_index: Index) -> None:
    """They are one candidate, and come in the order in which they were given."""
    given = items("bank.loan", "retail.loyalty_cards", "bank.client", "bank.loan", "bank.client", "bank.loan")
    result = of(lake_index, 2).rerank(QUESTION, given)
    assert result.selection is not None
    assert set(result.selection.tables) == {"bank.loan", "bank.client"}
    chunks = {"bank.loan": [0, 3, 5], "bank.client": [2, 4]}
    assert [place.position for place in result.places] == [
        n for table in result.selection.tables for n in chunks[table]
    ]


def test_a_limit_takes_further_chunks_before_a_table(lake_index: Index) -> None:
    """Every chosen table keeps its first item as long as there is room."""
    given = items("bank.loan", "bank.loan", "bank.loan", "bank.client", "bank.client")
    found = [place.table for place in of(lake_index, 2).rerank(QUESTION, given, limit=3).places]
    assert len(found) == 3
    assert set(found) == {"bank.loan", "bank.client"}
    assert [place.position for place in of(lake_index, 2).rerank(QUESTION, given, limit=2).places] in ([0, 3], [3, 0])


def test_the_rest_follows_where_it_is_asked_for(lake_index: Index) -> None:
    """Nothing is lost: what was not chosen comes behind, as it stood, without metadata."""
    result = of(lake_index, 2).rerank(QUESTION, items(*TABLES), rest=True)
    positions = [place.position for place in result.places]
    assert sorted(positions) == list(range(len(TABLES)))
    assert positions[2:] == sorted(positions[2:])
    assert [bool(place.metadata) for place in result.places] == [True] * 2 + [False] * 4


def test_an_unknown_table_is_an_error_that_names_the_nearest(lake_index: Index) -> None:
    """The default: a question is not answered from part of the candidates without a word."""
    with pytest.raises(QueryError, match=r"no table 'bank.loans'; did you mean .*bank.loan.*unknown=\"skip\""):
        of(lake_index).rerank(QUESTION, items("bank.loans", "bank.client"))
    with pytest.raises(QueryError, match="a candidate names no table; say how items name their tables"):
        of(lake_index).rerank(QUESTION, [{"text": "release notes"}])
    with pytest.raises(QueryError, match="'raise' or 'skip'"):
        of(lake_index, unknown="ignore")


def test_unknown_tables_are_left_out_where_the_caller_says_so(
    lake_index: Index, caplog: pytest.LogCaptureFixture
) -> None:
    """A note names them, in the log as well; they are no candidates, and come last where the rest is asked for."""
    caplog.set_level("INFO", "jar.adapters")
    given = [*items("wiki.loans"), {"text": "release notes"}, *items("bank.loan", "bank.client")]
    result = of(lake_index, 2, unknown="skip").rerank(QUESTION, given, rest=True)
    assert {place.position for place in result.places[:2]} == {2, 3}
    assert [place.position for place in result.places[2:]] == [0, 1]
    assert any("wiki.loans" in note for note in result.notes)
    assert "left out: wiki.loans, (no name)" in caplog.text
    nothing = of(lake_index, unknown="skip").rerank(QUESTION, items("wiki.loans"))
    assert (nothing.places, nothing.selection) == ((), None)
    assert len(of(lake_index, unknown="skip").rerank(QUESTION, items("wiki.loans", "wiki.b"), rest=True).places) == 2


def test_no_items_are_no_error(lake_index: Index) -> None:
    """A retriever may find nothing."""
    assert of(lake_index).rerank(QUESTION, []).places == ()


def test_bare_names_are_those_of_the_database(lake_index: Index) -> None:
    """With `database`, "loan" stands for "bank.loan"; a full id still counts."""
    result = of(lake_index, 2, database="bank").rerank(QUESTION, items("loan", "client", "retail.loyalty_cards"))
    assert {place.table for place in result.places} == {"bank.loan", "bank.client"}


def test_scores_of_the_retriever_count_where_every_table_has_one(lake_index: Index) -> None:
    """Else the index says how relevant a table is."""
    given = [item | {"score": score} for item, score in zip(items(*TABLES), range(6), strict=True)]
    scored = of(lake_index, 2, score_of=lambda item: item["score"]).rerank(QUESTION, given)
    answer = Reranker(lake_index).rank(QUESTION, 2, candidates=list(zip(TABLES, range(6), strict=True)))
    assert scored.selection is not None
    assert scored.selection.scores == answer.scores
    given[2]["score"] = None
    half = of(lake_index, 2, score_of=lambda item: item["score"]).rerank(QUESTION, given)
    assert half.selection is not None
    assert half.selection.scores == Reranker(lake_index).rank(QUESTION, 2, candidates=TABLES).scores


def test_a_chosen_table_that_no_item_names_gets_an_item(lake_index: Index) -> None:
    """A required table is chosen whether or not the retriever found it; a note says so where no item can be made."""
    given = items("bank.loan", "bank.client")
    required: dict[str, Any] = {"require": ["bank.disposition"]}
    result = of(lake_index, make=lambda table, sql: {"table": table, "text": sql}, **required).rerank(QUESTION, given)
    (made,) = (place for place in result.places if place.position == -1)
    assert made.item["table"] == "bank.disposition"
    assert made.item["text"].startswith("CREATE TABLE disposition (")
    bare = of(lake_index, **required).rerank(QUESTION, given)
    assert len(bare.places) == 2
    assert any("no item names them: bank.disposition" in note for note in bare.notes)


def test_tables_that_the_index_proposes_are_those_of_the_database(lake_index: Index) -> None:
    """Where items are about one database, none of another is chosen, and new items bear its names."""
    made: Any = {"make": lambda table, sql: {"table": table}}
    everywhere = of(lake_index, 6, **made).retrieve("loans of members and clients")
    assert {place.table for place in everywhere.places} > {"library.loans"}
    result = of(lake_index, 6, database="library", exclude=["library.books"], **made).retrieve("loans of members")
    assert {str(place.table).partition(".")[0] for place in result.places} == {"library"}
    assert "library.books" not in {place.table for place in result.places}
    assert all(f"library.{place.item['table']}" == place.table for place in result.places)
    with pytest.raises(QueryError, match=r"no database 'shop'; it has bank, .*library"):
        of(lake_index, database="shop", **made).retrieve(QUESTION)


def test_a_missed_bridge_needs_an_item(lake_index: Index) -> None:
    """Join neighbours of the candidates are chosen where items can be made of them, and take no place elsewhere."""
    given = items("bank.loan", "bank.client", "bank.card", "library.loans")
    made = of(lake_index, make=lambda table, sql: {"table": table}).rerank(QUESTION, given)
    assert "bank.disposition" in [place.table for place in made.places]
    bare = of(lake_index).rerank(QUESTION, given)
    assert len(bare.places) == 3
    assert not any("no item names them" in note for note in bare.notes)


def test_an_index_file_is_loaded_once_when_it_is_needed(
    lake_index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not when the adapter is made; threads that ask together get one re-ranker."""
    with pytest.raises(FileNotFoundError):
        LazyReranker(tmp_path / "none.jar").reranker  # noqa: B018 - the property loads
    loads: list[Any] = []
    monkeypatch.setattr(Index, "load", lambda path: loads.append(path) or lake_index)
    lazy = LazyReranker("lake.jar")
    assert (loads, lazy.path) == ([], "lake.jar")
    found: list[Reranker] = []
    threads = [Thread(target=lambda: found.append(lazy.reranker)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loads == ["lake.jar"]
    assert len(found) == 8
    assert len(set(map(id, found))) == 1
    reranker = Reranker(lake_index)
    assert LazyReranker(reranker).reranker is reranker
    assert LazyReranker(lake_index).path == str(lake_index.path)


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("bank.loan", "bank.loan"),
        ("bank.loan(loan_id, amount)", "bank.loan"),
        ("bank.loan: loan_id, amount", "bank.loan"),
        ("Table: bank.loan | loan_id", "bank.loan"),
        ("loan has the loans of the bank", "loan"),
        ("CREATE TABLE loan (loan_id BIGINT)", "loan"),
        ('create table if not exists "bank"."order items" (\n', "bank.order items"),
        ("-- lent money\n/* of\nbanks */ CREATE GLOBAL TEMPORARY TABLE bank.loan (x)", "bank.loan"),
        ("CREATE UNLOGGED TABLE IF NOT EXISTS loan (x)", "loan"),
        ("CREATE OR REPLACE TEMP VIEW `loan`\nAS", "loan"),
        ("CREATE TABLE [dbo].[Loan]([Id] int)", "dbo.Loan"),
        ("tables", "tables"),
        ("", None),
        ("  (?)", None),
    ],
)
def test_a_text_names_its_table(text: str, table: str | None) -> None:
    """As frameworks write tables: ids, signatures, descriptions, statements."""
    assert named_table(text) == table


def test_the_name_of_a_table_stands_under_a_key_or_is_read_by_the_caller() -> None:
    """A user gives the key of the metadata, or a callable."""
    assert from_metadata("table", lambda item: item)({"table": "a.b"}) == "a.b"
    assert from_metadata("table", lambda item: item)({}) is None
    assert from_metadata(str.upper, lambda item: {})("a") == "A"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"databse": "bank"}, r"no option 'databse' here; there are database, exclude, .*unknown"),
        ({"exclude": "bank.loan"}, r"exclude is a list, such as \['bank.loan'\]"),
        ({"k": 0}, "a whole number from 1, not 0"),
        ({"make": "x"}, "make is a function"),
        ({"database": 3}, "the name of a database"),
    ],
)
def test_options_are_checked_when_an_adapter_is_made(options: dict[str, Any], said: str) -> None:
    """Not with the first question: nothing is loaded yet."""
    with pytest.raises(QueryError, match=said):
        of("none.jar", **options)


def test_a_source_is_a_path_an_index_or_a_reranker() -> None:
    """Anything else is an error at once."""
    with pytest.raises(QueryError, match=r"the path of an index file, an Index or a jar\.Reranker, not dict"):
        of({"index": "shop.jar"})


def test_lists_may_be_generators(lake_index: Index) -> None:
    """They are read once, for every question."""
    among = of(lake_index, 3, exclude=(table for table in ["bank.loan"]))
    for _ in range(2):
        assert "bank.loan" not in {place.table for place in among.rerank(QUESTION, items(*TABLES)).places}


def test_items_are_read_as_the_reranker_reads_candidates(lake_index: Index) -> None:
    """Its `Foreign` counts, but for what the adapter says."""
    told = Foreign("skip", database="bank", id_of=lambda name: name.partition("#")[0])
    given = items("loan#1", "client#0", "bank.card#2", "readme#0", "library.loans#0")
    result = of(Reranker(lake_index, foreign=told), 4).rerank(QUESTION, given)
    assert {place.table for place in result.places} == {"bank.loan", "bank.client", "bank.card", "library.loans"}
    assert result.notes == ("1 candidate is not in the index and left out: readme#0",)
    with pytest.raises(QueryError, match="'readme'; say how items name their tables"):
        of(Reranker(lake_index, foreign=told), unknown="raise").rerank(QUESTION, given)
    with pytest.raises(QueryError, match="no database 'shop'"):
        of(Reranker(lake_index, foreign=told), database="shop").rerank(QUESTION, given)


def test_what_the_reranker_says_of_scores_counts(lake_index: Index) -> None:
    """Ignored ones mean nothing; where only some items have one, a note says that none counts."""
    scored: Any = {"score_of": lambda item: item["score"]}
    given = [item | {"score": score} for item, score in zip(items(*TABLES), range(6), strict=True)]
    ignoring = of(Reranker(lake_index, foreign=Foreign(scores="ignore")), 2, **scored).rerank(QUESTION, given)
    assert [place.table for place in ignoring.places] == [
        p.table for p in of(lake_index, 2).rerank(QUESTION, given).places
    ]
    given[0]["score"] = None
    notes = of(lake_index, 2, **scored).rerank(QUESTION, given).notes
    assert "5 of 6 candidates have a score: no score counts" in notes


def test_every_note_goes_to_the_log(lake_index: Index, caplog: pytest.LogCaptureFixture) -> None:
    """Of an answer, of tables that the index proposes, and where no item names a table."""
    caplog.set_level("INFO", "jar.adapters")
    unknown = of(lake_index, make=lambda table, sql: {"table": table}).retrieve("xyzzy plugh")
    few = of(lake_index, 9).rerank(QUESTION, items("bank.loan"))
    nothing = of(lake_index, unknown="skip").rerank(QUESTION, items("wiki.loans"))
    for result in (unknown, few, nothing):
        assert result.notes
        assert all(note in caplog.text for note in result.notes)


def test_adapters_that_read_a_key_of_metadata_are_pickled() -> None:
    """By the path of the index."""
    reads = from_metadata("table", vars)
    assert pickle.loads(pickle.dumps(LazyReranker("shop.jar"))).path == "shop.jar"
    assert pickle.loads(pickle.dumps(reads)) == reads


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_a_child_that_is_forked_while_an_index_is_loaded_loads_its_own(
    lake_index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread that held the lock is not there to let it go."""
    begun, go = threading.Event(), threading.Event()

    def load(path: str) -> Index:
        begun.set()
        assert go.wait(60)
        return lake_index

    monkeypatch.setattr(Index, "load", load)
    lazy = LazyReranker("lake.jar")
    thread = Thread(target=lambda: lazy.reranker)
    thread.start()
    assert begun.wait(60)
    child = multiprocessing.get_context("fork").Process(target=answer_in_child, args=(lazy, go))
    child.start()
    child.join(60)
    hangs = child.is_alive()
    child.kill()
    go.set()
    thread.join()
    assert not hangs
    assert child.exitcode == 0


def answer_in_child(lazy: LazyReranker, go: threading.Event) -> None:
    go.set()
    os._exit(0 if lazy.reranker is not None else 1)


def test_a_file_that_is_followed_is_loaded_again_when_it_changed(
    lake_index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only then; where it is gone, the answers go on."""
    loads: list[Any] = []
    monkeypatch.setattr(Index, "load", lambda path: loads.append(path) or lake_index)
    path = tmp_path / "lake.jar"
    path.write_text("one")
    lazy, steady = LazyReranker(path, follow=True), LazyReranker(path)
    assert lazy.reranker is lazy.reranker
    first = steady.reranker
    path.write_text("another")
    assert lazy.reranker is not None
    path.unlink()
    assert lazy.reranker is not None
    assert steady.reranker is first
    assert len(loads) == 3


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("shop.Order Items 2024 (final)", "shop.Order Items 2024 (final)"),
        ("shop.Order Items 2024 (final): id, amount", "shop.Order Items 2024 (final)"),
        ("shop.Order Items (id, amount)", "shop.Order Items"),
        ("bank.loan(amount)\nand more", "bank.loan"),
        ("-- what banks lend\nCREATE TABLE loan (id INT)", "loan"),
    ],
)
def test_an_id_with_blanks_is_among_the_possible_names(text: str, table: str) -> None:
    """The index says which of them is one; what the pattern reads is the last."""
    names = possible_names(text)
    assert table in names
    assert names[-1] == named_table(text)


def test_of_several_possible_names_the_first_that_the_index_has_counts(lake_index: Index) -> None:
    """Where it has none, the error is about the last."""
    among = ItemReranker[str](lake_index, 2, id_of=possible_names)
    result = among.rerank(QUESTION, ["bank.loan: amounts of money", "-- people\nCREATE TABLE bank.client (id INT)"])
    assert {place.table for place in result.places} == {"bank.loan", "bank.client"}
    with pytest.raises(QueryError, match=r"no table 'bank\.loam'"):
        among.rerank(QUESTION, ["bank.loam has much"])
    with pytest.raises(QueryError, match="a candidate names no table"):
        among.rerank(QUESTION, ["(?)"[:0]])
