"""LangChain: `JarCompressor`, which re-ranks documents that describe tables, and `JarRetriever`, which finds them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from jar.adapters.frameworks import from_extra
from jar.adapters.items import KEY, ItemReranker, Size, Source, from_metadata

with from_extra("langchain"):
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import BaseDocumentCompressor, Document
    from langchain_core.retrievers import BaseRetriever, RetrieverLike
    from pydantic import PrivateAttr


class JarCompressor(BaseDocumentCompressor):
    """Returns the documents of the tables that together answer a question, best first, as copies.

    The metadata of a copy have two more keys: `relevance_score`, 1 / place, and `jar`, with `table`, `rank`,
    `contribution` and `joins`. A chosen table that no document names gets one: its CREATE TABLE statement.

    Parameters
    ----------
    index : path, Index or Reranker
        An index file is loaded when the first question comes.
    k : int
        How many tables are chosen; a table may have several documents.
    id_of : str or callable
        The key of the metadata that holds a document's table, or a function of the document.
    options
        `database`, `unknown` and the others of `jar.adapters.items.ItemReranker`.
    """

    _items: ItemReranker[Document] = PrivateAttr()

    def __init__(
        self, index: Source, k: Size = 5, *, id_of: str | Callable[[Document], str | None] = "table", **options: Any
    ) -> None:
        super().__init__()
        options = {"make": partial(_document, id_of if isinstance(id_of, str) else "table"), **options}
        self._items = ItemReranker(index, k, id_of=from_metadata(id_of), **options)

    def compress_documents(self, documents: Sequence[Document], query: str, callbacks: Any = None) -> list[Document]:
        """The documents of the chosen tables."""
        return self.answer(query, documents)

    def answer(self, query: str, documents: Sequence[Document] | None) -> list[Document]:
        """The same; without documents, CREATE TABLE statements of the tables that the index itself proposes."""
        places = (self._items.retrieve(query) if documents is None else self._items.rerank(query, documents)).places
        metadata = [{**at.item.metadata, "relevance_score": at.score, KEY: at.metadata} for at in places]
        return [at.item.model_copy(update={"metadata": more}) for at, more in zip(places, metadata, strict=True)]


class JarRetriever(BaseRetriever):
    """A `JarCompressor` behind another retriever, or on tables that the index itself proposes where none is given."""

    retriever: RetrieverLike | None = None
    _compressor: JarCompressor = PrivateAttr()

    def __init__(self, index: Source, k: Size = 5, *, retriever: RetrieverLike | None = None, **options: Any) -> None:
        super().__init__()
        self.retriever, self._compressor = retriever, JarCompressor(index, k, **options)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.retriever.invoke(query, {"callbacks": run_manager.get_child()}) if self.retriever else None
        return self._compressor.answer(query, found)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = await self.retriever.ainvoke(query, {"callbacks": run_manager.get_child()}) if self.retriever else None
        return await asyncio.to_thread(self._compressor.answer, query, found)


def _document(key: str, table: str, statement: str) -> Document:
    return Document(statement, metadata={key: table})
