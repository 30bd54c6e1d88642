"""Late interaction as a ranking of tables, and as the relevance of the re-ranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.systems.rows import Answers, Setting
from jar.late import LateHead, LateRelevance, add_token_vectors
from jar.tables.relevance import retrieve

LATE = "late"
"""The name of this relevance among the settings."""


def late_relevance(setting: Setting, trained: bool = True) -> LateRelevance:
    """Late interaction over the index of a setting, which gets token vectors where it has none; by the maps of the
    package, or untrained."""
    add_token_vectors(setting.index)
    head = None if trained else LateHead.untrained(int(setting.index.contents.meta["dimension"]))
    return LateRelevance(setting.index, head, embedder=setting.embedder)


def late(trained: bool = True) -> Callable[[Setting, Sequence[int]], Answers]:
    """All tables by late interaction with the question."""

    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        relevance, tables = late_relevance(setting, trained), setting.index.contents.tables
        ranked = [
            [tables[table].id for table in retrieve(relevance.tables(question.text), max(sizes))]
            for question in setting.dataset.questions
        ]
        return Answers({k: [best[:k] for best in ranked] for k in sizes})

    return answer
