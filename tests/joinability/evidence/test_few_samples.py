"""Columns of which a few sample values are known, and nothing else."""

from __future__ import annotations

import pytest

from benchmarks.data.stored_evidence import evidence_of
from joinability import Catalog, Column, ColumnStatistics, Table, TableStatistics


@pytest.mark.parametrize(
    ("samples", "distinct", "silent"), [(0, None, True), (3, None, True), (4, None, False), (2, 900, False)]
)
def test_three_sample_values_say_nothing(samples: int, distinct: int | None, silent: bool) -> None:
    """More samples do, and so does the number of distinct values."""
    statistics = ColumnStatistics(distinct=distinct, sample_values=tuple(f"v{number}" for number in range(samples)))
    table = Table("d", "t", (Column("a"),), statistics=TableStatistics(1000, {"a": statistics}))
    assert evidence_of(Catalog([table])).silent.tolist() == [silent]
