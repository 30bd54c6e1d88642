"""The fewest tables that connect given ones: a Steiner tree with unit weights, by dynamic programming.

Needed where required tables do not touch and the set must be connected: a greedy start can not cross the distance, and
whether K tables are enough is a question of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

MOST_TERMINALS = 12
"""With more tables than this the dynamic program, exponential in their number, is left to the search."""

FIRST_SUBSETS = 64
"""Subsets that are done whatever the clock says: all of seven terminals, some milliseconds."""

BoolArray = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]


class Connection(NamedTuple):
    """A connected set around given tables; empty, with or without a proof that there is none of that size."""

    tables: tuple[int, ...]
    impossible: bool


def connection(joined: BoolArray, terminals: Sequence[int], most: int, deadline: float = math.inf) -> Connection:
    """Return a connected set of at most `most` tables that contains the terminals, or why there is none.

    Short paths come first, from each terminal to the nearest tables that are connected (Takahashi and Matsuyama 1980):
    O(t n^2), and often enough. If they need more than `most` tables, the dynamic program decides, with no more than
    `MOST_TERMINALS` terminals, and before the deadline of `perf_counter`.
    """
    tables = short_paths(joined, terminals)
    if tables is None:
        return Connection((), True)
    if len(tables) <= most:
        return Connection(tables, False)
    if len(terminals) > MOST_TERMINALS:
        return Connection((), False)
    try:
        fewest = connecting_set(joined, terminals, most, deadline)
    except TimeoutError:
        return Connection((), False)
    return Connection((), True) if fewest is None else Connection(fewest, False)


def short_paths(joined: BoolArray, terminals: Sequence[int]) -> tuple[int, ...] | None:
    """Return a connected set that contains the terminals, or ``None`` where they lie in different components."""
    inside = np.zeros(len(joined), dtype=bool)
    inside[terminals[0]] = True
    missing = set(terminals[1:])
    while missing:
        before = np.full(len(joined), -1)
        reached, layer = inside.copy(), np.flatnonzero(inside)
        terminals_near: set[int] = set()
        while len(layer) and not terminals_near:
            near = joined[layer]
            new = np.flatnonzero(near.any(axis=0) & ~reached)
            before[new] = layer[near[:, new].argmax(axis=0)]
            reached[new] = True
            terminals_near = missing.intersection(new.tolist())
            layer = new
        if not terminals_near:
            return None
        table = min(terminals_near)
        while not inside[table]:
            inside[table] = True
            missing.discard(table)
            table = int(before[table])
    return tuple(np.flatnonzero(inside).tolist())


def connecting_set(
    joined: BoolArray, terminals: Sequence[int], most: int, deadline: float = math.inf
) -> tuple[int, ...] | None:
    """Return a smallest connected set that contains the terminals, or ``None`` if it has more than `most` tables.

    The dynamic program of Dreyfus and Wagner (1971) over subsets of the terminals: O(3^t n + 2^t n^2) for t of them.

    Parameters
    ----------
    joined : array of shape (n, n)
        Which tables join; symmetric.
    terminals : sequence of int
        At least one table, at most `MOST_TERMINALS`.
    most : int
        Largest size of interest.
    deadline : float
        Time of `perf_counter`, looked at after each subset but the first `FIRST_SUBSETS`.

    Raises
    ------
    TimeoutError
        When the deadline has passed.
    """
    last = terminals[-1]
    subsets = 1 << (len(terminals) - 1)
    # counts[s, v]: the fewest tables that connect the terminals of s and table v; more than `most` is written most + 1.
    counts = np.full((subsets, len(joined)), most + 1, dtype=np.int64)
    counts[0] = 1
    for subset in range(1, subsets):
        row = counts[subset]
        if subset & (subset - 1) == 0:
            row[terminals[subset.bit_length() - 1]] = 1
        for part in _parts(subset):
            np.minimum(row, counts[part] + counts[subset ^ part] - 1, out=row)
        _spread(joined, row, most)
        if subset >= FIRST_SUBSETS and perf_counter() >= deadline:
            raise TimeoutError
    if counts[subsets - 1, last] > most:
        return None
    tables = {last}
    _trace(joined, counts, subsets - 1, last, tables)
    return tuple(sorted(tables))


def any_connected_set(
    joined: BoolArray, required: Sequence[int], size: int, deadline: float = math.inf
) -> Connection:
    """Return a connected set of `size` tables with the required ones, or why there is none.

    A table without joins is not in any set of more than one table, so that excluded tables are passed without joins.
    """
    tree, impossible = connection(joined, required, size, deadline) if required else Connection((), False)
    if required and not tree:
        return Connection((), impossible)
    starts = [list(tree)] if tree else [[table] for table in np.flatnonzero(joined.any(axis=0)).tolist()]
    for start in starts:
        inside = np.zeros(len(joined), dtype=bool)
        inside[start] = True
        while inside.sum() < size:
            near = np.flatnonzero(joined[inside].any(axis=0) & ~inside)
            if not len(near):
                break
            inside[near[: size - int(inside.sum())]] = True
        if inside.sum() == size:
            return Connection(tuple(np.flatnonzero(inside).tolist()), False)
    return Connection((), True)


def _parts(subset: int) -> list[int]:
    """Return one of the two halves of each split of the subset into two non-empty parts."""
    parts = []
    part = (subset - 1) & subset
    while part > subset ^ part:
        parts.append(part)
        part = (part - 1) & subset
    return parts


def _spread(joined: BoolArray, row: Counts, most: int) -> None:
    """Let each table be reached from its neighbours, at the price of one table; in order of the count."""
    for count in range(1, most):
        near = joined[row == count].any(axis=0)
        row[near & (row > count + 1)] = count + 1


def _trace(joined: BoolArray, counts: Counts, subset: int, table: int, tables: set[int]) -> None:
    """Collect the tables of the tree that ``counts[subset, table]`` counts."""
    pending = [(subset, table)]
    while pending:
        subset, table = pending.pop()
        tables.add(table)
        count = counts[subset, table]
        if subset == 0 or count == 1:
            continue
        split = [part for part in _parts(subset) if counts[part, table] + counts[subset ^ part, table] - 1 == count]
        if split:
            pending += [(split[0], table), (subset ^ split[0], table)]
        else:
            near = np.flatnonzero(joined[table] & (counts[subset] == count - 1))
            pending.append((subset, int(near[0])))
