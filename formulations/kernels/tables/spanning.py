"""Maximum spanning forests of the relaxed join graph: by Prim where it is dense, by Kruskal where it is sparse."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.kernels.compiled import kernel, workspace
from formulations.kernels.nodes import sort_descending
from formulations.validation import Array, IntArray


class Forest(NamedTuple):
    """A spanning tree of p tables: p - 1 joins, of weight ``-inf`` where they tie two components together.

    Attributes
    ----------
    tail, head : arrays of p integers
        Ends of each join.
    weight : array of p floats
        Weight of each join.
    order : array of p integers
        The joins by descending weight.
    parent : array of p integers
        Prim's nearest table; afterwards, a union-find.
    key : array of p floats
        Prim's best join of each table outside the tree.
    """

    tail: IntArray
    head: IntArray
    weight: Array
    order: IntArray
    parent: IntArray
    key: Array


@workspace
def new_forest(p: int) -> Forest:
    """Return work space for at most p tables."""
    integers, floats = np.empty((4, p), np.int64), np.empty((2, p))
    return Forest(integers[0], integers[1], floats[0], integers[2], integers[3], floats[1])


class Listed(NamedTuple):
    """The joins between the tables in play, where the graph is sparse.

    Attributes
    ----------
    left, right : arrays of integers
        Ends of each join, as positions among the tables in play.
    order : array of integers
        The joins by descending weight, kept from step to step.
    weight : array of floats
        Their weights under the prices.
    """

    left: IntArray
    right: IntArray
    order: IntArray
    weight: Array


@workspace
def new_listed(joins: int) -> Listed:
    """Return work space for so many joins."""
    integers = np.empty((3, joins), np.int64)
    return Listed(integers[0], integers[1], integers[2], np.empty(joins))


@kernel
def span_dense(forest: Forest, joins: Array, need: Array, p: int) -> None:
    """Find a maximum spanning forest of ``joins[:p, :p]``, plus the need of both ends, by Prim; O(p^2)."""
    key, parent, tail, head, weight = forest.key, forest.parent, forest.tail, forest.head, forest.weight
    for v in range(p):
        key[v] = -np.inf
        parent[v] = 0
    current = 0
    for step in range(p - 1):
        # inf marks the tables of the tree.
        key[current] = np.inf
        row = joins[current]
        nearest = -1
        for v in range(p):
            if key[v] < np.inf:
                earned = row[v] + need[current] + need[v]
                if earned > key[v]:
                    key[v] = earned
                    parent[v] = current
                if nearest < 0 or key[v] > key[nearest]:
                    nearest = v
        tail[step], head[step], weight[step] = parent[nearest], nearest, key[nearest]
        forest.order[step] = step
        current = nearest
    sort_descending(forest.order, weight, p - 1)


@kernel
def span_sparse(forest: Forest, joins: Array, need: Array, listed: Listed, count: int, p: int) -> None:
    """Find a maximum spanning forest of ``listed[:count]``, plus the need of both ends, by Kruskal; O(count log count).

    Few joins change their weight from step to step, so that little is left to sort.
    """
    left, right, order, weight = listed.left, listed.right, listed.order, listed.weight
    for e in range(count):
        weight[e] = joins[left[e], right[e]] + need[left[e]] + need[right[e]]
    sort_descending(order, weight, count)
    kruskal(forest, left, right, order, weight, count, p)


@kernel
def kruskal(
    forest: Forest, left: IntArray, right: IntArray, order: IntArray, weight: Array, count: int, p: int
) -> None:
    """Find a maximum spanning forest of joins in the given order, and tie its components together."""
    parent = forest.parent
    for v in range(p):
        parent[v] = v
    step = 0
    for k in range(count):
        e = order[k]
        a, b = find(parent, left[e]), find(parent, right[e])
        if a != b:
            parent[b] = a
            forest.tail[step], forest.head[step], forest.weight[step] = left[e], right[e], weight[e]
            step += 1
            if step == p - 1:
                break
    for v in range(1, p):
        a, b = find(parent, 0), find(parent, v)
        if a != b:
            parent[b] = a
            forest.tail[step], forest.head[step], forest.weight[step] = 0, v, -np.inf
            step += 1
    for step in range(p - 1):
        forest.order[step] = step


@kernel
def find(parent: IntArray, i: int) -> int:
    """Return the representative of i in a union-find, halving the path."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i
