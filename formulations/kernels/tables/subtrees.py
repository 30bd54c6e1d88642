"""Connected sets out of a relaxation: the best K tables of a spanning tree, exactly.

Each connected set is a subtree of some spanning tree of the join graph. In a given tree the best subtree of K tables is
found from the leaves up. With ``best[v, k]`` the best value of k connected tables below v, v among them, a child c on a
join of weight w is merged into its parent v by

    best[v, k] = max(best[v, k], max over 0 < b < k of best[v, k - b] + best[c, b] + w),

which takes O(p K) additions for p tables. The trees are maximum spanning trees of joins that count with both their ends
under the prices of the relaxation, and with some noise: each is another place to look.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from formulations.kernels.compiled import kernel, workspace
from formulations.kernels.nodes import sort_descending
from formulations.kernels.tables.relaxation import Relaxed
from formulations.kernels.tables.spanning import Forest, Listed, kruskal, new_forest
from formulations.validation import Array, IntArray

TAKEN = 1e6
"""What a taken table is worth here, in units of the largest gain or join: more than all others together."""


class Subtrees(NamedTuple):
    """Work space for p tables and sets of K.

    Attributes
    ----------
    forest : Forest
        The spanning tree.
    key : array of floats
        What each listed join is worth to it.
    order : array of integers
        The listed joins by descending key.
    degree, join : arrays of p integers
        Joins left while the leaves are cut off, and the exclusive or of their numbers.
    leaves : array of p integers
        The tables in the order in which they are cut off.
    below, want : arrays of p integers
        Tables below a table, and how many of them are selected.
    best : array of shape (p, K + 1)
        Value of the best k connected tables with this top.
    share : array of shape (p, K + 1)
        How many of its parent's best k tables a table and those below it are.
    """

    forest: Forest
    key: Array
    order: IntArray
    degree: IntArray
    join: IntArray
    leaves: IntArray
    below: IntArray
    want: IntArray
    best: Array
    share: IntArray


@workspace
def new_subtrees(p: int, joins: int, size: int) -> Subtrees:
    """Return work space for p tables and so many joins."""
    integers, order, share = np.empty((5, p), np.int64), np.empty(joins, np.int64), np.empty((p, size + 1), np.int64)
    return Subtrees(
        new_forest(p),
        np.empty(joins),
        order,
        integers[0],
        integers[1],
        integers[2],
        integers[3],
        integers[4],
        np.empty((p, size + 1)),
        share,
    )


@kernel
def best_subtree(
    work: Subtrees, relaxed: Relaxed, listed: Listed, count: int, p: int, noise: int, items: IntArray
) -> bool:
    """Put the best connected set of one spanning tree into `items`; return False where the tree has none.

    `noise` chooses the tree: 0 for the one without noise. O(count log count + p K).
    """
    key_joins(work.key, relaxed, listed, count, noise)
    for e in range(count):
        work.order[e] = e
    sort_descending(work.order, work.key, count)
    kruskal(work.forest, listed.left, listed.right, work.order, work.key, count, p)
    number = cut_leaves(work, p)
    merge_leaves(work, relaxed, number, p, len(items))
    return trace_subtree(work, relaxed, number, p, items)


@kernel
def key_joins(key: Array, relaxed: Relaxed, listed: Listed, count: int, noise: int) -> None:
    """Let a join be worth itself and its ends; with noise, times a pseudo-random factor from 0.5 to 1.5."""
    gains, need, joins = relaxed.gains, relaxed.need, relaxed.joins
    least = np.inf
    for e in range(count):
        c, d = listed.left[e], listed.right[e]
        key[e] = gains[c] + need[c] + gains[d] + need[d] + joins[c, d]
        least = min(least, key[e])
    if noise == 0:
        return
    # Xorshift with 64 bits (Marsaglia 2003); the best 53 of them make a number from 0 to 1.
    state = np.uint64(noise) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    for e in range(count):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        key[e] = (key[e] - least) * (0.5 + float(state >> np.uint64(11)) / 2.0**53)


@kernel
def cut_leaves(work: Subtrees, p: int) -> int:
    """Order the tables so that each comes before its parent; return how many have one.

    ``join[v]`` becomes the join of table v with its parent: the exclusive or of the joins of a leaf is its only one.
    """
    degree, join, tail, head = work.degree, work.join, work.forest.tail, work.forest.head
    for v in range(p):
        degree[v] = join[v] = 0
    for step in range(p - 1):
        # Between components there is no join, only the tie of a spanning forest.
        if work.forest.weight[step] > -np.inf:
            for v in (tail[step], head[step]):
                degree[v] += 1
                join[v] ^= step
    number = 0
    for first in range(p):
        v = first
        while degree[v] == 1:
            work.leaves[number] = v
            number += 1
            parent = parent_of(work, v)
            degree[v] = 0
            degree[parent] -= 1
            join[parent] ^= join[v]
            if parent > first:
                break
            v = parent
    return number


@kernel
def parent_of(work: Subtrees, v: int) -> int:
    """Return the other end of the join of a table with its parent."""
    return int(work.forest.tail[work.join[v]] ^ work.forest.head[work.join[v]] ^ v)


@kernel
def merge_leaves(work: Subtrees, relaxed: Relaxed, number: int, p: int, size: int) -> None:
    """Fill ``best`` and ``share``, from the leaves up."""
    best, below = work.best, work.below
    largest = 0.0
    for v in range(p):
        best[v, 1] = relaxed.gains[v] + relaxed.need[v]
        largest = max(largest, abs(best[v, 1]))
        below[v] = 1
    for t in range(number):
        v = work.leaves[t]
        largest = max(largest, abs(relaxed.joins[v, parent_of(work, v)]))
    taken = TAKEN * largest if largest > 0.0 else TAKEN
    for v in range(p):
        best[v, 1] += taken * relaxed.forced[v]
    for t in range(number):
        v = work.leaves[t]
        parent = parent_of(work, v)
        weight = relaxed.joins[v, parent]
        merge_child(best[parent], best[v], work.share[v], weight, below[parent], below[v], size)
        below[parent] += below[v]


@kernel
def merge_child(
    of_parent: Array, of_child: Array, share: IntArray, weight: float, above: int, below: int, size: int
) -> None:
    """Fill ``of_parent[k]`` with the child among the tables below, and how many of the k it has."""
    for k in range(min(above + below, size), 0, -1):
        value = of_parent[k] if k <= above else -np.inf
        share[k] = 0
        for b in range(max(1, k - above), min(below, k - 1) + 1):
            merged = of_parent[k - b] + of_child[b] + weight
            if merged > value:
                value = merged
                share[k] = b
        of_parent[k] = value


@kernel
def trace_subtree(work: Subtrees, relaxed: Relaxed, number: int, p: int, items: IntArray) -> bool:
    """Collect the tables of the best subtree; return False where there is none, or it lacks a taken table."""
    best, want, size = work.best, work.want, len(items)
    top = -1
    for v in range(p):
        want[v] = 0
        if work.below[v] >= size and (top < 0 or best[v, size] > best[top, size]):
            top = v
    if top < 0:
        return False
    want[top] = size
    for t in range(number - 1, -1, -1):
        v = work.leaves[t]
        parent = parent_of(work, v)
        if v != top and want[parent] > 0:
            want[v] = work.share[v, want[parent]]
            want[parent] -= want[v]
    k = 0
    for v in range(p):
        if want[v] > 0:
            items[k] = relaxed.tables[v]
            k += 1
        elif relaxed.forced[v] == 1:
            return False
    return True
