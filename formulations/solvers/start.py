"""Where the search starts: which tables can be in a set at all, a greedy set, and exchanges that improve it."""

from __future__ import annotations

import numpy as np

from formulations.solvers.compiled import kernel
from formulations.solvers.problem import Problem
from formulations.solvers.set_value import set_value
from formulations.validation import FloatArray, IntArray, SignArray


@kernel
def keep_viable(
    weights: FloatArray, size: int, fixed: SignArray, component: IntArray, queue: IntArray
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
def flood(weights: FloatArray, fixed: SignArray, root: int, component: IntArray, queue: IntArray) -> int:
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
    problem: Problem, fixed: SignArray, items: IntArray, count: int, member: IntArray, numbers: FloatArray
) -> float:
    """Add to ``items[:count]`` the table of the largest value, until the set is full; return its value.

    ``-inf`` if the set must be connected and can not be. `member` is room for n integers. O(K n) evaluations.
    """
    for i in range(len(fixed)):
        member[i] = 0
    for k in range(count):
        member[items[k]] = 1
    value = set_value(problem, items, count, numbers) if count > 0 else 0.0
    while count < problem.size:
        best = -1
        value = -np.inf
        for i in range(len(fixed)):
            if fixed[i] >= 0 and member[i] == 0:
                items[count] = i
                candidate = set_value(problem, items, count + 1, numbers)
                if candidate > value:
                    best, value = i, candidate
        if best < 0:
            return -np.inf
        items[count] = best
        member[best] = 1
        count += 1
    return value


@kernel
def exchange(
    problem: Problem, fixed: SignArray, items: IntArray, value: float, member: IntArray, numbers: FloatArray
) -> float:
    """For each table of the set in turn, put the best other table in its place if that helps; return the value.

    One sweep: O(K n) evaluations. Required tables stay. `member` is room for n integers.
    """
    for i in range(len(fixed)):
        member[i] = 0
    for k in range(problem.size):
        member[items[k]] = 1
    for k in range(problem.size):
        old = items[k]
        if fixed[old] == 1:
            continue
        best = old
        for i in range(len(fixed)):
            if fixed[i] >= 0 and member[i] == 0:
                items[k] = i
                candidate = set_value(problem, items, problem.size, numbers)
                if candidate > value + 1e-12 * abs(value):
                    best, value = i, candidate
        items[k] = best
        member[old] = 0
        member[best] = 1
    return value
