"""`SparseRows` beside scipy's matrices: places in any order, added up, mirrored, taken out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

from joinability.sparse.mirrored_rows import LOOKS, MirroredRows
from joinability.sparse.sparse_entries import entries_at, entries_of
from joinability.sparse.sparse_rows import SparseRows, by_place, incidence

SIZES = [1, 7, 400, 70_000]
"""The last one needs two passes."""


def assert_is(matrix: SparseRows, expected: csr_array) -> None:
    expected.sort_indices()
    assert matrix.shape == expected.shape
    assert matrix.nnz == expected.nnz
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(matrix, name), getattr(expected, name))
    for side, other in zip(matrix.nonzero(), expected.nonzero(), strict=True):
        np.testing.assert_array_equal(side, other)


@pytest.mark.parametrize("kind", [np.int32, np.float64])
@pytest.mark.parametrize("size", SIZES)
def test_entries_are_sorted_and_added_up(size: int, kind: type) -> None:
    rng = np.random.default_rng(size)
    rows, columns = rng.integers(0, size, (2, 500))
    data = rng.integers(1, 9, 500).astype(kind)
    matrix = SparseRows.of(rows, columns, data, size)
    expected = coo_array((data, (rows, columns)), shape=(size, size)).tocsr()
    assert matrix.data.dtype == kind
    assert_is(matrix, expected)
    assert_is(matrix.with_transposed(), csr_array(expected + expected.T))
    np.testing.assert_array_equal(matrix.csr.sum(axis=0), expected.sum(axis=0))
    if size < 1000:
        np.testing.assert_array_equal(matrix.toarray(), expected.toarray())


@pytest.mark.parametrize("size", SIZES[1:])
def test_pairs_are_on_both_sides(size: int) -> None:
    """In whatever order they come, and whichever side is the greater one."""
    rng = np.random.default_rng(size)
    keys = rng.permutation(np.unique(rng.integers(0, size * size, 300)))
    left, right = np.divmod(keys, size)
    kept = (left != right) & ~np.isin(right * size + left, keys)
    left, right = left[kept].astype(np.int32), right[kept].astype(np.int32)
    data = rng.integers(1, 99, len(left)).astype(np.int32)
    upper = coo_array((data, (left, right)), shape=(size, size)).tocsr()
    assert_is(MirroredRows(left, right, data, size), csr_array(upper + upper.T))


def test_rows_of_pairs_are_looked_up_before_the_whole_is_there() -> None:
    """They are the same before and after, in order; from the third look-up on, the matrix is put together."""
    rng = np.random.default_rng(3)
    left, right = np.nonzero(np.triu(rng.random((30, 30)) < 0.3, 1))
    data = rng.integers(1, 99, len(left))
    pairs, whole = MirroredRows(left, right, data, 30), MirroredRows(left, right, data, 30)
    assert whole.nnz == 2 * len(left)
    assert whole.above is None
    rows, others = rng.integers(0, 30, (2, 40))
    for _ in range(LOOKS + 1):
        assert pairs.above is not None
        np.testing.assert_array_equal(entries_at(pairs, rows, others), entries_at(whole, rows, others))
        for got, expected in zip(entries_of(pairs, rows[:5]), entries_of(whole, rows[:5]), strict=True):
            np.testing.assert_array_equal(got, expected)
            assert got.dtype == expected.dtype
    assert pairs.above is None
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        pairs.other  # noqa: B018 - what is asked for is not there


def test_no_entries_are_a_matrix() -> None:
    none = np.zeros(0, dtype=np.int64)
    for matrix in (SparseRows.of(none, none, none, 3), MirroredRows(none, none, none, 3)):
        assert matrix.toarray().tolist() == [[0] * 3] * 3
    assert SparseRows.of(none, none, none, 0).shape == (0, 0)


def test_rows_are_taken_out() -> None:
    """By their places, more than once and in any order, by a slice, or by marks that leave the others empty."""
    rng = np.random.default_rng(1)
    dense = (rng.random((6, 6)) < 0.4) * rng.integers(1, 9, (6, 6))
    matrix = SparseRows.of(*np.nonzero(dense), dense[dense > 0], 6)
    rows = np.array([4, 0, 4, 2])
    np.testing.assert_array_equal(matrix[rows].toarray(), dense[rows])
    np.testing.assert_array_equal(matrix[2:5].toarray(), dense[2:5])
    assert matrix[rows[:0]].shape == (0, 6)
    kept = np.arange(6) % 2 == 0
    np.testing.assert_array_equal(matrix.only(kept).toarray(), dense * kept[:, None])


@pytest.mark.parametrize("size", SIZES)
def test_the_order_of_places_is_stable(size: int) -> None:
    places = np.random.default_rng(size).integers(0, size, 900)
    np.testing.assert_array_equal(by_place(places, size), np.argsort(places, kind="stable"))


@given(st.lists(st.frozensets(st.sampled_from("abcdef")), max_size=6))
def test_products_of_incidences_count_common_members(sets: list[frozenset[str]]) -> None:
    """Entry (i, j) of the product is the size of the intersection of sets i and j."""
    matrix = incidence(sets).csr
    expected = np.array([[len(a & b) for b in sets] for a in sets], dtype=np.float32).reshape(len(sets), len(sets))
    np.testing.assert_array_equal((matrix @ matrix.T).toarray(), expected)
