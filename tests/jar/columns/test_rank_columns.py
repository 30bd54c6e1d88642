"""Columns on the sample lake: the budget kept, every wish of the caller kept, the source of the probes said."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from formulations import CrushObjective, Instance, solve
from jar import Catalog, Index, QueryError, Reranker
from jar.answers.column_selection import ColumnSelection
from jar.columns.candidates import column_cosines
from jar.columns.probed_question import read_probed_questions, stack
from jar.columns.search import DEFAULT_SEARCH, PAPER_SEARCH, ColumnSearch
from jar.sample import QUESTIONS

BANK = QUESTIONS[0]
IMAGINED = "1. Client(client_id, gender)\n2. Card(card_id, type)\n3. Loan(loan_id, amount)"


@pytest.fixture(scope="module")
def reranker(lake_index: Index) -> Reranker:
    """A re-ranker for columns."""
    return Reranker(lake_index, objective="crush", budget=12)


def test_columns_come_by_table_with_the_keys_that_join_them(reranker: Reranker) -> None:
    """An imagined schema without the bridge table gets the bridge and the keys on both of its sides."""
    selection = reranker.columns(BANK.text, probes=IMAGINED)
    assert set(BANK.tables) <= set(selection.tables)
    names = set(selection.column_names)
    assert {"bank.client.gender", "bank.card.type", "bank.loan.amount"} <= names
    assert {"bank.client.client_id", "bank.disposition.client_id"} <= names
    assert [found.column for columns in selection.by_table.values() for found in columns] == sorted(
        selection.column_names, key=lambda name: (selection.tables.index(name.rpartition(".")[0]),)
    )
    assert all(0 <= found.score <= 1 for found in selection.columns)
    assert list(selection.scores) == sorted(selection.scores, reverse=True)


def test_rank_gives_tables_with_their_columns(reranker: Reranker) -> None:
    """k bounds the tables, the budget the columns, and each table has a column."""
    for k in (1, 3, 5):
        selection = reranker.rank(BANK.text, k)
        assert isinstance(selection, ColumnSelection)
        assert len(selection.tables) == k
        assert len(selection.columns) == min(12, sum(len(table.columns) for table in selection.schemas))
        assert all(selection.by_table.values())
        assert [match.subquery for match in selection.coverage] == list(selection.probes)


@pytest.mark.parametrize("objective", ["crush", "crush-paper", CrushObjective(), ColumnSearch(similarity="cosine")])
@pytest.mark.parametrize("budget", [1, 5, 30])
def test_the_budget_is_kept(lake_index: Index, objective: object, budget: int) -> None:
    """So many columns, no two alike, whatever the objective."""
    found = Reranker(lake_index, objective=objective).columns(BANK.text, budget)
    assert len(set(found.column_names)) == len(found.columns) == budget
    assert found.budget == budget
    assert found.bound >= found.value - 1e-9


def test_the_answer_is_that_of_enumeration(lake_index: Index) -> None:
    """Over ten candidates, the choice is worth as much as the best of all sets of three."""
    search = ColumnSearch(candidates=10)
    exact = Reranker(lake_index, objective=search).columns(BANK.text, 3)
    oracle = Reranker(lake_index, objective=search, solver="enumerate").columns(BANK.text, 3)
    assert exact.status == "optimal"
    assert exact.value == pytest.approx(oracle.value)


def test_the_paper_is_the_paper(lake_index: Index) -> None:
    """ "crush-paper" is the sweep over entropy-guided similarities of the hundred nearest columns, here by hand."""
    found = Reranker(lake_index, objective="crush-paper").columns(BANK.text, 9, probes=["client.gender", "loan.amount"])
    contents, embedder = lake_index.contents, lake_index.embedder
    cosines = contents.schema_vectors.cosines(embedder(["client.gender", "loan.amount"]))
    near = np.argsort(-cosines.max(axis=0), kind="stable")[:100]
    closeness = (1 + cosines[:, near].astype(np.float64)) / 2
    share = closeness / closeness.sum(axis=1, keepdims=True)
    entropy = -(share * np.log(share)).sum(axis=1)
    similarity = closeness / (1 + np.exp(entropy - entropy.mean()))[:, None]
    owners = contents.owner[near].tolist()
    instance = Instance(np.zeros(len(near)), similarity, np.zeros((len(near),) * 2), 9, groups=owners)
    solution = solve(instance, PAPER_SEARCH.objective, "sweep")
    assert set(found.column_names) == {contents.column_names[near[item]] for item in solution.items}
    assert found.solver == "sweep"


def test_the_source_of_the_probes_is_said(lake_index: Index) -> None:
    """Callers, hallucinators and the question itself: the result says which it was, and a note what was useless."""

    def imagine(question: str) -> str:
        return IMAGINED if "clients" in question else "I cannot know that."

    plain = Reranker(lake_index, objective="crush")
    assert plain.columns(BANK.text).probe_source == "question"
    assert plain.columns(BANK.text, probes=["client.gender"]).probe_source == "caller"
    useless = plain.columns(BANK.text, probes="")
    assert useless.probe_source == "question"
    assert "own words" in useless.notes[0]
    assert useless.column_names == plain.columns(BANK.text).column_names
    with_help = Reranker(lake_index, objective="crush", hallucinator=imagine)
    imagined = with_help.columns(BANK.text)
    assert imagined.probe_source.startswith("callable:")
    assert imagined.probes[0] == "client.client_id"
    assert "imagined no schema" in with_help.columns("How are you?").notes[0]


def test_a_language_model_that_fails_leaves_the_question(lake_index: Index) -> None:
    """The fallback of `SchemaHallucinator` is that of this search: chunks where they stand, and the note says why."""
    from jar.language import SchemaHallucinator

    class Broken:
        def complete(self, messages: object) -> str:
            raise RuntimeError

    found = Reranker(lake_index, objective="crush", hallucinator=SchemaHallucinator(Broken())).columns(BANK.text)
    assert found.probe_source == "question"
    assert "RuntimeError" in found.notes[0]


def test_tables_are_pinned_and_excluded(reranker: Reranker) -> None:
    """A required table has a column, an excluded one has none, and vetoed joins leave the plan."""
    found = reranker.rank(BANK.text, 3, require=["gym.members"], exclude=["bank.client"])
    assert "gym.members" in found.tables
    assert "bank.client" not in found.tables
    join = reranker.columns(BANK.text, probes=IMAGINED).joins[0]
    without = reranker.columns(BANK.text, probes=IMAGINED, forbid_joins=[(join.left, join.right)])
    assert frozenset((join.left, join.right)) not in {frozenset((one.left, one.right)) for one in without.joins}


def test_candidates_of_another_retriever_bound_the_tables(reranker: Reranker) -> None:
    """Only columns of the given tables are chosen."""
    given = ["bank.client", "library.loans", "gym.members"]
    assert set(reranker.rank(BANK.text, 5, candidates=given).tables) <= set(given)


def test_many_questions_give_the_same_answers_as_one_by_one(reranker: Reranker) -> None:
    """A batch changes nothing but the time, with probes for some of the questions."""
    texts = [question.text for question in QUESTIONS]
    probes = [IMAGINED] + [None] * (len(texts) - 1)
    for text, own, together in zip(texts, probes, reranker.rank_many(texts, 3, probes=probes), strict=True):
        alone = reranker.rank(text, 3, probes=own)
        assert alone.tables == together.tables
        assert alone.column_names == together.column_names
    assert reranker.rank_many([], 3) == []


def test_more_columns_than_there_are_gives_all_with_a_note(reranker: Reranker) -> None:
    """A budget beyond the catalog chooses everything and says so."""
    total = len(reranker.index.contents.column_names)
    found = reranker.columns(BANK.text, total + 5)
    assert len(found.columns) == total
    assert f"{total + 5} columns were asked for" in found.notes[0]
    of_one = reranker.rank("loans", 3, candidates=["bank.loan"])
    assert of_one.notes[0] == "12 columns were asked for, there are only 6 candidates in 1 table"
    assert of_one.notes[1] == "3 tables were asked for, there is only 1 with candidates"
    assert len(reranker.columns(BANK.text, np.int64(1)).columns) == 1
    assert "1 column;" in str(reranker.columns(BANK.text, 1))
    assert "at most 2 tables" in Reranker(reranker.index, objective="crush", budget=2).rank(BANK.text, 3).notes[0]


def test_the_prompt_lists_the_chosen_columns_and_the_keys_of_the_joins(reranker: Reranker) -> None:
    """Every column of the prompt is chosen or part of a join, every join names columns that the prompt lists."""
    found = reranker.rank(BANK.text, 4, probes=IMAGINED)
    text = found.to_sql_context()
    keys = {name for join in found.joins for pair in join.conditions for name in pair}
    listed = {line.split()[0].strip(",") for line in text.splitlines() if line.startswith("  ")}
    assert listed == {name.rpartition(".")[2] for name in {*found.column_names, *keys}}
    assert "-- joins" in text


def test_the_prompt_keeps_keys_beside_the_budget() -> None:
    """Primary keys, and declared keys between the tables, though two columns alone were asked for."""
    ddl = """
    CREATE TABLE airport (airport_id INT PRIMARY KEY, city TEXT, opened DATE);
    CREATE TABLE flight (flight_no INT, leg INT, origin INT REFERENCES airport, goal INT REFERENCES airport,
        delay INT, PRIMARY KEY (flight_no, leg));
    """
    index = Index.build(Catalog.from_ddl(ddl, database="d"), embedder="static", progress=False)
    found = Reranker(index, objective="crush").columns("delay of flights by city", 2, require=["airport", "flight"])
    text = found.to_sql_context()
    assert len(found.columns) == 2
    listed = {line.split()[0].strip(",") for line in text.splitlines() if line.startswith("  ")}
    assert listed >= {"airport_id", "flight_no", "leg", "origin", "goal", *(column.name for column in found.columns)}
    assert "opened" not in listed
    assert "PRIMARY KEY (flight_no, leg)" in text


def test_the_text_and_the_dictionary_tell_the_same(reranker: Reranker) -> None:
    """`to_dict` survives JSON, `explain` names each column with its probe, and print shows tables with columns."""
    found = reranker.columns(BANK.text, probes=IMAGINED)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [entry["column"] for entry in plain["columns"]] == list(found.column_names)
    assert plain["probe_source"] == "caller"
    assert plain["joins"][0].keys() >= {"left", "right", "score"}
    for name in found.column_names:
        assert name in found.explain()
    assert "given by the caller" in str(found)
    assert "joins its table" in found.explain()


def test_an_embedder_that_knows_nothing_is_noted(lake: object) -> None:
    """Zeros for a question give an answer and a note."""
    index = Index.build(
        lake, embedder=lambda texts: np.array([[float("é" not in t), 0.1 * ("é" not in t)] for t in texts])
    )
    found = Reranker(index, objective="crush").columns("é", 3)
    assert len(found.columns) == 3
    assert any("no word" in note for note in found.notes)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"question": " "}, "the question is empty"),
        ({"budget": 0}, "whole number from 1"),
        ({"budget": 2.5}, "whole number from 1"),
        ({"probes": [3]}, "probes are"),
        ({"require": ["bank.clint"]}, "did you mean bank.client"),
        ({"require": ["bank.client", "bank.card"], "budget": 1}, "raise k or the budget"),
    ],
    ids=str,
)
def test_bad_input_is_named_with_its_remedy(reranker: Reranker, call: dict[str, object], message: str) -> None:
    """Each unusable argument raises one error that says what is wrong."""
    with pytest.raises(QueryError, match=message):
        reranker.columns(**{"question": BANK.text, **call})


def test_objectives_are_not_mixed_up(lake_index: Index, reranker: Reranker) -> None:
    """Sub-queries belong to tables, probes to columns; unknown names list the known ones."""
    with pytest.raises(QueryError, match="probes="):
        reranker.rank(BANK.text, 3, subqueries=["client"])
    with pytest.raises(QueryError, match="probes="):
        reranker.rank_many([BANK.text], 3, subqueries=[["client"]])
    with pytest.raises(QueryError, match="crush"):
        Reranker(lake_index).rank(BANK.text, 3, probes=["client"])
    with pytest.raises(QueryError, match="'crush-paper'"):
        Reranker(lake_index, objective=["crush"])  # type: ignore[arg-type]
    with pytest.raises(QueryError, match="'crush-paper'"):
        Reranker(lake_index, objective="crash")
    with pytest.raises(QueryError, match="one entry for each"):
        reranker.rank_many([BANK.text], 3, probes=[])
    with pytest.raises(QueryError, match="list of questions"):
        reranker.rank_many(BANK.text, 3)
    with pytest.raises(QueryError, match="no column is left"):
        reranker.columns(BANK.text, exclude=[table.id for table in lake_index.contents.tables])


@pytest.mark.parametrize(
    "parameters",
    [
        {"temperature": 0},
        {"joins": 2},
        {"similarity": "dot"},
        {"candidates": 0},
        {"candidates": 2.5},
        {"consensus": -1},
        {"link": "x"},
        {"objective": "crush"},
    ],
)
def test_parameters_out_of_range_are_refused(parameters: dict[str, object]) -> None:
    """A search that cannot work is not made."""
    with pytest.raises(QueryError, match=next(iter(parameters))):
        ColumnSearch(**parameters)


def test_a_tables_reranker_has_columns_too(lake_index: Index) -> None:
    """`columns` works beside an objective over tables."""
    assert len(Reranker(lake_index, solver="enumerate").columns(BANK.text, 4).columns) == 4


def test_columns_are_found_by_their_descriptions_and_names_in_words() -> None:
    """A comment on an unreadable column, and words that its name runs together, count as its name does; for the paper
    only what is written does, and so it does for a probe that names a database."""
    schema = """
        CREATE TABLE T0412 (C1 INT, C2 TEXT, C3 DATE);
        COMMENT ON COLUMN T0412.C2 IS 'email address of the subscriber';
        CREATE TABLE customer (name TEXT, crdlim NUMERIC, phnnbr TEXT);
    """
    index = Index.build(Catalog.from_ddl(schema, database="firm"), embedder="distilled", progress=False)
    columns = Reranker(index, objective="crush")
    assert columns.columns("email address of the subscriber", 1).column_names == ("firm.T0412.C2",)
    assert columns.columns("phone number", 1).column_names == ("firm.customer.phnnbr",)
    contents, probes = index.contents, ["T0412.email address", "firm.T0412.email address"]
    short, whole = read_probed_questions(index.embedder, ["address"] * 2, [[probe] for probe in probes], None)
    written = [contents.schema_vectors.cosines(stack(probed, question=True)) for probed in (short, whole)]
    read = [column_cosines(contents, probed, DEFAULT_SEARCH) for probed in (short, whole)]
    assert (read[0][0] > written[0][0] + 0.1).any()
    np.testing.assert_allclose(read[1][0], written[1][0], atol=1e-5)
    np.testing.assert_allclose(column_cosines(contents, short, PAPER_SEARCH)[0], written[0][0], atol=1e-5)


def test_a_column_with_a_value_that_the_question_names_is_found() -> None:
    """Whatever it is called; for the paper's search values say nothing, nor for an index that keeps none."""
    staff = pd.DataFrame({"E_NO": range(3), "F_17": ["Germany", "Poland", "Chile"], "NOTE": ["x", "y", "z"]})
    posts = pd.DataFrame({"post": ["clerk", "driver"], "wage": [10, 20]})
    catalog = Catalog.from_frames({"hr.staff": staff, "hr.posts": posts})
    found = {}
    hidden = Reranker(Index.build(catalog, embedder="distilled", progress=False), objective="crush", value=0)
    assert "hr.staff.F_17" not in hidden.columns("What do people from Germany earn?", 2).column_names
    for values in ("hashed", "off"):
        index = Index.build(catalog, embedder="distilled", values=values, progress=False)
        for objective in ("crush", "crush-paper"):
            answer = Reranker(index, objective=objective).columns("What do people from Germany earn?", 2)
            found[values, objective] = "hr.staff.F_17" in answer.column_names
    assert found == {
        ("hashed", "crush"): True,
        ("hashed", "crush-paper"): False,
        ("off", "crush"): False,
        ("off", "crush-paper"): False,
    }


