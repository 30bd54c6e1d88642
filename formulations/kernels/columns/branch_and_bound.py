"""Branch and bound: Lagrangian bounds, fixing of columns, depth first on an explicit stack; stops and resumes anywhere.

The search is that of `formulations.kernels.tables.branch_and_bound` with another bound: a node is a vector ``fixed``
with 1 for a column that is taken, -1 for one that is left out, 0 for a free one. A node is processed by subgradient
steps on the prices. Each step gives a bound and a set, which is evaluated as a new incumbent; every few steps each free
column is fixed whose other choice can not beat the incumbent. A node that stays open is split on one column.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.kernels.columns.problem import Problem
from formulations.kernels.columns.relaxation import Prices, Relaxed, conditional, load, new_relaxed, relax, trace
from formulations.kernels.columns.set_value import set_value
from formulations.kernels.columns.subgradient import descend
from formulations.kernels.compiled import kernel, workspace
from formulations.kernels.nodes import (
    CLOSED,
    DEPTH,
    NODES,
    PAUSED,
    SPLIT,
    STEPS,
    VALUE,
    Search,
    branching_position,
    closes,
    fix,
    improvement,
    sets_left,
    split,
    tolerance,
)
from formulations.validation import Array, IntArray, SignArray

FIX_EVERY = 3
"""Steps between two attempts to fix columns; a node is split after such an attempt."""

ROOT_STEPS, NODE_STEPS = 60, 9
"""Most steps at the root, and at any other node."""

LENGTH, STALL, DAMPING, SHORTEST = 1.5, 3, 0.7, 0.02
"""Polyak length of the first steps; after `STALL` steps without a better bound it is damped. A node is split when it
gets too short."""

SLOW = 0.9
"""A node is split when this share of its gap is left after `FIX_EVERY` steps."""


class Work(NamedTuple):
    """All work space of the search.

    Attributes
    ----------
    relaxed
        The relaxed problem.
    items : array of B integers
        A set to evaluate.
    member, counts : arrays of n integers
        Room for `set_value`, zero.
    slope : array of m floats
        Subgradient by the levels.
    """

    relaxed: Relaxed
    items: IntArray
    member: IntArray
    counts: IntArray
    slope: Array


@workspace
def new_work(problem: Problem) -> Work:
    """Return work space for a problem."""
    n, m = problem.similarity.shape
    zeros = np.zeros((2, n), np.int64)
    return Work(
        new_relaxed(n, n, problem.tables, problem.size),
        np.empty(problem.size, np.int64),
        zeros[0],
        zeros[1],
        np.empty(m),
    )


@kernel
def explore(
    problem: Problem, search: Search, prices: Prices, work: Work, gap_limit: float, nodes: int, steps: int
) -> None:
    """Process open nodes until none is left, `nodes` have been processed in all, or `steps` taken in this call."""
    counters, bounds = search.counters, search.bounds
    last = counters[STEPS] + steps
    while counters[DEPTH] > 0 and counters[NODES] < nodes and counters[STEPS] < last:
        top = counters[DEPTH] - 1
        counters[DEPTH] = top
        if closes(search.values, bounds[top], gap_limit):
            continue
        state, bound, position = process(problem, search, prices, work, search.stack[top], top, gap_limit, last)
        if state == PAUSED:
            bounds[top] = bound
            counters[DEPTH] = top + 1
            continue
        counters[NODES] += 1
        if state == SPLIT:
            split(search.stack, top, work.relaxed.columns[position])
            bounds[top] = min(bound, work.relaxed.outside[position])
            bounds[top + 1] = min(bound, work.relaxed.inside[position])
            search.spent[top] = search.spent[top + 1] = 0
            counters[DEPTH] = top + 2


@kernel
def process(
    problem: Problem,
    search: Search,
    prices: Prices,
    work: Work,
    fixed: SignArray,
    top: int,
    gap_limit: float,
    last: int,
) -> tuple[int, float, int]:
    """Lower the bound of a node and fix columns in it; return what becomes of it, its bound, and where to split."""
    relaxed, counters, values = work.relaxed, search.counters, search.values
    root = counters[NODES] == 0
    most = ROOT_STEPS if root else NODE_STEPS
    best, reference, theta, stall = search.bounds[top], np.inf, LENGTH, 0
    p, tables = load(problem, fixed, relaxed)
    while True:
        left = sets_left(relaxed.columns, relaxed.forced, p, problem.size, work.items)
        if left == 1:
            offer_items(problem, search, work)
        if left < 2:
            return CLOSED, best, -1
        bound = relax(problem, prices, relaxed, p, tables)
        counters[STEPS] += 1
        search.spent[top] += 1
        if bound == -np.inf:
            return CLOSED, best, -1
        stall += 1
        if bound < best:
            best, stall = bound, 0
        elif stall >= STALL:
            theta, stall = theta * DAMPING, 0
        trace(problem, relaxed, p, tables)
        offer(problem, search, work)
        if closes(values, best, gap_limit):
            return CLOSED, best, -1
        stuck = not descend(problem, prices, relaxed, tables, theta * improvement(values[VALUE], bound), work.slope)
        if stuck or search.spent[top] % FIX_EVERY == 0:
            conditional(problem, relaxed, tables)
            constant = bound - relaxed.before[tables, problem.size]
            level = values[VALUE] + tolerance(values)
            if fix(fixed, relaxed.columns, relaxed.forced, relaxed.inside, relaxed.outside, p, constant, level) > 0:
                p, tables = load(problem, fixed, relaxed)
            else:
                slow = not root and best - values[VALUE] > SLOW * reference
                reference = best - values[VALUE]
                if stuck or slow or theta < SHORTEST or search.spent[top] >= most:
                    return SPLIT, best, branching_position(relaxed.forced, relaxed.member, relaxed.outside, p)
        if counters[STEPS] >= last:
            return PAUSED, best, -1


@kernel
def offer(problem: Problem, search: Search, work: Work) -> None:
    """Evaluate the relaxed set."""
    for a in range(problem.size):
        work.items[a] = work.relaxed.columns[work.relaxed.chosen[a]]
    offer_items(problem, search, work)


@kernel
def offer_items(problem: Problem, search: Search, work: Work) -> None:
    """Make a set the incumbent if it is better."""
    value = set_value(problem, work.items, work.member, work.counts)
    if value > search.values[VALUE]:
        search.values[VALUE] = value
        for a in range(problem.size):
            search.incumbent[a] = work.items[a]
