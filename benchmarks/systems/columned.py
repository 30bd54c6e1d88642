"""Tables by way of columns: CRUSH alone, and CRUSH with JAR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.systems.rows import Answers, Setting, given_subqueries
from jar import Reranker


def tables_of_columns(objective: str) -> Callable[[Setting, Sequence[int]], Answers]:
    """The tables of `Reranker` with an objective that compares columns with probes.

    Probes, and the sub-queries of "jar+crush", are parts of the question, or those of the data set where its
    decomposition is "given": "concept:attribute" is the probe "concept.attribute".
    """

    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        texts = [question.text for question in setting.dataset.questions]
        subqueries = given_subqueries(setting)
        probes = None if subqueries is None else [[part.replace(":", ".") for part in parts] for parts in subqueries]
        score = setting.score or "default"
        options: dict[str, Any] = {"candidates": setting.candidates, "embedder": setting.embedder, "score": score}
        reranker = Reranker(setting.index, objective, setting.solver, **options)
        parts = subqueries if objective == "jar+crush" else None
        return Answers.of_selections(reranker.rank_sizes(texts, sizes, subqueries=parts, probes=probes))

    return answer
