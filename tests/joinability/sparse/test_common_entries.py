"""Entries of rows: looked up one by one or counted by scipy, they are the same."""

from __future__ import annotations

import numpy as np
import pytest

from joinability.sparse import sparse_entries
from joinability.sparse.sparse_entries import common_entries
from joinability.sparse.sparse_rows import SparseRows, ranges


def sparse(dense: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> SparseRows:
    rows, columns = np.nonzero(dense)
    starts = np.searchsorted(rows, np.arange(len(dense) + 1))
    return SparseRows(dense[rows, columns], columns.astype(np.int32), starts, dense.shape[1])


@pytest.mark.parametrize("few", [0, 4_096])
@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_common_entries_are_those_of_the_products(monkeypatch: pytest.MonkeyPatch, few: int, share: float) -> None:
    monkeypatch.setattr(sparse_entries, "FEW", few)
    rng = np.random.default_rng(5)
    one, other = ((rng.random((rows, 9)) < share).astype(np.float32) for rows in (7, 4))
    rows, others = rng.integers(0, 7, 50), rng.integers(0, 4, 50)
    sets, other_sets = map(sparse, (one, other))
    counted = common_entries(sets, rows, other_sets, others)
    np.testing.assert_array_equal(counted, (one @ other.T)[rows, others])
    assert counted.dtype == np.float32
    assert len(common_entries(sets, rows[:0], other_sets, others[:0])) == 0


@pytest.mark.parametrize("seed", range(5))
def test_ranges_are_those_of_each_start(seed: int) -> None:
    """One after the other, empty ones and none at all included."""
    rng = np.random.default_rng(seed)
    starts, lengths = rng.integers(0, 50, seed), rng.integers(0, 4, seed)
    expected = [start + place for start, length in zip(starts, lengths, strict=True) for place in range(length)]
    assert ranges(starts, lengths).tolist() == expected
