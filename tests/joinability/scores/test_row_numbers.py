"""Columns that only number the rows, as pandas writes the index of a frame into a database: they join nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pandas as pd
import pytest

from jar import Catalog, Index

FRAMES = {
    "trades": pd.DataFrame({"id": range(1, 6), "name": ["plumber", "joiner", "roofer", "painter", "tiler"]}),
    "firms": pd.DataFrame({"id": range(1, 26), "title": [f"Firm {number}" for number in range(25)]}),
    "firm_trades": pd.DataFrame({"firm_id": range(1, 26), "trade_id": [1, 2, 3, 4, 5] * 5}),
    "repairs": pd.DataFrame({"no": range(100, 200), "firm_id": list(range(1, 26)) * 4, "trade_id": [1, 2, 3, 4] * 25}),
}


def scores(path: Path) -> dict[tuple[str, str], float]:
    index = Index.build(Catalog.from_sqlite({"shop": path}), embedder="distilled", progress=False)
    rows = index.joins(min_score=0.5).itertuples()
    return {(row.left, row.right): row.score for row in rows if row.left.endswith((".id", ".index", ": 0"))}


@pytest.mark.parametrize("name", ["index", "Unnamed: 0"])
def test_joins_are_those_without_row_numbers(tmp_path: Path, name: str) -> None:
    """None leads to the numbers, and references score nearly as without them: tables are a column wider."""
    told = []
    for numbered in (False, True):
        path = tmp_path / f"{numbered}.sqlite"
        with sqlite3.connect(path) as connection:
            for table, frame in FRAMES.items():
                frame.to_sql(table, connection, index=numbered, index_label=name if numbered else None)
        connection.close()
        told.append(scores(path))
    without, beside = told
    assert beside.keys() == without.keys()
    assert beside == pytest.approx(without, abs=0.05)
    assert beside["shop.trades.id", "shop.repairs.trade_id"] > 0.8


def test_an_index_that_others_refer_to_is_a_key(tmp_path: Path) -> None:
    """It is the only unique column, and other tables have none."""
    frames = {
        "seats": pd.DataFrame({"index": range(1, 31), "row": [number % 5 for number in range(30)]}),
        "bookings": pd.DataFrame({"code": [f"B{n}" for n in range(90)], "seat_index": list(range(1, 31)) * 3}),
        "halls": pd.DataFrame({"code": ["A", "B"], "town": ["York", "Hull"]}),
    }
    path = tmp_path / "hall.sqlite"
    with sqlite3.connect(path) as connection:
        for table, frame in frames.items():
            frame.to_sql(table, connection, index=False)
    connection.close()
    assert scores(path)["shop.seats.index", "shop.bookings.seat_index"] > 0.5
