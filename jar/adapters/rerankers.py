"""The rerankers library: `JarRanker`, which `rerankers.Reranker("shop.jar", model_type="jar")` makes once imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from jar.adapters.frameworks import from_extra
from jar.adapters.items import KEY, ItemReranker, Place, Size, Source, possible_names

with from_extra("rerankers"):
    from rerankers.documents import Document
    from rerankers.models import AVAILABLE_RANKERS
    from rerankers.models.ranker import BaseRanker
    from rerankers.results import RankedResults, Result
    from rerankers.utils import prep_docs

IdOf = Callable[[Document], Any]


def table_of(document: Document) -> str | tuple[str, ...]:
    """The id of a document where it is a text, else what the document's text begins with; an image names no table."""
    return document.doc_id if isinstance(document.doc_id, str) else possible_names(document.text)


class JarRanker(BaseRanker):
    """Puts the documents of the tables that together answer a question first, and the others behind, as they came.

    A result's score is 1 / its rank. The metadata of the documents of chosen tables, which are copies, have one more
    key: `jar`, with `table`, `rank`, `contribution` and `joins`.

    Parameters
    ----------
    index : path, Index or Reranker
        An index file is loaded when the first question comes.
    verbose : int
        As rerankers passes it; nothing is printed.
    k : int
        How many tables are chosen; a table may have several documents.
    id_of : callable
        Document to table id.
    options
        `database`, `unknown` and the others of `jar.adapters.items.ItemReranker`.
    """

    def __init__(self, index: Source, verbose: int = 0, *, k: Size = 5, id_of: IdOf = table_of, **options: Any) -> None:
        self._items = ItemReranker[Document](index, k, id_of=id_of, **options)

    def rank(
        self,
        query: str,
        docs: str | Document | Sequence[str | Document],
        doc_ids: Sequence[str | int] | None = None,
        metadata: Sequence[dict[str, Any]] | None = None,
    ) -> RankedResults:
        """All documents in their new order. Raises `QueryError` as `Reranker.rank` does."""
        listed = docs if isinstance(docs, (str, Document)) else list(docs)
        given = prep_docs(listed, doc_ids, metadata) if listed else []
        places = self._items.rerank(query, given, rest=True).places
        results = [Result(_told(place), place.score, rank) for rank, place in enumerate(places, 1)]
        return RankedResults(results, query, has_scores=True)

    def score(self, query: str, doc: str) -> float:
        """Raises `NotImplementedError`: what a document is worth depends on the others."""
        raise NotImplementedError("jar chooses a set of tables: one alone has no score; use rank(query, docs)")


def _told(place: Place[Document]) -> Document:
    if not place.metadata:
        return place.item
    document = copy(place.item)
    document.metadata = {**document.metadata, KEY: place.metadata}
    return document


AVAILABLE_RANKERS["jar"] = JarRanker
