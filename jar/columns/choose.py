"""The choice of columns for a question: candidates, instance, solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from formulations import CrushObjective, Instance, Solution, solve, sweep_order
from formulations.kernels.columns.orders import greedy_order
from jar.arrays import IntArray, Vectors
from jar.columns.candidates import build_pool, column_cosines
from jar.columns.probed_question import QUESTION
from jar.errors import QueryError
from jar.stopwatch import Stopwatch

if TYPE_CHECKING:
    from jar.columns.candidates import Pool
    from jar.columns.probed_question import ProbedQuestion
    from jar.columns.search import ColumnSearch
    from jar.index.contents import IndexContents
    from jar.tables.problem import Joinability
    from jar.tables.query import Limits
    from joinability.scores.score import JoinScore


@dataclass(frozen=True)
class ColumnTask:
    """What is asked of a choice of columns, beside its probes.

    Attributes
    ----------
    budget : int
        Number of columns; all candidates, and a note, where there are fewer.
    limits : Limits
    tables : int, optional
        At most so many tables, each with at least one column; by default as many as the columns have.
    time_limit : float, optional
        Seconds for the solver.
    joinability : Joinability, optional
        That of columns which include all candidates, where it is at hand.
    families : mapping
        The sharded tables that some of them stand for.
    """

    budget: int
    limits: Limits
    tables: int | None = None
    time_limit: float | None = None
    joinability: Joinability | None = None
    families: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ColumnChoice:
    """The columns that were chosen for a question.

    Attributes
    ----------
    probed : ProbedQuestion
    cosines : array (m, C)
        Of each probe, the question last where it is one, with each column of the index.
    pool : Pool
        The candidates.
    items : list of int
        The chosen candidates, in order.
    solution : Solution
    notes : tuple of str
        What was not as asked, in words.
    timings : dict
        Seconds by stage.
    """

    probed: ProbedQuestion
    cosines: Vectors
    pool: Pool
    items: Sequence[int]
    solution: Solution
    notes: tuple[str, ...]
    timings: Mapping[str, float]


def choose_columns(
    contents: IndexContents,
    probed: ProbedQuestion,
    search: ColumnSearch,
    solver: str,
    score: JoinScore,
    task: ColumnTask,
) -> ColumnChoice:
    """Choose the columns that together answer the probes of a question.

    Raises
    ------
    QueryError
        When the index has no column that is not excluded, or more tables are required than shall be chosen.
    """
    watch = Stopwatch()
    limits, budget, tables = task.limits, task.budget, task.tables
    cosines = column_cosines(contents, probed, search)
    count = max(search.candidates, budget)
    pool = build_pool(contents, cosines, search, count, limits, score, task.joinability)
    if not len(pool.columns):
        raise QueryError("no column is left to choose from: the index has none, or all its tables are excluded")
    kept = _tables(pool, limits, min(budget, len(pool.columns)) if tables is None else tables, budget)
    pool = pool if tables is None else pool.restricted(kept)
    retrieved = watch.lap()
    instance = column_instance(pool, search, budget, _one_of_each(pool, limits.require if tables is None else kept))
    solution = solve(instance, search.objective, solver, time_limit=task.time_limit)
    items = ordered_items(instance, search.objective, solution)
    timings = {"retrieve": retrieved, "solve": watch.lap()}
    notes = _notes(probed, budget, len(pool.columns), tables, len(kept))
    return ColumnChoice(probed, cosines, pool, items, solution, notes, timings)


def _tables(pool: Pool, limits: Limits, count: int, budget: int) -> IntArray:
    """Positions of the tables that columns may come from: the required ones, then the best."""
    required = np.array(limits.require, dtype=np.int64)
    if len(required) > min(count, budget):
        raise QueryError(
            f"{len(required)} tables are required, but there is room for {min(count, budget)}: raise k or the budget"
        )
    others = pool.tables[~np.isin(pool.tables, required)]
    return np.concatenate([required, others])[: min(count, budget)]


def _one_of_each(pool: Pool, tables: IntArray | tuple[int, ...]) -> list[int]:
    """The best candidate of each of some tables, so that each has a column in the answer."""
    owners = pool.owners.tolist()
    rank = np.argsort(-pool.scores, kind="stable").tolist()
    first: dict[int, int] = {}
    for item in rank:
        first.setdefault(owners[item], item)
    return [first[int(table)] for table in tables if int(table) in first]


def column_instance(pool: Pool, search: ColumnSearch, budget: int, required: Sequence[int] = ()) -> Instance:
    """The instance of a choice of columns: at most all candidates, `required` ones (by place) among them."""
    n = len(pool.columns)
    linked = np.zeros((n, n))
    if search.has_edges and pool.joinability is not None:
        linked = np.where(pool.joinability >= search.link, pool.joinability, 0.0)
    return Instance(
        relevance=np.zeros(n),
        coverage=pool.similarity,
        compatibility=linked,
        size=min(budget, n),
        require=required,
        groups=pool.owners.tolist(),
    )


def ordered_items(instance: Instance, objective: CrushObjective, solution: Solution) -> list[int]:
    """The chosen items, next always the one that the rule of the solver takes among them."""
    items = sorted(solution.items)
    part = Instance(
        relevance=np.zeros(len(items)),
        coverage=instance.coverage[:, items],
        compatibility=instance.compatibility[np.ix_(items, items)],
        size=len(items),
        groups=None if instance.groups is None else [instance.groups[item] for item in items],
    )
    order = sweep_order if solution.solver == "sweep" else greedy_order
    return [items[place] for place in order(part, objective)]


def _notes(probed: ProbedQuestion, budget: int, candidates: int, tables: int | None, kept: int) -> tuple[str, ...]:
    notes = [probed.note] if probed.note else []
    if budget > candidates:
        where = "" if tables is None else f" in {kept} table{'s' * (kept != 1)}"
        there = f"are only {candidates} candidates" if candidates != 1 else "is only 1 candidate"
        notes.append(f"{budget} columns were asked for, there {there}{where}")
    if tables is not None and kept < min(tables, budget):
        verb = "is" if kept == 1 else "are"
        notes.append(f"{tables} tables were asked for, there {verb} only {kept} with candidates")
    if tables is not None and tables > budget:
        notes.append(f"{tables} tables were asked for, but {budget} columns are of at most {budget} tables")
    if not probed.whole.any() and probed.source == QUESTION:
        notes.append("the embedder knows no word of the question: the order of columns means nothing")
    return tuple(notes)
