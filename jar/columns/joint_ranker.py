"""`JointRanker`: both objectives in one answer. The probes of CRUSH say which tables are meant, and JAR joins them.

"jar+crush" takes its candidates from the columns that the probes find, and adds to the coarse relevance of a table the
probability that some probe means it (`jar.tables.posterior`). The columns of the chosen tables follow by CRUSH.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from jar.answers.column_selection import ColumnSelection
from jar.columns.candidates import build_pool, column_cosines, without_shards
from jar.columns.choose import ColumnTask, choose_columns
from jar.columns.column_answer import chosen_columns
from jar.stopwatch import Stopwatch
from jar.tables.first_stage import Proposal

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from jar.columns.column_ranker import ColumnRanker
    from jar.columns.probed_question import ProbedQuestion
    from jar.tables.problem import Joinability
    from jar.tables.query import Ask, Conditions, EmbeddedQuery, Limits
    from jar.tables.table_ranker import TableRanker

COLUMNS = 20
"""Columns that are looked at for each candidate table."""


@dataclass(frozen=True)
class JointRanker:
    """Chooses tables that the probes of a question propose, and their columns.

    It assembles joinability twice for a question: for the columns that the probes mean, and for all columns of the
    candidate tables, of which the columns of the chosen tables are a part. The score "paper" needs a third time.
    """

    tables: TableRanker
    columns: ColumnRanker

    UNUSED: ClassVar[dict[str, str]] = {}

    def one(self, ask: Ask, size: int, conditions: Conditions) -> Selection:
        """The best tables for one question, with their columns."""
        (question,) = self.tables.read([ask])
        (probed,) = self.columns.probed([replace(ask, question=question.query.question)])
        (selections,) = self._choose([(question, probed)], [ask], [size], conditions)
        return selections[size]

    def many(self, asks: Sequence[Ask], sizes: Sequence[int], conditions: Conditions) -> list[dict[int, Selection]]:
        """The best tables for each question, by their number, with their columns."""
        questions = list(zip(self.tables.read(asks), self.columns.probed(asks), strict=True))
        return self._choose(questions, asks, sizes, conditions)

    def _choose(
        self,
        questions: Sequence[tuple[EmbeddedQuery, ProbedQuestion]],
        asks: Sequence[Ask],
        sizes: Sequence[int],
        conditions: Conditions,
    ) -> list[dict[int, Selection]]:
        answers: list[dict[int, Selection]] = [{} for _ in questions]
        for count, group in self.tables.by_pool(sizes):
            given = self.tables.given([question for question, _ in questions], asks, count, conditions)
            for answer, (question, probed), candidates in zip(answers, questions, given, strict=True):
                named = () if candidates is None else candidates.tables.tolist()
                folded = without_shards(self.columns.contents, probed.question, conditions.limits, named)
                proposal = self._proposal(probed, count, folded.limits)
                problem = self.tables.problem(question, max(group), count, conditions.limits, candidates, proposal)
                for k, selection in self.tables.solved(problem, group, conditions.time_limit).items():
                    answer[k] = self._with_columns(selection, probed, conditions, problem.joinability)
        return answers

    def _proposal(self, probed: ProbedQuestion, count: int, limits: Limits) -> Proposal:
        """The tables that the probes of a question mean, looking at `COLUMNS` columns for each of `count` tables."""
        watch = Stopwatch()
        contents, search = self.columns.contents, self.columns.search
        cosines = column_cosines(contents, probed, search)
        columns = max(search.candidates, COLUMNS * count)
        pool = build_pool(contents, cosines, search, columns, limits, self.columns.score)
        presence = np.zeros(len(contents.tables))
        presence[pool.tables] = pool.table_scores
        return Proposal(pool.tables, presence, watch.lap())

    def _with_columns(
        self, selection: Selection, probed: ProbedQuestion, conditions: Conditions, joinability: Joinability
    ) -> Selection:
        """A selection of tables with the columns that the probes ask for, each table with one at least.

        At least as many columns as tables, at most all; none where no table, or none with a column, was chosen.
        """
        watch = Stopwatch()
        ranker, contents = self.columns, self.columns.contents
        chosen = tuple(contents.table_position[table] for table in selection.tables)
        chosen = tuple(table for table in chosen if contents.tables[table].columns)
        answer = {field.name: getattr(selection, field.name) for field in fields(selection)}
        asked: dict[str, Any] = {"probes": probed.probes, "budget": ranker.budget, "probe_source": probed.source}
        if not chosen:
            return ColumnSelection(**answer, **asked)
        others = tuple(sorted(set(range(len(contents.tables))) - set(chosen)))
        room = sum(len(contents.tables[table].columns) for table in chosen)
        task = ColumnTask(
            budget=min(max(ranker.budget, len(chosen)), room),
            limits=replace(conditions.limits, require=chosen, exclude=others),
            time_limit=conditions.time_limit,
            # Cosines of texts depend on the size of the product in their last bit: a score of texts is assembled anew.
            joinability=None if ranker.score.reads_texts else joinability,
        )
        choice = choose_columns(contents, probed, ranker.search, ranker.solver, ranker.score, task)
        answer["notes"] = (*selection.notes, *(note for note in choice.notes if note not in selection.notes))
        columns = chosen_columns(contents, choice)
        answer["seconds"] = selection.seconds + watch.lap()
        return ColumnSelection(**answer, columns=columns, **asked)
