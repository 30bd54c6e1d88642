"""Normalisation: what a cell's text is, against a transcription of its rules in Python."""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Iterator
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from joinability.cells import cell_arrays, column_array
from joinability.statements import sql

DIGITS = st.text("0123456789.-:T +e\t", max_size=24)
TIMES = st.datetimes().map(str) | st.datetimes().map(lambda moment: moment.isoformat())
NUMBERS = st.floats() | st.integers(-(2**63), 2**63 - 1).map(float)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        made.execute(sql("normalised"))
        yield made


def normalised(connection: duckdb.DuckDBPyConnection, values: list[Any]) -> list[str | None]:
    text, number = cell_arrays(column_array(values))
    cells = pa.table({"place": range(len(values)), "text": text, "number": number})
    relation = connection.from_arrow(cells)
    return [row[0] for row in relation.order("place").project("normalised(trimmed(text), number)").fetchall()]


def expected(value: str | float | None) -> str | None:
    """The documented rules, one after the other."""
    if isinstance(value, float):
        if math.isnan(value):
            return None
        whole = math.isfinite(value) and value.is_integer() and abs(value) < 9.2e18
        return str(int(value)) if whole else repr(value)
    if value is None or not value.strip(" \t\r\n"):
        return None
    text = value.strip(" \t\r\n")
    if re.fullmatch(r"-?[0-9]+\.0+", text):
        return text.partition(".")[0]
    if moment := re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?", text):
        day, time, fraction = moment.groups()
        time += (fraction or "").rstrip("0").removesuffix(".")
        return day if time == "00:00:00" else f"{day} {time}"
    if re.fullmatch(r"[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+", text):
        return text.rstrip("0").removesuffix(".")
    return text


@given(st.lists(st.text(max_size=30) | DIGITS | TIMES | st.none(), min_size=1, max_size=20))
@example(["1.0", "1.00 ", "-0.0", "1.10", "2020-01-02 00:00:00", "2020-01-02T03:04:05.120", "", "  ", "a \n"])
@settings(deadline=None)
def test_texts_follow_the_rules(connection: duckdb.DuckDBPyConnection, values: list[str | None]) -> None:
    """SQL and the transcription agree on any text."""
    assert normalised(connection, values) == [expected(value) for value in values]


@given(st.lists(NUMBERS, min_size=1, max_size=20))
@settings(deadline=None)
def test_numbers_follow_the_rules(connection: duckdb.DuckDBPyConnection, values: list[float]) -> None:
    """Floating numbers print as Python prints them, integral ones in decimal digits."""
    assert normalised(connection, values) == [expected(value) for value in values]


@pytest.mark.parametrize(
    "alike",
    [
        [1, 1.0, "1", "1.0", "1 ", " 1", "\t1.0\r\n", True, decimal.Decimal("1.00")],
        [2.5, "2.5", decimal.Decimal("2.50")],
        [datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2), "2020-01-02", "2020-01-02T00:00:00"],
        [datetime.datetime(2020, 1, 2, 3, 4, 5, 600000), "2020-01-02 03:04:05.6"],
        [b"\x0f\xff", "0fff"],
        [0, 0.0, -0.0, False],
        [2**62, str(2**62), float(2**62)],
    ],
)
def test_values_that_a_join_equates_have_one_text(connection: duckdb.DuckDBPyConnection, alike: list[Any]) -> None:
    """The same value in different types, each a column of its own or all in one, has the same text."""
    alone = {normalised(connection, [value])[0] for value in alike}
    assert len(alone) == 1
    assert set(normalised(connection, alike)) == alone


def test_missing_values_have_no_text(connection: duckdb.DuckDBPyConnection) -> None:
    """Nulls, NaN and blank text are no values."""
    assert normalised(connection, [None, "", " \t", None]) == [None] * 4
    assert normalised(connection, [None, math.nan]) == [None] * 2


def test_texts_that_only_look_alike_stay_apart(connection: duckdb.DuckDBPyConnection) -> None:
    """Leading zeros, blanks inside, case and further decimals make a difference."""
    values = ["7", "007", "7 7", "7  7", "1.10", "1.1", "a", "A"]
    assert normalised(connection, values) == values


@given(st.lists(st.text("0123456789.x", max_size=6), min_size=1, max_size=20))
@example(["7", "007", "0", "000", "00.5", "0x7", "10", ""])
@settings(deadline=None)
def test_zeros_before_digits_can_be_ignored(connection: duckdb.DuckDBPyConnection, values: list[str]) -> None:
    """A text of digits alone is that of its number; any other text stays."""
    expected_texts = [str(int(value)) if value.isdigit() else value for value in values]
    found = connection.from_arrow(pa.table({"place": range(len(values)), "value": values}))
    assert [row[0] for row in found.order("place").project("without_zeros(value)").fetchall()] == expected_texts


def test_the_hash_is_the_beginning_of_the_md5(connection: duckdb.DuckDBPyConnection) -> None:
    """It is the first 16 hexadecimal digits: of "a", 0cc175b9c0f1b6a8."""
    assert connection.execute("SELECT hashed('a')").fetchone() == (0x0CC175B9C0F1B6A8,)
