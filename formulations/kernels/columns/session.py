"""One run of the search over columns: a starting set, then slices of work until the clock says stop."""

from __future__ import annotations

import math
from time import perf_counter
from typing import NamedTuple

import numpy as np

from formulations.instance import Instance
from formulations.kernels.certificate import NO_LIMIT
from formulations.kernels.columns.entries import exchanged_set, greedy_set, measure, run, swept_set
from formulations.kernels.columns.problem import Problem, check_similarities, problem_arrays
from formulations.kernels.columns.relaxation import Prices
from formulations.kernels.machine_code import Kit
from formulations.kernels.nodes import DEPTH, NODES, STEPS, VALUE, Search, new_search, roles
from formulations.objectives.crush import CrushObjective, group_numbers
from formulations.validation import Array, IntArray, SignArray

SLICE = 20_000_000
"""Elementary operations between two looks at the clock: some 20 ms of machine code."""

SHORT_SLICE = 2_000_000
"""The same under a time limit, and before the first look but one: enough for most searches."""

USUAL_STEPS = 40
"""Steps that a usual search takes, about."""

PATIENCE = 3.0
"""Seconds before a deadline from which on no machine code is read any more."""

BOUND_WORK = 500_000
"""Elementary operations that a heuristic spends on its bound."""

EXCHANGE_AFTER = 6
"""Step after which the incumbent is improved by exchanges."""


class Start(NamedTuple):
    """Where a run starts: the arrays, what is fixed, a set, its value, and the level smx of each probe over it."""

    problem: Problem
    fixed: SignArray
    items: IntArray
    value: float
    level: Array
    scale: float


def starting_set(instance: Instance, objective: CrushObjective, deadline: float = math.inf) -> Start:
    """Return the greedy set, whatever the deadline: lazy evaluation is fast, and every set is feasible."""
    problem, fixed, items = problem_arrays(instance, objective), roles(instance), _required_first(instance)
    greedy_set(tuple(problem), fixed, items, len(instance.require))
    return measured(problem, fixed, items, objective.scale(instance))


def swept_start(instance: Instance, objective: CrushObjective) -> Start:
    """Return the set of the sweep."""
    problem, fixed = problem_arrays(instance, objective), roles(instance)
    return measured(problem, fixed, _sweep(instance, problem.table, fixed, problem.gamma), objective.scale(instance))


def swept_items(instance: Instance, objective: CrushObjective) -> IntArray:
    """Return the columns of `formulations.sweep_order`."""
    check_similarities(instance)
    return _sweep(instance, group_numbers(instance), roles(instance), float(objective.gamma))


def _sweep(instance: Instance, table: IntArray, fixed: SignArray, gamma: float) -> IntArray:
    # Without probes, one that is as similar to all columns stands for them.
    coverage: Array = np.array(instance.coverage) if instance.m else np.zeros((1, instance.n))
    items = _required_first(instance)
    swept_set(coverage, table, gamma, fixed, items, len(instance.require))
    return items


def exchanged(start: Start, deadline: float = math.inf) -> Start:
    """Return a set that no exchange of one column improves, or what there is at the deadline."""
    problem, fixed, items = start[:3]
    while perf_counter() < deadline and exchanged_set(tuple(problem), fixed, items):
        pass
    return measured(problem, fixed, items, start.scale)


def measured(problem: Problem, fixed: SignArray, items: IntArray, scale: float) -> Start:
    """Return a start with its value and levels."""
    level = np.empty(problem.similarity.shape[1])
    return Start(problem, fixed, items, float(measure(tuple(problem), items, level)), level, scale)


def search(
    start: Start,
    deadline: float,
    *,
    gap_limit: float = 0.0,
    node_limit: int | None = None,
    step_limit: int | None = None,
) -> Search:
    """Run branch and bound from a starting set until it is done, the deadline has passed, or the limits are used up.

    At least one bound is computed, whatever the deadline.
    """
    problem = start.problem
    state = new_search(start.fixed, start.items.copy(), start.value, start.scale)
    n, m = problem.similarity.shape
    work = step_work(n, m, problem.size)
    slice_operations = min(SLICE, SHORT_SLICE)
    nodes = NO_LIMIT if node_limit is None else node_limit
    left = NO_LIMIT if step_limit is None else step_limit
    # A share of 1 leaves all of a step to its column, where it meets the limit of what key links can add.
    shares, (lowest, highest) = np.ones(len(problem.key_column)), level_range(problem)
    prices = Prices(start.level.copy(), shares, lowest, highest)
    fields, search_fields, price_fields = tuple(problem), tuple(state), tuple(prices)
    steps = min(left, EXCHANGE_AFTER)
    while True:
        run(fields, search_fields, price_fields, gap_limit, nodes, steps)
        left -= steps
        if state.counters[DEPTH] == 0 or state.counters[NODES] >= nodes or left <= 0 or perf_counter() >= deadline:
            return state
        if state.counters[STEPS] == EXCHANGE_AFTER:
            exchange_incumbent(start, state, deadline)
        if not KIT.compiled() and deadline < math.inf:
            slice_operations = min(slice_operations, int((deadline - perf_counter()) * KIT.rate()) // 2)
        elif state.counters[STEPS] > EXCHANGE_AFTER:
            slice_operations = SLICE if deadline == math.inf else SHORT_SLICE
        if deadline - perf_counter() > PATIENCE:
            KIT.settle(slice_operations)
        steps = min(left, max(1, slice_operations // work))


def exchange_incumbent(start: Start, state: Search, deadline: float) -> None:
    """Improve the incumbent by exchanges."""
    better = exchanged(start._replace(items=state.incumbent.copy()), deadline)
    if better.value > state.values[VALUE]:
        state.values[VALUE] = better.value
        state.incumbent[:] = better.items


def quick_bound(start: Start, deadline: float) -> Search:
    """Return the search after the few steps at the root that a heuristic can afford."""
    n, m = start.problem.similarity.shape
    work = step_work(n, m, start.problem.size)
    return search(start, deadline, node_limit=1, step_limit=max(1, BOUND_WORK // work))


def level_range(problem: Problem) -> tuple[Array, Array]:
    """Return between which numbers the best level of each probe is."""
    similarity = problem.similarity
    return similarity.min(axis=0), similarity.max(axis=0) + problem.sharpness * math.log(problem.size)


def step_work(n: int, m: int, size: int) -> int:
    """Return about how many elementary operations a step takes, for n columns and m probes."""
    return n * (10 * m + 2 * size + 20)


def operations(instance: Instance) -> float:
    """Return about how many elementary operations a usual search takes."""
    return float(USUAL_STEPS * step_work(instance.n, instance.m, instance.size))


def _required_first(instance: Instance) -> IntArray:
    """Return room for a set that begins with the required columns."""
    items = np.zeros(instance.size, np.int64)
    items[: len(instance.require)] = instance.require
    return items


def rehearse() -> None:
    """Run each entry on a problem of three columns."""
    coverage = [[0.0, 1.0, 0.5], [0.5, 0.0, 1.0]]
    instance = Instance([0.0, 0.0, 0.0], coverage, [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], 2)
    objective = CrushObjective()
    for start in (starting_set(instance, objective), swept_start(instance, objective)):
        quick_bound(exchanged(start), math.inf)


KIT = Kit("columns", (greedy_set, exchanged_set, swept_set, measure, run), rehearse)
