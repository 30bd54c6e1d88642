"""Cases from the questions of a data set, over the top n tables of the retriever or over the whole corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
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
    """A data set whose questions become cases; its index is opened at the first one."""

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

    def cases(
        self, count: int, n: int, sizes: Sequence[int], *, kind: str = "paper", columns: bool = False
    ) -> Iterator[Case]:
        """Cases of at most so many questions with several gold tables, evenly spaced; all sizes of each in turn.

        Every other question has the decomposition of the data set, where it comes with one.

        With fewer tables than n all are candidates; sizes K above that are left out. With `columns` cases keep the
        column-level problem, for solvers that take it.
        """
        candidates = min(n, self.tables)
        fitting = [k for k in sizes if k <= candidates]
        objective = DEFAULT_OBJECTIVE
        if kind == "paper":
            objective = JarObjective(**asdict(self.dataset.weights), connect="require")
        for number, question in enumerate(self.dataset.restricted(minimum_tables=2, limit=count).questions):
            parts = question.subqueries if number % 2 else None
            label = f"{self.name}-q{question.id.zfill(4) if question.id.isdecimal() else question.id}"
            problem, instance, seconds = self._reduced(question, candidates, kind, parts, max(fitting))
            for k in fitting:
                kept = problem.replace(size=k) if columns and problem is not None else None
                yield Case(label, self.name, kind, instance.replace(size=k), objective, kept, seconds)
        self._cache.save()

    def _reduced(
        self, question: Question, candidates: int, kind: str, parts: Sequence[str] | None, k: int
    ) -> tuple[ColumnProblem | None, Instance, float | None]:
        """The columns, the instance that they are reduced to, and the seconds that this takes."""
        score = "default" if kind == "package" else "paper"
        index, embedder, text = self.index, self._cache.embedder, question.text
        if candidates > COLUMN_LEVEL:
            if score not in self._compatibilities:
                self._compatibilities[score] = corpus_compatibility(index, embedder, text, score)
            joins = self._compatibilities[score]
            return None, corpus_instance(index, embedder, text, k, joins, candidates=candidates, subqueries=parts), None
        problem = question_problem(index, embedder, text, k, candidates=candidates, subqueries=parts, score=score)
        start = perf_counter()
        instance = problem.reduce().instance
        return problem, instance, perf_counter() - start
