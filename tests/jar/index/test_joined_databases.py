"""Databases that joins, or the user, tell to be parts of one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jar import Index, Reranker
from jar.index.stored_tables import joined_databases
from joinability import Catalog, Column, Table

TABLES = [
    Table(*name.split("."), [Column("id")])
    for name in ("shop.clients", "shop.goods", "shop.stores", "files.orders", "files.visits", "files.lines", "hr.staff")
]
CLIENTS, GOODS, STORES, ORDERS, VISITS, LINES, STAFF = range(len(TABLES))


def joined(*pairs: tuple[int, int], pins: list[tuple[str, str]] | None = None) -> list[int]:
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return joined_databases(TABLES, left, right, pins or []).tolist()


def test_three_tables_of_each_make_two_databases_one() -> None:
    """In either order of the sides; the numbers stay those of appearance."""
    assert joined() == [0, 0, 0, 1, 1, 1, 2]
    assert joined((CLIENTS, ORDERS), (STORES, VISITS), (LINES, GOODS)) == [0, 0, 0, 0, 0, 0, 1]
    assert joined((CLIENTS, ORDERS), (STORES, VISITS)) == [0, 0, 0, 1, 1, 1, 2]


def test_one_table_to_which_many_refer_tells_nothing() -> None:
    """Any database may have countries or years."""
    assert joined((CLIENTS, ORDERS), (CLIENTS, VISITS), (CLIENTS, LINES)) == [0, 0, 0, 1, 1, 1, 2]


def test_copies_of_one_name_tell_nothing() -> None:
    """Two shops with the same tables are two shops."""
    north = [Table("north", name, [Column("id")]) for name in ("client", "order", "good")]
    tables = [*north, *(Table("south", f"{table.name.title()}s", table.columns) for table in north)]
    same = np.arange(3)
    assert joined_databases(tables, same, same + 3).tolist() == [0, 0, 0, 1, 1, 1]


def test_a_pin_makes_two_databases_one() -> None:
    """What the user says needs no second join; a pin on what is not there any more tells nothing."""
    assert joined(pins=[("files.orders.id", "hr.staff.id")]) == [0, 0, 0, 1, 1, 1, 1]
    assert joined(pins=[("files.gone.id", "hr.gone.id")]) == [0, 0, 0, 1, 1, 1, 2]


def test_an_answer_from_two_parts_of_one_is_told_as_from_one(tmp_path: Path) -> None:
    """Of the index itself: joins by values between files and a shop, and a pin that comes later."""
    rng = np.random.default_rng(0)
    keys = {name: rng.choice(10**6, 40, replace=False) for name in ("client", "good", "store")}
    shop = {f"shop.{name}s": pd.DataFrame({f"{name}_id": values}) for name, values in keys.items()}
    used = {"orders": "client", "lines": "good", "visits": "store"}
    files = {
        f"files.{name}": pd.DataFrame({"no": range(200), f"{of}_id": rng.choice(keys[of], 200)})
        for name, of in used.items()
    }
    staff = {"hr.staff": pd.DataFrame({"badge": rng.choice(10**7, 30, replace=False)})}
    index = Index.build(Catalog.from_frames(shop | files | staff), path=tmp_path / "x.jar", embedder="static")
    assert index.contents.databases.tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert Index.load(index.path).contents.databases.tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert Reranker(index).rank("orders of clients", 2).connected
    index.pin_join("hr.staff.badge", "files.visits.no")
    assert index.contents.databases.tolist() == [0] * 7


@pytest.mark.parametrize("count", [0, 1])
def test_few_tables_need_no_joins(count: int) -> None:
    """An empty index, and one of a table."""
    none = np.zeros(0, dtype=np.int64)
    assert joined_databases(TABLES[:count], none, none).tolist() == [0] * count
