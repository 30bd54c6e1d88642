"""Statistics in place of rows, and schemas without either."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, CatalogError, Column, ColumnStatistics, JoinEvidence, Table, TableStatistics

EvidenceOf = Callable[[Catalog], JoinEvidence]


def told(**columns: ColumnStatistics) -> TableStatistics:
    return TableStatistics(100, columns)


def test_a_table_with_statistics_is_not_read(evidence_of: EvidenceOf) -> None:
    """What was told stands, although the frame says otherwise."""
    frame = pd.DataFrame({"id": [1, 1]})
    statistics = {"shop.a": told(id=ColumnStatistics(null_fraction=0.1, distinct=90, sample_values=(5, 6.0, "7")))}
    evidence = evidence_of(Catalog.from_frames({"shop.a": frame}, statistics=statistics))
    assert evidence.rows.tolist() == [100]
    assert evidence.nulls.tolist() == [10]
    assert evidence.distinct.tolist() == [90]
    assert evidence.values.tolist() == [3]
    assert evidence.uniqueness.tolist() == [0.9]
    assert evidence.estimated.tolist() == [True]


@pytest.mark.parametrize(
    ("statistics", "distinct", "uniqueness", "estimated"),
    [
        (ColumnStatistics(distinct=2, sample_values=("a", "b")), 2, 0.02, False),
        (ColumnStatistics(uniqueness=0.5, sample_values=("a", "b")), 50, 0.5, True),
        (ColumnStatistics(distinct=1, sample_values=("a", "b")), 2, 0.02, False),
        (ColumnStatistics(sample_values=("a",)), 1, 0.5, True),
        (ColumnStatistics(), 0, 0.5, True),
    ],
)
def test_what_is_not_told_is_derived(
    evidence_of: EvidenceOf, statistics: ColumnStatistics, distinct: int, uniqueness: float, estimated: bool
) -> None:
    """Distinct values come from the uniqueness, or are at least those of the sample; only a whole sample is exact."""
    catalog = Catalog.from_frames({"shop.a": pd.DataFrame({"x": ["a"]})}, statistics={"shop.a": told(x=statistics)})
    evidence = evidence_of(catalog)
    assert evidence.distinct.tolist() == [distinct]
    assert evidence.uniqueness.tolist() == pytest.approx([uniqueness])
    assert evidence.estimated.tolist() == [estimated]


def test_containment_is_estimated_from_a_sample(evidence_of: EvidenceOf) -> None:
    """Half of the sampled values are in the other column, so half of all are expected to be; the pair says so."""
    sample = tuple(range(5)) + tuple(range(1000, 1005))
    frames = {"shop.whole": pd.DataFrame({"x": range(100)}), "shop.part": pd.DataFrame({"x": [1]})}
    statistics = {"shop.part": told(x=ColumnStatistics(distinct=40, sample_values=sample))}
    block = evidence_of(Catalog.from_frames(frames, statistics=statistics)).block([0, 1])
    assert block.containment_left[1, 0] == pytest.approx(0.5)
    assert block.containment_left[0, 1] == pytest.approx(5 / (100 * 10 / 40))
    assert block.estimated.tolist() == [[False, True], [True, True]]


def test_a_schema_without_rows_has_no_contents(evidence_of: EvidenceOf) -> None:
    """Its keys are unique, other columns half so, and nothing is known of their values."""
    ddl = "CREATE TABLE a (id INT PRIMARY KEY, x TEXT); CREATE TABLE b (a_id INT REFERENCES a)"
    evidence = evidence_of(Catalog.from_ddl(ddl))
    assert evidence.rows.tolist() == [0] * 3
    assert evidence.uniqueness.tolist() == [1.0, 0.5, 0.5]
    assert evidence.estimated.all()
    assert evidence.block([0, 1, 2]).unknown.all()
    np.testing.assert_array_equal(evidence.declared.toarray(), [[0, 0, 0], [0, 0, 0], [1, 0, 0]])


WHOLE = [-1, 2.5, "5", True, None, float("nan"), float("inf"), Decimal("NaN"), 2**63]
SHARES = [-0.1, 1.5, "0.1", True, float("nan"), Decimal("NaN"), [0.5]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("row_count", value) for value in WHOLE),
        *(("distinct", value) for value in WHOLE if value is not None),
        *(("null_fraction", value) for value in SHARES),
        *(("uniqueness", value) for value in SHARES),
        *(("sample_values", value) for value in ("abc", b"abc", 5, {"a": 1})),
    ],
)
def test_what_a_statistic_cannot_be_is_told_where_it_is_given(name: str, value: Any) -> None:
    """Each names itself, its value and what it must be."""
    with pytest.raises(CatalogError, match=rf"{name} is .*; it must be a "):
        TableStatistics(value) if name == "row_count" else ColumnStatistics(**{name: value})


def test_statistics_may_come_as_libraries_give_them() -> None:
    """Integral floats, numbers of numpy, decimals and any iterable of values."""
    counts: list[Any] = [5.0, np.int64(5), Decimal(5)]
    assert [TableStatistics(value).row_count for value in counts] == [5] * 3
    told = ColumnStatistics(np.float32(0.5), np.float64(3), Decimal("0.5"), sample_values=iter("ab"))  # type: ignore[arg-type]
    assert (told.distinct, told.sample_values) == (3, ("a", "b"))
    assert ColumnStatistics(sample_values=None).sample_values == ()  # type: ignore[arg-type]


def test_mappings_are_statistics_wherever_they_are_given(evidence_of: EvidenceOf) -> None:
    """Of a column within those of a table, and of a table beside its columns."""
    columns: Any = {"id": {"distinct": 5}}
    assert TableStatistics(9, columns).columns["id"] == ColumnStatistics(distinct=5)
    told: Any = {"row_count": 9, "columns": columns}
    evidence = evidence_of(Catalog([Table("shop", "a", (Column("id"),), statistics=told)]))
    assert (evidence.rows.tolist(), evidence.distinct.tolist()) == ([9], [5])
