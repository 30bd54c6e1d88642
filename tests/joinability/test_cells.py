"""Cells of Arrow columns of every type."""

from __future__ import annotations

import datetime
import uuid

import numpy as np
import pyarrow as pa
import pytest

from joinability.cells import cell, cell_arrays, column_array

MOMENT = datetime.datetime(2020, 1, 2, 3, 4, 5)
ZONE = datetime.timezone(datetime.timedelta(hours=1))


@pytest.mark.parametrize(
    ("array", "texts"),
    [
        (pa.array([1, None]), ["1", None]),
        (pa.array([True, False]), ["1", "0"]),
        (pa.array(["a"]).dictionary_encode(), ["a"]),
        (pa.array(["a"], type=pa.large_string()), ["a"]),
        (pa.array([b"\x01"]), ["01"]),
        (pa.array([MOMENT.date()]), ["2020-01-02"]),
        (pa.array([MOMENT], type=pa.timestamp("s")), ["2020-01-02 03:04:05"]),
        (pa.array([MOMENT.replace(tzinfo=ZONE)], type=pa.timestamp("s", "+01:00")), ["2020-01-02 02:04:05"]),
        (column_array([uuid.UUID(int=5), None]), ["00000000-0000-0000-0000-000000000005", None]),
        (pa.array([[1, 2]]), ["[1, 2]"]),
        (pa.array([None, None]), [None, None]),
        (pa.array([12345678901234567890123], type=pa.decimal128(38, 0)), ["12345678901234567890123"]),
    ],
)
def test_every_type_has_a_text(array: pa.Array, texts: list[str | None]) -> None:
    """Types that are no floating numbers print as text, and leave the number cells empty."""
    text, number = cell_arrays(array)
    assert text.to_pylist() == texts
    assert number.null_count == len(texts)


@pytest.mark.parametrize("array", [pa.array([2.5], type=pa.float32()), pa.array([2.5]).cast(pa.decimal128(9, 3))])
def test_floating_numbers_stay_numbers(array: pa.Array) -> None:
    """Floats and decimals are left to the engine to print."""
    text, number = cell_arrays(array)
    assert text.null_count == 1
    assert number.to_pylist() == [2.5]


def test_mixed_columns_become_text() -> None:
    """A column of any Python values has a cell for each, and no value is lost."""
    given = [1, "x", 2.5, 3.0, None, b"\xff", True, 10**30, np.int64(4), MOMENT, uuid.UUID(int=5), "\ud800"]
    assert column_array(given).to_pylist() == [
        "1", "x", "2.5", "3", None, "ff", "1", str(10**30), "4", "2020-01-02 03:04:05",
        "00000000-0000-0000-0000-000000000005", "?",
    ]  # fmt: skip


def test_missing_values_of_libraries_are_missing() -> None:
    """NaN, NaT and pandas.NA are nulls."""
    import pandas as pd

    assert [cell(value) for value in (None, float("nan"), pd.NaT, pd.NA, np.float64("nan"))] == [None] * 5
