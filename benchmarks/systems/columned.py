"""Tables by way of columns: CRUSH alone, and CRUSH with JAR."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.systems.rows import Answers, Outcome, Setting, given_subqueries
from jar import Reranker


def tables_of_columns(objective: str) -> Callable[[Setting, Sequence[int]], Answers]:
    """The tables of `Reranker` with an objective that compares columns with probes.

    Probes, and the sub-queries of "jar+crush", are parts of the question, or those of the data set where its
    decomposition is "given": "concept:attribute" is the probe "concept.attribute".
    """

    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        questions = setting.dataset.questions
        subqueries = given_subqueries(setting)
        probes = (
            None
            if subqueries is None
            else [[part.replace(":", ".") for part in parts_of_question] for parts_of_question in subqueries]
        )
        reranker = Reranker(
            setting.index,
            objective,
            setting.solver,
            candidates=setting.candidates,
            embedder=setting.embedder,
            score=setting.score or "default",
        )
        parts = subqueries if objective == "jar+crush" else None
        texts = [question.text for question in questions]
        chosen = reranker.rank_sizes(texts, sizes, subqueries=parts, probes=probes)
        return Answers(
            {k: [selection.tables for selection in selections] for k, selections in chosen.items()},
            outcomes={
                k: [Outcome(selection.seconds, selection.status, selection.gap) for selection in selections]
                for k, selections in chosen.items()
            },
        )

    return answer
