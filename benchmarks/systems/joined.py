"""JAR by this package: the rows of the paper, and the package as it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Literal

from benchmarks.systems.rows import Answers, Outcome, Setting, UnknownSystemError
from formulations import JarObjective
from jar import Reranker


def paper(connect: Literal["require", "ignore"], *, trust_declared: bool) -> Callable[..., Answers]:
    """JAR with the paper's weights for the data set, and its join score unless the setting has another."""

    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        objective = JarObjective(**asdict(setting.dataset.weights), connect=connect)
        answers = _rank(setting, sizes, objective, setting.score or "paper", trust_declared=trust_declared)
        return replace(answers, details={"weights": asdict(setting.dataset.weights)})

    return answer


def package(setting: Setting, sizes: Sequence[int]) -> Answers:
    """`Reranker(index)` with its own weights and join score."""
    return _rank(setting, sizes, "jar", setting.score or "default")


def _rank(
    setting: Setting,
    sizes: Sequence[int],
    objective: str | JarObjective,
    score: str,
    *,
    trust_declared: bool | None = None,
) -> Answers:
    questions = setting.dataset.questions
    subqueries: list[tuple[str, ...] | None] | None = None
    if setting.decomposition == "given":
        subqueries = [question.subqueries for question in questions]
        if None in subqueries:
            raise UnknownSystemError(
                f"the data set {setting.dataset.name!r} comes without decompositions; run the system without +given"
            )
    reranker = Reranker(
        setting.index,
        objective,
        setting.solver,
        candidates=setting.candidates,
        embedder=setting.embedder,
        score=score,
        trust_declared=trust_declared,
    )
    texts = [question.text for question in questions]
    selections = {k: reranker.rank_many(texts, k, subqueries=subqueries) for k in sizes}
    return Answers(
        {k: [found.tables for found in chosen] for k, chosen in selections.items()},
        outcomes={
            k: [Outcome(found.seconds, found.status, found.gap) for found in chosen] for k, chosen in selections.items()
        },
    )
