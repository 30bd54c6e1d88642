"""The bound: for any prices, the best relaxed set is a knapsack over the tables.

Each probe k has a price v_k. For every set R (docs/crush.md proves it)

    smx(s_kd : d in R) <= v_k - t + sum_{d in R} psi(s_kd - v_k),
    psi(z) = t exp(z / t) for z <= 0, else t + z,

which for t = 1 is mostly a tangent of the logarithm, and for t = 0 the Lagrangian bound of facility location. So
O1 is bounded by a sum over columns. Of the link terms, those within a table depend on the number of its selected
columns alone, and stay exact. A key link makes column d earn at most a *step* more if its other end d' is selected,
too; of that step, a share is earned by d alone, and the rest by d' alone.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from formulations.kernels.columns.problem import Problem
from formulations.kernels.compiled import kernel, workspace
from formulations.kernels.nodes import sort_descending
from formulations.validation import Array, IntArray, SignArray


class Prices(NamedTuple):
    """The multipliers, changed in place. Any values give a valid bound, shares from 0 to 1.

    Attributes
    ----------
    level : array of m floats
        v_k.
    share : array, one entry for each key link and direction, as in ``Problem.key_column``
        The share of the step that column d earns by itself.
    lowest, highest : arrays of m floats
        No level outside of these is better than all between them: below every similarity, psi has a slope of one for
        each selected column; above ``max_d s_kd + t log size``, the slopes of all of them add up to less than one.
    """

    level: Array
    share: Array
    lowest: Array
    highest: Array


class Relaxed(NamedTuple):
    """The relaxed problem of a node: its p columns in play, table by table, the taken ones of each table first.

    Attributes
    ----------
    columns : array of p integers
        The columns in play.
    position : array of n integers
        The place of each column among these, -1 for one that is left out.
    forced : array of p integers
        1 where the column is taken.
    first : array of integers
        Where each table begins among the columns, and the end; ``taken`` counts its forced columns.
    base, linked, step : arrays of p floats
        What a column earns; what it earns at most by its key links; and by each of them.
    rank, score : arrays of p integers, of p floats
        The columns of each table by descending score, and that score; forced ones first.
    worth : array of floats
        For table t and v selected columns of it, at ``first[t] + t + v``: the most that they earn.
    before, after : arrays of shape (tables + 1, size + 1)
        The most that b columns of the tables before t, or from t on, earn.
    selected : array of integers
        Selected columns of each table, of the relaxed set.
    member : array of p integers
        1 for the columns of the relaxed set; ``chosen`` lists them.
    inside, outside : arrays of p floats
        The bound where a column is selected, and where it is not.
    """

    columns: IntArray
    position: IntArray
    forced: IntArray
    first: IntArray
    taken: IntArray
    base: Array
    linked: Array
    step: Array
    rank: IntArray
    score: Array
    worth: Array
    before: Array
    after: Array
    selected: IntArray
    member: IntArray
    chosen: IntArray
    inside: Array
    outside: Array


@workspace
def new_relaxed(n: int, p: int, tables: int, size: int) -> Relaxed:
    """Return work space for at most p columns of so many tables in play."""
    integers, floats, by_table = np.empty((4, p), np.int64), np.empty((6, p)), np.empty((3, tables + 1), np.int64)
    return Relaxed(
        columns=integers[0],
        position=np.empty(n, np.int64),
        forced=integers[1],
        first=by_table[0],
        taken=by_table[1],
        base=floats[0],
        linked=floats[1],
        step=floats[2],
        rank=integers[2],
        score=floats[3],
        worth=np.empty(p + tables + 1),
        before=np.empty((tables + 1, size + 1)),
        after=np.empty((tables + 1, size + 1)),
        selected=by_table[2],
        member=integers[3],
        chosen=np.empty(size, np.int64),
        inside=floats[4],
        outside=floats[5],
    )


@kernel
def load(problem: Problem, fixed: SignArray, relaxed: Relaxed) -> tuple[int, int]:
    """Take over the columns that a node has in play; return their number, and that of their tables."""
    p, tables, last = 0, 0, -1
    for i in range(len(fixed)):
        d = problem.by_table[i]
        relaxed.position[d] = -1
        if fixed[d] < 0:
            continue
        if problem.table[d] != last:
            last = problem.table[d]
            relaxed.first[tables] = p
            relaxed.taken[tables] = 0
            tables += 1
        # Forced columns come first: the free one that is in the place of this one moves to the end.
        place = p
        if fixed[d] == 1:
            place = relaxed.first[tables - 1] + relaxed.taken[tables - 1]
            relaxed.taken[tables - 1] += 1
            relaxed.columns[p] = relaxed.columns[place]
            relaxed.forced[p] = 0
        relaxed.columns[place] = d
        relaxed.forced[place] = fixed[d]
        p += 1
    relaxed.first[tables] = p
    for c in range(p):
        relaxed.position[relaxed.columns[c]] = c
        relaxed.rank[c] = c
    return p, tables


@kernel
def relax(problem: Problem, prices: Prices, relaxed: Relaxed, p: int, tables: int) -> float:
    """Return an upper bound on every set of the node; ``-inf`` where it has none. O(p m + p size)."""
    cover_scores(problem.similarity, problem.sharpness, prices.level, relaxed.columns, relaxed.base, p)
    for t in range(tables):
        first_step(problem.links, relaxed, t)
    for c in range(p):
        relaxed.linked[c] = 0.0
    for c in range(p):
        share_keys(problem, prices.share, relaxed, c)
    for t in range(tables):
        fill_worth(problem.links, relaxed, t)
    fill_before(relaxed, tables, problem.size)
    constant = 0.0
    for k in range(len(prices.level)):
        constant += prices.level[k] - problem.sharpness
    return constant + float(relaxed.before[tables, problem.size])


@kernel
def cover_scores(
    similarity: Array, sharpness: float, level: Array, columns: IntArray, base: Array, p: int
) -> None:
    """Fill ``sum_k psi(s_kd - v_k)`` for each column in play."""
    for c in range(p):
        total = 0.0
        for k in range(len(level)):
            total += psi(similarity[columns[c], k] - level[k], sharpness)
        base[c] = total


@kernel
def psi(z: float, sharpness: float) -> float:
    """Return what a column counts that is z above the price of a probe: convex, with slopes from 0 to 1."""
    if z > 0.0:
        return sharpness + z
    return sharpness * math.exp(z / sharpness) if sharpness > 0.0 else 0.0


@kernel
def first_step(links: Array, relaxed: Relaxed, t: int) -> None:
    """Fill the most that one key link adds to the worth of a column, beside the columns that its table has for sure.

    The increments of the worth do not increase, so the first beyond the table's own columns is the largest.
    """
    for c in range(relaxed.first[t], relaxed.first[t + 1]):
        certain = relaxed.taken[t] + 1 - relaxed.forced[c]
        relaxed.step[c] = links[certain] - links[certain - 1] if certain < len(links) else 0.0


@kernel
def share_keys(problem: Problem, share: Array, relaxed: Relaxed, c: int) -> None:
    """Give the steps that a column earns by its key links to it and to their other ends."""
    step = relaxed.step[c]
    d = relaxed.columns[c]
    for e in range(problem.key_start[d], problem.key_start[d + 1]):
        other = relaxed.position[problem.key_column[e]]
        if other < 0:
            continue
        if relaxed.forced[other] == 1:
            relaxed.linked[c] += step
        elif relaxed.forced[c] == 1:
            relaxed.base[other] += step
        else:
            relaxed.linked[c] += share[e] * step
            relaxed.base[other] += (1.0 - share[e]) * step


@kernel
def room(links: Array, v: int) -> float:
    """Return the most that key links add to the worth of a column beside v - 1 of its own table."""
    return float(links[len(links) - 1] - links[v - 1])


@kernel
def rank_table(links: Array, relaxed: Relaxed, t: int, v: int) -> None:
    """Order the free columns of a table by what they earn where v columns of it are selected."""
    first, end = relaxed.first[t], relaxed.first[t + 1]
    for c in range(first, end):
        relaxed.score[c] = relaxed.base[c] + key_worth(links, relaxed.linked[c], relaxed.step[c], v)
    begin = first + relaxed.taken[t]
    sort_descending(relaxed.rank[begin:end], relaxed.score, end - begin)


@kernel
def key_worth(links: Array, linked: float, step: float, v: int) -> float:
    """Return what a column earns alone by its key links, whose steps add up to `linked`, beside v - 1 of its table."""
    if linked <= 0.0 or v >= len(links):
        return 0.0
    return float(min(linked * min(1.0, (links[v] - links[v - 1]) / step), room(links, v)))


@kernel
def has_keys(relaxed: Relaxed, t: int) -> bool:
    """Say whether the order of a table's columns depends on how many of them are selected."""
    largest = 0.0
    for c in range(relaxed.first[t], relaxed.first[t + 1]):
        largest = max(largest, relaxed.linked[c])
    return bool(largest > 0.0)


