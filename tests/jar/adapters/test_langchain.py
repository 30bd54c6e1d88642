"""LangChain's own objects call the adapter, sync and async."""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path

import pytest

from jar import Index, QueryError, Reranker

pytest.importorskip("langchain_core", reason='langchain-core is not installed: pip install "jar-rerank[langchain]"')

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda

from jar.adapters.langchain import JarCompressor, JarRetriever

QUESTION = "Which clients have loans?"
TABLES = ["library.loans", "bank.loan", "retail.loyalty_cards", "bank.client", "bank.disposition", "bank.card"]


class Found(BaseRetriever):
    """A retriever that finds given documents."""

    documents: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return self.documents


def documents() -> list[Document]:
    """A document for each table."""
    return [Document(f"about {table}", id=str(n), metadata={"table": table, "n": n}) for n, table in enumerate(TABLES)]


def tables(found: list[Document]) -> list[str]:
    """What documents are about."""
    return [document.metadata["table"] for document in found]


def test_a_compressor_returns_copies_in_the_order_of_the_answer(lake_index: Index) -> None:
    """Text, id and metadata are those that came; the given documents are as they were."""
    given = documents()
    found = JarCompressor(lake_index, k=3).compress_documents(given, QUESTION)
    answer = Reranker(lake_index).rank(QUESTION, 3, candidates=TABLES)
    assert tables(found) == list(answer.tables)
    assert given == documents()
    for document, score in zip(found, answer.scores, strict=True):
        origin = given[document.metadata["n"]]
        assert document is not origin
        assert (document.page_content, document.id) == (origin.page_content, origin.id)
        assert document.metadata["jar"]["contribution"] == score
    assert [document.metadata["relevance_score"] for document in found] == [1, 1 / 2, 1 / 3]


def test_sync_and_async_agree(lake_index: Index) -> None:
    """Compressor and retriever, alone, in a chain and in a batch."""
    compressor = JarCompressor(lake_index, k=3)
    expected = compressor.compress_documents(documents(), QUESTION)
    assert asyncio.run(compressor.acompress_documents(documents(), QUESTION)) == expected
    for retriever in (JarRetriever(lake_index, k=3, retriever=Found(documents=documents())), JarRetriever(lake_index)):
        found = retriever.invoke(QUESTION)
        assert asyncio.run(retriever.ainvoke(QUESTION)) == found
        assert retriever.batch([QUESTION, QUESTION]) == [found, found]
        assert (retriever | RunnableLambda(tables)).invoke(QUESTION) == tables(found)
    assert JarRetriever(lake_index, k=3, retriever=Found(documents=documents())).invoke(QUESTION) == expected


def test_a_retriever_alone_finds_what_the_index_proposes(lake_index: Index) -> None:
    """Its documents are statements, with the same metadata."""
    found = JarRetriever(lake_index, k=4).invoke(QUESTION)
    answer = Reranker(lake_index).rank(QUESTION, 4)
    assert tables(found) == list(answer.tables)
    assert all(document.page_content.startswith("CREATE TABLE ") for document in found)
    assert [document.metadata["jar"]["contribution"] for document in found] == list(answer.scores)


def test_as_many_as_the_question_needs(lake_index: Index) -> None:
    """With k="auto", of the index and of what another retriever finds."""
    needed = Reranker(lake_index).rank(QUESTION, "auto").tables
    assert tables(JarRetriever(lake_index, k="auto").invoke(QUESTION)) == list(needed)
    found = JarRetriever(lake_index, k="auto", retriever=Found(documents=documents())).invoke(QUESTION)
    assert 0 < len(found) < len(TABLES)
    with pytest.raises(QueryError, match="a number of tables"):
        JarRetriever(lake_index, k=0)


def test_the_other_retriever_sees_the_callbacks_of_the_run(lake_index: Index) -> None:
    """Tracing shows it as a child."""
    from langchain_core.callbacks import BaseCallbackHandler

    class Starts(BaseCallbackHandler):
        def __init__(self) -> None:
            self.parents: list[object] = []

        def on_retriever_start(self, *args: object, **kwargs: object) -> None:
            self.parents.append(kwargs["parent_run_id"])

    starts = Starts()
    retriever = JarRetriever(lake_index, retriever=Found(documents=documents()))
    retriever.invoke(QUESTION, {"callbacks": [starts]})
    assert len(starts.parents) == 2
    assert starts.parents[0] is None
    assert starts.parents[1] is not None


def test_a_user_says_how_documents_name_tables(lake_index: Index) -> None:
    """Another key, a function, bare names of a database, foreign documents, required tables."""
    alone = Reranker(lake_index, expand=0)
    bare = [Document("", metadata={"name": name}) for name in ("loan", "client")]
    found = JarCompressor(alone, id_of="name", database="bank", require=["bank.card"]).compress_documents(
        bare, QUESTION
    )
    assert sorted(document.metadata["name"] for document in found) == ["card", "client", "loan"]
    texts = [Document("bank.loan"), Document("bank.client"), Document("release notes")]
    by_text = JarCompressor(alone, id_of=lambda document: document.page_content, unknown="skip")
    assert {document.page_content for document in by_text.compress_documents(texts, QUESTION)} == {
        "bank.loan",
        "bank.client",
    }
    with pytest.raises(QueryError, match=r"names no table.*'table' was looked for in its metadata, which has no key"):
        JarCompressor(lake_index).compress_documents(texts, QUESTION)
    named = [Document("loans", metadata={"tbl": "bank.loan", "n": 1})]
    with pytest.raises(QueryError, match="'table' was looked for in its metadata, which has 'tbl', 'n'"):
        JarCompressor(lake_index).compress_documents(named, QUESTION)
    assert JarCompressor(lake_index).compress_documents([], QUESTION) == []


def test_it_is_pickled_by_the_path_of_the_index(shop: Path) -> None:
    """Where a key of the metadata names the tables, before and after it has answered."""
    retriever = JarRetriever(shop / "shop.jar", k=3)
    documents = retriever.invoke("Which clients have loans?")
    assert pickle.loads(pickle.dumps(retriever)).invoke("Which clients have loans?") == documents
