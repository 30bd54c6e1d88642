"""`ColumnRanker`: questions to columns, one by one or many at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jar.columns.choose import choose_columns
from jar.columns.probing import read_probings
from jar.errors import QueryError
from jar.tables.query import Limits, check_question, read_candidates

if TYPE_CHECKING:
    from jar.answers.column_selection import ColumnSelection
    from jar.columns.probing import GivenProbes, Hallucinator
    from jar.columns.search import ColumnSearch
    from jar.index.contents import IndexContents
    from jar.tables.query import Candidates
    from jar.text.embedding import Embedder
    from joinability.scores.score import JoinScore


class ColumnRanker:
    """Chooses columns of an index; what `jar.Reranker` does where columns are asked for.

    Parameters
    ----------
    contents : IndexContents
    embedder : Embedder
    search : ColumnSearch
    solver : str
    score : JoinScore
    hallucinator : callable, optional
        ``question -> probes``; by default the chunks of the question are the probes.
    """

    def __init__(
        self,
        contents: IndexContents,
        embedder: Embedder,
        search: ColumnSearch,
        solver: str,
        score: JoinScore,
        hallucinator: Hallucinator | None = None,
    ) -> None:
        self.contents = contents
        self.embedder = embedder
        self.search = search
        self.solver = solver
        self.score = score
        self.hallucinator = hallucinator

    def choose(
        self,
        question: str,
        budget: int,
        limits: Limits,
        tables: int | None = None,
        candidates: Candidates | None = None,
        probes: GivenProbes | None = None,
        time_limit: float | None = None,
    ) -> ColumnSelection:
        """The columns of one question; see `choose_columns`. With `candidates`, of these tables only."""
        started = time.perf_counter()
        if candidates is not None:
            allowed, _ = read_candidates(self.contents, candidates)
            others = set(range(len(self.contents.tables))) - {*allowed.tolist(), *limits.require}
            limits = replace(limits, exclude=tuple(sorted(others | set(limits.exclude))))
        return self._choose([question], [probes], budget, limits, tables, time_limit, started)[0]

    def choose_many(
        self,
        questions: Sequence[str],
        budget: int,
        tables: int | None = None,
        probes: Sequence[GivenProbes | None] | None = None,
        time_limit: float | None = None,
    ) -> list[ColumnSelection]:
        """The columns of many questions: the same answers, with all probes embedded together."""
        given = [None] * len(questions) if probes is None else list(probes)
        if len(given) != len(questions):
            raise QueryError(
                f"there are {len(questions)} questions and probes for {len(given)}: give one entry for each"
            )
        return self._choose(questions, given, budget, Limits(), tables, time_limit, None)

    def _choose(
        self,
        questions: Sequence[str],
        probes: Sequence[GivenProbes | None],
        budget: int,
        limits: Limits,
        tables: int | None,
        time_limit: float | None,
        started: float | None,
    ) -> list[ColumnSelection]:
        checked = [check_question(question) for question in questions]
        probings = read_probings(self.embedder, checked, probes, self.hallucinator, context=self.search.context)
        return [
            choose_columns(
                self.contents,
                probing,
                self.search,
                self.solver,
                budget,
                limits,
                self.score,
                tables=tables,
                time_limit=time_limit,
                started=started,
            )
            for probing in probings
        ]


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
