"""The relaxed problem at a node of the search: the tables still in play, under the current prices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.kernels.compiled import kernel, workspace
from formulations.kernels.tables.dendrogram import Dendrogram, select
from formulations.kernels.tables.prices import Prices, drop_zeros
from formulations.kernels.tables.problem import Problem
from formulations.kernels.tables.spanning import Forest, Listed, span_dense, span_sparse
from formulations.validation import Array, IntArray, SignArray


class Relaxed(NamedTuple):
    """Work space over p tables in play.

    Attributes
    ----------
    tables, position : arrays of p and n integers
        Original index of each table in play, ascending; the way back, -1 for the others.
    forced : array of p integers
        1 for the tables that are taken.
    joins : array of shape (p, p)
        Join weights less the prices of both ends; where joins are listed, only these entries have a meaning.
    income : array of p floats
        What each table gets back from the prices of its ends.
    need : array of p floats
        What each table pays for having a join, and each of its joins gets.
    gains : array of p floats
        Value of each table: base, income and priced matches, less its need.
    chosen : array of K integers
        The best relaxed set, as positions in `tables`.
    member : array of p integers
        1 for the tables of that set.
    used : array of K integers
        The joins of the forest that it earns.
    degree : array of p integers
        How many of these a table has, less one for a table of the set.
    inside, outside : arrays of p floats
        Bound with each table taken, and left out.
    """

    tables: IntArray
    position: IntArray
    forced: IntArray
    joins: Array
    income: Array
    need: Array
    gains: Array
    chosen: IntArray
    member: IntArray
    used: IntArray
    degree: IntArray
    inside: Array
    outside: Array


@workspace
def new_relaxed(n: int, p: int, size: int, joins: Array) -> Relaxed:
    """Return work space for p of n tables; `joins` is room for their join matrix."""
    integers, floats, sets = np.empty((4, p), np.int64), np.empty((5, p)), np.empty((2, size), np.int64)
    return Relaxed(
        integers[0],
        np.empty(n, np.int64),
        integers[1],
        joins[: p * p].reshape((p, p)),
        floats[0],
        floats[1],
        floats[2],
        sets[0],
        integers[2],
        sets[1],
        integers[3],
        floats[3],
        floats[4],
    )


@kernel
def load(
    problem: Problem, prices: Prices, fixed: SignArray, relaxed: Relaxed, listed: Listed
) -> tuple[int, int]:
    """Set up the tables that are not fixed out; return their number p and that of the listed joins between them.

    O(p^2), or O(n + joins) where joins are listed.
    """
    tables, position, joins, income = relaxed.tables, relaxed.position, relaxed.joins, relaxed.income
    p = 0
    for i in range(len(fixed)):
        position[i] = -1
        if fixed[i] >= 0:
            tables[p], position[i] = i, p
            relaxed.forced[p] = fixed[i]
            income[p], relaxed.need[p] = 0.0, prices.need[i]
            p += 1
    count = 0
    if problem.sparse:
        for e in range(len(problem.left)):
            i, j = problem.left[e], problem.right[e]
            c, d = position[i], position[j]
            if c >= 0 and d >= 0:
                listed.left[count], listed.right[count], listed.order[count] = c, d, count
                joins[c, d] = joins[d, c] = problem.weights[i, j]
                count += 1
    else:
        for c in range(p):
            row = problem.weights[tables[c]]
            for d in range(p):
                joins[c, d] = row[tables[d]]
    drop_zeros(prices)
    for s in range(prices.listed[0]):
        c, d = position[prices.end[s]], position[prices.other[s]]
        if c >= 0 and d >= 0:
            charge(joins, income, c, d, prices.amount[s])
    return p, count


@kernel
def charge(joins: Array, income: Array, c: int, d: int, amount: float) -> None:
    """Take `amount` off the join (c, d) and give it to table c."""
    joins[c, d] -= amount
    joins[d, c] -= amount
    income[c] += amount


@kernel
def relax(
    problem: Problem,
    match: Array,
    relaxed: Relaxed,
    listed: Listed,
    forest: Forest,
    tree: Dendrogram,
    p: int,
    count: int,
) -> tuple[float, float]:
    """Solve the relaxed problem; return the constant and the value, whose sum is the bound.

    The value is ``-inf`` where no set exists. O(p^2 + p K + p m); where joins are listed, O(count log count) in
    place of O(p^2).
    """
    constant = price_tables(problem, match, relaxed, p)
    if problem.sparse:
        span_sparse(forest, relaxed.joins, relaxed.need, listed, count, p)
    else:
        span_dense(forest, relaxed.joins, relaxed.need, p)
    value = select(tree, forest, relaxed.gains, relaxed.forced, p, problem.size, problem.connected)
    return constant, value


@kernel
def price_tables(
    problem: Problem, match: Array, relaxed: Relaxed, p: int
) -> float:
    """Compute the gains of the tables under the prices; return the constant of the bound."""
    scores, m = problem.scores, len(match) - 1
    tables, income, need, gains = relaxed.tables, relaxed.income, relaxed.need, relaxed.gains
    constant = float(match[m] * problem.limit)
    for q in range(m):
        constant += match[q]
    for c in range(p):
        i = tables[c]
        gain = problem.base[i] + income[c] - need[c]
        for q in range(m):
            # A first match is worth no less than a further one, because its price is at most the bonus.
            gain += max(0.0, scores[i, q] - match[m] + problem.bonus - match[q])
        gains[c] = gain
    return constant
