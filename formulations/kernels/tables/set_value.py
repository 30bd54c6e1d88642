"""The value of one set of tables, compiled: O(K^2 + m K) and an insertion per match that counts."""

from __future__ import annotations

import numpy as np

from formulations.kernels.compiled import kernel
from formulations.kernels.tables.problem import Problem
from formulations.validation import Array, IntArray


@kernel
def set_value(problem: Problem, items: IntArray, count: int, numbers: Array) -> float:
    """Return the value of ``items[:count]``; ``-inf`` where the set must be connected and is not.

    `numbers` is room for ``max(size, limit)`` numbers.
    """
    value = forest_value(problem.weights, problem.connected, items, count, numbers)
    if value > -np.inf:
        for a in range(count):
            value += problem.base[items[a]]
        value += cover_value(problem.scores, problem.bonus, problem.limit, items, count, numbers)
    return value


@kernel
def cover_value(
    scores: Array, bonus: float, limit: int, items: IntArray, count: int, top: Array
) -> float:
    """Return Cover(S): the `limit` largest positive gains, the best match of each sub-query with its bonus."""
    kept = 0
    if limit == 0:
        return 0.0
    for q in range(scores.shape[1]):
        best = 0
        for a in range(1, count):
            if scores[items[a], q] > scores[items[best], q]:
                best = a
        for a in range(count):
            gain = scores[items[a], q]
            if a == best:
                gain += bonus
            if gain > 0.0:
                # Insert into the descending list of the largest gains so far.
                if kept < limit:
                    kept += 1
                elif gain <= top[kept - 1]:
                    continue
                k = kept - 1
                while k > 0 and top[k - 1] < gain:
                    top[k] = top[k - 1]
                    k -= 1
                top[k] = gain
    total = 0.0
    for k in range(kept):
        total += top[k]
    return total


@kernel
def forest_value(weights: Array, connected: bool, items: IntArray, count: int, key: Array) -> float:
    """Return the weight of a maximum spanning forest of the set (Prim); ``-inf`` if it must be a tree and is not.

    ``key[a]`` is the best join of table a into the tree so far; ``inf`` marks the tables of the tree.
    """
    total = 0.0
    for a in range(count):
        key[a] = -np.inf
    current = 0
    for _ in range(count - 1):
        key[current] = np.inf
        row = weights[items[current]]
        nearest = -1
        for a in range(count):
            if key[a] < np.inf:
                key[a] = max(key[a], row[items[a]])
                if nearest < 0 or key[a] > key[nearest]:
                    nearest = a
        if key[nearest] > -np.inf:
            total += key[nearest]
        elif connected:
            return -np.inf
        current = nearest
    return total
