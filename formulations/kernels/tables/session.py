"""One run of the search over tables: a starting set, then slices of work until the clock says stop."""

from __future__ import annotations

import math
from time import perf_counter
from typing import NamedTuple

import numpy as np

from formulations.instance import Instance
from formulations.kernels.certificate import NO_LIMIT
from formulations.kernels.machine_code import Kit
from formulations.kernels.nodes import DEPTH, NODES, Search, new_search, roles
from formulations.kernels.tables.connecting import connection
from formulations.kernels.tables.entries import FOUND, INFEASIBLE, STUCK, begin, run, sweep
from formulations.kernels.tables.prices import new_prices
from formulations.kernels.tables.problem import Problem, problem_arrays
from formulations.objectives.jar import JarObjective
from formulations.validation import IntArray, SignArray

SLICE = 10_000_000
"""Elementary operations between two looks at the clock: some 20 ms of machine code."""

SHORT_SLICE = 1_000_000
"""The same under a time limit, and before the first look: enough for most searches."""

SMALL = 100_000
"""Elementary operations that are done whatever the clock says: a fraction of a millisecond of machine code."""

USUAL_STEPS = 40
"""Steps that a usual search takes, about."""

PATIENCE = 3.0
"""Seconds before a deadline from which on no machine code is read any more."""


class Start(NamedTuple):
    """Where a run starts.

    ``fixed`` is 1 for required tables and -1 for those that can be in no set; ``items`` is the greedy set and
    ``value`` its value, ``-inf`` where none was found (``items`` is then of no meaning).
    """

    problem: Problem
    fixed: SignArray
    items: IntArray
    value: float
    scale: float


def starting_set(instance: Instance, objective: JarObjective, deadline: float) -> Start | None:
    """Return the greedy set, or ``None`` where it is proven that no set satisfies the constraints.

    When the deadline passes, the set is completed without evaluations.
    """
    problem = problem_arrays(instance, objective)
    fixed = roles(instance)
    items = np.zeros(instance.size, np.int64)
    required = len(instance.require)
    if required:
        items[:required] = instance.require
    answer, value = grown(problem, fixed, items, required, deadline)
    if answer == STUCK:
        joined = (problem.weights > -np.inf) & (fixed >= 0)
        connected, impossible = connection(joined, instance.require, instance.size, deadline)
        if impossible:
            return None
        if connected:
            items[: len(connected)] = connected
            answer, value = grown(problem, fixed, items, len(connected), deadline)
    return None if answer == INFEASIBLE else Start(problem, fixed, items, value, objective.scale(instance))


def grown(problem: Problem, fixed: SignArray, items: IntArray, count: int, deadline: float) -> tuple[int, float]:
    """Complete ``items[:count]`` greedily, or after the deadline by what each table has of its own.

    Returns the answer of `begin`, and the value.
    """
    fields = tuple(problem)
    last = problem.size
    while True:
        if deadline < math.inf:
            last = _affordable(problem, count, max(room_until(deadline), SMALL))
        answer, value = begin(fields, fixed, items, count, last, last == count < problem.size)
        if answer != FOUND or last in (count, problem.size):
            return answer, value
        count = last


def _affordable(problem: Problem, count: int, room: int) -> int:
    """Return up to how many tables a set can be grown before the next look at the clock, `count` where for none."""
    n, m = problem.scores.shape
    spent = 0
    while count < problem.size:
        step = n * (count + 1) * (count + 1 + m)
        if spent + step > room or (spent and spent + step > SHORT_SLICE):
            break
        spent += step
        count += 1
    return count


def room_until(deadline: float) -> int:
    """Return about how many elementary operations are left before a deadline."""
    left = deadline - perf_counter()
    rate = KIT.rate()
    return NO_LIMIT if left > NO_LIMIT / rate else max(0, int(left * rate))


def search(
    start: Start, deadline: float, *, gap_limit: float = 0.0, node_limit: int | None = None
) -> Search:
    """Run branch and bound from a starting set until it is done, the deadline has passed, or the nodes are used up.

    At least one bound is computed, whatever the deadline.
    """
    problem = start.problem
    n, m = problem.scores.shape
    state = new_search(start.fixed, start.items.copy(), start.value, start.scale)
    joins = 20 * len(problem.left) if problem.sparse else n * n
    work = joins + n * (m + 10 * problem.size)
    slice_operations = min(SLICE, SHORT_SLICE)
    nodes = NO_LIMIT if node_limit is None else node_limit
    fields, search_fields, price_fields = tuple(problem), tuple(state), tuple(new_prices(n, m))
    counters = state.counters
    while True:
        if not KIT.compiled():
            slice_operations = min(slice_operations, room_until(deadline) // 2)
        steps = max(1, slice_operations // work)
        run(fields, search_fields, price_fields, gap_limit, nodes, steps, room_until(deadline))
        if counters[DEPTH] == 0 or counters[NODES] >= nodes or perf_counter() >= deadline:
            return state
        slice_operations = SLICE if deadline == math.inf else SHORT_SLICE
        if deadline - perf_counter() > PATIENCE:
            KIT.settle(slice_operations)


def quick_bound(start: Start, deadline: float) -> Search:
    """Return the search after its work at the root, which is what a heuristic can afford."""
    return search(start, deadline, node_limit=1)


def exchanged(start: Start, deadline: float) -> Start:
    """Improve ``start.items`` in place by sweeps of exchanges until one changes nothing; return it with its value.

    Without a deadline a call does a sweep; with one, as many tables of it as fit between two looks at the clock.
    """
    problem, fields = start.problem, tuple(start.problem)
    size, (n, m) = problem.size, problem.scores.shape
    work = n * size * (size + m)
    chunk = size if deadline == math.inf else min(size, max(1, SHORT_SLICE // work))
    value, before = start.value, -math.inf
    while value > before:
        before = value
        for first in range(0, size, chunk):
            last = min(first + chunk, size)
            if work * (last - first) > max(room_until(deadline), SMALL):
                return start._replace(value=value)
            value = float(sweep(fields, start.fixed, start.items, value, first, last))
    return start._replace(value=value)


def operations(instance: Instance) -> float:
    """Return about how many elementary operations a usual search takes."""
    return USUAL_STEPS * instance.n * (instance.n + instance.m + 10.0 * instance.size)


def rehearse() -> None:
    """Run each entry on a problem of three tables."""
    joins = [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    instance = Instance([1.0, 0.5, 0.0], [[0.0, 1.0, 0.5]], joins, 2)
    start = starting_set(instance, JarObjective(), math.inf)
    assert start is not None
    quick_bound(exchanged(start, math.inf), math.inf)


KIT = Kit("tables", (begin, sweep, run), rehearse)
