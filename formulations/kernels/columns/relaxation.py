"""The bound: for any prices, the best relaxed set is a knapsack over the tables.

docs/crush.md has the objective (equations 3 to 6) and the proofs. Two things are relaxed, each upwards:

- Soft maxima (equation 4). For every set R, probe k and level v_k, smx(s_kd : d in R) is at most
  v_k - t + sum_{d in R} psi(s_kd - v_k), with psi(z) = t exp(z / t) for z <= 0, else t + z.
- Key links (equation 5). A column of a table with N selected columns earns w(N - 1), which is not relaxed. Each of its
  key links whose other end is selected adds at most a *step* i(N), with i(v) = w(v) - w(v - 1), and all of them at most
  w(B - 1) - w(N - 1). A *share* of each step is the column's own, whether or not the other end is selected. The rest
  goes to the other end, in the same way, but of a step i(L) >= i(N): L <= N columns of the table are forced.

So each column earns by itself, given how many its table has: the best v of a table are its first by what they earn. A
knapsack over these numbers gives the most that any set of the node can be worth. ``Problem.links`` holds w.
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
    """The multipliers, changed in place. The bound is valid for any levels, and for any shares from 0 to 1.

    Attributes
    ----------
    level : array of m floats
        v_k.
    share : array, one entry for each key link and direction, as in ``Problem.key_column``
        The share of its step that column d earns whether or not the other end is selected.
    lowest, highest : arrays of m floats
        The range of each level, ``min_d s_kd`` to ``max_d s_kd + t log size``. Below it, psi has a slope of one for
        each selected column, and a higher level is no worse; above it, these slopes add up to less than one, and a
        lower level is better.
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
    first, taken : arrays of integers
        Where each table begins among the columns, and after the last table the end; how many forced columns it has.
    base : array of p floats
        What a column earns by its similarities, with shares of links at other ends.
    linked : array of p floats
        What a column earns at most by its own key links: its part of the steps, added up.
    step : array of p floats
        The most that one key link adds to the worth of a column, i(L).
    rank, score : arrays of p integers, of p floats
        The columns of each table, forced ones first, the others by descending score; the score of each column.
    worth : array of floats
        The most that v selected columns of table t earn, at ``worth_at(first, t) + v``.
    before, after : arrays of shape (tables + 1, size + 1)
        At ``[t, b]`` the most that b columns earn of the tables before t, and of those from t on.
    selected : array of integers
        How many columns of each table are in the relaxed set.
    member, chosen : arrays of p and of size integers
        1 for the columns of the relaxed set; their positions.
    inside, outside : arrays of p floats
        The bound where a column is selected, and where it is not; less a constant, until `nodes.fix` adds it.
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
    """List the columns that a node has in play, table by table; return their number, and that of their tables."""
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
    """Return an upper bound on the value of every set of the node; ``-inf`` where the node has none.

    O(p m + p size + keys), and a ranking of each table; one for each number v of its columns where any of them earns
    by its own key links.
    """
    cover_scores(problem.similarity, problem.sharpness, prices.level, relaxed.columns, relaxed.base, p)
    for t in range(tables):
        link_steps(problem.links, relaxed, t)
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
def cover_scores(similarity: Array, sharpness: float, level: Array, columns: IntArray, base: Array, p: int) -> None:
    """Fill `base` with ``sum_k psi(s_kd - v_k)`` for each column in play; `share_keys` adds to it afterwards."""
    for c in range(p):
        total = 0.0
        for k in range(len(level)):
            total += psi(similarity[columns[c], k] - level[k], sharpness)
        base[c] = total


@kernel
def psi(z: float, sharpness: float) -> float:
    """Return what a column earns whose similarity is z above a level; convex, with slopes from 0 to 1."""
    if z > 0.0:
        return sharpness + z
    return sharpness * math.exp(z / sharpness) if sharpness > 0.0 else 0.0


@kernel
def link_steps(links: Array, relaxed: Relaxed, t: int) -> None:
    """Fill ``step`` for the columns of a table: i(L), the most that one key link adds to the worth of a column.

    L counts the column and the forced others of its table. Beside more neighbours a link adds no more than that.
    """
    for c in range(relaxed.first[t], relaxed.first[t + 1]):
        certain = relaxed.taken[t] + 1 - relaxed.forced[c]
        relaxed.step[c] = links[certain] - links[certain - 1] if certain < len(links) else 0.0


@kernel
def share_keys(problem: Problem, share: Array, relaxed: Relaxed, c: int) -> None:
    """Add the step of each key link of column c to what c earns, and to what the other end earns.

    Where one end is forced, the other earns the whole step; else they divide it by the share. What other ends earn is
    added to their ``base``, so that `cover_scores`, which fills it, has to come before.
    """
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
    """Return the most that key links can add where v columns of the table are selected: w(B - 1) - w(v - 1)."""
    return float(links[len(links) - 1] - links[v - 1])


