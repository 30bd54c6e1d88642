"""Examples: the candidates of a logged question, what the relevance model says of them, and which it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray
from jar.fitting.logged import LeftOut
from jar.learned.adaptation import Hashes, hashed_words
from jar.learned.evidence import FEATURES
from jar.learned.relevance_model import shipped_model
from jar.tables.query import Ask, Conditions

if TYPE_CHECKING:
    from collections.abc import Callable

    from formulations import Instance
    from jar.fitting.logged import LoggedQuestion
    from jar.learned.relevance_model import RelevanceModel
    from jar.tables.table_problem import TableProblem
    from jar.tables.table_ranker import TableRanker

SIZE = 5
"""Tables that a problem is set up for."""


@dataclass(frozen=True, eq=False)
class Example:
    """A question with n candidates.

    Attributes
    ----------
    group : str
        Equal for questions that are one but for the wording.
    tables : array (n,)
        Positions of the candidates in the index.
    needed : array (n,)
        Which of them the question needs.
    gold : int
        Tables that it needs, candidates or not.
    odds : array (n,)
        Log-odds of each by the relevance model.
    words : array
        Hashes of its words.
    instance : Instance
        What is solved for it, with coarse relevance alone.
    weight : float
        Of log-odds before anything is fitted; 0 where they do not count.
    model : RelevanceModel
        As it counts for them.
    """

    group: str
    tables: IntArray
    needed: npt.NDArray[np.bool_]
    gold: int
    odds: Array
    words: Hashes
    instance: Instance
    weight: float
    model: RelevanceModel


def make_examples(
    ranker: TableRanker, logged: Sequence[LoggedQuestion], advance: Callable[[int], None]
) -> tuple[list[Example], list[LeftOut]]:
    """The examples of logged questions, and those of which no needed table is a candidate: they teach nothing."""
    model = ranker.model or shipped_model()
    unmoved = replace(ranker, model=model.weighing_nothing(), adaptation=None, always_judges=True)
    examples, left_out = [], []
    for question, (problem, built_in) in zip(logged, _problems(unmoved, logged), strict=True):
        needed = _needed(problem, question.tables)
        advance(1)
        if problem.judged is None or not needed.any():
            left_out.append(LeftOut(question.row, "no table that it needs is among its candidates"))
            continue
        of_them = model.at(problem.judged.seen, problem.judged.features[:, : len(FEATURES)])
        examples.append(
            Example(
                group=question.group,
                tables=problem.tables,
                needed=needed,
                gold=len(question.tables),
                odds=problem.judged.log_odds,
                words=hashed_words(question.question, ranker.relevance.stop_words.of(question.question)),
                instance=problem.reduction.instance,
                weight=ranker.weight(problem.tables, built_in, None if ranker.model is None else of_them),
                model=of_them,
            )
        )
    return examples, left_out


def _problems(ranker: TableRanker, logged: Sequence[LoggedQuestion]) -> Iterator[tuple[TableProblem, bool]]:
    """The problem of each question, and whether the own first stage finds its candidates."""
    asks, conditions = [Ask(question.question) for question in logged], Conditions()
    questions = ranker.read(asks)
    count = ranker.pool.least(SIZE)
    given = ranker.given(questions, asks, count, conditions)
    for question, candidates in zip(questions, given, strict=True):
        yield ranker.problem(question, SIZE, count, conditions.limits, candidates), candidates is None


def _needed(problem: TableProblem, tables: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Which candidates are needed, or stand for a sharded table that is."""
    wanted = set(tables)
    families = problem.found.families
    needed = [bool(wanted.intersection((table, *families.get(table, ())))) for table in problem.tables.tolist()]
    return np.array(needed, dtype=np.bool_)
