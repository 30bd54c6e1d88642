"""PyTerrier: `JarTransformer` retrieves tables for queries, or re-ranks those that a retriever found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jar.adapters.frameworks import from_extra
from jar.adapters.items import KEY, ItemReranker, Place, Size, Source

with from_extra("pyterrier"):
    import pandas as pd
    import pyterrier as pt


class JarTransformer(pt.Transformer):
    """Chooses tables for each query: of the index, where the input has queries, or of the input's rows with a `docno`.

    Its results have `docno`, the table; `score`, 1 / place; `rank`, from 0; and `jar`, a dictionary of `table`, `rank`
    (from 1), `contribution` and `joins`. Other columns stay as they are. A chosen table that no row names gets a row.

    Parameters
    ----------
    index : path, Index or Reranker
        An index file is loaded when the first query comes.
    k : int
        How many tables are chosen for a query.
    id_of : callable, optional
        `docno` to table id, where they differ.
    options
        `database`, `unknown` and the others of `jar.adapters.items.ItemReranker`.
    """

    def __init__(
        self, index: Source, k: Size = 5, *, id_of: Callable[[str], str | None] | None = None, **options: Any
    ) -> None:
        options = {"make": lambda table, statement: table, **options}
        self._items = ItemReranker[str](index, k, id_of=id_of or str, **options)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """A frame of results, query by query in the order in which they came, best first."""
        with pt.validate.any(inp, context=self) as mode:
            mode.result_frame(extra_columns=["query"], mode="rerank")
            mode.query_frame(extra_columns=["query"], mode="retrieve")
        groups: dict[Any, list[int]] = {}
        for row, qid in enumerate(inp["qid"].tolist()):
            groups.setdefault(qid, []).append(row)
        queries, docnos = inp["query"].tolist(), inp["docno"].tolist() if mode.mode == "rerank" else None
        found = [
            (group[max(place.position, 0)], rank, place)
            for group in groups.values()
            for rank, place in enumerate(self._places(queries[group[0]], docnos and [docnos[row] for row in group]))
        ]
        rows = inp.take([row for row, _, _ in found])
        rows.index = pd.RangeIndex(len(rows))
        made = np.array([place.position < 0 for _, _, place in found], dtype=bool)
        if docnos and made.any():
            others = rows.columns.difference(pt.model.query_columns(rows))
            rows[others] = rows[others].mask(np.repeat(made[:, None], len(others), axis=1))
        if docnos is None or made.any():
            rows["docno"] = [place.item for _, _, place in found]
        rows["score"] = np.array([place.score for _, _, place in found], dtype=float)
        rows["rank"] = np.array([rank for _, rank, _ in found], dtype=int)
        rows[KEY] = np.array([place.metadata for _, _, place in found], dtype=object)
        return rows

    def _places(self, query: str, docnos: list[str] | None) -> tuple[Place[str], ...]:
        return (self._items.retrieve(query) if docnos is None else self._items.rerank(query, docnos)).places

    def __repr__(self) -> str:
        return f"JarTransformer({self._items.source!r}, {self._items.k})"
