"""Sentence Transformers: `JarCrossEncoder`, for code that calls `CrossEncoder.rank`; neither it nor torch is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jar.adapters.items import ItemReranker, Size, Source, possible_names


class JarCrossEncoder:
    """Ranks texts that describe tables, as a `CrossEncoder` does: those of the chosen tables first.

    Parameters
    ----------
    index : path, Index or Reranker
        An index file is loaded when the first question comes.
    k : int
        How many tables are chosen where `rank` gets no `top_k`.
    id_of : callable
        Document to table id, by default the name with which the text begins.
    options
        `database`, `unknown` and the others of `jar.adapters.items.ItemReranker`.
    """

    def __init__(
        self, index: Source, k: Size = 5, *, id_of: Callable[[Any], Any] = possible_names, **options: Any
    ) -> None:
        self._items = ItemReranker[Any](index, k, id_of=id_of, **options)

    def rank(
        self,
        query: str,
        documents: Sequence[Any],
        top_k: int | None = None,
        return_documents: bool = False,
        prompt_name: str | None = None,
        prompt: str | None = None,
        batch_size: int = 32,
        show_progress_bar: bool | None = None,
        activation_fn: Callable[..., Any] | None = None,
        device: Any = None,
        pool: dict[str, Any] | None = None,
        chunk_size: int | None = None,
    ) -> list[dict[str, Any]]:
        """Choose tables, and list the documents: `corpus_id`, `score`, which is 1 / place, and `text` if asked for.

        With `top_k` that many tables are chosen and that many documents come, the first of each table before a second.
        Without, all documents come, those of the k chosen tables first. The parameters after `return_documents` are
        those of a neural model, and mean nothing here.

        Raises `QueryError` as `Reranker.rank` does.
        """
        places = self._items.rerank(query, documents, top_k, limit=top_k, rest=True).places
        texts = [{"text": place.item} if return_documents else {} for place in places]
        return [{"corpus_id": at.position, "score": at.score, **text} for at, text in zip(places, texts, strict=True)]

    def predict(self, inputs: Any, **options: Any) -> Any:
        """Raises `NotImplementedError`: what a document is worth depends on the others."""
        raise NotImplementedError("jar chooses a set of tables: one alone has no score; use rank(query, documents)")
