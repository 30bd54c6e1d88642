"""PyTerrier: `JarTransformer` retrieves tables for queries, or re-ranks those that a retriever found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jar.adapters.frameworks import from_extra
from jar.adapters.items import KEY, ItemReranker, Place, Source

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
        self, index: Source, k: int = 5, *, id_of: Callable[[str], str | None] | None = None, **options: Any
    ) -> None:
        options = {"make": lambda table, statement: table, **options}
        self._items = ItemReranker[str](index, k, id_of=id_of or str, **options)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """A frame of results, query by query in the order in which they came, best first."""
        with pt.validate.any(inp, context=self) as mode:
            mode.result_frame(extra_columns=["query"], mode="rerank")
            mode.query_frame(extra_columns=["query"], mode="retrieve")
        answer = self._reranked if mode.mode == "rerank" else self._retrieved
        empty = inp.iloc[:0].assign(docno="", score=0.0, rank=0, **{KEY: None})
        groups = [answer(group) for _, group in inp.groupby("qid", sort=False)]
        return pd.concat(groups or [empty], ignore_index=True)

    def _retrieved(self, group: pd.DataFrame) -> pd.DataFrame:
        places = self._items.retrieve(group["query"].iloc[0]).places
        return _written(group.iloc[[0] * len(places)], places)

    def _reranked(self, group: pd.DataFrame) -> pd.DataFrame:
        places = self._items.rerank(group["query"].iloc[0], group["docno"]).places
        rows = group.reset_index(drop=True).reindex([place.position for place in places])
        asked = pt.model.query_columns(group)
        return _written(rows.assign(**group.iloc[0][asked]), places)

    def __repr__(self) -> str:
        return f"JarTransformer({self._items.source!r}, {self._items.k})"


def _written(rows: pd.DataFrame, places: tuple[Place[str], ...]) -> pd.DataFrame:
    """The rows of places, with the columns of a result."""
    docnos, scores = [place.item for place in places], [place.score for place in places]
    told = np.array([place.metadata for place in places], dtype=object)
    return rows.assign(docno=docnos, score=scores, rank=range(len(places)), **{KEY: told})
