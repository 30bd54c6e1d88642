"""JAR by this package: the rows of the paper, and the package as it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Literal

from benchmarks.systems.first_stage import RETRIEVERS
from benchmarks.systems.rows import Answers, Outcome, Setting, UnknownSystemError
from formulations import JarObjective
from jar import Reranker
from jar.rerank import DEFAULT_OBJECTIVE


def paper(connect: Literal["require", "ignore"], *, trust_declared: bool) -> Callable[..., Answers]:
    """JAR with the paper's weights for the data set, and its join score unless the setting has another."""

    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        objective = JarObjective(**asdict(setting.dataset.weights), connect=setting.connect or connect)
        answers = _rank(setting, sizes, objective, setting.score or "paper", trust_declared=trust_declared)
        return replace(answers, details={"weights": asdict(setting.dataset.weights)})

    return answer


def package(setting: Setting, sizes: Sequence[int]) -> Answers:
    """`Reranker(index)` with its own weights and join score."""
    objective = DEFAULT_OBJECTIVE if setting.connect is None else replace(DEFAULT_OBJECTIVE, connect=setting.connect)
    return _rank(setting, sizes, objective, setting.score or "default")


def _rank(
    setting: Setting,
    sizes: Sequence[int],
    objective: JarObjective,
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
    if setting.retriever == "dense":
        selections = {k: reranker.rank_many(texts, k, subqueries=subqueries) for k in sizes}
    else:
        found = RETRIEVERS[setting.retriever](setting, max(setting.candidates, *sizes))
        given = [None] * len(texts) if subqueries is None else subqueries
        selections = {
            k: [
                reranker.rank(text, k, candidates=candidates or None, subqueries=parts)
                for text, candidates, parts in zip(texts, found, given, strict=True)
            ]
            for k in sizes
        }
    return Answers(
        {k: [found.tables for found in chosen] for k, chosen in selections.items()},
        outcomes={
            k: [Outcome(found.seconds, found.status, found.gap) for found in chosen] for k, chosen in selections.items()
        },
    )
