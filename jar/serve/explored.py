"""Questions that were asked of a server: the last ones are kept, so that a wish needs no second ranking."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from jar.adapters.lazy_reranker import LazyReranker
from jar.page.answer_model import answer_model, set_model
from jar.page.wishes import Wish
from jar.serve.graph_model import DRAWN, graph_model

if TYPE_CHECKING:
    from jar.index.index import Index
    from jar.page.exploration import Exploration
    from jar.rerank import Reranker
    from jar.sizes.sizing import Size
    from joinability import JoinGraph

KEPT = 32
"""Questions that are kept."""


class Explored:
    """An index, the last questions asked of it, and its join graph; all anew where its file changes.

    Many threads may ask at once.
    """

    def __init__(self, index_file: str) -> None:
        self._file, self._lazy = index_file, LazyReranker(index_file, follow=True)
        self._kept: OrderedDict[tuple[Any, ...], Exploration] = OrderedDict()
        self._graph: tuple[Any, JoinGraph, dict[str, Any]] | None = None
        self._lock = threading.Lock()

    @property
    def reranker(self) -> Reranker:
        """A re-ranker over the index as its file is now; `FileNotFoundError` where that is gone."""
        if not os.path.exists(self._file):
            raise FileNotFoundError(f"the index file {self._file} is gone: make it anew with `jar index`")
        return self._lazy.reranker

    @property
    def index(self) -> Index:
        """The index as its file is now."""
        return self.reranker.index

    def exploration(
        self,
        question: str,
        k: Size | None,
        require: tuple[str, ...] = (),
        exclude: tuple[str, ...] = (),
        *,
        recall: float | None = None,
    ) -> Exploration:
        """The answer to a question, kept from before or found.

        What is kept holds the contents of its index, so that these are told by their identity.
        """
        reranker = self.reranker
        asked = (id(reranker.index.contents), question, k, require, exclude, recall)
        with self._lock:
            if asked in self._kept:
                self._kept.move_to_end(asked)
                return self._kept[asked]
        found = reranker.explore(question, k, require=require, exclude=exclude, recall=recall)
        with self._lock:
            self._kept[asked] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def answer(self, exploration: Exploration, *, whole: bool) -> dict[str, Any]:
        """The model of an answer; with all sets under wishes where it shall be `whole`."""
        return exploration.model() if whole else answer_model(exploration, {})

    def wished(self, exploration: Exploration, wish: Wish) -> dict[str, Any]:
        """The best set under one wish."""
        return set_model(exploration, wish)

    def graph(self) -> JoinGraph:
        """The joins that are drawn."""
        return self._drawn()[1]

    def picture(self) -> dict[str, Any]:
        """The join graph with the places of its tables."""
        return self._drawn()[2]

    def _drawn(self) -> tuple[Any, JoinGraph, dict[str, Any]]:
        index = self.index
        contents, drawn = index.contents, self._graph
        if drawn is None or drawn[0] is not contents:
            graph = index.join_graph(DRAWN)
            database = {table.id: table.database for table in contents.tables}
            picture = graph_model(graph, [database[table] for table in graph.tables])
            drawn = self._graph = (contents, graph, picture)
        return drawn
