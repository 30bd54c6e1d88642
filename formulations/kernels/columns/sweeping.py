"""The rule of CRUSH's released code: sweeps over the probes, in which each takes the best column that is left."""

from __future__ import annotations

import math

import numpy as np

from formulations.kernels.compiled import kernel
from formulations.validation import Array, IntArray, SignArray


@kernel
def sweep(
    coverage: Array,
    table: IntArray,
    gamma: float,
    fixed: SignArray,
    items: IntArray,
    count: int,
    best: IntArray,
    covered: IntArray,
    selected: IntArray,
    bonus: Array,
) -> None:
    """Fill ``items`` from ``items[:count]`` on, in the order of selection.

    `coverage` has shape (m, n), m >= 1. Work space: `best` and `covered` m integers, `selected` n integers, `bonus` n
    floats, which is ``gamma * log(1 + selected columns of the table)`` for a column that can be taken, else ``-inf``.
    After each choice only the columns of one table can have become a probe's best, so that a step takes O(n + m c) for
    the c columns of that table, and O(n) more for each probe whose best column was taken.
    """
    m, n = coverage.shape
    for d in range(n):
        selected[d] = 0
    for position in range(count):
        selected[table[items[position]]] += 1
    for d in range(n):
        bonus[d] = gamma * math.log(1.0 + selected[table[d]]) if fixed[d] == 0 else -np.inf
    for k in range(m):
        best[k] = best_column(coverage[k], bonus)
        covered[k] = 0
    for position in range(count, len(items)):
        if (position - count) % m == 0:
            for k in range(m):
                covered[k] = 0
        pick = best_probe(coverage, bonus, best, covered)
        column = best[pick]
        items[position] = column
        covered[pick] = 1
        bonus[column] = -np.inf
        selected[table[column]] += 1
        raise_table(table, table[column], gamma * math.log(1.0 + selected[table[column]]), bonus)
        for k in range(m):
            if best[k] == column:
                best[k] = best_column(coverage[k], bonus)
        compare_table(coverage, table, table[column], bonus, best)


@kernel
def best_probe(coverage: Array, bonus: Array, best: IntArray, covered: IntArray) -> int:
    """Return the probe, not covered yet, whose best column has the largest score; the first of several."""
    pick, most = -1, -np.inf
    for k in range(len(best)):
        if covered[k] == 0:
            score = coverage[k, best[k]] + bonus[best[k]]
            if pick < 0 or score > most:
                pick, most = k, score
    return pick


@kernel
def best_column(similarity: Array, bonus: Array) -> int:
    """Return the column of the largest score, the first of several; any where none is left."""
    best, most = 0, similarity[0] + bonus[0]
    for d in range(1, len(bonus)):
        score = similarity[d] + bonus[d]
        if score > most:
            best, most = d, score
    return best


@kernel
def raise_table(table: IntArray, number: int, raised: float, bonus: Array) -> None:
    """Give the columns of a table that can be taken a new bonus."""
    for d in range(len(table)):
        if table[d] == number and bonus[d] > -np.inf:
            bonus[d] = raised


@kernel
def compare_table(coverage: Array, table: IntArray, number: int, bonus: Array, best: IntArray) -> None:
    """Compare the columns of a table that can be taken with the best of each probe."""
    for d in range(len(table)):
        if table[d] == number and bonus[d] > -np.inf:
            for k in range(len(coverage)):
                new, old = coverage[k, d] + bonus[d], coverage[k, best[k]] + bonus[best[k]]
                if new > old or (new == old and d < best[k]):
                    best[k] = d
