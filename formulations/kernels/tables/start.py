"""Where the search starts: which tables can be in a set at all, a greedy set, and exchanges that improve it."""

from __future__ import annotations

import numpy as np

from formulations.kernels.compiled import kernel
from formulations.kernels.tables.problem import Problem
from formulations.kernels.tables.set_value import set_value
from formulations.validation import Array, IntArray, SignArray


@kernel
def keep_viable(
    weights: Array, size: int, fixed: SignArray, component: IntArray, queue: IntArray
) -> bool:
    """Fix out every table whose component is too small or lacks a required table; return whether one is left.

    Only where the set must be connected. `component` and `queue` are room for n integers. O(n^2).
    """
    n = len(fixed)
    required = 0
    for i in range(n):
        component[i] = -1
        required += fixed[i] == 1
    viable = False
    for root in range(n):
        if fixed[root] < 0 or component[root] >= 0:
            continue
        reached = flood(weights, fixed, root, component, queue)
        inside = 0
        for k in range(reached):
            inside += fixed[queue[k]] == 1
        if reached >= size and inside == required:
            viable = True
        else:
            for k in range(reached):
                fixed[queue[k]] = -1
    return viable


@kernel
def flood(weights: Array, fixed: SignArray, root: int, component: IntArray, queue: IntArray) -> int:
    """Collect the component of `root` in `queue`; return its size."""
    component[root] = root
    queue[0] = root
    size, head = 1, 0
    while head < size:
        row = weights[queue[head]]
        head += 1
        for j in range(len(fixed)):
            if component[j] < 0 and fixed[j] >= 0 and row[j] > -np.inf:
                component[j] = root
                queue[size] = j
                size += 1
    return size


@kernel
def grow(
    problem: Problem, fixed: SignArray, items: IntArray, count: int, last: int, near: IntArray, numbers: Array
) -> float:
    """Add to ``items[:count]`` the table of the largest value, until there are `last` of them; return their value.

    ``-inf`` if the set must be connected and can not be. `near` is room for n integers. O(K n) evaluations; where the
    set must be connected, of its neighbours alone.
    """
    count_near(problem, items, count, near)
    value = set_value(problem, items, count, numbers) if count > 0 else 0.0
    while count < last:
        best = -1
        value = -np.inf
        for i in range(len(fixed)):
            if fixed[i] >= 0 and near[i] > 0:
                items[count] = i
                candidate = set_value(problem, items, count + 1, numbers)
                if candidate > value:
                    best, value = i, candidate
        if best < 0:
            return -np.inf
        items[count] = best
        count += 1
        count_near(problem, items, count, near)
    return value


@kernel
def fill(problem: Problem, fixed: SignArray, items: IntArray, count: int, near: IntArray, worth: Array) -> bool:
    """Complete ``items[:count]`` without evaluating any set; say whether that was possible.

    Takes the tables with the most of their own, relevance and positive matches; where the set must be connected, of
    those that join with it. For when there is no time to grow. `near` and `worth` are room for n numbers. O(n (m + K)).
    """
    n = len(fixed)
    for i in range(n):
        worth[i] = problem.base[i]
        for q in range(problem.scores.shape[1]):
            worth[i] += max(0.0, problem.scores[i, q])
    count_near(problem, items, count, near)
    for k in range(count):
        near[items[k]] = -n
    while count < problem.size:
        best = -1
        for i in range(n):
            if fixed[i] >= 0 and near[i] > 0 and (best < 0 or worth[i] > worth[best]):
                best = i
        if best < 0:
            return False
        items[count] = best
        if problem.connected:
            row = problem.weights[best]
            for i in range(n):
                near[i] = (near[i] if count > 0 else 0) + (row[i] > -np.inf)
        near[best] = -n
        count += 1
    return True


@kernel
def exchange(
    problem: Problem,
    fixed: SignArray,
    items: IntArray,
    value: float,
    first: int,
    last: int,
    near: IntArray,
    numbers: Array,
) -> float:
    """For tables `first` to ``last - 1`` of the set in turn, put the best other one in its place if that helps.

    Returns the value. All K of them are a sweep: O(K n) evaluations; where the set must be connected, only of tables
    that join with the rest of it. Required tables stay. `near` is room for n integers.
    """
    size = problem.size
    for k in range(first, last):
        old = items[k]
        if fixed[old] == 1:
            continue
        items[k], items[size - 1] = items[size - 1], old
        count_near(problem, items, size - 1, near)
        items[k], items[size - 1] = old, items[k]
        best = old
        for i in range(len(fixed)):
            if fixed[i] >= 0 and near[i] > 0:
                items[k] = i
                candidate = set_value(problem, items, size, numbers)
                if candidate > value + 1e-12 * abs(value):
                    best, value = i, candidate
        items[k] = best
    return value


@kernel
def count_near(problem: Problem, items: IntArray, count: int, near: IntArray) -> None:
    """Count for each table how many of ``items[:count]`` it joins with, where the set must be connected; else 1.

    None for the tables of the set. O(count n).
    """
    grows_along_joins = problem.connected and count > 0
    for i in range(len(near)):
        near[i] = 0 if grows_along_joins else 1
    if grows_along_joins:
        for k in range(count):
            row = problem.weights[items[k]]
            for i in range(len(near)):
                near[i] += row[i] > -np.inf
    for k in range(count):
        near[items[k]] = 0
