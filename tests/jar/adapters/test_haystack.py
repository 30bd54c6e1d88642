"""The Haystack component ranks documents as the re-ranker does, and keeps what they hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jar import Index, QueryError, Reranker

haystack = pytest.importorskip("haystack", reason='Haystack is not installed: pip install "jar-rerank[haystack]"')
from jar.adapters.haystack import JarRanker  # noqa: E402 - needs Haystack

QUESTION = "Which clients have loans?"
TABLES = ("library.loans", "bank.loan", "retail.loyalty_cards", "bank.client", "bank.disposition", "bank.card")


def documents(*tables: str) -> list[Any]:
    """Documents whose metadata name their tables."""
    return [
        haystack.Document(content=f"text {place}", meta={"table": table, "owner": place}, score=0.1)
        for place, table in enumerate(tables)
    ]


def test_the_documents_of_the_chosen_tables_come_in_the_order_of_the_answer(lake_index: Index) -> None:
    """They are copies with a new score and one new key; what was given stays as it was."""
    given = documents(*TABLES)
    result = JarRanker(lake_index, 3).run(QUESTION, given)
    answer = Reranker(lake_index).rank(QUESTION, 3, candidates=TABLES)
    ranked = result["documents"]
    assert [document.meta["table"] for document in ranked] == list(answer.tables)
    assert [document.score for document in ranked] == [1, 1 / 2, 1 / 3]
    assert [document.meta["jar"]["contribution"] for document in ranked] == list(answer.scores)
    for document in ranked:
        before = given[TABLES.index(document.meta["table"])]
        assert (document.id, document.content) == (before.id, before.content)
        assert {**before.meta, "jar": document.meta["jar"]} == document.meta
    assert given == documents(*TABLES)


def test_joins_and_sql_context_are_outputs_of_their_own(lake_index: Index) -> None:
    """They say what the selection says."""
    result = JarRanker(lake_index, 3).run(QUESTION, documents(*TABLES))
    answer = Reranker(lake_index).rank(QUESTION, 3, candidates=TABLES)
    assert result["joins"] == [join.condition for join in answer.joins] != []
    assert result["sql_context"] == answer.to_sql_context()


def test_a_call_may_ask_for_another_number_of_tables(lake_index: Index) -> None:
    """`top_k` of a call wins over that of the component."""
    ranker = JarRanker(lake_index, 3)
    assert len(ranker.run(QUESTION, documents(*TABLES), top_k=2)["documents"]) == 2


def test_another_key_may_name_the_tables(lake_index: Index) -> None:
    """Of the document that was given, and of one that is made."""
    given = [haystack.Document(content="text", meta={"of": table}) for table in TABLES]
    ranked = JarRanker(lake_index, 3, meta_field="of", require=["bank.account"]).run(QUESTION, given)["documents"]
    assert "bank.account" in {document.meta["of"] for document in ranked}


def test_a_chosen_table_without_a_document_gets_one(lake_index: Index) -> None:
    """It holds the statement that makes the table."""
    ranker = JarRanker(lake_index, 3, require=["bank.account"])
    ranked = ranker.run(QUESTION, documents(*TABLES))["documents"]
    made = next(document for document in ranked if document.meta["table"] == "bank.account")
    assert made.content.startswith("CREATE TABLE account (")
    assert made.meta["jar"]["table"] == "bank.account"


def test_no_documents_give_no_documents(lake_index: Index) -> None:
    """Nothing found is no error."""
    assert JarRanker(lake_index).run(QUESTION, []) == {"documents": [], "sql_context": "", "joins": []}


def test_a_pipeline_runs_saves_and_loads_it(shop: Path) -> None:
    """A saved pipeline holds the path of the index and the settings, and gives the same answer when it is loaded."""
    pipeline = haystack.Pipeline()
    options: dict[str, Any] = {"unknown": "skip", "exclude": ["bank.card"]}
    pipeline.add_component("ranker", JarRanker(str(shop / "shop.jar"), 3, **options))
    inputs = {"ranker": {"query": QUESTION, "documents": documents(*TABLES, "elsewhere.table")}}
    result = pipeline.run(inputs)
    assert len(result["ranker"]["documents"]) == 3
    loaded = haystack.Pipeline.loads(pipeline.dumps(), allowed_modules=["jar"])
    assert loaded == pipeline
    assert loaded.run(inputs) == result


def test_the_index_is_loaded_in_warm_up(tmp_path: Path) -> None:
    """A component of a file that is not there yet can be made, but not warmed up."""
    ranker = JarRanker(tmp_path / "later.jar")
    with pytest.raises(FileNotFoundError):
        ranker.warm_up()


def test_only_a_path_can_be_saved(lake_index: Index) -> None:
    """The error says what to give."""
    with pytest.raises(QueryError, match="path of an index"):
        JarRanker(Reranker(lake_index)).to_dict()


def test_options_are_checked_when_it_is_made() -> None:
    """Those of the prompt, too; a function may read the documents."""
    for options, said in (
        ({"sql_context": {"tokens": 3}}, "sql_context has no 'tokens'"),
        ({"databse": "bank"}, "no option 'databse'"),
    ):
        with pytest.raises(QueryError, match=said):
            JarRanker("none.jar", **options)
    assert JarRanker("none.jar", id_of=lambda document: document.id) is not None
