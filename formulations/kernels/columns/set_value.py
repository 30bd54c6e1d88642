"""What a full set is worth: the objective, compiled."""

from __future__ import annotations

import math

import numpy as np

from formulations.kernels.columns.problem import Problem
from formulations.kernels.compiled import kernel
from formulations.validation import Array, IntArray


@kernel
def set_value(problem: Problem, items: IntArray, member: IntArray, count: IntArray) -> float:
    """Return the value of a set of ``size`` columns; O(|R| (m + keys of a column)).

    `member` and `count` are room for n integers, zero before and after.
    """
    table, size = problem.table, len(items)
    for a in range(size):
        member[items[a]] = 1
        count[table[items[a]]] += 1
    value = 0.0
    for a in range(size):
        d = items[a]
        neighbours = count[table[d]] - 1
        for e in range(problem.key_start[d], problem.key_start[d + 1]):
            neighbours += member[problem.key_column[e]]
        value += problem.links[neighbours]
    for a in range(size):
        member[items[a]] = 0
        count[table[items[a]]] = 0
    for k in range(problem.similarity.shape[1]):
        value += soft_maximum(problem.similarity, items, k, problem.sharpness)
    return value


@kernel
def soft_maximum(similarity: Array, items: IntArray, k: int, sharpness: float) -> float:
    """Return smx(s_kd : d in R) (equation 3)."""
    largest = -np.inf
    for a in range(len(items)):
        largest = max(largest, similarity[items[a], k])
    if sharpness == 0.0:
        return largest
    total = 0.0
    for a in range(len(items)):
        total += math.exp((similarity[items[a], k] - largest) / sharpness)
    return largest + sharpness * math.log(total)
