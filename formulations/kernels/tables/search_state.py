"""What the search keeps between calls, and the work space that it needs within one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.kernels.compiled import kernel, workspace
from formulations.kernels.tables.dendrogram import Dendrogram, new_dendrogram
from formulations.kernels.tables.problem import Problem
from formulations.kernels.tables.relaxation import Relaxed, new_relaxed
from formulations.kernels.tables.spanning import Forest, Listed, new_forest, new_listed
from formulations.kernels.tables.subtrees import Subtrees, new_subtrees
from formulations.scale import ROUNDING
from formulations.validation import FloatArray, IntArray, SignArray

DEPTH, NODES, STEPS = 0, 1, 2
VALUE, DROPPED, SCALE = 0, 1, 2


class Search(NamedTuple):
    """The state of the search between calls, changed in place.

    Attributes
    ----------
    stack : array of shape (depth, n), int8
        The open nodes; the last one is next.
    bounds : array of depth floats
        Upper bound on every set of an open node.
    spent : array of depth integers
        Steps that an open node has had.
    counters : array of 3 integers
        Number of open nodes (`DEPTH`), of processed nodes (`NODES`), of steps in all (`STEPS`).
    incumbent : array of K integers
        The best set found.
    values : array of 3 floats
        Its value, ``-inf`` before there is one (`VALUE`); the largest bound of what was closed within rounding
        or the gap limit (`DROPPED`); the scale of the problem, by which rounding is judged (`SCALE`).
    """

    stack: SignArray
    bounds: FloatArray
    spent: IntArray
    counters: IntArray
    incumbent: IntArray
    values: FloatArray


def new_search(fixed: SignArray, incumbent: IntArray, value: float, scale: float) -> Search:
    """Return a search whose one open node is the root, with the tables of `fixed` taken or left out."""
    n = len(fixed)
    # Depth first, each split adds one open node and fixes a table: n + 1 can be open at most.
    stack = np.empty((n + 2, n), np.int8)
    stack[0] = fixed
    return Search(
        stack=stack,
        bounds=np.full(n + 2, np.inf),
        spent=np.zeros(n + 2, np.int64),
        counters=np.array([1, 0, 0]),
        incumbent=incumbent,
        values=np.array([value, -np.inf, scale]),
    )


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
    numbers: FloatArray
    slope: FloatArray


@workspace
def new_work(problem: Problem, p: int, joins: FloatArray) -> Work:
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


@kernel
def closes(values: FloatArray, bound: float, gap_limit: float) -> bool:
    """Say whether a node of this bound can be closed, and note the bound: the node may hold a better set."""
    value = values[VALUE]
    if bound <= value + max(tolerance(values), gap_limit * abs(value)):
        values[DROPPED] = max(values[DROPPED], bound)
        return True
    return False


@kernel
def tolerance(values: FloatArray) -> float:
    """Return the difference that passes for rounding; none before there is an incumbent."""
    if values[VALUE] == -np.inf:
        return 0.0
    return float(ROUNDING * max(values[SCALE], abs(values[VALUE])))

