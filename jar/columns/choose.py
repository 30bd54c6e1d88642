"""The choice of columns for a question: candidates, instance, solver, answer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from formulations import CrushObjective, Instance, Solution, solve, sweep_order
from formulations.kernels.columns.orders import greedy_order
from jar.arrays import IntArray
from jar.columns.candidates import build_pool
from jar.columns.column_answer import report
from jar.columns.probing import QUESTION, stack
from jar.errors import QueryError

if TYPE_CHECKING:
    from jar.answers.column_selection import ColumnSelection
    from jar.columns.candidates import Pool
    from jar.columns.probing import Probing
    from jar.columns.search import ColumnSearch
    from jar.index.contents import IndexContents
    from jar.tables.query import Limits
    from joinability.scores.score import JoinScore


def choose_columns(
    contents: IndexContents,
    probing: Probing,
    search: ColumnSearch,
    solver: str,
    budget: int,
    limits: Limits,
    score: JoinScore,
    *,
    tables: int | None = None,
    time_limit: float | None = None,
    started: float | None = None,
) -> ColumnSelection:
    """Choose the columns that together answer the probes of a question.

    Parameters
    ----------
    budget : int
        Number of columns; all candidates, and a note, where there are fewer.
    tables : int, optional
        At most so many tables, each with at least one column; by default as many as the columns have.

    Raises
    ------
    QueryError
        When the index has no column that is not excluded, or more tables are required than shall be chosen.
    """
    clock = [time.perf_counter() if started is None else started, time.perf_counter()]
    vectors = stack(probing, question=search.question)
    cosines = vectors @ contents.schema_vectors.T
    pool = build_pool(contents, cosines, search, max(search.candidates, budget), limits, score)
    if not len(pool.columns):
        raise QueryError("no column is left to choose from: the index has none, or all its tables are excluded")
    kept = _tables(pool, limits, min(budget, len(pool.columns)) if tables is None else tables, budget)
    pool = pool if tables is None else pool.restricted(kept)
    clock.append(time.perf_counter())
    instance = column_instance(pool, search, budget, _one_of_each(pool, limits.require if tables is None else kept))
    solution = solve(instance, search.objective, solver, time_limit=time_limit)
    items = ordered_items(instance, search.objective, solution)
    clock.append(time.perf_counter())
    notes = _notes(probing, budget, len(pool.columns), tables, len(kept))
    return report(contents, probing, pool, cosines, items, solution, search, limits, score, budget, notes, clock)


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


def _notes(probing: Probing, budget: int, candidates: int, tables: int | None, found: int) -> tuple[str, ...]:
    notes = [probing.note] if probing.note else []
    if budget > candidates:
        where = "" if tables is None else f" in {found} table{'s' * (found != 1)}"
        notes.append(f"{budget} columns were asked for, there are only {candidates} candidates{where}")
    if tables is not None and found < min(tables, budget):
        notes.append(f"{tables} tables were asked for, there are only {found} with candidates")
    if tables is not None and tables > budget:
        notes.append(f"{tables} tables were asked for, but {budget} columns are of at most {budget} tables")
    if not probing.whole.any() and probing.source == QUESTION:
        notes.append("the embedder knows no word of the question: the order of columns means nothing")
    return tuple(notes)
