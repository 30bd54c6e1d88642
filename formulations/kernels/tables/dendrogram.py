"""The join relaxation: a set as good as its joins would be if every path of the graph were one join.

Kruskal's merges of the tables form a binary tree, the dendrogram: an inner node merges two groups of tables along the
heaviest join between them, of weight h. Replacing each join weight by the bottleneck of the best path (the h of the
lowest common ancestor) never lowers the forest of a set, and under these weights the forest of S is the sum of h over
the inner nodes with tables of S on both sides. So a knapsack over the tree finds the best set of K tables exactly, in
O(p K) additions for p tables (docs/formulation.md has the proof).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.kernels.compiled import kernel, workspace
from formulations.kernels.tables.spanning import Forest, find
from formulations.validation import Array, IntArray


class Dendrogram(NamedTuple):
    """Work space for p tables: nodes 0 to p-1 are tables, p to 2p-2 merges, the last one the root.

    Attributes
    ----------
    left, right : arrays of p integers
        Children of merge t, which is node p + t.
    height : array of p floats
        What merge t earns when both sides have tables of S; ``-inf`` where that is not allowed.
    below : array of 2p integers
        Number of tables below a node.
    best : array of shape (2p, K + 1)
        ``best[z, k]``: best value of k tables below node z.
    rest : array of shape (2p, K + 1)
        ``rest[z, k]``: best value of K - k tables elsewhere and of their joins, with k tables below z.
    taken : array of 2p integers
        Number of selected tables below a node.
    node : array of p integers
        The dendrogram node of each set of the union-find.
    """

    left: IntArray
    right: IntArray
    height: Array
    below: IntArray
    best: Array
    rest: Array
    taken: IntArray
    node: IntArray


@workspace
def new_dendrogram(p: int, size: int) -> Dendrogram:
    """Return work space for at most p tables and sets of `size`."""
    integers, values = np.empty((5, 2 * p), np.int64), np.empty((2, 2 * p, size + 1))
    return Dendrogram(
        integers[0], integers[1], np.empty(p), integers[2], values[0], values[1], integers[3], integers[4]
    )


@kernel
def select(
    tree: Dendrogram, forest: Forest, gains: Array, forced: IntArray, p: int, size: int, connected: bool
) -> float:
    """Return the largest relaxed value of `size` of p tables, each worth ``gains[i]``; ``-inf`` if there is none.

    Tables with ``forced[i] == 1`` are taken. With `connected`, a set has to lie in one component and earns every join
    between its groups; otherwise a join of negative weight is left out.
    """
    parent, node, below, best = forest.parent, tree.node, tree.below, tree.best
    for i in range(p):
        best[i, 0] = -np.inf if forced[i] == 1 else 0.0
        best[i, 1] = gains[i]
        below[i], parent[i], node[i] = 1, i, i
    for t in range(p - 1):
        step = forest.order[t]
        a, b = find(parent, forest.tail[step]), find(parent, forest.head[step])
        x, y, z = node[a], node[b], p + t
        height = forest.weight[step]
        if not connected and height < 0.0:
            height = 0.0
        tree.left[t], tree.right[t], tree.height[t] = x, y, height
        below[z] = below[x] + below[y]
        merge(best[x], best[y], best[z], height, below[x], below[y], p, size)
        parent[b], node[a] = a, z
    return float(best[2 * p - 2, size])


@kernel
def fewest(count: int, p: int, size: int) -> int:
    """Return how many tables a node above `count` of p must give, because all the others are too few."""
    return max(0, size - (p - count))


@kernel
def merge(
    of_x: Array,
    of_y: Array,
    of_z: Array,
    height: float,
    count_x: int,
    count_y: int,
    p: int,
    size: int,
) -> None:
    """Fill ``of_z[k]``, the best value of k tables below two nodes."""
    least_x, most_x = fewest(count_x, p, size), min(count_x, size)
    least_y, most_y = fewest(count_y, p, size), min(count_y, size)
    for k in range(min(count_x + count_y, size) + 1):
        of_z[k] = -np.inf
    if least_x == 0 and of_x[0] == 0.0:
        for b in range(least_y, most_y + 1):
            of_z[b] = of_y[b]
    for a in range(max(1, least_x), most_x + 1):
        value = of_x[a]
        if value == -np.inf:
            continue
        if least_y == 0 and value + of_y[0] > of_z[a]:
            of_z[a] = value + of_y[0]
        value += height
        for b in range(max(1, least_y), min(most_y, size - a) + 1):
            of_z[a + b] = max(of_z[a + b], value + of_y[b])


@kernel
def best_share(
    of_x: Array, of_y: Array, k: int, height: float, count_x: int, count_y: int, p: int, size: int
) -> int:
    """Return how many of the best k tables below two nodes are below the left one."""
    best, share = -np.inf, 0
    for a in range(max(fewest(count_x, p, size), k - count_y), min(count_x, k - fewest(count_y, p, size)) + 1):
        value = of_x[a]
        if 0 < a < k:
            value += height
        value += of_y[k - a]
        if value > best:
            best, share = value, a
    return share


@kernel
def trace(
    tree: Dendrogram, order: IntArray, p: int, size: int, connected: bool, chosen: IntArray, used: IntArray
) -> int:
    """Trace the best set back: fill `chosen` with tables, `used` with the joins that it earns; return their number."""
    taken = tree.taken
    taken[2 * p - 2] = size
    number = 0
    for t in range(p - 2, -1, -1):
        k = taken[p + t]
        a = 0
        if k > 0:
            x, y = tree.left[t], tree.right[t]
            a = best_share(tree.best[x], tree.best[y], k, tree.height[t], tree.below[x], tree.below[y], p, size)
        taken[tree.left[t]] = a
        taken[tree.right[t]] = k - a
        if 0 < a < k and (connected or tree.height[t] > 0.0):
            used[number] = order[t]
            number += 1
    position = 0
    for i in range(p):
        if taken[i] == 1:
            chosen[position] = i
            position += 1
    return number


@kernel
def conditional(tree: Dendrogram, p: int, size: int, inside: Array, outside: Array) -> None:
    """Compute the best relaxed value with each table taken, and with it left out, in one pass from the root down.

    As much work as `select`.
    """
    rest, best, below = tree.rest, tree.best, tree.below
    for z in range(2 * p - 1):
        for k in range(min(below[z], size) + 1):
            rest[z, k] = -np.inf
    rest[2 * p - 2, size] = 0.0
    for t in range(p - 2, -1, -1):
        x, y = tree.left[t], tree.right[t]
        pass_down(best[x], best[y], rest[x], rest[y], rest[p + t], tree.height[t], below[x], below[y], p, size)
    for i in range(p):
        inside[i] = best[i, 1] + rest[i, 1]
        outside[i] = best[i, 0] + rest[i, 0]


@kernel
def pass_down(
    of_x: Array,
    of_y: Array,
    rest_x: Array,
    rest_y: Array,
    rest_z: Array,
    height: float,
    count_x: int,
    count_y: int,
    p: int,
    size: int,
) -> None:
    """Fill ``rest_x`` and ``rest_y`` of the two children of a node from its ``rest_z``."""
    fewest_y = fewest(count_y, p, size)
    for a in range(fewest(count_x, p, size), min(count_x, size) + 1):
        for b in range(fewest_y, min(count_y, size - a) + 1):
            above = rest_z[a + b]
            if above == -np.inf:
                continue
            if a > 0 and b > 0:
                above += height
            rest_x[a] = max(rest_x[a], above + of_y[b])
            rest_y[b] = max(rest_y[b], above + of_x[a])
