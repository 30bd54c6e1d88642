"""LlamaIndex's own objects call the adapter: its SQL query engine, and whatever takes node postprocessors."""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path
from typing import Any

import pytest

from jar import Catalog, Index, QueryError, Reranker
from jar.sample import sample_frames

pytest.importorskip("llama_index.core", reason='LlamaIndex is not installed: pip install "jar-rerank[llama-index]"')

from llama_index.core import MockEmbedding, Settings, SQLDatabase
from llama_index.core.indices.struct_store.sql_query import SQLTableRetrieverQueryEngine
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode
from sqlalchemy import create_engine

from jar.adapters.llama_index import JarPostprocessor, JarTableRetriever

QUESTION = "Which clients have loans?"
TABLES = ["library.loans", "bank.loan", "retail.loyalty_cards", "bank.client", "bank.disposition", "bank.card"]


class Recorder(CustomLLM):
    """A model that keeps its prompts and answers with one query."""

    prompts: list[str]

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    def complete(self, prompt: str, formatted: bool = False, **options: Any) -> CompletionResponse:
        self.prompts.append(prompt)
        return CompletionResponse(text="SELECT count(*) FROM loan")

    def stream_complete(self, prompt: str, formatted: bool = False, **options: Any) -> Any:
        yield self.complete(prompt)


def nodes() -> list[NodeWithScore]:
    """A node for each table, with a score that falls."""
    texts = [TextNode(id_=table, text=f"about {table}", metadata={"name": table}) for table in TABLES]
    return [NodeWithScore(node=node, score=1 - place / 10) for place, node in enumerate(texts)]


def test_a_postprocessor_returns_copies_in_the_order_of_the_answer(lake_index: Index) -> None:
    """Text, id and metadata are those that came; what it tells is hidden from models; given nodes are as they were."""
    given = nodes()
    found = JarPostprocessor(lake_index, k=3).postprocess_nodes(given, query_str=QUESTION)
    answer = Reranker(lake_index).rank(QUESTION, 3, candidates=TABLES)
    assert [node.node_id for node in found] == list(answer.tables)
    assert given == nodes()
    assert [node.score for node in found] == [1, 1 / 2, 1 / 3]
    for node, score in zip(found, answer.scores, strict=True):
        assert node.metadata["jar"]["contribution"] == score
        assert node.text == f"about {node.node_id}"
        for mode in (MetadataMode.LLM, MetadataMode.EMBED):
            assert node.get_content(mode) == f"name: {node.node_id}\n\nabout {node.node_id}"


def test_sync_and_async_agree(lake_index: Index) -> None:
    """Of both classes, by text and by query bundle."""
    step, tables = JarPostprocessor(lake_index, k=3), JarTableRetriever(lake_index, k=3)
    found = step.postprocess_nodes(nodes(), QueryBundle(QUESTION))
    assert asyncio.run(step.apostprocess_nodes(nodes(), query_str=QUESTION)) == found
    assert (
        asyncio.run(tables.aretrieve(QUESTION)) == tables.retrieve(QueryBundle(QUESTION)) == tables.retrieve(QUESTION)
    )


def test_the_query_engine_tells_its_model_the_joins(
    lake_index: Index, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prompt has the chosen tables and their joins by the names of the database, and no other table."""
    tables = JarTableRetriever(lake_index, k=3, database="bank", require=["bank.disposition"])
    bank, model = SQLDatabase(create_engine(f"sqlite:///{shop / 'bank.sqlite'}")), Recorder(prompts=[])
    monkeypatch.setattr(Settings, "_embed_model", MockEmbedding(embed_dim=8))
    engine = SQLTableRetrieverQueryEngine(bank, tables, llm=model, synthesize_response=False)
    result = engine.query(QUESTION).metadata["result"]
    chosen = tables.retrieve(QUESTION)
    (prompt,) = model.prompts
    for table in chosen:
        assert f"Table '{table.table_name}' has columns" in prompt
    assert prompt.count("has columns") == len(chosen) == 3
    assert any(table.context_str and table.context_str in prompt for table in chosen)
    assert result == bank.run_sql("SELECT count(*) FROM loan")[1]["result"]


def test_names_need_no_database_where_there_is_one(tmp_path: Path) -> None:
    """The tables of an index with one database have the names that they have there."""
    frames = {name: frame for name, frame in sample_frames(rows=60).items() if name.startswith("bank.")}
    index = Index.build(Catalog.from_frames(frames), embedder=lambda texts: [[1.0, 0.0]] * len(texts), progress=False)
    found = JarTableRetriever(index, k=3, require=["bank.client", "bank.disposition"]).retrieve(QUESTION)
    assert {"client", "disposition"} < {table.table_name for table in found}
    by_name = {table.table_name: table.context_str or "" for table in found}
    assert "client.client_id" in by_name["client"]
    assert "bank." not in by_name["client"]
    bare = [NodeWithScore(node=TextNode(text="", metadata={"name": name})) for name in ("loan", "client", "district")]
    assert len(JarPostprocessor(index, k=2).postprocess_nodes(bare, query_str=QUESTION)) == 2


def test_a_postprocessor_needs_the_question(lake_index: Index) -> None:
    """LlamaIndex may call it without one."""
    with pytest.raises(QueryError, match="query_str=question"):
        JarPostprocessor(lake_index).postprocess_nodes(nodes())
    assert JarPostprocessor(lake_index).postprocess_nodes([], query_str=QUESTION) == []


def test_a_chosen_table_without_a_node_gets_one(lake_index: Index) -> None:
    """Its statement, under the same key."""
    step = JarPostprocessor(lake_index, k=3, id_of="name", require=["bank.account"])
    (made,) = [node for node in step.postprocess_nodes(nodes(), query_str=QUESTION) if node.node_id not in TABLES]
    assert made.metadata["name"] == "bank.account"
    assert made.text.startswith("CREATE TABLE account (")


def test_what_is_hidden_is_hidden_once(lake_index: Index) -> None:
    """Of nodes that pass twice, too; and the postprocessor is pickled."""
    step = JarPostprocessor(lake_index, k=3)
    twice = step.postprocess_nodes(step.postprocess_nodes(nodes(), query_str=QUESTION), query_str=QUESTION)
    assert all(node.node.excluded_llm_metadata_keys.count("jar") == 1 for node in twice)
    assert all(node.node.excluded_embed_metadata_keys.count("jar") == 1 for node in twice)
    assert isinstance(pickle.loads(pickle.dumps(JarPostprocessor("shop.jar"))), JarPostprocessor)


def test_the_table_retriever_says_which_options_it_has(lake_index: Index) -> None:
    """It reads no items, so that there is nothing to name or to make."""
    for name in ("id_of", "make", "score_of"):
        with pytest.raises(QueryError, match=f"no option '{name}' here; there are database, exclude"):
            JarTableRetriever(lake_index, **{name: str})
