"""Branch and bound: Lagrangian bounds, fixing of tables, depth first on an explicit stack; stops and resumes anywhere.

A node is a vector ``fixed``: 1 for a table that is taken, -1 for one that is left out, 0 for a free one. A node is
processed by subgradient steps on the prices. Each step gives a bound and a set, which is evaluated as a new incumbent;
every few steps each free table is fixed whose other choice can not beat the incumbent. A node that stays open is
split on one table. The prices of one node are the starting point of the next.
"""

from __future__ import annotations

import numpy as np

from formulations.kernels.compiled import kernel
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
from formulations.kernels.tables.dendrogram import conditional, trace
from formulations.kernels.tables.distances import drop_distant
from formulations.kernels.tables.incumbents import (
    collect,
    offer,
    offer_exchanged,
    offer_grown,
    offer_subtree,
    sweep_work,
)
from formulations.kernels.tables.prices import Prices, price_matches
from formulations.kernels.tables.problem import Problem
from formulations.kernels.tables.relaxation import load, relax
from formulations.kernels.tables.subgradient import descend
from formulations.kernels.tables.work_space import Work
from formulations.validation import SignArray

FIX_EVERY = 3
"""Steps between two attempts to fix tables; a node is split after such an attempt."""

EXCHANGE_AFTER = 6
"""Step of the root after which the incumbent is improved by exchanges, over the tables that are left."""

GROW_AFTER = 30
"""Step of the root after which, where a set must be connected, one is grown from each table of the relaxed set."""

ROOT_STEPS, NODE_STEPS = 60, 9
"""Most steps at the root (and one more for every 8 tables), and at any other node."""

LENGTH, STALL, DAMPING, SHORTEST = 1.5, 3, 0.7, 0.02
"""Polyak length of the first steps; after `STALL` steps without a better bound it is damped. A node is split when it
gets too short."""

SLOW = 0.9
"""A node is split when this share of its gap is left after `FIX_EVERY` steps."""


@kernel
def explore(
    problem: Problem, search: Search, prices: Prices, work: Work, gap_limit: float, nodes: int, steps: int, room: int
) -> None:
    """Process open nodes until none is left, `nodes` have been processed in all, or `steps` taken in this call.

    What is no part of a bound (sets that are grown or improved) is left out where it takes more than `room` elementary
    operations.
    """
    counters, bounds = search.counters, search.bounds
    if counters[STEPS] == 0:
        price_matches(problem.scores, problem.bonus, problem.limit, search.stack[0], prices.match)
    last = counters[STEPS] + steps
    while counters[DEPTH] > 0 and counters[NODES] < nodes and counters[STEPS] < last:
        top = counters[DEPTH] - 1
        counters[DEPTH] = top
        if closes(search.values, bounds[top], gap_limit):
            continue
        state, bound, position = process(problem, search, prices, work, search.stack[top], top, gap_limit, last, room)
        if state == PAUSED:
            bounds[top] = bound
            counters[DEPTH] = top + 1
            continue
        counters[NODES] += 1
        if state == SPLIT:
            split(search.stack, top, work.relaxed.tables[position])
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
    room: int,
) -> tuple[int, float, int]:
    """Lower the bound of a node and fix tables in it; return what becomes of it, its bound, and where to split."""
    relaxed, forest, tree, size = work.relaxed, work.forest, work.tree, problem.size
    counters, values = search.counters, search.values
    root = counters[NODES] == 0
    most = ROOT_STEPS + len(fixed) // 8 if root else NODE_STEPS
    best, reference, theta, stall = search.bounds[top], np.inf, LENGTH, 0
    work.before[0] = -1
    p, count = enter(problem, prices, fixed, work)
    while True:
        left = sets_left(relaxed.tables, relaxed.forced, p, size, work.items)
        if left == 1:
            offer(problem, work.items, work.numbers, search.incumbent, values)
        if left < 2:
            return CLOSED, best, -1
        constant, value = relax(problem, prices.match, relaxed, work.listed, forest, tree, p, count)
        counters[STEPS] += 1
        search.spent[top] += 1
        spent = search.spent[top]
        if value == -np.inf:
            return CLOSED, best, -1
        stall += 1
        if constant + value < best:
            best, stall = constant + value, 0
        elif stall >= STALL:
            theta, stall = theta * DAMPING, 0
        used = trace(tree, forest.order, p, size, problem.connected, relaxed.chosen, relaxed.used)
        if collect(relaxed.tables, relaxed.chosen, relaxed.member, p, work.items, work.before):
            offer(problem, work.items, work.numbers, search.incumbent, values)
        offer_others(problem, fixed, search, work, root, spent, count, p, room)
        if closes(values, best, gap_limit):
            return CLOSED, best, -1
        distance = theta * improvement(values[VALUE], constant + value)
        stuck = not descend(problem, prices, relaxed, forest, p, used, counters[STEPS], distance, work.slope)
        if stuck or spent % FIX_EVERY == 0:
            conditional(tree, p, size, relaxed.inside, relaxed.outside)
            level = values[VALUE] + tolerance(values)
            if fix(fixed, relaxed.tables, relaxed.forced, relaxed.inside, relaxed.outside, p, constant, level) > 0:
                p, count = enter(problem, prices, fixed, work)
            else:
                slow = not root and best - values[VALUE] > SLOW * reference
                reference = best - values[VALUE]
                if stuck or slow or theta < SHORTEST or spent >= most:
                    return SPLIT, best, branching_position(relaxed.forced, relaxed.member, relaxed.outside, p)
        if counters[STEPS] >= last:
            return PAUSED, best, -1


@kernel
def enter(problem: Problem, prices: Prices, fixed: SignArray, work: Work) -> tuple[int, int]:
    """Set up the tables in play, and fix out those that are too far away from taken ones.

    Return their number and that of the listed joins between them; no tables where some taken ones are too far apart.
    """
    p, count = load(problem, prices, fixed, work.relaxed, work.listed)
    if problem.connected and problem.sparse:
        dropped = drop_distant(problem.size, fixed, work.relaxed, work.listed, count, p, work.member)
        if dropped < 0:
            return 0, 0
        if dropped > 0:
            p, count = load(problem, prices, fixed, work.relaxed, work.listed)
    return p, count


@kernel
def offer_others(
    problem: Problem,
    fixed: SignArray,
    search: Search,
    work: Work,
    root: bool,
    spent: int,
    count: int,
    p: int,
    room: int,
) -> None:
    """Offer sets beyond that of the relaxation, at the steps where they are due."""
    if root and spent == EXCHANGE_AFTER and sweep_work(problem) <= room:
        offer_exchanged(problem, fixed, search.incumbent, search.values, work)
    if root and spent == GROW_AFTER and problem.connected and 2 * problem.size * sweep_work(problem) <= room:
        offer_grown(problem, fixed, search.incumbent, search.values, work)
    if problem.connected and problem.sparse and (spent == 1 or (root and spent % FIX_EVERY == 1)):
        noise = search.counters[STEPS] if spent % 2 == 0 else 0
        offer_subtree(problem, fixed, search.incumbent, search.values, work, count, p, noise, room)
