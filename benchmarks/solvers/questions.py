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
from benchmarks.systems.problems import question_problem
from formulations import ColumnProblem, Instance, JarObjective
from jar import Index
from jar.rerank import DEFAULT_OBJECTIVE
from jar.tables.relevance import fine_relevance, retrieve, table_relevance
from jar.text.decomposition import decompose
from jar.text.texts import subquery_text

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
        self._compatibility: dict[str, npt.NDArray[np.float64]] = {}

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
            found = self._reduced(question, candidates, kind, parts, max(k for k in sizes if k <= candidates))
            for k in sizes:
                if k <= candidates:
                    yield self._case(label, kind, found, k, columns)
        self._cache.save()

    def _case(self, label: str, kind: str, found: _Found, k: int, columns: bool) -> Case:
        problem = _resized(found.problem, k) if columns and found.problem is not None else None
        instance = found.instance if found.instance.size == k else found.instance.replace(size=k)
        return Case(label, self.name, kind, instance, self.objective(kind), problem, found.seconds)

    def _reduced(self, question: Question, candidates: int, kind: str, parts: Sequence[str] | None, k: int) -> _Found:
        score = "default" if kind == "package" else "paper"
        if candidates > COLUMN_LEVEL:
            return _Found(None, self._from_corpus(question, candidates, score, parts, k), None)
        problem = question_problem(
            self.index, self._cache.embedder, question.text, k, candidates=candidates, subqueries=parts, score=score
        )
        start = perf_counter()
        instance = problem.reduce().instance
        return _Found(problem, instance, perf_counter() - start)

    def _from_corpus(
        self, question: Question, candidates: int, score: str, parts: Sequence[str] | None, k: int
    ) -> Instance:
        """The same instance from the reduced joins of the whole corpus."""
        contents = self.index.contents
        words = decompose(question.text) if parts is None else list(parts)
        vectors = self._cache.embedder([question.text, *map(subquery_text, words)])
        relevance = table_relevance(contents, vectors[0])
        tables = retrieve(relevance, candidates)
        columns = contents.columns_of(tables)
        fine = fine_relevance(contents, columns, vectors[1:])
        counts = np.diff(contents.first_column)[tables]
        coverage = np.full((len(fine), candidates), -np.inf)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])[counts > 0]
        coverage[:, counts > 0] = np.maximum.reduceat(fine, starts, axis=1)
        return Instance(
            relevance[tables],
            coverage,
            self._corpus_compatibility(score)[np.ix_(tables, tables)],
            k,
            [contents.tables[table].id for table in tables],
        )

    def _corpus_compatibility(self, score: str) -> npt.NDArray[np.float64]:
        """Joinability of all pairs of tables, in the order of the index."""
        if score not in self._compatibility:
            text = self.dataset.questions[0].text
            problem = question_problem(self.index, self._cache.embedder, text, 1, candidates=self.tables, score=score)
            place = {name: position for position, name in enumerate(problem.ids)}
            order = [place[table.id] for table in self.index.contents.tables]
            self._compatibility[score] = problem.reduce().instance.compatibility[np.ix_(order, order)]
        return self._compatibility[score]


@dataclass(frozen=True, eq=False)
class _Found:
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
