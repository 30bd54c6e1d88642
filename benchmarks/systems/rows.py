"""What a system is: a setting to work in, answers, and a row of the registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.refusal import RefusalError
from jar import Index
from jar.text.embedding import Embedder

Decomposition = Literal["default", "given"]
Connect = Literal["require", "prefer", "ignore"]
Switch = Literal["on", "off"]
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
    score : str or None
        The join score, where the system does not say it itself.
    connect : str or None
        What the objective says of connectedness, where the system does not say it itself.
    words : "on", "off" or None
        Whether shared words count for the relevance of a table, where the system does not say it itself.
    databases : "on", "off" or None
        Whether the best table of its database counts, likewise.
    retriever : str or None
        Another first stage than the re-ranker's own: a key of `benchmarks.systems.first_stage.RETRIEVERS`.
    """

    dataset: Dataset
    index: Index
    embedder: Embedder
    decomposition: Decomposition = "default"
    candidates: int = 20
    solver: str = "exact"
    score: str | None = None
    connect: Connect | None = None
    words: Switch | None = None
    databases: Switch | None = None
    retriever: str | None = None


@dataclass(frozen=True)
class Outcome:
    """How one question was answered at one size.

    Attributes
    ----------
    seconds : float or None
        Wall time of the answer without the embedding of the question; None where questions are answered together.
    status : str or None
        What the solver says.
    gap : float or None
        Proven relative gap, 0 at the optimum.
    """

    seconds: float | None = None
    status: str | None = None
    gap: float | None = None


@dataclass(frozen=True)
class Answers:
    """Tables by size and question, and what else a system reports of its run.

    Attributes
    ----------
    tables : dict
        Size to the items of each question, best first; columns for a system that chooses columns.
    details : dict
        What the line of results shall have beside the metrics.
    outcomes : dict
        Size to the outcome of each question, for the sizes where it is known.
    """

    tables: dict[int, list[Sequence[str]]]
    details: dict[str, Any] = field(default_factory=dict)
    outcomes: dict[int, list[Outcome]] = field(default_factory=dict)


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
    joins : bool
        Whether it takes a join score, a solver, a demand on connectedness and another first stage.
    """

    name: str
    summary: str
    answer: Callable[[Setting, Sequence[int]], Answers]
    decomposes: bool = False
    joins: bool = False


class UnknownSystemError(RefusalError, ValueError):
    """A system that is not in the registry, or that does not take what its name asks for."""


class MissingSystemError(RefusalError, ImportError):
    """A system whose package is not installed."""


def given_subqueries(setting: Setting) -> list[tuple[str, ...]] | None:
    """The sub-queries that come with the questions, where the decomposition is "given"; else None.

    Raises
    ------
    UnknownSystemError
        When the data set has none.
    """
    if setting.decomposition != "given":
        return None
    subqueries = [question.subqueries for question in setting.dataset.questions]
    complete = [parts for parts in subqueries if parts is not None]
    if len(complete) < len(subqueries):
        raise UnknownSystemError(
            f"the data set {setting.dataset.name!r} comes without decompositions; run the system without +given"
        )
    return complete
