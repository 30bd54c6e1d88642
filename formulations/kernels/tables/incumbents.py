"""Sets that the search comes across: the one of a relaxation, exchanges in the best one, sets grown anew."""

from __future__ import annotations

import numpy as np

from formulations.kernels.compiled import kernel
from formulations.kernels.nodes import VALUE
from formulations.kernels.tables.problem import Problem
from formulations.kernels.tables.set_value import set_value
from formulations.kernels.tables.start import exchange, grow
from formulations.kernels.tables.subtrees import best_subtree
from formulations.kernels.tables.work_space import Work
from formulations.validation import Array, IntArray, SignArray

PROMISING = 0.05
"""A subtree is improved by exchanges where it lacks no more than this share of the incumbent's value."""


@kernel
def offer(
    problem: Problem, items: IntArray, numbers: Array, incumbent: IntArray, values: Array
) -> None:
    """Make the set the incumbent if it is better."""
    value = set_value(problem, items, problem.size, numbers)
    if value > values[VALUE]:
        values[VALUE] = value
        copy(items, incumbent)


@kernel
def offer_exchanged(
    problem: Problem, fixed: SignArray, incumbent: IntArray, values: Array, work: Work
) -> None:
    """Improve the incumbent by a sweep of exchanges with the tables that are still in play."""
    if values[VALUE] > -np.inf:
        copy(incumbent, work.items)
        exchange(problem, fixed, work.items, values[VALUE], 0, problem.size, work.member, work.numbers)
        offer(problem, work.items, work.numbers, incumbent, values)


@kernel
def offer_grown(
    problem: Problem, fixed: SignArray, incumbent: IntArray, values: Array, work: Work
) -> None:
    """Grow a connected set from each table of the relaxed set, and improve it by exchanges.

    Greedy growth can not leave the neighbourhood that it starts in, so it pays to start where the relaxation points.
    Not where tables are taken already: every set has to start from them.
    """
    relaxed = work.relaxed
    for i in range(len(fixed)):
        if fixed[i] == 1:
            return
    for k in range(problem.size):
        work.items[0] = relaxed.tables[relaxed.chosen[k]]
        value = grow(problem, fixed, work.items, 1, problem.size, work.member, work.numbers)
        if value > -np.inf:
            exchange(problem, fixed, work.items, value, 0, problem.size, work.member, work.numbers)
            offer(problem, work.items, work.numbers, incumbent, values)


@kernel
def sweep_work(problem: Problem) -> int:
    """Return about how many elementary operations a sweep of exchanges, or growth from one table, takes at most."""
    n, m = problem.scores.shape
    return int(n * problem.size * problem.size * (problem.size + m))


@kernel
def offer_subtree(
    problem: Problem,
    fixed: SignArray,
    incumbent: IntArray,
    values: Array,
    work: Work,
    count: int,
    p: int,
    noise: int,
    room: int,
) -> None:
    """Take the best connected set of a spanning tree; improve it by exchanges where it is not far off and `room` lasts.

    `room` counts elementary operations.
    """
    items = work.items
    if best_subtree(work.subtrees, work.relaxed, work.listed, count, p, noise, items):
        value, before = set_value(problem, items, problem.size, work.numbers), -np.inf
        if value > values[VALUE] - PROMISING * abs(values[VALUE]):
            while value > before and sweep_work(problem) <= room:
                before = value
                value = exchange(problem, fixed, items, value, 0, problem.size, work.member, work.numbers)
            offer(problem, items, work.numbers, incumbent, values)


@kernel
def collect(
    tables: IntArray, chosen: IntArray, member: IntArray, p: int, items: IntArray, before: IntArray
) -> bool:
    """Put the relaxed set into `items`, mark its members, and say whether it differs from the one before."""
    for c in range(p):
        member[c] = 0
    fresh = False
    for k in range(len(chosen)):
        member[chosen[k]] = 1
        items[k] = tables[chosen[k]]
        fresh = fresh or items[k] != before[k]
        before[k] = items[k]
    return fresh


@kernel
def copy(source: IntArray, target: IntArray) -> None:
    """Copy an array onto another one; without the temporary copy that slices make."""
    for k in range(len(source)):
        target[k] = source[k]
