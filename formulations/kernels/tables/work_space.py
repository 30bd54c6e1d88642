"""The work space that the search over tables needs within one call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.kernels.compiled import kernel, workspace
from formulations.kernels.tables.dendrogram import Dendrogram, new_dendrogram
from formulations.kernels.tables.problem import Problem
from formulations.kernels.tables.relaxation import Relaxed, new_relaxed
from formulations.kernels.tables.spanning import Forest, Listed, new_forest, new_listed
from formulations.kernels.tables.subtrees import Subtrees, new_subtrees
from formulations.validation import Array, IntArray, SignArray


class Work(NamedTuple):
    """All work space of the search.

    Attributes
    ----------
    relaxed, listed, forest, tree, subtrees
        The relaxed problem, its joins, their spanning forest, the knapsack over it, and connected sets.
    items, before : arrays of K integers
        A set to evaluate, and the one before.
    member, numbers
        Room for `exchange` and `set_value`.
    slope : array of m + 1 floats
        Subgradient by the prices of matches.
    """

    relaxed: Relaxed
    listed: Listed
    forest: Forest
    tree: Dendrogram
    subtrees: Subtrees
    items: IntArray
    before: IntArray
    member: IntArray
    numbers: Array
    slope: Array


@workspace
def new_work(problem: Problem, p: int, joins: Array) -> Work:
    """Return work space for p tables in play; `joins` is room for their join matrix."""
    n, m = problem.scores.shape
    size = problem.size
    return Work(
        new_relaxed(n, p, size, joins),
        new_listed(len(problem.left)),
        new_forest(p),
        new_dendrogram(p, size),
        new_subtrees(p, len(problem.left), size),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(n, np.int64),
        np.empty(max(size, problem.limit)),
        np.empty(m + 1),
    )


@kernel
def in_play(stack: SignArray, depth: int) -> int:
    """Return the largest number of tables that an open node has in play."""
    most = 1
    for d in range(depth):
        p = 0
        for i in range(stack.shape[1]):
            p += stack[d, i] >= 0
        most = max(most, p)
    return most
