"""Cases from the questions of a data set, over the top n tables of the retriever or over the whole corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from time import perf_counter

import numpy as np
import numpy.typing as npt

from benchmarks.data.dataset_form import Dataset, Question
from benchmarks.data.datasets import load_dataset
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache
from benchmarks.solvers.cases import Case
from benchmarks.systems.problems import corpus_compatibility, corpus_instance, question_problem
from formulations import ColumnProblem, Instance, JarObjective
from jar import Index
from jar.tables.objective import DEFAULT_OBJECTIVE

COLUMN_LEVEL = 100
"""Up to so many tables an instance is reduced from its columns, question by question. Beyond, the joins of the whole
corpus are reduced once, which gives the same instance (a test says so) in a hundredth of the time."""

KINDS = {
    "paper": "join score and weights of the JAR paper, sets that must be connected",
    "package": "join score and weights of the package, joins preferred",
}


class Corpus:
    """A data set whose questions become cases; its index is opened at the first one.

    Parameters
    ----------
    name : str
        A key of `benchmarks.data.datasets.DATASETS`.
    options : Options
        `root`, `output` and `embedder` count.
    cache : VectorCache
        The memory of embeddings; saved by `cases`.
    """

    def __init__(self, name: str, options: Options, cache: VectorCache) -> None:
        self.name = name
        self._options, self._cache = options, cache
        self._compatibilities: dict[str, npt.NDArray[np.float64]] = {}

    @cached_property
    def dataset(self) -> Dataset:
        """All its questions."""
        return load_dataset(self.name, self._options.root, self._options.names)

    @cached_property
    def index(self) -> Index:
        """The index of all its tables."""
        return open_index(self.dataset, self._options, self._cache)

    @property
    def tables(self) -> int:
        """Number of tables."""
        return len(self.dataset.catalog)

    def objective(self, kind: str) -> JarObjective:
        """What a set is worth in a kind of case."""
        if kind == "package":
            return DEFAULT_OBJECTIVE
        return JarObjective(**asdict(self.dataset.weights), connect="require")

    def cases(
        self, count: int, n: int, sizes: Sequence[int], *, kind: str = "paper", columns: bool = False
    ) -> Iterator[Case]:
        """Cases of at most so many questions with several gold tables, evenly spaced; all sizes of each in turn.

        Every other question has the decomposition of the data set, where it comes with one.

        Parameters
        ----------
        count : int
            Number of questions.
        n : int
            Number of candidates; more than there are tables: all.
        sizes : list of int
            Numbers of tables K; those above n are left out.
        kind : str
            A key of `KINDS`.
        columns : bool
            Keep the column-level problem, for solvers that take it.
        """
        questions = self.dataset.restricted(minimum_tables=2, limit=count).questions
        candidates = min(n, self.tables)
        for number, question in enumerate(questions):
            parts = question.subqueries if number % 2 else None
            label = f"{self.name}-q{question.id.zfill(4) if question.id.isdecimal() else question.id}"
            reduction = self._reduced(question, candidates, kind, parts, max(k for k in sizes if k <= candidates))
            for k in sizes:
                if k <= candidates:
                    yield self._case(label, kind, reduction, k, columns)
        self._cache.save()

    def _case(self, label: str, kind: str, reduction: _Reduced, k: int, columns: bool) -> Case:
        problem = _resized(reduction.problem, k) if columns and reduction.problem is not None else None
        instance = reduction.instance if reduction.instance.size == k else reduction.instance.replace(size=k)
        return Case(label, self.name, kind, instance, self.objective(kind), problem, reduction.seconds)

    def _reduced(self, question: Question, candidates: int, kind: str, parts: Sequence[str] | None, k: int) -> _Reduced:
        score = "default" if kind == "package" else "paper"
        if candidates > COLUMN_LEVEL:
            joins = self._compatibility(score)
            instance = corpus_instance(
                self.index, self._cache.embedder, question.text, k, joins, candidates=candidates, subqueries=parts
            )
            return _Reduced(None, instance, None)
        problem = question_problem(
            self.index, self._cache.embedder, question.text, k, candidates=candidates, subqueries=parts, score=score
        )
        start = perf_counter()
        instance = problem.reduce().instance
        return _Reduced(problem, instance, perf_counter() - start)

    def _compatibility(self, score: str) -> npt.NDArray[np.float64]:
        """Joinability of all pairs of tables, made once."""
        if score not in self._compatibilities:
            text = self.dataset.questions[0].text
            self._compatibilities[score] = corpus_compatibility(self.index, self._cache.embedder, text, score)
        return self._compatibilities[score]


@dataclass(frozen=True, eq=False)
class _Reduced:
    """An instance, the columns it was reduced from, and how long that took."""

    problem: ColumnProblem | None
    instance: Instance
    seconds: float | None


def _resized(problem: ColumnProblem, k: int) -> ColumnProblem:
    """The same problem for another number of tables."""
    if problem.size == k:
        return problem
    return ColumnProblem(
        problem.relevance, problem.fine, problem.owner, problem.joinability, k, problem.ids,
        problem.require, problem.exclude, problem.column_names,
    )  # fmt: skip
