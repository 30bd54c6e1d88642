"""The PyTerrier transformer ranks as the re-ranker does, in both modes, and as PyTerrier expects of a transformer."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from jar import Index, QueryError, Reranker

pt = pytest.importorskip("pyterrier", reason='PyTerrier is not installed: pip install "jar-rerank[pyterrier]"')
from jar.adapters.pyterrier import JarTransformer  # noqa: E402 - after the question whether PyTerrier is there

QUESTION = "Which clients have loans?"
TABLES = ("library.loans", "bank.loan", "retail.loyalty_cards", "bank.client", "bank.disposition", "bank.card")
BOOKS = "Which members have borrowed books of poetry?"
SHELVES = ("library.members", "library.loans", "library.books")
QUERIES = pd.DataFrame({"qid": ["q2", "q1"], "query": [QUESTION, BOOKS]})


def results(text: str = "a text") -> pd.DataFrame:
    """What a retriever found for the two queries."""
    found = {"q2": (QUESTION, TABLES), "q1": (BOOKS, SHELVES)}
    rows = [
        {"qid": qid, "query": query, "docno": docno, "docid": 100 + place, "text": f"{text} {place}"}
        for qid, (query, tables) in found.items()
        for place, docno in enumerate(tables)
    ]
    frame = pd.DataFrame(rows).assign(score=0.5)
    return pt.model.add_ranks(frame)


def test_the_rows_of_the_chosen_tables_come_in_the_order_of_the_answer(lake_index: Index) -> None:
    """Each query has its own; what is not score, rank or `jar` stays, and so does what was given."""
    given = results()
    ranked = JarTransformer(lake_index, 3)(given)
    reranker = Reranker(lake_index)
    for qid, query, tables in (("q2", QUESTION, TABLES), ("q1", BOOKS, SHELVES)):
        answer, rows = reranker.rank(query, 3, candidates=tables), ranked[ranked["qid"] == qid]
        assert list(rows["docno"]) == list(answer.tables)
        assert list(rows["score"]) == [1, 1 / 2, 1 / 3]
        assert list(rows["rank"]) == [0, 1, 2]
        assert [told["contribution"] for told in rows["jar"]] == list(answer.scores)
        before = given[given["qid"] == qid].set_index("docno").loc[list(answer.tables)].reset_index()
        kept = ["qid", "query", "docno", "docid", "text"]
        pd.testing.assert_frame_equal(rows[kept].reset_index(drop=True), before[kept])
    assert list(ranked["qid"]) == ["q2"] * 3 + ["q1"] * 3
    pd.testing.assert_frame_equal(given, results())


def test_queries_alone_are_answered_from_the_index(lake_index: Index) -> None:
    """The columns of a query stand in each of its rows."""
    ranked = JarTransformer(lake_index, 3)(QUERIES.assign(topic=["money", "verse"]))
    answer = Reranker(lake_index).rank(QUESTION, 3)
    first = ranked[ranked["qid"] == "q2"]
    assert list(first["docno"]) == list(answer.tables)
    assert list(first["score"]) == [1, 1 / 2, 1 / 3]
    assert set(first["topic"]) == {"money"}
    assert set(first["query"]) == {QUESTION}


def test_it_takes_its_place_in_pipelines(lake_index: Index) -> None:
    """After a retriever, before a cut-off, over lists of dictionaries, and for one query."""
    transformer = JarTransformer(lake_index, 3)
    retriever = pt.Transformer.from_df(results())
    answer = Reranker(lake_index).rank(QUESTION, 3, candidates=TABLES)
    pipeline = retriever >> transformer % 2
    assert list(pipeline(QUERIES[:1])["docno"]) == list(answer.tables[:2])
    assert [row["docno"] for row in transformer(results().to_dict("records"))][:3] == list(answer.tables)
    assert list(transformer.search(QUESTION)["docno"]) == list(Reranker(lake_index).rank(QUESTION, 3).tables)


def test_an_experiment_compares_it(lake_index: Index) -> None:
    """PyTerrier's own evaluation reads the scores and ranks."""
    relevant = pd.DataFrame({"qid": "q2", "docno": ["bank.client", "bank.loan", "bank.disposition"], "label": 1})
    systems = [pt.Transformer.from_df(results()), JarTransformer(lake_index, 3)]
    table = pt.Experiment(systems, QUERIES[:1], relevant, ["P_3"], names=["retriever", "jar"])
    answer = Reranker(lake_index).rank(QUESTION, 3)
    expected = len(set(answer.tables) & set(relevant["docno"])) / 3
    assert table.set_index("name")["P_3"]["jar"] == pytest.approx(expected)


def test_passages_of_a_table_count_once(lake_index: Index) -> None:
    """`id_of` reads the table from the docno; the passages of a chosen table stay together."""
    given = results()
    passages = pd.concat([given.assign(docno=given["docno"] + f"%p{number}") for number in range(2)])
    ranked = JarTransformer(lake_index, 3, id_of=lambda docno: docno.partition("%p")[0])(passages)
    answer = Reranker(lake_index).rank(QUESTION, 3, candidates=TABLES)
    expected = [f"{table}%p{number}" for table in answer.tables for number in range(2)]
    assert list(ranked[ranked["qid"] == "q2"]["docno"]) == expected


def test_a_chosen_table_without_a_row_gets_one(lake_index: Index) -> None:
    """It has the columns of the query, and no text."""
    ranked = JarTransformer(lake_index, 3, require=["bank.account"])(results())
    made = ranked[ranked["docno"] == "bank.account"]
    assert list(made["query"]) == [QUESTION, BOOKS]
    assert made["text"].isna().all()
    assert list(ranked["rank"]) == [0, 1, 2] * 2


def test_a_row_of_no_table_is_an_error_or_left_out(lake_index: Index) -> None:
    """As the caller wants."""
    given = results().replace({"docno": {"library.books": "elsewhere"}})
    with pytest.raises(QueryError, match="elsewhere"):
        JarTransformer(lake_index)(given)
    assert "elsewhere" not in set(JarTransformer(lake_index, unknown="skip")(given)["docno"])


@pytest.mark.parametrize("columns", [["qid", "query"], ["qid", "query", "docno", "score", "rank", "text"]])
def test_no_rows_give_a_result_without_rows(lake_index: Index, columns: list[str]) -> None:
    """Its columns are those of every result, as PyTerrier finds out what a transformer gives by asking so."""
    ranked = JarTransformer(lake_index)(pd.DataFrame(columns=columns))
    assert len(ranked) == 0
    assert list(ranked.columns) == list(dict.fromkeys([*columns, "docno", "score", "rank", "jar"]))


def test_pyterrier_finds_out_what_it_takes(lake_index: Index) -> None:
    """Both modes are told to PyTerrier's inspection, and other input is its own error."""
    transformer = JarTransformer(lake_index)
    inputs: list[Any] = pt.inspect.transformer_inputs(transformer)
    assert {frozenset(columns) for columns in inputs} == {
        frozenset({"qid", "query"}),
        frozenset({"qid", "query", "docno"}),
    }
    with pytest.raises(pt.validate.InputValidationError):
        transformer(pd.DataFrame({"docno": ["bank.loan"]}))


def test_nothing_needs_java(lake_index: Index) -> None:
    """A question was answered, and no Java machine was started."""
    JarTransformer(lake_index).search(QUESTION)
    assert not pt.java.started()
