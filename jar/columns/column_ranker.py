"""`ColumnRanker`: from questions to the columns that answer them, and so to their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from jar.columns.choose import ColumnTask, choose_columns
from jar.columns.column_answer import report
from jar.columns.probed_question import read_probed_questions
from jar.errors import QueryError
from jar.stopwatch import Stopwatch
from jar.tables.query import Limits, check_question, read_candidates

if TYPE_CHECKING:
    from jar.answers.column_selection import ColumnSelection
    from jar.columns.probed_question import Hallucinator, ProbedQuestion
    from jar.columns.search import ColumnSearch
    from jar.index.contents import IndexContents
    from jar.tables.query import Ask, Conditions
    from jar.text.embedding import Embedder
    from joinability.scores.score import JoinScore


@dataclass(frozen=True)
class ColumnRanker:
    """Chooses columns: reads and embeds probes, takes the nearest columns, solves, names.

    Attributes
    ----------
    contents : IndexContents
    embedder : Embedder
    search : ColumnSearch
    solver : str
    score : JoinScore
    budget : int
        How many columns are chosen.
    hallucinator : callable, optional
        ``question -> probes``; by default the chunks of the question are the probes.
    """

    contents: IndexContents
    embedder: Embedder
    search: ColumnSearch
    solver: str
    score: JoinScore
    budget: int
    hallucinator: Hallucinator | None = None

    UNUSED: ClassVar[dict[str, str]] = {
        "subqueries": "an objective over columns compares them with probes, not sub-queries: give probes="
    }
    """What a caller cannot give, and why."""

    def one(self, ask: Ask, size: int | None, conditions: Conditions) -> ColumnSelection:
        """The columns for one question, of at most `size` tables; with candidates, of these tables only."""
        watch = Stopwatch()
        limits = conditions.limits
        if conditions.candidates is not None:
            allowed, _ = read_candidates(self.contents, conditions.candidates)
            others = set(range(len(self.contents.tables))) - {*allowed.tolist(), *limits.require}
            limits = replace(limits, exclude=tuple(sorted(others | set(limits.exclude))))
        (probed,) = self.probed([ask])
        task = ColumnTask(self.budget, limits, size, conditions.time_limit)
        return self._selection(probed, task, watch.lap())

    def many(
        self, asks: Sequence[Ask], sizes: Sequence[int], time_limit: float | None
    ) -> list[dict[int, ColumnSelection]]:
        """The columns for each question, by the number of tables; all probes are embedded together."""
        return [
            {k: self._selection(probed, ColumnTask(self.budget, Limits(), k, time_limit)) for k in sizes}
            for probed in self.probed(asks)
        ]

    def probed(self, asks: Sequence[Ask]) -> list[ProbedQuestion]:
        """Questions with the vectors of their probes."""
        questions = [check_question(ask.question) for ask in asks]
        probes = [ask.probes for ask in asks]
        return read_probed_questions(self.embedder, questions, probes, self.hallucinator, context=self.search.context)

    def _selection(self, probed: ProbedQuestion, task: ColumnTask, embed: float = 0.0) -> ColumnSelection:
        choice = choose_columns(self.contents, probed, self.search, self.solver, self.score, task)
        return report(self.contents, choice, task, self.score, self.search.link, embed)


def check_budget(budget: int) -> int:
    """The number of columns asked for.

    Raises
    ------
    QueryError
        When it is no whole number from 1.
    """
    if isinstance(budget, bool) or not isinstance(budget, (int, np.integer)) or budget < 1:
        raise QueryError(f"budget is the number of columns to choose, a whole number from 1, not {budget!r}")
    return int(budget)
