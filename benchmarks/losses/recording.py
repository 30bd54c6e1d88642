"""A re-ranker that keeps what its solver was given.

All that the losses use of the inside of `jar` is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.systems.joined import VARIANTS
from benchmarks.systems.rows import Setting, UnknownSystemError
from benchmarks.systems.table_systems import read_name
from formulations import Instance, JarObjective, Solution
from jar import Reranker, Selection
from jar.tables.query import EmbeddedQuery, Query
from jar.tables.relevance import retrieve


@dataclass(frozen=True)
class Record:
    """An answered question: what the caller gets, and the instance, its objective and the solution behind it."""

    selection: Selection
    instance: Instance
    objective: JarObjective
    solution: Solution


class RecordingReranker(Reranker):
    """`jar.Reranker`, unchanged in what it answers; it keeps each instance that it solves."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._solved: list[tuple[Instance, JarObjective, Solution]] = []

    def _solve(self, instance: Instance, objective: JarObjective, time_limit: float | None) -> Solution:
        solution = super()._solve(instance, objective, time_limit)
        self._solved.append((instance, objective, solution))
        return solution

    def records(
        self, questions: Sequence[str], k: int, subqueries: Sequence[Sequence[str] | None] | None = None
    ) -> list[Record]:
        """The answers of `rank_many`, each with what was solved for it."""
        self._solved.clear()
        selections = self.rank_many(questions, k, subqueries=subqueries)
        return [Record(selection, *solved) for selection, solved in zip(selections, self._solved, strict=True)]

    def record(
        self, question: str, k: int, candidates: Sequence[str], subqueries: Sequence[str] | None = None
    ) -> Record:
        """The answer of `rank` over the given candidates, with what was solved for it."""
        self._solved.clear()
        selection = self.rank(question, k, candidates=candidates, subqueries=subqueries)
        return Record(selection, *self._solved[-1])

    def table_order(self, question: str) -> list[str]:
        """All tables of the index, most relevant first by the relevance from which the first stage takes candidates."""
        relevance, contents = self._relevance(), self.index.contents
        asked = EmbeddedQuery(Query(question, ()), self.embedder([question]))
        order = retrieve(relevance.tables(asked, relevance.mentions(asked.query)), len(contents.tables))
        return [contents.tables[table].id for table in order]


def check_system(name: str) -> None:
    """That a system chooses sets by the value of an objective, with proof, among the candidates of the package."""
    row, _, changes = read_name(name)
    if row.name not in VARIANTS:
        raise UnknownSystemError(f"{name!r} does not choose sets by their value: choose among {', '.join(VARIANTS)}")
    if changes.get("solver", "exact") != "exact" or "retriever" in changes:
        raise UnknownSystemError(f"{name!r}: losses are explained for the exact solver and the own first stage only")


def recording_reranker(name: str, setting: Setting) -> RecordingReranker:
    """The re-ranker of a system (see `benchmarks.systems.joined`) that keeps what it solves."""
    row, _, changes = read_name(name)
    changes["expand"] = "off"  # candidates that a record is over are all that is chosen from
    return VARIANTS[row.name].reranker(replace(setting, **changes), RecordingReranker)
