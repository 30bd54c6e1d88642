"""How far two ordered trees are apart: the least number of nodes to insert, delete or rename."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from formulations.kernels.machine_code import has_compiler
from jar.arrays import Array, IntArray
from jar.examples.sql_structure import SqlTree

__all__ = ["tree_difference", "tree_differences", "tree_distance"]

Flat = tuple[IntArray, IntArray, IntArray]
"""Of n nodes in postorder their labels as numbers and the place of their leftmost leaf, and the key roots."""


def tree_distance(left: SqlTree, right: SqlTree) -> int:
    """The edit distance of two ordered trees, each operation on a node costing 1.

    It is a metric. O(n^2 m^2) steps in the worst case for n and m nodes, O(n m) of memory (K. Zhang and D. Shasha,
    "Simple fast algorithms for the editing distance between trees", SIAM J. Comput. 18(6), 1989).
    """
    labels: dict[str, int] = {}
    return int(_compiled()(*_flat(left, labels), *_flat(right, labels)))


def tree_difference(left: SqlTree, right: SqlTree) -> float:
    """The edit distance by the size of the greater tree, from 0 to 1."""
    return tree_distance(left, right) / max(left.size, right.size)


def tree_differences(lefts: Sequence[SqlTree], rights: Sequence[SqlTree]) -> Array:
    """`tree_difference` of n trees with m others, shape (n, m); equal trees are compared once."""
    labels: dict[str, int] = {}
    one, place = _distinct(lefts)
    other, other_place = _distinct(rights)
    flat, other_flat = [_flat(tree, labels) for tree in one], [_flat(tree, labels) for tree in other]
    distance = _compiled()
    table = np.zeros((len(one), len(other)))
    for row, left in enumerate(flat):
        table[row] = [distance(*left, *right) / max(len(left[0]), len(right[0])) for right in other_flat]
    return table[np.ix_(place, other_place)]


def _distinct(trees: Sequence[SqlTree]) -> tuple[list[SqlTree], list[int]]:
    """The distinct trees, and which of them each is."""
    places: dict[SqlTree, int] = {}
    which = [places.setdefault(tree, len(places)) for tree in trees]
    return list(places), which


@cache
def _compiled() -> Callable[..., Any]:
    if not has_compiler():
        return _distance
    import numba

    kernel: Callable[..., Any] = numba.njit(cache=True)(_distance)
    return kernel


def _flat(tree: SqlTree, labels: dict[str, int]) -> Flat:
    """A tree as arrays; `labels` numbers the labels of all trees that are compared."""
    names: list[int] = []
    leftmost: list[int] = []

    def walk(node: SqlTree) -> int:
        first = [walk(child) for child in node.children]
        leftmost.append(first[0] if first else len(names))
        names.append(labels.setdefault(node.label, len(labels)))
        return leftmost[-1]

    walk(tree)
    last = {leaf: place for place, leaf in enumerate(leftmost)}
    roots = sorted(last.values())
    return np.array(names), np.array(leftmost), np.array(roots)


def _distance(
    left: IntArray,
    left_leaf: IntArray,
    left_roots: IntArray,
    right: IntArray,
    right_leaf: IntArray,
    right_roots: IntArray,
) -> int:
    """Distances of all pairs of subtrees, by forests that end in pairs of key roots (Zhang and Shasha, section 4)."""
    trees = np.zeros((len(left), len(right)), dtype=np.int64)
    for i in left_roots:
        for j in right_roots:
            first, other = left_leaf[i], right_leaf[j]
            rows, columns = i - first + 2, j - other + 2
            forest = np.zeros((rows, columns), dtype=np.int64)
            for x in range(1, rows):
                forest[x, 0] = x
            for y in range(1, columns):
                forest[0, y] = y
            for x in range(1, rows):
                for y in range(1, columns):
                    a, b = first + x - 1, other + y - 1
                    least = min(forest[x - 1, y], forest[x, y - 1]) + 1
                    if left_leaf[a] == first and right_leaf[b] == other:
                        least = min(least, forest[x - 1, y - 1] + (left[a] != right[b]))
                        trees[a, b] = least
                    else:
                        least = min(least, forest[left_leaf[a] - first, right_leaf[b] - other] + trees[a, b])
                    forest[x, y] = least
    return int(trees[len(left) - 1, len(right) - 1])