def test_sharded_tables_spend_the_budget_once() -> None:
    """One of a family has columns in the answer, which says that it stands for all; or those that are numbered,
    required or given, whatever chooses the tables."""
    months = [f"shop.orders_20240{month}" for month in range(1, 6)]
    frames = {month: pd.DataFrame({"cust_no": [1, 2], "status": ["open", "sent"]}) for month in months}
    frames["shop.customers"] = pd.DataFrame({"cust_no": [1, 2, 3], "country": ["DE", "FR", "ES"]})
    index = Index.build(Catalog.from_frames(frames), embedder="distilled", progress=False)
    columns = Reranker(index, objective="crush")
    question = "orders of each customer number"
    found = columns.columns(question, 4)
    assert set(found.tables) <= {months[0], "shop.customers"}
    assert found.families == {months[0]: tuple(months)}
    assert "stands for 5 tables" in found.to_sql_context()
    numbered = columns.columns("orders of each customer number in 202403", 4)
    assert set(numbered.tables) <= {months[2], "shop.customers"}
    assert not numbered.families
    assert set(columns.rank(question, 2, candidates=months[1:3]).tables) == set(months[1:3])
    assert months[3] in columns.rank(question, 2, require=[months[3]]).tables
    joint = Reranker(index, objective="jar+crush").rank(question, 2)
    assert set(joint.tables) == {months[0], "shop.customers"}
