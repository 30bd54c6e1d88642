"""`SizedRanker`: chooses as many tables as a question needs, by the probabilities of sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from formulations import Solution, Status
from jar.answers.alternative import Alternative
from jar.errors import QueryError
from jar.sizes.choosing import Choice, SetLimits, enough_recall, greatest_f1
from jar.sizes.prices import table_prices
from jar.stopwatch import Stopwatch
from jar.tables.first_stage import LEAST
from jar.tables.table_answer import report, ways_between
from jar.tables.table_problem import SolvedProblem
from jar.tables.table_ranker import TableRanker
from jar.text.stop_words import languages_of
from joinability.lines import listed

if TYPE_CHECKING:
    from jar.answers.selection import Selection
    from jar.proposals.given_tables import GivenTables
    from jar.sizes.distribution import SetDistribution
    from jar.sizes.set_model import SetModel
    from jar.sizes.sizing import Sizing
    from jar.tables.query import Ask, Conditions, EmbeddedQuery
    from jar.tables.table_problem import TableProblem

ALTERNATIVES = 3
"""Next likeliest sets that an answer tells."""
NOTHING_FITS = "nothing fits"
"""Status of an answer without tables because nothing fits."""
WORTH_A_NOTE = 0.25
"""Probability of that from which an answer with tables says so."""
AMONG_FEW = "probabilities take the needed tables to be among the candidates, which are few"
"""Note where fewer tables were proposed than the first stage as it comes would have found."""
MOST_TOLD = 5
"""Tables that a note lists."""
USUAL = 4
"""Tables that the problem of a question is set up for."""


@dataclass(frozen=True)
class SizedRanker:
    """Chooses tables and their number.

    Attributes
    ----------
    tables : TableRanker
        Makes the problem of a question, and has a relevance model that judges its candidates.
    model : SetModel
    """

    tables: TableRanker
    model: SetModel

    UNUSED: ClassVar[dict[str, str]] = TableRanker.UNUSED

    def one(self, ask: Ask, sizing: Sizing, conditions: Conditions) -> Selection:
        """As many tables as one question needs."""
        (selection,) = self._choose(self.tables.read([ask]), [ask], sizing, conditions)
        return selection

    def many(self, asks: Sequence[Ask], sizing: Sizing, conditions: Conditions) -> list[Selection]:
        """As many tables as each question needs; all texts are embedded together."""
        return self._choose(self.tables.read(asks), asks, sizing, conditions)

    def problem(
        self, question: EmbeddedQuery, conditions: Conditions, given: GivenTables | None = None
    ) -> TableProblem:
        """The problem of a question: that of a few tables, or of as many as are required."""
        most = max(USUAL, len(conditions.limits.require))
        return self.tables.problem(question, most, self.tables.pool.least(most), conditions.limits, given)

    def _choose(
        self, questions: Sequence[EmbeddedQuery], asks: Sequence[Ask], sizing: Sizing, conditions: Conditions
    ) -> list[Selection]:
        required = len(conditions.limits.require)
        if sizing.max_k is not None and required > sizing.max_k:
            raise QueryError(f"{required} tables are required, but max_k is {sizing.max_k}: raise it")
        count = self.tables.pool.least(max(USUAL, required))
        given = self.tables.given(questions, asks, count, conditions)
        usual = min(LEAST, len(self.tables.relevance.contents.tables) - len(set(conditions.limits.exclude)))
        selections = []
        for question, candidates in zip(questions, given, strict=True):
            problem = self.problem(question, conditions, candidates)
            selection = self.sized(problem, sizing, conditions.time_limit)
            if problem.reduction.instance.n < usual:
                selection = replace(selection, notes=(*selection.notes, AMONG_FEW))
            selections.append(selection)
        return selections

    def sized(self, problem: TableProblem, sizing: Sizing, time_limit: float | None = None) -> Selection:
        """The tables of a problem, as many as are needed, with the confidence in them and the next likeliest sets."""
        watch = Stopwatch()
        distribution = self.distribution(problem)
        if distribution is None:
            instance = problem.reduction.instance
            answer = SolvedProblem(self.tables.solve(instance, problem.objective, time_limit), watch.lap())
            return report(self.tables.relevance.contents, problem, answer, 0)
        choice = self._decided(distribution, problem, sizing)
        solution = self._solution(problem, choice, sizing, time_limit)
        answer = SolvedProblem(solution, watch.lap())
        selection = report(self.tables.relevance.contents, problem, answer, len(choice.items))
        ids = problem.reduction.instance.ids
        others = distribution.likeliest(ALTERNATIVES, without=[choice.items])
        further = [
            *self._too_dear(distribution, problem, sizing, choice),
            *self._unconnected(problem, sizing, choice, solution),
        ]
        return replace(
            selection,
            status=str(solution.status) if choice.items else NOTHING_FITS,
            confidence=distribution.confidence(choice.items),
            nothing_fits=distribution.nothing,
            alternatives=tuple(Alternative(tuple(ids[item] for item in items), chance) for items, chance in others),
            notes=(*selection.notes, *_notes(problem.question.query.question, distribution, choice, sizing), *further),
        )

    def distribution(self, problem: TableProblem) -> SetDistribution | None:
        """The probabilities of sets of the candidates; None where required tables cannot be connected and must be."""
        instance, objective, judged = problem.reduction.instance, problem.objective, problem.judged
        assert judged is not None
        seen = judged.seen
        if objective.connect == "ignore":
            seen = replace(seen, joins=np.zeros_like(seen.joins))
        connected = objective.connect == "require"
        logged = 0.0 if judged.adapted is None else judged.adapted.log_odds
        return self.model.distribution(seen, judged.log_odds, instance.require, connected=connected, logged=logged)

    def _decided(self, distribution: SetDistribution, problem: TableProblem, sizing: Sizing) -> Choice:
        instance, contents = problem.reduction.instance, self.tables.relevance.contents
        prices = np.zeros(instance.n)
        if sizing.max_tokens is not None:
            prices = table_prices(contents.tables[table] for table in problem.tables.tolist())
        joined = None
        if problem.objective.connect == "require" and problem.judged is not None:
            joined = problem.judged.seen.joins > 0
        limits = SetLimits(instance.require, sizing.max_k or instance.n, sizing.max_tokens, prices, joined)
        if sizing.recall is None:
            return greatest_f1(distribution, limits)
        return enough_recall(distribution, sizing.recall, limits)

    def _too_dear(
        self, distribution: SetDistribution, problem: TableProblem, sizing: Sizing, choice: Choice
    ) -> list[str]:
        """The tables that would be chosen if they had fewer tokens, in words."""
        if sizing.max_tokens is None:
            return []
        wanted = self._decided(distribution, problem, replace(sizing, max_tokens=None)).items
        ids = [problem.reduction.instance.ids[item] for item in wanted if item not in choice.items]
        return [f"max_tokens={sizing.max_tokens} leaves out {listed(ids, MOST_TOLD)}"] if ids else []

    def _unconnected(
        self, problem: TableProblem, sizing: Sizing, choice: Choice, solution: Solution
    ) -> list[str]:
        """The tables that would be chosen if the set might fall apart, and how to have them, in words."""
        if problem.objective.connect != "require":
            return []
        free = replace(problem, objective=replace(problem.objective, connect="prefer"))
        distribution = self.distribution(free)
        if distribution is None:
            return []
        wanted = self._decided(distribution, free, sizing).items
        missing = [item for item in wanted if item not in choice.items]
        if not missing or not choice.items:
            return []
        parts = [*solution.components, *([item] for item in missing)]
        between, connects = ways_between(self.tables.relevance.contents, problem, parts)
        ids = [problem.reduction.instance.ids[item] for item in missing]
        told = f'connect="require" leaves out {listed(ids, MOST_TOLD)}'
        if not connects:
            return [f'{told}, which no join connects: ask with connect="prefer" to have all of them']
        size = len(choice.items) + len(missing) + len(between)
        by_way = f", which only {listed(between, MOST_TOLD)} would connect" if between else ""
        return [f"{told}{by_way}: ask for k={size} to have more, or require what is left out"]

    def _solution(
        self, problem: TableProblem, choice: Choice, sizing: Sizing, time_limit: float | None
    ) -> Solution:
        """The chosen set as a solution: its own value, and the bound that holds for all sets of its size."""
        instance = problem.reduction.instance
        name = "expected F1" if sizing.recall is None else "expected recall"
        if not choice.items:
            return Solution((), (), 0.0, 0.0, 0.0, Status.OPTIMAL, (), name, 0.0, False, ())
        resized = instance.resized(len(choice.items))
        best = self.tables.solve(resized, problem.objective, time_limit)
        same, chosen = best.items == choice.items, best
        if not same:  # one set: its value takes no search, and no time of the limit
            chosen = self.tables.solve(resized.restricted(choice.items, ()), problem.objective, None)
        bound = max(best.bound, chosen.value)
        gap = (bound - chosen.value) / max(abs(chosen.value), 1e-12)
        return replace(
            chosen, bound=bound, gap=gap, solver=name, status=best.status if same else Status.FEASIBLE
        )


def _notes(question: str, distribution: SetDistribution, choice: Choice, sizing: Sizing) -> list[str]:
    notes = []
    if languages_of(question) != ("en",):
        notes.append("probabilities were fitted on questions in English: in other languages they may promise too much")
    if not choice.items or distribution.nothing >= WORTH_A_NOTE:
        notes.append(f"with a probability of {distribution.nothing:.2f}, nothing here answers the question")
    if sizing.recall is not None and choice.expected < sizing.recall - 1e-6:
        notes.append(f"a recall of {sizing.recall:g} is out of reach: {choice.expected:.2f} is expected of this set")
    return notes
