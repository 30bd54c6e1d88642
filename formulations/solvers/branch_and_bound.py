"""Branch and bound: Lagrangian bounds, fixing of tables, depth first on an explicit stack; stops and resumes anywhere.

A node is a vector ``fixed``: 1 for a table that is taken, -1 for one that is left out, 0 for a free one. A node is
processed by subgradient steps on the prices. Each step gives a bound and a set, which is evaluated as a new incumbent;
every few steps each free table is fixed whose other choice can not beat the incumbent. A node that stays open is
split on one table. The prices of one node are the starting point of the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.solvers.compiled import kernel, workspace
from formulations.solvers.dendrogram import Dendrogram, conditional, new_dendrogram, trace
from formulations.solvers.prices import Prices, price_matches
from formulations.solvers.problem import Problem
from formulations.solvers.relaxation import Relaxed, load, new_relaxed, relax
from formulations.solvers.set_value import set_value
from formulations.solvers.spanning import Forest, Listed, new_forest, new_listed
from formulations.solvers.start import exchange, grow
from formulations.solvers.subgradient import descend
from formulations.validation import FloatArray, IntArray, SignArray

CLOSED, SPLIT, PAUSED = 0, 1, 2
"""What becomes of a node: nothing better is in it; it is to be split; the steps ran out."""

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


ROUNDING = 1e-9
"""Difference, relative to the value, that passes for rounding."""

DEPTH, NODES, STEPS = 0, 1, 2
VALUE, DROPPED, SCALE = 0, 1, 2


class Search(NamedTuple):
    """The state of the search between calls, changed in place.

    Attributes
    ----------
    stack : array of shape (depth, n), int8
        The open nodes; the last one is next.
    bounds : array of depth floats
        Upper bound on every set of an open node.
    spent : array of depth integers
        Steps that an open node has had.
    counters : array of 3 integers
        Number of open nodes (`DEPTH`), of processed nodes (`NODES`), of steps in all (`STEPS`).
    incumbent : array of K integers
        The best set found.
    values : array of 3 floats
        Its value, ``-inf`` before there is one (`VALUE`); the largest bound of a node that was closed only because of
        the gap limit (`DROPPED`); the size of the numbers, by which rounding is judged (`SCALE`).
    """

    stack: SignArray
    bounds: FloatArray
    spent: IntArray
    counters: IntArray
    incumbent: IntArray
    values: FloatArray


def new_search(fixed: SignArray, incumbent: IntArray, value: float) -> Search:
    """Return a search whose one open node is the root, with the tables of `fixed` taken or left out."""
    n = len(fixed)
    # Depth first, each split adds one open node and fixes a table: n + 1 can be open at most.
    stack = np.empty((n + 2, n), np.int8)
    stack[0] = fixed
    return Search(
        stack=stack,
        bounds=np.full(n + 2, np.inf),
        spent=np.zeros(n + 2, np.int64),
        counters=np.array([1, 0, 0]),
        incumbent=incumbent,
        values=np.array([value, -np.inf, 0.0]),
    )


class Work(NamedTuple):
    """All work space of the search.

    Attributes
    ----------
    relaxed, listed, forest, tree
        The relaxed problem, its joins, their spanning forest, and the knapsack over it.
    items, before : arrays of K integers
        A set to evaluate, and the one before.
    member, numbers
        Room for `exchange` and `set_value`.
    slope : array of m + 1 floats
        Subgradient by the prices of matches.
    """

    relaxed: Relaxed
    listed: Listed
    forest: Forest
    tree: Dendrogram
    items: IntArray
    before: IntArray
    member: IntArray
    numbers: FloatArray
    slope: FloatArray


@workspace
def new_work(problem: Problem, p: int) -> Work:
    """Return work space for p tables in play."""
    n, m = problem.scores.shape
    size = problem.size
    return Work(
        new_relaxed(n, p, size),
        new_listed(len(problem.left)),
        new_forest(p),
        new_dendrogram(p, size),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(n, np.int64),
        np.empty(max(size, problem.limit)),
        np.empty(m + 1),
    )


@kernel
def in_play(stack: SignArray, depth: int) -> int:
    """Return the largest number of tables that an open node has in play."""
    most = 1
    for d in range(depth):
        p = 0
        for i in range(stack.shape[1]):
            p += stack[d, i] >= 0
        most = max(most, p)
    return most


@kernel
def explore(
    problem: Problem, search: Search, prices: Prices, work: Work, gap_limit: float, nodes: int, steps: int
) -> None:
    """Process open nodes until none is left, `nodes` have been processed in all, or `steps` taken in this call."""
    counters, bounds = search.counters, search.bounds
    if counters[STEPS] == 0:
        price_matches(problem.scores, problem.bonus, problem.limit, search.stack[0], prices.match)
        search.values[SCALE] = magnitude(problem.base, problem.scores, problem.bonus)
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
            split(search.stack, top, work.relaxed.tables[position])
            bounds[top] = min(bound, work.relaxed.outside[position])
            bounds[top + 1] = min(bound, work.relaxed.inside[position])
            search.spent[top] = search.spent[top + 1] = 0
            counters[DEPTH] = top + 2


@kernel
def closes(values: FloatArray, bound: float, gap_limit: float) -> bool:
    """Say whether a node of this bound can be closed, and note it where only the gap limit allows it."""
    value = values[VALUE]
    if bound <= value + tolerance(values):
        return True
    if bound <= value + gap_limit * abs(value):
        values[DROPPED] = max(values[DROPPED], bound)
        return True
    return False


@kernel
def tolerance(values: FloatArray) -> float:
    """Return the difference that passes for rounding."""
    return float(ROUNDING * max(values[SCALE], abs(values[VALUE])))


@kernel
def magnitude(base: FloatArray, scores: FloatArray, bonus: float) -> float:
    """Return the largest number among those that can cancel each other out; joins are never negative."""
    largest = bonus
    for i in range(len(base)):
        largest = max(largest, abs(base[i]))
        for q in range(scores.shape[1]):
            if scores[i, q] > -np.inf:
                largest = max(largest, abs(scores[i, q]))
    return largest


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
    """Lower the bound of a node and fix tables in it; return what becomes of it, its bound, and where to split."""
    relaxed, forest, tree, size = work.relaxed, work.forest, work.tree, problem.size
    counters, values = search.counters, search.values
    root = counters[NODES] == 0
    most = ROOT_STEPS + len(fixed) // 8 if root else NODE_STEPS
    best, reference, theta, stall = search.bounds[top], np.inf, LENGTH, 0
    work.before[0] = -1
    p, count = load(problem, prices, fixed, relaxed, work.listed)
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
        if root and spent == EXCHANGE_AFTER:
            offer_exchanged(problem, fixed, search.incumbent, values, work)
        if root and spent == GROW_AFTER and problem.connected:
            offer_grown(problem, fixed, search.incumbent, values, work)
        if closes(values, best, gap_limit):
            return CLOSED, best, -1
        distance = theta * improvement(values[VALUE], constant + value)
        stuck = not descend(problem, prices, relaxed, forest, used, counters[STEPS], distance, work.slope)
        if stuck or spent % FIX_EVERY == 0:
            conditional(tree, p, size, relaxed.inside, relaxed.outside)
            if fix(relaxed, fixed, constant, values[VALUE] + tolerance(values), p) > 0:
                p, count = load(problem, prices, fixed, relaxed, work.listed)
            else:
                slow = not root and best - values[VALUE] > SLOW * reference
                reference = best - values[VALUE]
                if stuck or slow or theta < SHORTEST or spent >= most:
                    return SPLIT, best, branching_position(relaxed, p)
        if counters[STEPS] >= last:
            return PAUSED, best, -1


@kernel
def sets_left(tables: IntArray, forced: IntArray, p: int, size: int, items: IntArray) -> int:
    """Return 0, 1 or 2 for no set, one, or more in the node; the one is put into `items`."""
    taken = 0
    for c in range(p):
        taken += forced[c]
    if p < size or taken > size:
        return 0
    if p > size and taken < size:
        return 2
    k = 0
    for c in range(p):
        if p == size or forced[c] == 1:
            items[k] = tables[c]
            k += 1
    return 1


@kernel
def offer(
    problem: Problem, items: IntArray, numbers: FloatArray, incumbent: IntArray, values: FloatArray
) -> None:
    """Make the set the incumbent if it is better."""
    value = set_value(problem, items, problem.size, numbers)
    if value > values[VALUE]:
        values[VALUE] = value
        copy(items, incumbent)


@kernel
def offer_exchanged(
    problem: Problem, fixed: SignArray, incumbent: IntArray, values: FloatArray, work: Work
) -> None:
    """Improve the incumbent by a sweep of exchanges with the tables that are still in play."""
    if values[VALUE] > -np.inf:
        copy(incumbent, work.items)
        exchange(problem, fixed, work.items, values[VALUE], work.member, work.numbers)
        offer(problem, work.items, work.numbers, incumbent, values)


@kernel
def offer_grown(
    problem: Problem, fixed: SignArray, incumbent: IntArray, values: FloatArray, work: Work
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
        value = grow(problem, fixed, work.items, 1, work.member, work.numbers)
        if value > -np.inf:
            exchange(problem, fixed, work.items, value, work.member, work.numbers)
            offer(problem, work.items, work.numbers, incumbent, values)


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


@kernel
def improvement(value: float, bound: float) -> float:
    """Return how far the bound may fall: to the incumbent, or by a twentieth where there is none."""
    return bound - value if value > -np.inf else max(1.0, 0.05 * abs(bound))


@kernel
def fix(relaxed: Relaxed, fixed: SignArray, constant: float, level: float, p: int) -> int:
    """Fix each free table whose other choice leaves no bound above `level`; return their number.

    ``inside`` and ``outside`` become bounds.
    """
    tables, forced, inside, outside = relaxed.tables, relaxed.forced, relaxed.inside, relaxed.outside
    number = 0
    for c in range(p):
        inside[c] += constant
        outside[c] += constant
        if forced[c] == 0 and inside[c] <= level:
            fixed[tables[c]] = -1
            number += 1
        elif forced[c] == 0 and outside[c] <= level:
            fixed[tables[c]] = 1
            number += 1
    return number


@kernel
def branching_position(relaxed: Relaxed, p: int) -> int:
    """Return the free table of the relaxed set that the bound misses most."""
    pick = -1
    for c in range(p):
        free = relaxed.forced[c] == 0 and relaxed.member[c] == 1
        if free and (pick < 0 or relaxed.outside[c] < relaxed.outside[pick]):
            pick = c
    return pick


@kernel
def split(stack: SignArray, top: int, table: int) -> None:
    """Open two nodes in the place of one: without the table, and (next) with it."""
    copy(stack[top], stack[top + 1])
    stack[top, table] = -1
    stack[top + 1, table] = 1
