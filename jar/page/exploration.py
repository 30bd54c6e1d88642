"""`Exploration`: the answer to a question, and the best set of its candidates under any other wish."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jar.errors import QueryError
from jar.sizes.sizing import Sizing
from jar.stopwatch import Stopwatch
from jar.tables.query import EmbeddedQuery, check_ask, read_queries
from jar.tables.table_answer import report
from jar.tables.table_problem import SolvedProblem

if TYPE_CHECKING:
    from formulations import Solution
    from jar.answers.selection import Selection
    from jar.sizes.distribution import SetDistribution
    from jar.sizes.sized_ranker import SizedRanker
    from jar.tables.query import Ask, Conditions
    from jar.tables.table_problem import TableProblem
    from jar.tables.table_ranker import TableRanker


@dataclass(frozen=True, repr=False)
class Exploration:
    """The answer to a question, and what else may be asked of the same candidates.

    Attributes
    ----------
    tables : TableRanker
        What solves, and names what was found.
    problem : TableProblem
        The candidates, their scores and joins.
    selection : Selection
        The answer, as `Reranker.rank` gives it.
    distribution : SetDistribution or None
        Probabilities of sets of the candidates; None where relevance is an object of the caller.
    """

    tables: TableRanker
    problem: TableProblem
    selection: Selection
    distribution: SetDistribution | None

    def __repr__(self) -> str:
        return f"<Exploration of {self.selection!r}: {self.count} candidates>"

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
        solution = self.tables.solve(instance.resized(size).restricted(required, tuple(sorted(exclude))), None)
        return solution if solution.items else None

    def told(self, solution: Solution) -> Selection:
        """A solution with the names of tables, columns and joins."""
        solved = SolvedProblem(solution, solution.seconds)
        contents, objective = self.tables.relevance.contents, self.tables.objective
        return report(contents, objective, self.problem, solved, len(solution.items))

    def confidence(self, items: tuple[int, ...]) -> float | None:
        """The probability that all needed tables are among some candidates; None where no chances are known."""
        return None if self.distribution is None else self.distribution.confidence(items)

    def model(self) -> dict[str, Any]:
        """The answer and the best sets under other wishes as plain values, ready for JSON (docs/explore.md)."""
        from jar.page.answer_model import answer_model
        from jar.page.wishes import wishes

        return answer_model(self, wishes(self))

    def to_html(self) -> str:
        """One page of HTML, which needs no other file and no network."""
        from jar.page.document import document

        return document(self.model())

    def save(self, path: str | Path) -> None:
        """Write `to_html` to a file."""
        Path(path).write_text(self.to_html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.selection._repr_html_()


def explore(
    tables: TableRanker, sized: SizedRanker | None, ask: Ask, size: int | Sizing, conditions: Conditions
) -> Exploration:
    """Answer a question, and keep the problem that was solved.

    Parameters
    ----------
    tables : TableRanker
        What `Reranker.rank` asks where a number of tables is given.
    sized : SizedRanker, optional
        What it asks where none is; it knows the chances of sets.
    size : int or Sizing
    """
    watch = Stopwatch()
    if isinstance(size, Sizing) and sized is None:
        raise QueryError('k="auto" has no chances for a relevance of your own: give a number')
    ranker = tables if sized is None else sized.tables
    (query,) = read_queries(ranker.decomposer, [check_ask(ask, ranker.UNUSED)])
    question = EmbeddedQuery(query, ranker.embedder(query.texts), watch.lap())
    least = ranker.pool.least(size) if not isinstance(size, Sizing) else _usual_pool(ranker, conditions)
    (given,) = ranker.given([question], [ask], least, conditions)
    if isinstance(size, Sizing):
        assert sized is not None
        problem = sized.problem(question, conditions, given)
        selection = sized.sized(problem, size, conditions.time_limit)
        return Exploration(ranker, problem, selection, sized.distribution(problem))
    judged = ranker.problem(question, size, least, conditions.limits, given)
    problem = judged if tables.model is not None else replace(judged, judged=None)
    selection = tables.solved(problem, [size], conditions.time_limit)[size]
    distribution = None if sized is None else sized.distribution(judged)
    return Exploration(tables, problem, selection, distribution)


def _usual_pool(ranker: TableRanker, conditions: Conditions) -> int:
    """How many candidates there are where no number of tables is given."""
    from jar.sizes.sized_ranker import USUAL

    return ranker.pool.least(max(USUAL, len(conditions.limits.require)))