@kernel
def fill_worth(links: Array, relaxed: Relaxed, t: int) -> None:
    """Fill the most that v columns of a table earn, for each v that is possible."""
    first, end, taken = relaxed.first[t], relaxed.first[t + 1], relaxed.taken[t]
    most = min(end - first, len(links))
    if taken > most:
        return
    keyed = has_keys(relaxed, t)
    at = first + t
    rank_table(links, relaxed, t, max(taken, 1))
    total = 0.0
    for r in range(taken):
        total += relaxed.score[relaxed.rank[first + r]]
    relaxed.worth[at + taken] = total + taken * links[taken - 1] if taken > 0 else 0.0
    for v in range(taken + 1, most + 1):
        if keyed:
            rank_table(links, relaxed, t, v)
            total = 0.0
            for r in range(v):
                total += relaxed.score[relaxed.rank[first + r]]
        else:
            total += relaxed.score[relaxed.rank[first + v - 1]]
        relaxed.worth[at + v] = total + v * links[v - 1]


@kernel
def fill_before(relaxed: Relaxed, tables: int, size: int) -> None:
    """Fill the most that b columns of the first tables earn, table by table."""
    before = relaxed.before
    for b in range(1, size + 1):
        before[0, b] = -np.inf
    before[0, 0] = 0.0
    for t in range(tables):
        combine(before[t], before[t + 1], relaxed, t, size)