@kernel
def rank_table(links: Array, relaxed: Relaxed, t: int, v: int) -> None:
    """Fill what each column of a table earns beyond w(v - 1) where v of them are selected; sort the free ones by it."""
    first, end = relaxed.first[t], relaxed.first[t + 1]
    for c in range(first, end):
        relaxed.score[c] = relaxed.base[c] + key_worth(links, relaxed.linked[c], relaxed.step[c], v)
    begin = first + relaxed.taken[t]
    sort_descending(relaxed.rank[begin:end], relaxed.score, end - begin)


@kernel
def key_worth(links: Array, linked: float, step: float, v: int) -> float:
    """Return what a column earns by its own key links where v columns of its table are selected.

    `linked` adds up its parts of steps i(L), as `step` is. Beside v - 1 others of its table, these steps are i(v).
    """
    if linked <= 0.0 or v >= len(links):
        return 0.0
    return float(min(linked * min(1.0, (links[v] - links[v - 1]) / step), room(links, v)))


@kernel
def has_keys(relaxed: Relaxed, t: int) -> bool:
    """Say whether a column of a table earns by its own key links, so that the order depends on the number selected."""
    largest = 0.0
    for c in range(relaxed.first[t], relaxed.first[t + 1]):
        largest = max(largest, relaxed.linked[c])
    return bool(largest > 0.0)


@kernel
def worth_at(first: IntArray, t: int) -> int:
    """Return where table t begins in ``worth``, in which a table has one entry more than columns."""
    return int(first[t] + t)


@kernel
def fill_worth(links: Array, relaxed: Relaxed, t: int) -> None:
    """Fill ``worth`` for a table: the most that v of its columns earn, for each v that its forced columns allow."""
    first, end, taken = relaxed.first[t], relaxed.first[t + 1], relaxed.taken[t]
    most = min(end - first, len(links))
    if taken > most:
        return
    keyed = has_keys(relaxed, t)
    at = worth_at(relaxed.first, t)
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
    """Fill ``before[t, b]``, the most that b columns of the tables before t earn."""
    before = relaxed.before
    for b in range(1, size + 1):
        before[0, b] = -np.inf
    before[0, 0] = 0.0
    for t in range(tables):
        combine(before[t], before[t + 1], relaxed, t, size)


@kernel
def fill_after(relaxed: Relaxed, tables: int, size: int) -> None:
    """Fill ``after[t, b]``, the most that b columns of the tables from t on earn."""
    after = relaxed.after
    for b in range(1, size + 1):
        after[tables, b] = -np.inf
    after[tables, 0] = 0.0
    for t in range(tables - 1, -1, -1):
        combine(after[t + 1], after[t], relaxed, t, size)


@kernel
def combine(others: Array, joint: Array, relaxed: Relaxed, t: int, size: int) -> None:
    """Fill ``joint[b]``, the most that b columns of table t and other tables earn; ``others[b]`` is without table t."""
    at, taken = worth_at(relaxed.first, t), relaxed.taken[t]
    most = min(relaxed.first[t + 1] - relaxed.first[t], size)
    for b in range(size + 1):
        joint[b] = -np.inf
    for v in range(taken, most + 1):
        worth = relaxed.worth[at + v]
        for b in range(v, size + 1):
            joint[b] = max(joint[b], others[b - v] + worth)


@kernel
def trace(problem: Problem, relaxed: Relaxed, p: int, tables: int) -> None:
    """Fill the relaxed set that attains the bound: ``member``, ``chosen``, and ``selected`` for each table."""
    for c in range(p):
        relaxed.member[c] = 0
    b, listed = problem.size, 0
    for t in range(tables - 1, -1, -1):
        first, at, taken = relaxed.first[t], worth_at(relaxed.first, t), relaxed.taken[t]
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
    """Fill ``inside`` and ``outside``, which bound the sets with and without each free column, less a constant.

    O(p size), and a ranking of each table for each number of its columns. The constant is what `relax` adds to the
    knapsack.
    """
    size = problem.size
    fill_after(relaxed, tables, size)
    for t in range(tables):
        first, end, at, taken = relaxed.first[t], relaxed.first[t + 1], worth_at(relaxed.first, t), relaxed.taken[t]
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
    """Raise the bounds of the free columns of a table to those of the sets that have v of its columns.

    `total` is what the best of these sets earns. A column that it lacks takes the place of the last of the v; one that
    it has makes room for the next.
    """
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
