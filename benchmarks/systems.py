"""The systems that are compared: a registry with a row for each.

A system is asked for the tables of every question at every size K, since the best set of two tables need not be part of
the best set of five. Its name may end in "+given" or "+default", which says where the sub-queries come from: the data
set, or the decomposition of `jar`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from benchmarks.datasets import Dataset
from formulations import JarObjective
from jar import Index, Reranker
from jar.embedding import Embedder
from jar.relevance import retrieve

Decomposition = Literal["default", "given"]
DECOMPOSITIONS: tuple[Decomposition, ...] = ("default", "given")


@dataclass(frozen=True)
class Setting:
    """What a system works with.

    Attributes
    ----------
    dataset : Dataset
        Its questions are answered.
    index : Index
        Over the corpus, with the join score of the paper.
    embedder : Embedder
    decomposition : "default" or "given"
    candidates : int
        How many tables the first stage proposes.
    solver : str
    """

    dataset: Dataset
    index: Index
    embedder: Embedder
    decomposition: Decomposition = "default"
    candidates: int = 20
    solver: str = "exact"


@dataclass(frozen=True)
class Answers:
    """Tables by size and question, and what else a system reports of its run."""

    tables: dict[int, list[Sequence[str]]]
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SystemRow:
    """A row of the registry.

    Attributes
    ----------
    name, summary : str
    answer : callable
        From a setting and the sizes to the answers.
    decomposes : bool
        Whether sub-queries matter to it.
    """

    name: str
    summary: str
    answer: Callable[[Setting, Sequence[int]], Answers]
    decomposes: bool = False


class UnknownSystemError(ValueError):
    """A system that is not in the registry, or a decomposition that there is none of."""


def find_system(
    name: str, decomposition: Decomposition = "default", registry: Mapping[str, SystemRow] | None = None
) -> tuple[SystemRow, Decomposition]:
    """The row of a system, and the decomposition that its name asks for, or else the given one.

    Parameters
    ----------
    registry : mapping, optional
        The systems that choose columns, say; by default those that choose tables.

    Raises
    ------
    UnknownSystemError
        When there is none of that name; the message lists the names.
    """
    known = SYSTEMS if registry is None else registry
    stem, _, ending = name.partition("+")
    if stem not in known:
        raise UnknownSystemError(f"unknown system {name!r}: choose among {', '.join(known)}")
    row = known[stem]
    if not ending:
        return row, decomposition
    if not row.decomposes or ending not in DECOMPOSITIONS:
        endings = " or ".join(f"{stem}+{kind}" for kind in DECOMPOSITIONS) if row.decomposes else stem
        raise UnknownSystemError(f"unknown system {name!r}: did you mean {endings}?")
    return row, "given" if ending == "given" else "default"


def _oracle(setting: Setting, sizes: Sequence[int]) -> Answers:
    """The best that any system can do when it has to name K tables: the gold tables, as many as fit."""
    gold = [sorted(question.gold_tables) for question in setting.dataset.questions]
    return Answers({k: [tables[:k] for tables in gold] for k in sizes})


def _dense(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Cosine of the question and the words "database table column column": the baseline of the papers."""
    catalog, questions = setting.dataset.catalog, setting.dataset.questions
    names = [table.id for table in catalog]
    texts = [" ".join([table.database, table.name, *table.column_names]) for table in catalog]
    cosines = setting.embedder([question.text for question in questions]) @ setting.embedder(texts).T
    order = np.argsort(-cosines, axis=1, kind="stable")[:, : max(sizes)]
    ranked = [[names[position] for position in row] for row in order]
    return Answers({k: [tables[:k] for tables in ranked] for k in sizes})


def _retriever(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Cosine of the question and the text of the package: the order in which candidates reach the re-ranker."""
    contents = setting.index.contents
    vectors = setting.embedder([question.text for question in setting.dataset.questions])
    ranked = [[contents.tables[found].id for found in retrieve(contents, vector, max(sizes))] for vector in vectors]
    return Answers({k: [tables[:k] for tables in ranked] for k in sizes})


def _paper(connect: Literal["require", "ignore"], *, trust_declared: bool) -> Callable[..., Answers]:
    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        objective = JarObjective(**asdict(setting.dataset.weights), connect=connect)
        answers = _rank(setting, sizes, objective, score="paper", trust_declared=trust_declared)
        return Answers(answers.tables, answers.details | {"weights": asdict(setting.dataset.weights)})

    return answer


def _package(setting: Setting, sizes: Sequence[int]) -> Answers:
    return _rank(setting, sizes, "jar", score="default")


def _rank(
    setting: Setting,
    sizes: Sequence[int],
    objective: str | JarObjective,
    *,
    score: str | None = None,
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
    statuses = {f"@{k}": dict(Counter(found.status for found in chosen)) for k, chosen in selections.items()}
    return Answers(
        {k: [found.tables for found in chosen] for k, chosen in selections.items()},
        {"statuses": statuses},
    )


SYSTEMS: dict[str, SystemRow] = {
    row.name: row
    for row in (
        SystemRow("oracle", "the best possible with K tables", _oracle),
        SystemRow("dense", "embedding of question against plain words of the table (baseline)", _dense),
        SystemRow("retriever", "the package's first stage: question against signature of the table", _retriever),
        SystemRow("jar-d", "JAR without joins", _paper("ignore", trust_declared=False), decomposes=True),
        SystemRow("jar-f", "JAR, joins from contents", _paper("require", trust_declared=False), decomposes=True),
        SystemRow("jar-g", "JAR, declared keys trusted", _paper("require", trust_declared=True), decomposes=True),
        SystemRow("jar", "the package as it comes: its weights, its join score", _package, decomposes=True),
    )
}
