"""`SolvedQuestion`: the answer to a question, and the best set of its candidates under any other wish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jar.tables.table_answer import report
from jar.tables.table_problem import SolvedProblem
from joinability.attributes import cached_property

if TYPE_CHECKING:
    from formulations import Solution
    from jar.answers.selection import Selection
    from jar.sizes.distribution import SetDistribution
    from jar.tables.table_problem import TableProblem
    from jar.tables.table_ranker import TableRanker


@dataclass(frozen=True, repr=False)
class SolvedQuestion:
    """The answer to a question, and what else may be asked of the same candidates.

    Attributes
    ----------
    tables : TableRanker
        What solves, and names what was found.
    problem : TableProblem
        The candidates, their scores and joins.
    selection : Selection
        The answer, as `Reranker.rank` gives it.
    chances : callable
        Makes `distribution`, which a short answer can do without.
    """

    tables: TableRanker
    problem: TableProblem
    selection: Selection
    chances: Callable[[], SetDistribution | None]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.selection!r}: {self.count} candidates>"

    @cached_property
    def distribution(self) -> SetDistribution | None:
        """Probabilities of sets of the candidates; None where relevance is an object of the caller."""
        return self.chances()

    @property
    def ids(self) -> tuple[str, ...]:
        """The candidates, most relevant first."""
        return tuple(self.problem.reduction.instance.ids)

    @property
    def count(self) -> int:
        """Number of candidates."""
        return self.problem.reduction.instance.n

    @property
    def chosen(self) -> tuple[int, ...]:
        """The tables of the answer as places among the candidates, best first."""
        place = {id_: item for item, id_ in enumerate(self.ids)}
        return tuple(place[table] for table in self.selection.tables)

    def best(self, size: int, require: tuple[int, ...] = (), exclude: tuple[int, ...] = ()) -> Solution | None:
        """The best `size` tables that hold some candidates and lack others, beside what was asked at first.

        None where there is no such set: too many tables are required, too few are left, or they cannot be connected.
        """
        instance = self.problem.reduction.instance
        required = tuple(sorted({*instance.require, *require}))
        if set(required) & set(exclude) or not len(required) <= size <= instance.n - len(exclude):
            return None
        restricted = instance.resized(size).restricted(required, tuple(sorted(exclude)))
        solution = self.tables.solve(restricted, self.problem.objective, None)
        return solution if solution.items else None

    def told(self, solution: Solution) -> Selection:
        """A solution with the names of tables, columns and joins."""
        solved = SolvedProblem(solution, solution.seconds)
        return report(self.tables.relevance.contents, self.problem, solved, len(solution.items))

    def confidence(self, items: tuple[int, ...]) -> float | None:
        """The probability that all needed tables are among some candidates; None where no chances are known."""
        return None if self.distribution is None else self.distribution.confidence(items)