@kernel
def fill_after(relaxed: Relaxed, tables: int, size: int) -> None:
    """Fill the most that b columns of the tables from t on earn."""
    after = relaxed.after
    for b in range(1, size + 1):
        after[tables, b] = -np.inf
    after[tables, 0] = 0.0
    for t in range(tables - 1, -1, -1):
        combine(after[t + 1], after[t], relaxed, t, size)


@kernel
def combine(others: Array, joint: Array, relaxed: Relaxed, t: int, size: int) -> None:
    """Fill the most that b columns earn, of a table and of some others."""
    at, taken = relaxed.first[t] + t, relaxed.taken[t]
    most = min(relaxed.first[t + 1] - relaxed.first[t], size)
    for b in range(size + 1):
        joint[b] = -np.inf
    for v in range(taken, most + 1):
        worth = relaxed.worth[at + v]
        for b in range(v, size + 1):
            joint[b] = max(joint[b], others[b - v] + worth)


@kernel
def trace(problem: Problem, relaxed: Relaxed, p: int, tables: int) -> None:
    """Fill the relaxed set of the bound: its members, and how many of each table."""
    for c in range(p):
        relaxed.member[c] = 0
    b, listed = problem.size, 0
    for t in range(tables - 1, -1, -1):
        first, at, taken = relaxed.first[t], relaxed.first[t] + t, relaxed.taken[t]
        most = min(relaxed.first[t + 1] - first, b)
        best, value = taken, relaxed.before[t, b - taken] + relaxed.worth[at + taken]
        for v in range(taken + 1, most + 1):
            if relaxed.before[t, b - v] + relaxed.worth[at + v] > value:
                best, value = v, relaxed.before[t, b - v] + relaxed.worth[at + v]
        rank_table(problem.links, relaxed, t, max(best, 1))
        for r in range(best):
            relaxed.member[relaxed.rank[first + r]] = 1
            relaxed.chosen[listed] = relaxed.rank[first + r]
            listed += 1
        relaxed.selected[t] = best
        b -= best


@kernel
def conditional(problem: Problem, relaxed: Relaxed, tables: int) -> None:
    """Fill what bounds the sets with, and those without, each free column, less the constant of the bound.

    O(p size), and another ranking of each table whose order depends on the number of its columns.
    """
    size = problem.size
    fill_after(relaxed, tables, size)
    for t in range(tables):
        first, end, at, taken = relaxed.first[t], relaxed.first[t + 1], relaxed.first[t] + t, relaxed.taken[t]
        for c in range(first, end):
            relaxed.inside[c] = relaxed.outside[c] = -np.inf
        for v in range(taken, min(end - first, size) + 1):
            most = -np.inf
            for b in range(size - v + 1):
                most = max(most, relaxed.before[t, b] + relaxed.after[t + 1, size - v - b])
            if most == -np.inf:
                continue
            rank_table(problem.links, relaxed, t, max(v, 1))
            condition_table(relaxed, first, end, taken, v, most + relaxed.worth[at + v])


@kernel
def condition_table(relaxed: Relaxed, first: int, end: int, taken: int, v: int, total: float) -> None:
    """Raise the bounds of the free columns of a table by those where v of its columns are selected."""
    rank, score, inside, outside = relaxed.rank, relaxed.score, relaxed.inside, relaxed.outside
    for r in range(first + taken, first + v):
        c = rank[r]
        inside[c] = max(inside[c], total)
        if first + v < end:
            outside[c] = max(outside[c], total - score[c] + score[rank[first + v]])
    for r in range(first + v, end):
        c = rank[r]
        outside[c] = max(outside[c], total)
        if v > taken:
            inside[c] = max(inside[c], total - score[rank[first + v - 1]] + score[c])
