"""What both searches share: the open nodes, when a node is closed, what is fixed in it, and how it is split.

A node is a vector ``fixed``: 1 for an item that is taken, -1 for one that is left out, 0 for a free one. Items are the
tables of one search and the columns of the other. Those that are not left out are *in play*; a search lists them, and
most arrays here have one entry for each position in that list.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.instance import Instance
from formulations.kernels.compiled import kernel
from formulations.scale import ROUNDING
from formulations.validation import Array, IntArray, SignArray

DEPTH, NODES, STEPS = 0, 1, 2
VALUE, DROPPED, SCALE = 0, 1, 2

CLOSED, SPLIT, PAUSED = 0, 1, 2
"""What becomes of a node: nothing better is in it; it is to be split; the steps ran out."""


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
    bounds: Array
    spent: IntArray
    counters: IntArray
    incumbent: IntArray
    values: Array


def roles(instance: Instance) -> SignArray:
    """Return the root: 1 for the required items, -1 for the excluded ones, 0 for the others; shape (n,)."""
    fixed = np.zeros(instance.n, np.int8)
    if instance.require:
        fixed[list(instance.require)] = 1
    if instance.exclude:
        fixed[list(instance.exclude)] = -1
    return fixed


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


@kernel
def closes(values: Array, bound: float, gap_limit: float) -> bool:
    """Say whether a node of this bound can be closed, and note the bound: the node may hold a better set."""
    value = values[VALUE]
    if bound <= value + max(tolerance(values), gap_limit * abs(value)):
        values[DROPPED] = max(values[DROPPED], bound)
        return True
    return False


@kernel
def tolerance(values: Array) -> float:
    """Return the difference that passes for rounding; none before there is an incumbent."""
    if values[VALUE] == -np.inf:
        return 0.0
    return float(ROUNDING * max(values[SCALE], abs(values[VALUE])))


@kernel
def improvement(value: float, bound: float) -> float:
    """Return how far the bound may fall: to the incumbent; without one, by a twentieth, or by 1 if that is more."""
    return bound - value if value > -np.inf else max(1.0, 0.05 * abs(bound))


@kernel
def sets_left(items: IntArray, forced: IntArray, p: int, size: int, found: IntArray) -> int:
    """Return 0, 1 or 2 where a node has no set, one set, or more; write the only one to `found`.

    ``items[:p]`` are the tables or columns in play, and `forced` is 1 for those that are taken.
    """
    taken = 0
    for c in range(p):
        taken += forced[c]
    if p < size or taken > size:
        return 0
    if p > size and taken < size:
        return 2
    k = 0
    for c in range(p):
        if p == size or forced[c] == 1:
            found[k] = items[c]
            k += 1
    return 1


@kernel
def fix(
    fixed: SignArray,
    items: IntArray,
    forced: IntArray,
    inside: Array,
    outside: Array,
    p: int,
    constant: float,
    level: float,
) -> int:
    """Fix each free item whose other choice leaves no bound above `level`; return how many there are.

    `inside` and `outside` hold the bounds with and without each item, less `constant`, which is added to them here.
    """
    number = 0
    for c in range(p):
        inside[c] += constant
        outside[c] += constant
        if forced[c] == 0 and inside[c] <= level:
            fixed[items[c]] = -1
            number += 1
        elif forced[c] == 0 and outside[c] <= level:
            fixed[items[c]] = 1
            number += 1
    return number


@kernel
def branching_position(forced: IntArray, member: IntArray, outside: Array, p: int) -> int:
    """Return the position of the free item of the relaxed set without which the bound is lowest; -1: there is none."""
    pick = -1
    for c in range(p):
        free = forced[c] == 0 and member[c] == 1
        if free and (pick < 0 or outside[c] < outside[pick]):
            pick = c
    return pick


@kernel
def split(stack: SignArray, top: int, table: int) -> None:
    """Open two nodes in the place of one: without the table, and (next) with it."""
    for i in range(stack.shape[1]):
        stack[top + 1, i] = stack[top, i]
    stack[top, table] = -1
    stack[top + 1, table] = 1


@kernel
def sort_descending(order: IntArray, weight: Array, count: int) -> None:
    """Sort ``order[:count]`` by descending weight (Shell sort: in place, fast on what is nearly sorted)."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for t in range(gap, count):
            e = order[t]
            s = t
            while s >= gap and weight[order[s - gap]] < weight[e]:
                order[s] = order[s - gap]
                s -= gap
            order[s] = e
        gap //= 3
