"""How many members the sets of one list have in common with those of another: products of binary matrices.

scipy would count ten million in a tenth of the time, but a schema of 172,000 columns is indexed as soon without it, and
to load it takes longer than most products.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from joinability.sparse.sparse_rows import SparseRows, ranges

if TYPE_CHECKING:
    from joinability.arrays import Indices, Vectors

AT_A_TIME = 1 << 20
"""Common members that are counted at a time."""
CELLS = 8
"""Pairs of sets by each common member up to which these are counted in a table of all pairs; else they are sorted."""


def common_counts(sets: SparseRows, others: SparseRows) -> Vectors:
    """How many members each of r sets has in common with each of c others, shape (r, c).

    Parameters
    ----------
    sets, others : SparseRows of shapes (r, U) and (c, U)
        A row for each set, with an entry for each of its members, once.
    """
    common = _Common(sets, others)
    counts = np.bincount(common.pairs(0, common.rows), minlength=common.rows * common.width)
    return counts.astype(np.float32).reshape(common.rows, common.width)


def sparse_common_counts(sets: SparseRows, others: SparseRows) -> SparseRows:
    """The same as a sparse matrix, which has an entry for each pair with a common member."""
    common = _Common(sets, others)
    places, counts = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for start, end in common.parts():
        pairs = common.pairs(start, end)
        cells = (end - start) * common.width
        if cells <= CELLS * len(pairs):
            table = np.bincount(pairs, minlength=cells)
            found = np.flatnonzero(table)
            count = table[found]
        else:
            found, count = np.unique(pairs, return_counts=True)
        places.append(found + start * common.width)
        counts.append(count)
    rows, columns = np.divmod(np.concatenate(places), max(common.width, 1))
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=common.rows))])
    return SparseRows(np.concatenate(counts).astype(np.float32), columns.astype(np.int32), starts, common.width)


class _Common:
    """The common members of sets and others, one by one."""

    def __init__(self, sets: SparseRows, others: SparseRows) -> None:
        self.rows, self.width = len(sets.indptr) - 1, len(others.indptr) - 1
        order = np.argsort(others.indices, kind="stable")
        members = others.indices[order]
        self._sets, self._owners = sets, others.rows[order]
        self._first = np.searchsorted(members, sets.indices, "left")
        self._lengths = np.searchsorted(members, sets.indices, "right") - self._first

    def parts(self) -> list[tuple[int, int]]:
        """Ranges of rows with about `AT_A_TIME` common members each, but for those of single rows with more."""
        before = np.concatenate([[0], np.cumsum(self._lengths)])[self._sets.indptr]
        steps = np.arange(AT_A_TIME, before[-1], AT_A_TIME)
        ends = np.unique(np.concatenate([np.searchsorted(before, steps, "right") - 1, [0, self.rows]]))
        return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))

    def pairs(self, start: int, end: int) -> Indices:
        """The pair of a set and another one of each common member, as the place in a table of the sets from `start` to
        below `end`."""
        entries = slice(self._sets.indptr[start], self._sets.indptr[end])
        lengths = self._lengths[entries]
        row = np.repeat(self._sets.rows[entries] - start, lengths)
        return np.asarray(row * self.width + self._owners[ranges(self._first[entries], lengths)])
