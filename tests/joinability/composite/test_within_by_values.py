"""References within a table that values tell whatever the columns are called, against a search through all values."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pytest

from jar import Index
from joinability import Catalog
from joinability.composite.stored_keys import load_composites


def accounts(seed: int = 0) -> pd.DataFrame:
    """Accounts that sum up others, by numbers with zeros, with what is no reference: amounts, days, another key."""
    generator = np.random.default_rng(seed)
    numbers = [f"{int(number):06d}" for number in generator.choice(90_000, 120, replace=False)]
    days = pd.date_range("2024-01-01", periods=120).strftime("%Y-%m-%d")
    return pd.DataFrame(
        {
            "AC_NO": numbers,
            "AC_SUM": [numbers[place // 10] if place >= 10 else None for place in range(120)],
            "AC_OLD": [f"{int(number):06d}" for number in generator.choice(90_000, 120, replace=False)],
            "AC_OPENED": days,
            "AC_CLOSED": [days[place + 3] if place % 2 and place < 110 else None for place in range(120)],
            "AC_LIMIT": generator.integers(1, 9, 120) * 1000,
        }
    )


def told(frames: dict[str, pd.DataFrame]) -> set[tuple[str, str]]:
    index = Index.build(Catalog.from_frames(frames), embedder="static", progress=False)
    found = index.joins(0.5)
    return {
        (row.left.rpartition(".")[2], row.right.rpartition(".")[2])
        for row in found.itertuples()
        if row.left.rpartition(".")[0] == row.right.rpartition(".")[0]
    }


@pytest.mark.parametrize("seed", range(3))
def test_what_values_tell_is_what_a_search_through_them_finds(seed: int) -> None:
    frame = accounts(seed)
    keys = set(frame["AC_NO"])
    held = {
        column
        for column in frame.columns.drop("AC_NO")
        if len(values := set(frame[column].dropna())) >= 3 and len(values & keys) >= 0.9 * len(values)
    }
    assert held == {"AC_SUM"}
    assert told({"gl.FIACCT": frame}) == {("AC_SUM", "AC_NO")}


def test_numbers_that_count_say_nothing() -> None:
    """A column of small numbers is in every key that counts from 1."""
    frame = pd.DataFrame({"id": range(1, 121), "shelf": [1 + place % 9 for place in range(120)]})
    assert told({"gl.boxes": frame}) == set()


def test_a_key_that_refers_to_a_larger_one_is_none_of_its_own() -> None:
    """Of rates by currency the other currency is one of the currencies, and no other rate."""
    codes = [f"{chr(65 + place // 26)}{chr(65 + place % 26)}C" for place in range(60)]
    frames = {
        "gl.currencies": pd.DataFrame({"currency_code": codes, "minor_units": [2] * 60}),
        "gl.rates": pd.DataFrame({"currency_code": codes[:40], "base_code": [codes[place % 5] for place in range(40)]}),
    }
    assert ("base_code", "currency_code") not in told(frames)


def test_a_key_of_some_rows_does_not_refer_to_itself() -> None:
    """A phone number that a third of the customers has not is one key, and no other row."""
    phones = [f"0{7_000_000 + 977 * place}" if place % 3 else None for place in range(120)]
    frame = pd.DataFrame({"cust_no": [f"C{place:04d}" for place in range(120)], "phone_no": phones})
    assert told({"shop.customers": frame}) == set()


def test_what_another_table_has_for_its_key_refers_to_that() -> None:
    """Customers and orders are numbered in one range: an order's customer is no order."""
    frames = {
        "shop.customers": pd.DataFrame({"customer_no": range(1001, 1081), "city": ["x"] * 80}),
        "shop.orders": pd.DataFrame(
            {"order_no": range(1001, 1501), "customer_no": [1001 + k % 80 for k in range(500)], "cust": 1001}
        ).assign(cust=[1001 + 3 * k % 80 for k in range(500)]),
    }
    joins = Index.build(Catalog.from_frames(frames), embedder="static", progress=False).joins(0.5)
    pairs = {frozenset((row.left, row.right)) for row in joins.itertuples()}
    for child in ("customer_no", "cust"):
        assert frozenset((f"shop.orders.{child}", "shop.customers.customer_no")) in pairs
        assert frozenset((f"shop.orders.{child}", "shop.orders.order_no")) not in pairs


def test_they_are_counted(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("index") / "gl.jar"
    frame = accounts()
    Index.build(Catalog.from_frames({"gl.FIACCT": frame}), path=path, embedder="static", progress=False)
    with duckdb.connect(str(path), read_only=True) as connection:
        columns = [row[0] for row in connection.execute("SELECT column_id FROM profiles ORDER BY 1").fetchall()]
        (key,) = load_composites(connection, columns)
    assert (key.kind, key.compared, key.common) == ("within", 11, 11)
