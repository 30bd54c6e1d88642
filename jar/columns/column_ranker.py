"""`ColumnRanker`: from questions to the columns that answer them, and so to their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from jar.answers.selection import REQUIRED
from jar.columns.candidates import without_shards
from jar.columns.choose import ColumnTask, choose_columns
from jar.columns.column_answer import report
from jar.columns.probed_question import read_probed_questions
from jar.stopwatch import Stopwatch
from jar.tables.query import check_question

if TYPE_CHECKING:
    from jar.answers.column_selection import ColumnSelection
    from jar.columns.probed_question import Hallucinator, ProbedQuestion
    from jar.columns.search import ColumnSearch
    from jar.index.contents import IndexContents
    from jar.proposals.given_tables import GivenTables
    from jar.proposals.retrieval import Retrieval
    from jar.tables.first_stage import Pool
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
    retrieval : Retrieval
        Who proposes tables that bound the choice.
    pool : Pool
        How many a retriever is asked for.
    hallucinator : callable, optional
        ``question -> probes``; by default the chunks of the question are the probes.
    """

    contents: IndexContents
    embedder: Embedder
    search: ColumnSearch
    solver: str
    score: JoinScore
    budget: int
    retrieval: Retrieval
    pool: Pool
    hallucinator: Hallucinator | None = None

    UNUSED: ClassVar[dict[str, str]] = {
        "subqueries": "an objective over columns compares them with probes, not sub-queries: give probes="
    }
    """What a caller cannot give, and why."""

    def one(self, ask: Ask, size: int | None, conditions: Conditions) -> ColumnSelection:
        """The columns for one question, of at most `size` tables; with candidates, of these tables only."""
        watch = Stopwatch()
        (probed,) = self.probed([ask])
        seconds = watch.lap()
        (given,) = self._given([ask], [probed], size or 1, conditions)
        return self._selection(probed, given, size, conditions, seconds)

    def many(
        self, asks: Sequence[Ask], sizes: Sequence[int], conditions: Conditions
    ) -> list[dict[int, ColumnSelection]]:
        """The columns for each question, by the number of tables; all probes are embedded together."""
        probed_questions = self.probed(asks)
        answers: list[dict[int, ColumnSelection]] = [{} for _ in asks]
        for k in sizes:
            given = self._given(asks, probed_questions, k, conditions)
            for answer, probed, candidates in zip(answers, probed_questions, given, strict=True):
                answer[k] = self._selection(probed, candidates, k, conditions)
        return answers

    def probed(self, asks: Sequence[Ask]) -> list[ProbedQuestion]:
        """Questions with the vectors of their probes."""
        questions = [check_question(ask.question) for ask in asks]
        probes = [ask.probes for ask in asks]
        return read_probed_questions(self.embedder, questions, probes, self.hallucinator, context=self.search.context)

    def _given(
        self, asks: Sequence[Ask], probed: Sequence[ProbedQuestion], size: int, conditions: Conditions
    ) -> list[GivenTables | None]:
        """The tables that bound the choice of each question; None where nobody proposes any."""
        questions, candidates = [one.question for one in probed], [ask.candidates for ask in asks]
        return self.retrieval(questions, candidates, self.pool.least(size), conditions.limits.exclude)

    def _selection(
        self,
        probed: ProbedQuestion,
        given: GivenTables | None,
        size: int | None,
        conditions: Conditions,
        embed: float = 0.0,
    ) -> ColumnSelection:
        limits, notes = conditions.limits, () if given is None else given.notes
        origin: dict[int, str] = {}
        if given is not None and not (given.bounds or len(given.tables)):
            notes += ("the retriever proposes no table: columns of all tables are candidates",)
        elif given is not None:
            origin = dict.fromkeys(limits.require, REQUIRED)
            origin |= dict(zip(given.tables.tolist(), given.origins, strict=True))
            others = set(range(len(self.contents.tables))) - origin.keys()
            limits = replace(limits, exclude=tuple(sorted(others | set(limits.exclude))))
        limits, families = without_shards(self.contents, probed.question, limits, origin)
        task = ColumnTask(self.budget, limits, size, conditions.time_limit, families=families)
        choice = choose_columns(self.contents, probed, self.search, self.solver, self.score, task)
        answer = report(self.contents, choice, task, self.score, self.search.link, embed)
        if given is None:
            return answer
        positions = {table: self.contents.table_position[table] for table in answer.tables}
        retrieval = {table: origin.get(place, "probes") for table, place in positions.items()}
        timings = {**answer.timings, "retrieve": answer.timings.get("retrieve", 0.0) + given.seconds}
        seconds = sum(timings.values())
        return replace(answer, retrieval=retrieval, notes=(*notes, *answer.notes), timings=timings, seconds=seconds)
