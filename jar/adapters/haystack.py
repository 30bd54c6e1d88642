"""Haystack: `JarRanker`, a component that chooses tables among documents, with their joins and SQL context."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from jar.adapters.frameworks import from_extra
from jar.adapters.items import KEY, ItemReranker, Size, Source
from jar.answers.sql_prompt import check_form
from jar.errors import QueryError

with from_extra("haystack"):
    from haystack import Document, component, default_to_dict


@component
class JarRanker:
    """Returns the documents of the tables that together answer a question, best first, as copies.

    A document's `score` is 1 / place, and its `meta["jar"]` has `table`, `rank`, `contribution` and `joins`. A chosen
    table that no document names gets a document of its own: its CREATE TABLE statement.

    Parameters
    ----------
    index : path, Index or Reranker
        Loaded by `warm_up`, or by the first question. A saved pipeline holds the path.
    top_k : int
        How many tables are chosen; a table may have several documents.
    meta_field : str
        The key of `meta` that names the table.
    sql_context : dict, optional
        Arguments of `Selection.to_sql_context`.
    options
        `database`, `unknown` and the others of `jar.adapters.items.ItemReranker`.
    """

    def __init__(
        self,
        index: Source,
        top_k: Size = 5,
        *,
        meta_field: str = "table",
        sql_context: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self._init = {"top_k": top_k, "meta_field": meta_field, "sql_context": sql_context or {}, **options}

        check_form(sql_context or {})

        def make(table: str, statement: str) -> Document:
            return Document(content=statement, meta={meta_field: table})

        options = {"make": make, "id_of": lambda found: found.meta.get(meta_field), **options}
        self._items = ItemReranker[Document](index, top_k, **options)

    def warm_up(self) -> None:
        """Load the index and its embedder."""
        self._items.reranker  # noqa: B018 - loads both

    @component.output_types(documents=list[Document], sql_context=str, joins=list[str])  # type: ignore[untyped-decorator]
    def run(self, query: str, documents: list[Document], top_k: int | None = None) -> dict[str, Any]:
        """The documents of the chosen tables, these tables as SQL for a prompt, and the conditions of their joins."""
        answer = self._items.rerank(query, documents, top_k)
        kept = [replace(at.item, score=at.score, meta={**at.item.meta, KEY: at.metadata}) for at in answer.places]
        if answer.selection is None:
            return {"documents": kept, "sql_context": "", "joins": []}
        context = answer.selection.to_sql_context(**self._init["sql_context"])
        return {"documents": kept, "sql_context": context, "joins": [join.condition for join in answer.selection.joins]}

    def to_dict(self) -> dict[str, Any]:
        """What a saved pipeline holds. Raises `QueryError` where no path was given: only that can be saved."""
        if not isinstance(self._items.source, (str, Path)):
            raise QueryError('only the path of an index can be saved: JarRanker("shop.jar")')
        return dict(default_to_dict(self, index=self._items.path, **self._init))
