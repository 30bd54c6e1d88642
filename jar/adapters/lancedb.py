"""LanceDB: `JarReranker`, for rows that describe tables, found by vector, full-text or hybrid search."""

from __future__ import annotations

from typing import Any

from jar.adapters.frameworks import from_extra
from jar.adapters.items import KEY, ItemReranker, Size, Source
from jar.errors import QueryError

with from_extra("lancedb"):
    import pyarrow as pa
    from lancedb.rerankers import Reranker as LanceReranker

OF_THE_SEARCH = ("_distance", "_score")
TOLD = {"table": pa.string(), "rank": pa.int32(), "contribution": pa.float64(), "joins": pa.list_(pa.string())}


class JarReranker(LanceReranker):
    """Returns the rows of the tables that together answer a question, best first.

    It adds the columns `_relevance_score`, 1 / place, and `_jar` with `table`, `rank`, `contribution` and `joins`.

    Parameters
    ----------
    index : path, Index or Reranker
        An index file is loaded when the first question comes.
    k : int
        How many tables are chosen, among those that the search returns: its `limit` has to be greater.
    column : str
        The column that names the table.
    text : str, optional
        Takes the CREATE TABLE statement of a chosen table that no row names, else null; None for no such rows.
    return_score : "relevance" or "all"
        Whether the scores of the search, `_distance` and `_score`, are dropped or kept.
    options
        `database`, `unknown` and the others of `jar.adapters.items.ItemReranker`.
    """

    def __init__(
        self,
        index: Source,
        k: Size = 5,
        *,
        column: str = "table",
        text: str | None = "text",
        return_score: str = "relevance",
        **options: Any,
    ) -> None:
        super().__init__(return_score)
        self.column = column
        make = None if text is None else lambda table, statement: {text: statement, column: table}
        self._items = ItemReranker[dict[str, Any]](index, k, id_of=lambda row: row[column], make=make, **options)

    def rerank_vector(self, query: str, vector_results: pa.Table) -> pa.Table:
        """Rerank what a vector search found."""
        return self._reranked(query, vector_results)

    def rerank_fts(self, query: Any, fts_results: pa.Table) -> pa.Table:
        """Rerank what a full-text search found."""
        return self._reranked(query, fts_results)

    def rerank_hybrid(self, query: Any, vector_results: pa.Table, fts_results: pa.Table) -> pa.Table:
        """Rerank what either search found; a row that both found counts once."""
        return self._reranked(query, self.merge_results(vector_results, fts_results))

    def _reranked(self, query: Any, found: pa.Table) -> pa.Table:
        """Rerank rows; of LanceDB's query objects, the text that they search for is the question."""
        if self.column not in found.column_names:
            raise QueryError(f"no column {self.column!r}: JarReranker(column=...) is one of {found.column_names}")
        places = self._items.rerank(getattr(query, "query", query), found.select([self.column]).to_pylist()).places
        made = [place.item for place in places if place.position < 0]
        numbers = iter(range(len(found), len(found) + len(made)))
        order = [next(numbers) if place.position < 0 else place.position for place in places]
        rows = pa.concat_tables([found, pa.Table.from_pylist(made, found.schema)]) if made else found
        rows = rows.take(pa.array(order, pa.int64()))
        if self.score == "relevance":
            rows = rows.drop_columns([name for name in OF_THE_SEARCH if name in rows.column_names])
        rows = rows.append_column("_relevance_score", pa.array([place.score for place in places], pa.float32()))
        return rows.append_column(f"_{KEY}", pa.array([place.metadata for place in places], pa.struct(TOLD)))
