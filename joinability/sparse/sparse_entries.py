"""Entries of sparse matrices: single ones, those of some rows, and the ranges in which these stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.sparse.mirrored_rows import MirroredRows
from joinability.sparse.sparse_rows import SparseRows, ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.arrays import Flags, Indices, Vectors

AT_A_TIME = 65_536
"""Pairs of rows of which the members are looked up at a time."""


def common_entries(sets: SparseRows, rows: Indices, others: SparseRows, other_rows: Indices) -> Vectors:
    """How many columns p pairs of rows of two binary matrices have in common; rows are sorted, entries are there once.
    """
    if len(rows) > AT_A_TIME:
        parts = range(0, len(rows), AT_A_TIME)
        few = [slice(start, start + AT_A_TIME) for start in parts]
        return np.concatenate([common_entries(sets, rows[some], others, other_rows[some]) for some in few])
    (pair, members), (other_pair, other_members) = _members(sets, rows), _members(others, other_rows)
    keys, wanted = other_pair * sets.shape[1] + other_members, pair * sets.shape[1] + members
    if not len(keys):
        return np.zeros(len(rows), dtype=np.float32)
    is_common = keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] == wanted
    return np.bincount(pair[is_common], minlength=len(rows)).astype(np.float32)


def extents(matrix: SparseRows, rows: Indices) -> tuple[Indices, Indices]:
    """Where the entries of some rows of a matrix begin, and how many there are."""
    starts, ends = (matrix.indptr[rows + more].astype(np.int64) for more in (0, 1))
    return starts, ends - starts


def _members(sets: SparseRows, rows: Indices) -> tuple[Indices, Indices]:
    """The places of rows in a list of rows, and their columns."""
    starts, lengths = extents(sets, rows)
    return np.repeat(np.arange(len(rows)), lengths), sets.indices[ranges(starts, lengths)].astype(np.int64)


def entries_at(matrix: SparseRows, rows: Indices, columns: Indices) -> Vectors:
    """Entries (rows, columns) of a matrix with sorted rows, by bisection of each row, 0 where there is none.

    O(log n) each, where n is the length of the row; scipy looks at all entries of the matrix first.
    """
    above = matrix.above if isinstance(matrix, MirroredRows) else None
    if above is not None:
        return entries_at(above, np.minimum(rows, columns), np.maximum(rows, columns))
    low, ends = (matrix.indptr[rows + more].astype(np.int64) for more in (0, 1))
    filled = np.flatnonzero(low < ends)
    if len(filled) < len(rows) // 2:
        entries = np.zeros(len(rows), dtype=np.float32)
        entries[filled] = entries_at(matrix, rows[filled], columns[filled])
        return entries
    high = ends.copy()
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        beyond = matrix.indices[np.minimum(middle, matrix.nnz - 1)] < columns
        open_ = low < high
        low = np.where(open_ & beyond, middle + 1, low)
        high = np.where(open_ & ~beyond, middle, high)
    if not matrix.nnz:
        return np.zeros(len(rows), dtype=np.float32)
    place = np.minimum(low, matrix.nnz - 1)
    is_entry = (low < ends) & (matrix.indices[place] == columns)
    return np.where(is_entry, matrix.data[place], 0).astype(np.float32)


def entries_of(
    matrix: SparseRows, rows: Indices, others: Flags | None = None
) -> tuple[Indices, Indices, NDArray[Any]]:
    """Rows, columns and values of the entries in some rows of a matrix, and in some columns (by default all)."""
    if isinstance(matrix, MirroredRows):
        matrix = matrix.looked_up(rows)
    starts, lengths = extents(matrix, rows)
    entries = ranges(starts, lengths)
    left, right = np.repeat(rows, lengths), matrix.indices[entries]
    if others is not None:
        kept = np.flatnonzero(others[right])
        left, right, entries = left[kept], right[kept], entries[kept]
    return left, right.astype(np.int64), matrix.data[entries]
