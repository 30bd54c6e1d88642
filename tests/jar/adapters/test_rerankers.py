"""The rerankers library makes and calls the adapter."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from jar import Index, QueryError
from jar import Reranker as JarReranker

QUESTION = "Which clients have loans?"
TABLES = ["library.loans", "bank.loan", "retail.loyalty_cards", "bank.client", "bank.disposition", "bank.card"]


@pytest.fixture(scope="module")
def library() -> SimpleNamespace:
    """What the tests use of it: only the worker that runs them imports it, for it takes ten seconds to load."""
    pytest.importorskip("rerankers", reason='rerankers is not installed: pip install "jar-rerank[rerankers]"')
    from rerankers import Document, Reranker

    from jar.adapters.rerankers import JarRanker

    return SimpleNamespace(Document=Document, Reranker=Reranker, JarRanker=JarRanker)


def test_the_library_makes_one_by_its_name(
    library: SimpleNamespace, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model is an index file; options pass through; all documents come, those of the chosen tables first."""
    ranker = library.Reranker(str(shop / "shop.jar"), model_type="jar", verbose=0, k=3)
    assert isinstance(ranker, library.JarRanker)
    results = ranker.rank(QUESTION, [f"{table}: what it holds" for table in TABLES])
    answer = JarReranker(Index.load(shop / "shop.jar")).rank(QUESTION, 3, candidates=TABLES)
    assert [TABLES[result.doc_id] for result in results.top_k(3)] == list(answer.tables)
    assert sorted(result.doc_id for result in results) == list(range(len(TABLES)))
    assert [result.rank for result in results] == [1, 2, 3, 4, 5, 6]
    assert [result.score for result in results] == [1 / rank for rank in range(1, 7)]
    assert [result.jar["contribution"] for result in results.top_k(3)] == list(answer.scores)
    assert capsys.readouterr().out == ""


def test_documents_are_named_by_id_or_by_text(library: SimpleNamespace, lake_index: Index) -> None:
    """A text as id counts, of a list of texts as of documents; given documents are as they were."""
    ranker = library.JarRanker(lake_index, k=3)
    by_id = ranker.rank(QUESTION, ["..."] * 6, doc_ids=TABLES)
    documents = [library.Document("...", doc_id=table, metadata={"page": 1}) for table in TABLES]
    results = ranker.rank(QUESTION, documents)
    assert [result.doc_id for result in results] == [result.doc_id for result in by_id]
    assert [document.metadata for document in documents] == [{"page": 1}] * 6
    assert results[0].metadata["page"] == 1
    assert results.get_score_by_docid(results[1].doc_id) == 0.5
    of_metadata = library.JarRanker(lake_index, id_of=lambda document: document.metadata["table"], database="bank")
    assert of_metadata.rank(QUESTION, library.Document("...", metadata={"table": "loan"})).results_count() == 1


def test_async_agrees(library: SimpleNamespace, lake_index: Index) -> None:
    """The library runs it in a thread."""
    ranker = library.JarRanker(lake_index)
    results = asyncio.run(ranker.rank_async(QUESTION, TABLES))
    assert [result.doc_id for result in results] == [result.doc_id for result in ranker.rank(QUESTION, TABLES)]


def test_what_cannot_be_ranked(library: SimpleNamespace, lake_index: Index) -> None:
    """Foreign documents are an error or come last; no documents are no error; one alone has no score."""
    with pytest.raises(QueryError, match="no table 'release'"):
        library.JarRanker(lake_index).rank(QUESTION, ["release notes", *TABLES])
    results = library.JarRanker(lake_index, unknown="skip").rank(QUESTION, ["release notes", *TABLES])
    assert [result.text for result in results][5:].count("release notes") == 1
    assert library.JarRanker(lake_index).rank(QUESTION, []).results_count() == 0
    with pytest.raises(NotImplementedError, match="a set of tables"):
        library.JarRanker(lake_index).score(QUESTION, "bank.loan")


def test_an_image_names_no_table_unless_a_user_says_how(library: SimpleNamespace, lake_index: Index) -> None:
    """Its document has no text to begin with one."""
    images = [library.Document(document_type="image", base64="AAAA", doc_id=place) for place in range(2)]
    with pytest.raises(QueryError, match="a candidate names no table; say how items name their tables"):
        library.JarRanker(lake_index, k=1).rank(QUESTION, images)
    tables = ["bank.loan", "bank.client"]
    named = library.JarRanker(lake_index, k=2, id_of=lambda document: tables[int(document.doc_id)])
    assert len(list(named.rank(QUESTION, images))) == 2
