"""Common members of rows: looked up, sorted or counted in tables, they are those of the products."""

from __future__ import annotations

import numpy as np
import pytest

from joinability.sparse import products, sparse_entries
from joinability.sparse.products import common_counts, sparse_common_counts
from joinability.sparse.sparse_entries import common_entries
from joinability.sparse.sparse_rows import SparseRows, ranges


def sparse(dense: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> SparseRows:
    rows, columns = np.nonzero(dense)
    starts = np.searchsorted(rows, np.arange(len(dense) + 1))
    return SparseRows(dense[rows, columns], columns.astype(np.int32), starts, dense.shape[1])


@pytest.mark.parametrize("at_a_time", [7, 65_536])
@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_common_entries_are_those_of_the_products(
    monkeypatch: pytest.MonkeyPatch, at_a_time: int, share: float
) -> None:
    monkeypatch.setattr(sparse_entries, "AT_A_TIME", at_a_time)
    rng = np.random.default_rng(5)
    one, other = ((rng.random((rows, 9)) < share).astype(np.float32) for rows in (7, 4))
    rows, others = rng.integers(0, 7, 50), rng.integers(0, 4, 50)
    sets, other_sets = map(sparse, (one, other))
    counted = common_entries(sets, rows, other_sets, others)
    np.testing.assert_array_equal(counted, (one @ other.T)[rows, others])
    assert counted.dtype == np.float32
    assert len(common_entries(sets, rows[:0], other_sets, others[:0])) == 0


@pytest.mark.parametrize("at_a_time", [1, 40, 1 << 20])
@pytest.mark.parametrize("cells", [0, 8])
@pytest.mark.parametrize(
    ("rows", "columns", "share"), [(9, 5, 0.3), (9, 5, 1.0), (3, 6, 0.0), (0, 4, 0.5), (4, 0, 0.5)]
)
def test_common_counts_are_the_products(
    monkeypatch: pytest.MonkeyPatch, at_a_time: int, cells: int, rows: int, columns: int, share: float
) -> None:
    """As a whole matrix and as a sparse one, whose entries are in order; at once and in parts."""
    for name, value in (("AT_A_TIME", at_a_time), ("CELLS", cells)):
        monkeypatch.setattr(products, name, value)
    rng = np.random.default_rng(rows)
    one, other = ((rng.random((count, 11)) < share).astype(np.float32) for count in (rows, columns))
    sets, others = map(sparse, (one, other))
    whole, counted = common_counts(sets, others), sparse_common_counts(sets, others)
    np.testing.assert_array_equal(whole, one @ other.T)
    np.testing.assert_array_equal(counted.toarray(), one @ other.T)
    assert counted.nnz == np.count_nonzero(one @ other.T)
    places = counted.rows * max(columns, 1) + counted.indices
    assert (np.diff(places) > 0).all()
    assert whole.dtype == counted.data.dtype == np.float32
    assert counted.indices.dtype == np.int32


@pytest.mark.parametrize("shape", [(11,), (11, 3)])
def test_products_with_dense_ones(shape: tuple[int, ...]) -> None:
    """With a vector and with a matrix, whatever rows are empty."""
    rng = np.random.default_rng(2)
    one = np.where(rng.random((9, 11)) < 0.2, rng.random((9, 11)), 0).astype(np.float32)
    one[[0, 4, 8]] = 0
    dense = rng.random(shape)
    np.testing.assert_allclose(sparse(one).times(dense), one @ dense, rtol=1e-12)
    assert sparse(one[:0]).times(dense).shape == (0, *shape[1:])


@pytest.mark.parametrize("seed", range(5))
def test_ranges_are_those_of_each_start(seed: int) -> None:
    """One after the other, empty ones and none at all included."""
    rng = np.random.default_rng(seed)
    starts, lengths = rng.integers(0, 50, seed), rng.integers(0, 4, seed)
    expected = [start + place for start, length in zip(starts, lengths, strict=True) for place in range(length)]
    assert ranges(starts, lengths).tolist() == expected
