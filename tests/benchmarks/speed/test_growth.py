"""The growth of indexes with their tables, on catalogs of a few."""

from __future__ import annotations

import pytest

from benchmarks.speed.growing_indexes import KINDS, growth_grid, measure_growth


def test_a_row_for_each_size(capsys: pytest.CaptureFixture[str]) -> None:
    """Both kinds of catalogs are indexed, loaded and asked in processes of their own."""
    found = measure_growth([("rows", 20, 5), ("schema", 12, 6)], print)
    assert [one["tables"] for one in found] == [20, 12]
    assert all(one["question_milliseconds"] > 0 and one["file_megabytes"] > 0 for one in found)
    assert "20 tables of 5 columns" in capsys.readouterr().out
    lines = growth_grid(found).markdown().splitlines()
    assert len(lines) == 6


def test_the_keys_of_small_tables_are_the_same_integers() -> None:
    """Every table with rows has the ids 0, 1, 2."""
    catalog = KINDS["rows"](5, 5)
    assert {table.sample()["id"] for table in catalog.tables} == {("0", "1", "2")}
