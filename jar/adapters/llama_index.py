"""LlamaIndex: `JarPostprocessor` for nodes that describe tables, `JarTableRetriever` for its SQL query engine."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from jar.adapters.frameworks import from_extra
from jar.adapters.items import KEY, OPTIONS, ItemReranker, Place, Size, Source, check_options, from_metadata
from jar.errors import QueryError

with from_extra("llama-index"):
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.objects import SQLTableSchema
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, QueryBundle, QueryType, TextNode


class JarPostprocessor(BaseNodePostprocessor):
    """Returns the nodes of the tables that together answer a question, best first, as copies.

    A node's score is 1 / place. Its metadata have one more key, which no model sees: `jar`, with `table`, `rank`,
    `contribution` and `joins`. A chosen table that no node names gets one: its CREATE TABLE statement.

    Parameters
    ----------
    index : path, Index or Reranker
        An index file is loaded when the first question comes.
    k : int
        How many tables are chosen; a table may have several nodes.
    id_of : str or callable
        The key of the metadata that holds a node's table, by default that of `SQLTableNodeMapping`, or a function.
    options
        `database`, `unknown` and the others of `jar.adapters.items.ItemReranker`.
    """

    _items: ItemReranker[NodeWithScore] = PrivateAttr()

    def __init__(self, index: Source, k: Size = 5, *, id_of: Any = "name", **options: Any) -> None:
        super().__init__()
        options = {"make": partial(_node, id_of if isinstance(id_of, str) else "name"), **options}
        self._items = ItemReranker(index, k, id_of=from_metadata(id_of), **options)

    def _postprocess_nodes(self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None) -> Any:
        if query_bundle is None:
            raise QueryError("the question is missing: postprocess_nodes(nodes, query_str=question)")
        return [_copy(place) for place in self._items.rerank(query_bundle.query_str, nodes).places]


class JarTableRetriever:
    """The `table_retriever` of a `SQLTableRetrieverQueryEngine`: the tables of a question, with their joins as context.

    Options: `database`, the one to query where there are several, `require`, `exclude`, `forbid_joins`, `time_limit`.
    """

    def __init__(self, index: Source, k: Size = 5, **options: Any) -> None:
        checked = check_options(options, {*OPTIONS, "database"})
        self._items = ItemReranker[str](index, k, id_of=str, make=lambda table, sql: table, **checked)

    def retrieve(self, query: QueryType) -> list[SQLTableSchema]:
        """The chosen tables, best first."""
        places = self._items.retrieve(query.query_str if isinstance(query, QueryBundle) else query).places
        contexts = [f"joins: {'; '.join(at.metadata['joins'])}" if at.metadata["joins"] else None for at in places]
        return [SQLTableSchema(table_name=at.item, context_str=text) for at, text in zip(places, contexts, strict=True)]

    async def aretrieve(self, query: QueryType) -> list[SQLTableSchema]:
        """The same, in a thread."""
        return await asyncio.to_thread(self.retrieve, query)


def _node(key: str, table: str, sql: str) -> NodeWithScore:
    return NodeWithScore(node=TextNode(text=sql, metadata={key: table}))


def _copy(place: Place[NodeWithScore]) -> NodeWithScore:
    node, hidden = place.item.node, ("excluded_llm_metadata_keys", "excluded_embed_metadata_keys")
    more: dict[str, Any] = {keys: list(dict.fromkeys([*getattr(node, keys), KEY])) for keys in hidden}
    more |= {"metadata": {**node.metadata, KEY: place.metadata}}
    return NodeWithScore(node=node.model_copy(update=more), score=place.score)
