"""Statistics in place of rows, and schemas without either."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, ColumnStatistics, JoinEvidence, TableStatistics

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
