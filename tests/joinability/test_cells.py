"""Cells of Arrow columns of every type."""

from __future__ import annotations

import datetime
import decimal
import uuid
from typing import Any

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


def test_long_decimals_keep_their_digits() -> None:
    """An integral decimal that no float holds has all its digits as text; others are numbers."""
    given = ["123456789012345678.00", "-90071992547409931.00", "12.00", None, "2.50", "123456789012345678.25"]
    text, number = cell_arrays(pa.array([value and decimal.Decimal(value) for value in given], pa.decimal128(38, 2)))
    assert text.to_pylist() == ["123456789012345678", "-90071992547409931", None, None, None, None]
    assert number.to_pylist() == [None, None, 12, None, 2.5, 123456789012345678.25]


@pytest.mark.parametrize("places", [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
def test_dates_beside_times_cost_no_time_of_day(places: list[int]) -> None:
    """In whatever order they come, of Python or of pandas, with a zone or without."""
    import pandas as pd

    for moment in (MOMENT, pd.Timestamp(MOMENT), MOMENT.replace(tzinfo=datetime.timezone.utc)):
        values = [MOMENT.date(), moment, None]
        for given in (values, pd.Series(values, dtype=object)):
            array = column_array([given[place] for place in places])
            assert pa.types.is_timestamp(array.type)
            texts = cell_arrays(array)[0].to_pylist()
            expected = ["2020-01-02 00:00:00.000000", "2020-01-02 03:04:05.000000", None]
            assert texts == [expected[place] for place in places]


def test_dates_beside_missing_times_stay_dates() -> None:
    """NaT of pandas is a time by its type, and missing."""
    import pandas as pd

    assert column_array([MOMENT.date(), pd.NaT]).type == pa.date32()


def test_types_of_pandas_print_as_pandas_prints_them() -> None:
    """A period is no number of months, an interval has its brackets; a missing one stays missing."""
    import pandas as pd

    months: Any = pd.Series(pd.PeriodIndex(["2020-01", None, "2020-03"], freq="M"))
    spans: Any = pd.Series(pd.arrays.IntervalArray.from_arrays([0.0, np.nan], [1.0, np.nan]))
    assert cell_arrays(column_array(months))[0].to_pylist() == ["2020-01", None, "2020-03"]
    assert cell_arrays(column_array(spans))[0].to_pylist() == ["(0.0, 1.0]", None]
    assert cell_arrays(pa.table({"m": months})["m"].chunk(0))[1].null_count == 3


def test_arrays_of_any_shape_have_a_text() -> None:
    """Arrays of numpy are lists, of whatever shape and beside whatever else."""
    given = [np.zeros((2, 2), dtype=int), np.array([7]), np.array(3), "x"]
    assert column_array(given).to_pylist() == ["[[0, 0], [0, 0]]", "[7]", "3", "x"]
    assert column_array([MOMENT.date(), np.datetime64("2020-01-02T03")]).to_pylist() == [
        "2020-01-02", "2020-01-02 03:00:00",
    ]  # fmt: skip


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
