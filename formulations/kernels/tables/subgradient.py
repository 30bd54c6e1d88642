"""Better prices: one step of Polyak length along the subgradient of the bound."""

from __future__ import annotations

from formulations.kernels.compiled import kernel
from formulations.kernels.tables.prices import Prices
from formulations.kernels.tables.problem import Problem
from formulations.kernels.tables.relaxation import Relaxed, charge
from formulations.kernels.tables.spanning import Forest
from formulations.validation import Array, IntArray


@kernel
def descend(
    problem: Problem,
    prices: Prices,
    relaxed: Relaxed,
    forest: Forest,
    p: int,
    used: int,
    stamp: int,
    distance: float,
    slope: Array,
) -> bool:
    """Move the prices towards a bound lower by `distance`; return False where no price can improve it.

    `slope` is room for m + 1 numbers, `stamp` differs from step to step. O(p + K m + listed prices).
    """
    match, m = prices.match, len(prices.match) - 1
    connected = problem.connected and problem.size > 1
    match_slope(problem.scores, problem.limit, problem.bonus, match, relaxed.tables, relaxed.chosen, slope)
    norm = stamp_used(prices, forest, relaxed.tables, relaxed.member, relaxed.used, used, stamp)
    norm += idle_prices(prices, relaxed.position, relaxed.member, stamp)
    for q in range(m + 1):
        if (slope[q] > 0.0 and match[q] > 0.0) or (slope[q] < 0.0 and (q == m or match[q] < problem.bonus)):
            norm += slope[q] * slope[q]
    if connected:
        norm += degrees(relaxed, forest, used, p)
    if norm == 0.0:
        return False
    step = distance / norm
    for q in range(m + 1):
        match[q] = max(0.0, match[q] - step * slope[q])
        if q < m:
            match[q] = min(match[q], problem.bonus)
    if connected:
        move_needs(prices.need, relaxed, p, step)
    lower_idle(prices, relaxed.position, relaxed.member, relaxed.joins, relaxed.income, stamp, step)
    for k in range(used):
        c, d = forest.tail[relaxed.used[k]], forest.head[relaxed.used[k]]
        for _ in range(2):
            i, j = relaxed.tables[c], relaxed.tables[d]
            if relaxed.member[c] == 0 and raise_end(prices, i, j, step):
                charge(relaxed.joins, relaxed.income, c, d, step)
            c, d = d, c
    return True


@kernel
def match_slope(
    scores: Array,
    limit: int,
    bonus: float,
    match: Array,
    tables: IntArray,
    chosen: IntArray,
    slope: Array,
) -> None:
    """Fill the slope of the bound by the prices of matches: what is allowed, less what the relaxed set matches."""
    m = len(match) - 1
    slope[m] = limit
    for q in range(m):
        slope[q] = 1.0
        for k in range(len(chosen)):
            if scores[tables[chosen[k]], q] > match[m] + match[q] - bonus:
                slope[q] -= 1.0
                slope[m] -= 1.0


@kernel
def degrees(relaxed: Relaxed, forest: Forest, used: int, p: int) -> float:
    """Fill the slope of the bound by the needs: joins in use at each table, less one at a table of the relaxed set.

    Return the sum of squares over the needs that can move. O(p).
    """
    degree = relaxed.degree
    for c in range(p):
        degree[c] = -relaxed.member[c]
    for k in range(used):
        degree[forest.tail[relaxed.used[k]]] += 1
        degree[forest.head[relaxed.used[k]]] += 1
    norm = 0.0
    for c in range(p):
        if degree[c] < 0 or relaxed.need[c] > 0.0:
            norm += degree[c] * degree[c]
    return norm


@kernel
def move_needs(need: Array, relaxed: Relaxed, p: int, step: float) -> None:
    """Raise the need of the tables of the set without a join in use; lower that of tables with joins to spare."""
    for c in range(p):
        if relaxed.degree[c] != 0:
            relaxed.need[c] = max(0.0, relaxed.need[c] - step * relaxed.degree[c])
            need[relaxed.tables[c]] = relaxed.need[c]


@kernel
def stamp_used(
    prices: Prices, forest: Forest, tables: IntArray, member: IntArray, used: IntArray, count: int, stamp: int
) -> float:
    """Stamp the prices of the joins in use; return how many of their ends are not selected."""
    slot = prices.slot
    outside = 0.0
    for k in range(count):
        c, d = forest.tail[used[k]], forest.head[used[k]]
        i, j = tables[c], tables[d]
        if slot[i, j] > 0:
            prices.stamp[slot[i, j] - 1] = stamp
        if slot[j, i] > 0:
            prices.stamp[slot[j, i] - 1] = stamp
        outside += 2.0 - member[c] - member[d]
    return outside


@kernel
def idle_prices(prices: Prices, position: IntArray, member: IntArray, stamp: int) -> float:
    """Return how many prices pay a selected table for a join that is not in use."""
    end, other, amount, stamps = prices.end, prices.other, prices.amount, prices.stamp
    number = 0.0
    for s in range(prices.listed[0]):
        c = position[end[s]]
        if c >= 0 and member[c] == 1 and amount[s] > 0.0 and stamps[s] != stamp and position[other[s]] >= 0:
            number += 1.0
    return number


@kernel
def lower_idle(
    prices: Prices,
    position: IntArray,
    member: IntArray,
    joins: Array,
    income: Array,
    stamp: int,
    step: float,
) -> None:
    """Lower these prices by `step`, but not below zero."""
    end, other, amount, stamps = prices.end, prices.other, prices.amount, prices.stamp
    for s in range(prices.listed[0]):
        c, d = position[end[s]], position[other[s]]
        if c >= 0 and member[c] == 1 and amount[s] > 0.0 and stamps[s] != stamp and d >= 0:
            change = min(step, amount[s])
            amount[s] -= change
            charge(joins, income, c, d, -change)


@kernel
def raise_end(prices: Prices, i: int, j: int, step: float) -> bool:
    """Raise the price of end i of the join (i, j); return False where the list is full."""
    s = prices.slot[i, j] - 1
    if s < 0:
        s = prices.listed[0]
        if s == len(prices.end):
            return False
        prices.listed[0] = s + 1
        prices.slot[i, j] = s + 1
        prices.end[s], prices.other[s], prices.amount[s], prices.stamp[s] = i, j, 0.0, -1
    prices.amount[s] += step
    return True
