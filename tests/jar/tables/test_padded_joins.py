"""Joins on values with blanks around them, as SQL that finds the rows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from jar import Catalog, Index, Reranker, Selection


@pytest.fixture(scope="module")
def flights(data_folder: Path) -> Path:
    return data_folder / "spider" / "databases" / "flight_2" / "flight_2.sqlite"


@pytest.fixture(scope="module")
def answer(flights: Path) -> Selection:
    index = Index.build(Catalog.from_sqlite(flights), embedder="static")
    tables = [("flight_2.flights", 1.0), ("flight_2.airports", 0.9)]
    return Reranker(index).rank("Which airport do most flights leave from?", k=2, candidates=tables)


def test_the_join_of_the_context_finds_the_rows(answer: Selection, flights: Path) -> None:
    """Flights name airports with a blank before the code: run as it stands, the condition joins all of them."""
    (join,) = answer.joins
    line = answer.to_sql_context().partition("-- joins\n")[2].splitlines()[0].removeprefix("-- ")
    assert "TRIM(flights." in line
    with sqlite3.connect(flights) as connection:
        query = f"SELECT count(*) FROM flights JOIN airports ON {line}"
        (joined,) = connection.execute(query).fetchone()
        (bare,) = connection.execute(query.replace("TRIM", "")).fetchone()
        (rows,) = connection.execute("SELECT count(*) FROM flights").fetchone()
    assert (bare, joined) == (0, rows)
    assert join.padded in (((True, False),), ((False, True),))


def test_what_is_told_of_the_join_names_the_blanks(answer: Selection) -> None:
    """Summary, explanation and plain values have the condition, and how many values are padded."""
    assert "TRIM(flight_2.flights." in str(answer)
    text = answer.explain()
    assert "TRIM(" in text
    assert "padded" in text
    told = answer.to_dict()["joins"][0]
    assert told["condition"] == answer.joins[0].condition
    assert sorted([told["evidence"]["padded_left"], told["evidence"]["padded_right"]]) == [0, 1]
