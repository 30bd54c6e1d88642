"""What a system is: a setting to work in, answers, and a row of the registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.refusal import RefusalError
from jar import Index, Selection
from jar.text.embedding import Embedder

Decomposition = Literal["default", "given"]
Connect = Literal["require", "prefer", "ignore"]
Switch = Literal["on", "off"]
DECOMPOSITIONS: tuple[Decomposition, ...] = ("default", "given")


@dataclass(frozen=True)
class Setting:
    """What a system works with: the questions, the index over the corpus with the join score of the paper, and so on.

    `candidates` is how many tables the first stage proposes. What is None is as the system has it: the join `score`,
    whether sets must `connect`, whether shared `words` and the best table of a database (`databases`) count for the
    relevance of a table, whether `values` that the question names do, whether the `pool` grows with the database and
    takes in join neighbours (for the default number of candidates), the first stage (`retriever`, a key of
    `benchmarks.systems.first_stage.RETRIEVERS`), whether join neighbours of its tables `expand` these, and `relevance`:
    whether the log-odds of the relevance model count beside the terms of the objective ("learned") or do not
    ("cosine"), or late interaction scores tables and columns ("late").
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
    values: Switch | None = None
    pool: Switch | None = None
    retriever: str | None = None
    expand: Switch | None = None
    relevance: Literal["cosine", "learned", "late"] | None = None


@dataclass(frozen=True)
class Outcome:
    """How one question was answered at one size: seconds, what the solver says, and the proven relative gap.

    Seconds are those of the answer without the embedding of the question; None where questions are answered together.
    """

    seconds: float | None = None
    status: str | None = None
    gap: float | None = None


@dataclass(frozen=True)
class Answers:
    """Tables by size and question, best first (columns for a system that chooses columns), and what else is known.

    `details` are for the line of results beside the metrics; `outcomes` are those of each question, for the sizes where
    they are known.
    """

    tables: dict[int, list[Sequence[str]]]
    details: dict[str, Any] = field(default_factory=dict)
    outcomes: dict[int, list[Outcome]] = field(default_factory=dict)

    @classmethod
    def of_selections(cls, selections: dict[int, list[Selection]]) -> Answers:
        """What a re-ranker answered, by size."""
        return cls(
            {k: [selection.tables for selection in chosen] for k, chosen in selections.items()},
            outcomes={
                k: [Outcome(selection.seconds, selection.status, selection.gap) for selection in chosen]
                for k, chosen in selections.items()
            },
        )


@dataclass(frozen=True)
class SystemRow:
    """A row of the registry: a name, and the answers to a setting and sizes.

    `decomposes` says whether sub-queries matter to it; `joins` whether it takes a join score, a solver, a demand on
    connectedness and another first stage.
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
