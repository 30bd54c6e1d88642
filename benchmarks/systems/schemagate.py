"""Other packages that choose tables for a question, as they come."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.systems.rows import Answers, MissingSystemError, Setting


def schemagate(embedding: str) -> Callable[[Setting, Sequence[int]], Answers]:
    """schemagate's selection of K tables: BM25 in three fields fused with an embedding, named things covered.

    What it adds beyond K by following declared keys has no place among K, so it is not asked to. The embedding is
    "hashed", its own n-grams, or "setting": that of the others, which is what its Hugging Face embedder would be.
    """

    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        catalog = _schemagate_catalog(setting, embedding)
        chosen: dict[int, list[Sequence[str]]] = {k: [] for k in sizes}
        for question in setting.dataset.questions:
            for k in sizes:
                chosen[k].append(catalog.select(question.text, top_k=k, expand_fks=False).table_names[:k])
        return Answers(chosen)

    return answer


def _schemagate_catalog(setting: Setting, embedding: str) -> Any:
    """The corpus in schemagate's own form: names, types and declared keys."""
    try:
        os.environ.setdefault("SCHEMAGATE_AUTO_EMBEDDER", "0")
        from schemagate import Catalog
        from schemagate.embedder import HashingEmbedder
        from schemagate.models import Column, ForeignKey, ObjectDoc
    except ImportError as error:
        raise MissingSystemError('this system needs schemagate: pip install "jar-rerank[benchmark]"') from error
    made = Catalog(embedder=HashingEmbedder() if embedding == "hashed" else _Lent(setting))
    name_of = {table.id: table.name for table in setting.dataset.catalog}
    for table in setting.dataset.catalog:
        made.add(
            ObjectDoc(
                name=table.name,
                schema=table.database,
                columns=[Column(column.name, column.type or "TEXT") for column in table.columns],
                foreign_keys=[
                    ForeignKey(list(key.columns), name_of[key.target], list(key.target_columns))
                    for key in table.foreign_keys
                    if key.target in name_of
                ],
            )
        )
    made.index()
    return made


class _Lent:
    """The embedder of the setting under schemagate's interface."""

    def __init__(self, setting: Setting) -> None:
        self._embedder = setting.embedder
        self.name = setting.embedder.name
        self.dim = setting.embedder(["width"]).shape[1]

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors of texts, as lists."""
        rows: list[list[float]] = self._embedder(list(texts)).tolist()
        return rows
