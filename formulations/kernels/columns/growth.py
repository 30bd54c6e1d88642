"""Sets that grow column by column, and exchanges that improve them: what a column adds, kept up to date.

For each probe the *level* is smx(s_kd : d in R). A column of similarity s raises it by the soft plus
``t log(1 + exp((s - level) / t))``, since ``log(A + a) - log A = log(1 + a / A)``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from formulations.kernels.columns.problem import Problem
from formulations.kernels.compiled import kernel, workspace
from formulations.validation import Array, IntArray, SignArray

CLEAR = 40.0
"""Above so many times the sharpness, a column raises a level by all that it is above it, in double precision."""

LARGEST_PRODUCT = 1e200

ROUNDING = 1e-14
"""Share by which bounds are raised, so that none falls below what it bounds by rounding."""


class Growth(NamedTuple):
    """A growing set and its work space.

    Attributes
    ----------
    member : array of n integers
        1 for columns of the set.
    selected : array of n integers
        How many columns of each table are in the set.
    keyed : array of n integers
        How many key links each column has with columns of the set.
    level : array of m floats
        smx of each probe over the set, ``-inf`` for the empty set.
    largest : array of m floats
        The largest similarity of each probe.
    worth : array of n + 1 floats
        ``connectivity * smx(e(d, .))`` of a column with 0, 1, ... neighbours.
    table : array of n floats
        For each table, what one more column in it adds to the link terms of those that the set has there.
    plain : array of n floats
        For each table, what a column in it adds to the link terms that has no key link with the set.
    linked : array of n floats
        What each column adds to the link terms.
    covering : array of n floats
        Times the last entry of `scale`, what each column adds to the levels at most.
    scale : array of 1 float
    """

    member: IntArray
    selected: IntArray
    keyed: IntArray
    level: Array
    largest: Array
    worth: Array
    table: Array
    plain: Array
    linked: Array
    covering: Array
    scale: Array


@workspace
def new_growth(n: int, m: int) -> Growth:
    """Return an empty set."""
    integers, floats = np.zeros((3, n), np.int64), np.zeros((4, n))
    probes = np.empty((2, m))
    probes[:] = -np.inf
    table, plain, linked, covering = floats[0], floats[1], floats[2], floats[3]
    return Growth(
        integers[0],
        integers[1],
        integers[2],
        probes[0],
        probes[1],
        np.zeros(n + 1),
        table,
        plain,
        linked,
        covering,
        np.ones(1),
    )


@kernel
def link_worth(problem: Problem, size: int, worth: Array) -> None:
    """Fill the worth of 0 to size - 1 neighbours in a set of so many columns (equation 5)."""
    gamma, weight, sharpness = problem.gamma, problem.connectivity, problem.sharpness
    small = math.exp(-gamma / sharpness) if sharpness > 0.0 else 0.0
    worth[0] = weight * sharpness * math.log(size)
    for v in range(1, size):
        worth[v] = weight * gamma
        if sharpness > 0.0:
            worth[v] += weight * sharpness * math.log((size - v) * small + v)


@kernel
def raised(level: float, similarity: float, sharpness: float) -> float:
    """Return by how much a column raises the level of a probe; from nothing, to its similarity."""
    if level == -np.inf:
        return similarity
    above = similarity - level
    if sharpness == 0.0:
        return max(above, 0.0)
    z = above / sharpness
    if z > 0.0:
        return above + sharpness * math.log1p(math.exp(-z))
    return sharpness * math.log1p(math.exp(z))


@kernel
def covering_gain(similarity: Array, level: Array, sharpness: float) -> float:
    """Return what a column adds to O1.

    The sum of ``t log(1 + exp(z))`` over the probes is the logarithm of a product, which takes a third of the time.
    """
    total, product = 0.0, 1.0
    for k in range(len(level)):
        above = similarity[k] - level[k]
        if level[k] == -np.inf:
            total += similarity[k]
        elif above > CLEAR * sharpness:
            total += above
        elif sharpness > 0.0:
            product *= 1.0 + math.exp(above / sharpness)
            if product > LARGEST_PRODUCT:
                total += sharpness * math.log(product)
                product = 1.0
    return total + sharpness * math.log(product)


@kernel
def change_links(problem: Problem, growth: Growth, column: int, change: int) -> None:
    """Note that a column enters (1) or leaves (-1) the set; the levels are not touched."""
    growth.member[column] += change
    growth.selected[problem.table[column]] += change
    for e in range(problem.key_start[column], problem.key_start[column + 1]):
        growth.keyed[problem.key_column[e]] += change


@kernel
def neighbours(problem: Problem, growth: Growth, column: int) -> int:
    """Return how many columns of the set a column is linked with."""
    return int(growth.selected[problem.table[column]] - growth.member[column] + growth.keyed[column])


@kernel
def add(problem: Problem, growth: Growth, column: int) -> None:
    """Put a column into the set; O(m + keys of the column)."""
    change_links(problem, growth, column, 1)
    raise_levels(problem.similarity[column], growth.level, problem.sharpness)


@kernel
def raise_levels(similarity: Array, level: Array, sharpness: float) -> None:
    """Raise the level of each probe by a column."""
    for k in range(len(level)):
        if level[k] == -np.inf:
            level[k] = similarity[k]
        else:
            level[k] += raised(level[k], similarity[k], sharpness)


@kernel
def link_gains(problem: Problem, growth: Growth) -> None:
    """Fill what each column adds to the link terms, by ``growth.worth``; O(n + keys).

    Its own worth, and what the columns of the set gain that it is linked with. For a column of the set, whatever.
    """
    table, worth, plain, linked = problem.table, growth.worth, growth.plain, growth.linked
    n = len(table)
    for t in range(problem.tables):
        growth.table[t] = 0.0
    for d in range(n):
        if growth.member[d] == 1:
            growth.table[table[d]] += next_link(problem, growth, d)
    for t in range(problem.tables):
        plain[t] = worth[growth.selected[t]] + growth.table[t]
    for d in range(n):
        linked[d] = plain[table[d]]
        if growth.keyed[d] > 0 and growth.member[d] == 0:
            linked[d] = worth[neighbours(problem, growth, d)] + growth.table[table[d]]
            for e in range(problem.key_start[d], problem.key_start[d + 1]):
                if growth.member[problem.key_column[e]] == 1:
                    linked[d] += next_link(problem, growth, problem.key_column[e])


@kernel
def next_link(problem: Problem, growth: Growth, column: int) -> float:
    """Return what a column of the set gains by one more neighbour."""
    v = neighbours(problem, growth, column)
    return float(growth.worth[v + 1] - growth.worth[v])


@kernel
def best_addition(problem: Problem, growth: Growth, fixed: SignArray) -> int:
    """Return the column that adds most; the first of several, -1 where none is left.

    ``growth.covering`` holds what a column adds to O1 at most. It is computed anew only for columns that could still
    win (Minoux's lazy evaluation). The link terms are not submodular, and exact.
    """
    covering, linked, scale = growth.covering, growth.linked, growth.scale[0]
    best, most = -1, -np.inf
    for d in range(len(fixed)):
        if fixed[d] >= 0 and growth.member[d] == 0 and (best < 0 or covering[d] * scale + linked[d] > most):
            best, most = d, covering[d] * scale + linked[d]
    if best < 0:
        return best
    most = renewed_gain(problem, growth, best)
    for d in range(len(fixed)):
        if covering[d] * scale + linked[d] >= most and fixed[d] >= 0 and growth.member[d] == 0 and d != best:
            gain = renewed_gain(problem, growth, d)
            if gain > most or (gain == most and d < best):
                best, most = d, gain
    return best


@kernel
def renewed_gain(problem: Problem, growth: Growth, column: int) -> float:
    """Return what a column adds to the value, with its part of O1 computed anew."""
    gain = covering_gain(problem.similarity[column], growth.level, problem.sharpness)
    growth.covering[column] = gain / growth.scale[0] * (1.0 + ROUNDING)
    return float(gain + growth.linked[column])


@kernel
def shrink(problem: Problem, growth: Growth, column: int) -> None:
    """Put a column into the set, and lower what each other one adds to O1 at most; O(m).

    Since O1 is submodular, no column adds more than before. Where a level rises by h, what a column of similarity s
    adds falls from t log(1 + u) to t log(1 + u exp(-h / t)) with u = exp((s - level) / t): by a factor that grows with
    u, and is at most that of the largest similarity. One number for all columns keeps the product of these factors.
    """
    level, sharpness = growth.level, problem.sharpness
    factor = 0.0 if sharpness > 0.0 and len(level) > 0 else 1.0
    for k in range(len(level)):
        z = (growth.largest[k] - level[k]) / sharpness if sharpness > 0.0 else 0.0
        rise = raised(level[k], problem.similarity[column, k], sharpness)
        if abs(z) > CLEAR:  # no level is so far above the largest similarity but by rounding
            factor = 1.0
        elif sharpness > 0.0:
            factor = max(factor, math.log1p(math.exp(z - rise / sharpness)) / math.log1p(math.exp(z)))
    growth.scale[0] *= min(1.0, factor + ROUNDING)
    add(problem, growth, column)


@kernel
def grow(problem: Problem, growth: Growth, fixed: SignArray, items: IntArray, count: int) -> None:
    """Fill ``items`` from ``items[:count]`` on by the column that adds most to the value, until the set is full.

    The value of a smaller set is that of the definition, with its own number of columns. O(n m) for the first two, then
    mostly O(n + keys) and a few times O(m) each.
    """
    for d in range(len(fixed)):
        for k in range(len(growth.largest)):
            growth.largest[k] = max(growth.largest[k], problem.similarity[d, k])
    for position in range(count):
        add(problem, growth, items[position])
    for position in range(count, problem.size):
        # From the empty set a column gains all that it is worth: more, or less, than it ever adds afterwards.
        if position <= max(count, 1):
            for d in range(len(fixed)):
                growth.covering[d] = np.inf
        link_worth(problem, position + 1, growth.worth)
        link_gains(problem, growth)
        items[position] = best_addition(problem, growth, fixed)
        shrink(problem, growth, items[position])


@kernel
def levels(problem: Problem, items: IntArray, skipped: int, level: Array) -> None:
    """Fill the levels of a set, without the item at position `skipped` (-1: with all); O(|R| m)."""
    for k in range(len(level)):
        level[k] = -np.inf
    for position in range(len(items)):
        if position != skipped:
            raise_levels(problem.similarity[items[position]], level, problem.sharpness)


@kernel
def exchange(problem: Problem, growth: Growth, fixed: SignArray, items: IntArray) -> int:
    """For each column of the set in turn, put the best other one in its place if that helps; return how many times.

    One sweep: O(|R| (n m + n + keys)). Required columns stay. `growth` is taken over by the set.
    """
    for d in range(len(fixed)):
        growth.member[d] = growth.selected[d] = growth.keyed[d] = 0
    for position in range(len(items)):
        change_links(problem, growth, items[position], 1)
    for v in range(problem.size):
        growth.worth[v] = problem.links[v]
    changes = 0
    for position in range(len(items)):
        old = items[position]
        if fixed[old] == 1:
            continue
        levels(problem, items, position, growth.level)
        change_links(problem, growth, old, -1)
        link_gains(problem, growth)
        kept = covering_gain(problem.similarity[old], growth.level, problem.sharpness) + growth.linked[old]
        best, most = old, kept + 1e-12 * max(1.0, abs(kept))
        for d in range(len(fixed)):
            if fixed[d] >= 0 and growth.member[d] == 0 and d != old:
                gain = covering_gain(problem.similarity[d], growth.level, problem.sharpness) + growth.linked[d]
                if gain > most:
                    best, most = d, gain
        change_links(problem, growth, best, 1)
        items[position] = best
        changes += best != old
    return changes
