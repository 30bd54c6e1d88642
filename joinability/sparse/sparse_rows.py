"""`SparseRows`: a sparse matrix that needs no scipy, whose import takes longer than most rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.attributes import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from joinability.arrays import Flags, Indices

HALF = 16
"""Bits by which numpy sorts in linear time."""


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A sparse matrix by its rows, with the attributes that `scipy.sparse.csr_array` has.

    Attributes
    ----------
    data : (n,) array
        The entries, row by row, in the order of their columns.
    indices : (n,) array of int32
        The column of each.
    indptr : (rows + 1,) array of int
        The entries of row k are ``data[indptr[k]:indptr[k + 1]]``.
    width : int
        Number of columns.
    """

    data: NDArray[Any]
    indices: NDArray[np.int32]
    indptr: Indices
    width: int

    @classmethod
    def of(cls, rows: Indices, columns: Indices, data: NDArray[Any], size: int) -> SparseRows:
        """The square matrix of n entries in any order; those at one place are added up. O(n + size)."""
        order = by_place(columns, size)
        order = order[by_place(rows[order], size)]
        rows, columns, data = rows[order], columns[order], data[order]
        is_first = np.ones(len(rows), dtype=np.bool_)
        is_first[1:] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
        if not is_first.all():
            first = np.flatnonzero(is_first)
            rows, columns, data = rows[first], columns[first], np.add.reduceat(data, first, dtype=data.dtype)
        return cls._of_ordered(rows, columns, data, size)

    @classmethod
    def _of_ordered(cls, rows: Indices, columns: Indices, data: NDArray[Any], size: int) -> SparseRows:
        starts = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows, minlength=size), out=starts[1:])
        return cls(data, columns.astype(np.int32, copy=False), starts, size)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.indptr) - 1, self.width

    @property
    def nnz(self) -> int:
        """Number of entries."""
        return len(self.data)

    @cached_property
    def rows(self) -> Indices:
        """The row of each entry, shape (n,)."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    def __getitem__(self, rows: Indices | slice) -> SparseRows:
        """The matrix of some rows, in their order."""
        if isinstance(rows, slice):
            rows = np.arange(len(self.indptr) - 1)[rows]
        starts, lengths = self.indptr[rows], np.diff(self.indptr)[rows]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        entries = ranges(starts, lengths)
        return SparseRows(self.data[entries], self.indices[entries], ends, self.width)

    def only(self, kept: Flags) -> SparseRows:
        """The matrix with some of its rows alone; the others are empty."""
        lengths = np.diff(self.indptr)
        entries = np.repeat(kept, lengths)
        starts = np.concatenate([[0], np.cumsum(np.where(kept, lengths, 0))])
        return SparseRows(self.data[entries], self.indices[entries], starts, self.width)

    @cached_property
    def csr(self) -> csr_array:
        """The matrix as scipy has it, where that is installed."""
        from scipy.sparse import csr_array

        return csr_array((self.data, self.indices, self.indptr), shape=self.shape)

    def times(self, dense: NDArray[Any]) -> NDArray[Any]:
        """The product with a matrix of shape (width, d), or with a vector of shape (width,)."""
        filled = np.flatnonzero(np.diff(self.indptr))
        weights = self.data.reshape(-1, *[1] * (dense.ndim - 1))
        product = np.zeros((len(self.indptr) - 1, *dense.shape[1:]), dtype=np.result_type(self.data, dense))
        if len(filled):
            product[filled] = np.add.reduceat(weights * dense[self.indices], self.indptr[filled], axis=0)
        return product

    def nonzero(self) -> tuple[Indices, Indices]:
        """The rows and the columns of the entries."""
        return self.rows, self.indices.astype(np.int64)

    def with_transposed(self) -> SparseRows:
        """The sum of the matrix and its transpose."""
        rows, columns = self.nonzero()
        sides = np.concatenate([rows, columns]), np.concatenate([columns, rows])
        return SparseRows.of(*sides, np.concatenate([self.data, self.data]), len(self.indptr) - 1)

    def toarray(self) -> NDArray[Any]:
        """The whole matrix."""
        whole = np.zeros(self.shape, dtype=self.data.dtype)
        whole[self.nonzero()] = self.data
        return whole


def incidence(sets: Sequence[Iterable[str]]) -> SparseRows:
    """Binary matrix of sets (rows) and their members (columns, in order of first appearance), as float32.

    A set that is there several times, as one object, is read once.
    """
    vocabulary: dict[str, int] = {}
    known: dict[int, list[int]] = {}
    indices: list[int] = []
    starts = [0]
    for members in sets:
        row = known.get(id(members))
        if row is None:
            row = sorted({vocabulary.setdefault(member, len(vocabulary)) for member in members})
            known[id(members)] = row
        indices += row
        starts.append(len(indices))
    data = np.ones(len(indices), dtype=np.float32)
    return SparseRows(data, np.array(indices, dtype=np.int32), np.array(starts), max(1, len(vocabulary)))


def ranges(starts: Indices, lengths: Indices) -> Indices:
    """The numbers from each start on, as many as its length says, range after range.

    Examples
    --------
    >>> ranges(np.array([5, 0]), np.array([3, 2])).tolist()
    [5, 6, 7, 0, 1]
    """
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(lengths.sum()) + np.repeat(starts - before, lengths))


def by_place(places: Indices, size: int) -> Indices:
    """The order of n whole numbers from 0 to below `size`, equal ones as they come. O(n)."""
    order = np.argsort(places.astype(np.uint16), kind="stable")
    if size > 1 << HALF:
        order = order[np.argsort((places[order] >> HALF).astype(np.uint16), kind="stable")]
    return order
