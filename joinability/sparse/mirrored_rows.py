"""`MirroredRows`: a symmetric matrix of pairs that is put together when it is first needed as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.sparse.sparse_rows import SparseRows, by_place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.arrays import Indices

LOOKS = 2
"""Look-ups of some rows among all pairs before the matrix is put together: a first answer needs no more."""


class MirroredRows(SparseRows):
    """The square matrix of n entries, each at (left, right) and at (right, left).

    Each pair is there once, with two different sides; it costs least where the pairs are in order. To put the matrix
    together, O(n + size), takes several times as long as a first answer needs to look up a few rows.

    Parameters
    ----------
    left, right : (n,) arrays of int
    data : (n,) array
    size : int
        Number of rows.

    Attributes
    ----------
    above : SparseRows, optional
        The entries of which the column is the greater side; None once the whole is there.
    """

    above: SparseRows | None
    _looks: int

    def __init__(self, left: Indices, right: Indices, data: NDArray[Any], size: int) -> None:
        low, high = (left, right) if (left < right).all() else (np.minimum(left, right), np.maximum(left, right))
        if not ((low[1:] > low[:-1]) | (low[1:] == low[:-1]) & (high[1:] > high[:-1])).all():
            order = by_place(high, size)
            order = order[by_place(low[order], size)]
            low, high, data = low[order], high[order], data[order]
        starts = np.searchsorted(low, np.arange(size + 1, dtype=low.dtype))
        above = SparseRows(data, high.astype(np.int32, copy=False), starts, size)
        vars(self).update(width=size, above=above, _looks=0)

    def __getattr__(self, name: str) -> Any:
        if name not in {"data", "indices", "indptr"}:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        above = self.above
        if above is not None:  # else another thread has just put it together
            vars(self).update(_mirrored(above))
            vars(self)["above"] = None
        return vars(self)[name]

    def looked_up(self, rows: Indices) -> SparseRows:
        """A matrix that has the same entries in some rows, and maybe others: the whole where it is there, or due."""
        above = self.above
        if above is None or self._looks >= LOOKS:  # threads may count together
            return self
        vars(self)["_looks"] += 1
        asked = np.zeros(self.width, dtype=np.bool_)
        asked[rows] = True
        entries = np.flatnonzero(np.repeat(asked, np.diff(above.indptr)) | asked[above.indices])
        left = np.searchsorted(above.indptr, entries, side="right") - 1
        return MirroredRows(left, above.indices[entries].astype(np.int64), above.data[entries], self.width)


def _mirrored(above: SparseRows) -> dict[str, NDArray[Any]]:
    """The arrays of the whole: a row begins with the columns below it, in order of the other side, and goes on with
    those above it."""
    low, high = np.repeat(np.arange(above.width), np.diff(above.indptr)), above.indices.astype(np.int64)
    mirrored = by_place(high, above.width)
    ends_below = np.cumsum(np.bincount(high, minlength=above.width))
    starts = np.concatenate([[0], ends_below + above.indptr[1:]])
    place = np.arange(len(low))
    of_mirrored = place + np.repeat(above.indptr[:-1], np.diff(ends_below, prepend=0))
    of_pairs = place + np.repeat(ends_below, np.diff(above.indptr))
    data, indices = (np.empty(2 * len(low), dtype=side.dtype) for side in (above.data, above.indices))
    indices[of_mirrored], indices[of_pairs] = low[mirrored], high
    data[of_mirrored], data[of_pairs] = above.data[mirrored], above.data
    return {"data": data, "indices": indices, "indptr": starts}
