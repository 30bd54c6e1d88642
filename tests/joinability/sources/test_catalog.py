"""Catalogs: ids, sums, keys, statistics, and what they say of failures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from joinability import Catalog, CatalogError, Column, ForeignKey, SourceError, Table, TableStatistics


def table(name: str, *columns: str, **more: object) -> Table:
    return Table("shop", name, tuple(map(Column, columns)), **more)  # type: ignore[arg-type]


def test_a_catalog_is_a_sequence_of_tables_by_id() -> None:
    """Tables are found by id, in the order given, and columns table by table."""
    catalog = Catalog([table("orders", "id", "total"), table("clients", "id")])
    assert [found.id for found in catalog] == ["shop.orders", "shop.clients"]
    assert catalog["shop.clients"].name == "clients"
    assert "shop.orders" in catalog
    assert "orders" not in catalog
    assert len(catalog) == 2
    assert [f"{owner.name}.{column.name}" for owner, column in catalog.columns] == [
        "orders.id", "orders.total", "clients.id",
    ]  # fmt: skip


def test_an_unknown_id_names_the_nearest_ones() -> None:
    """The error on a missing table suggests the ids that look like it."""
    with pytest.raises(CatalogError, match=r"did you mean 'shop\.orders'"):
        Catalog([table("orders")])["shop.order"]


def test_catalogs_add_up() -> None:
    """The sum holds the tables and the failures of both."""
    both = Catalog([table("orders")], [("a", "locked")]) + Catalog([table("clients")], [("b", "gone")])
    assert [found.name for found in both] == ["orders", "clients"]
    assert both.failures == (("a", "locked"), ("b", "gone"))


def test_a_clash_of_ids_is_an_error() -> None:
    """Two tables of one id make no catalog, neither at once nor as a sum."""
    with pytest.raises(CatalogError, match=r"two tables have the id 'shop\.orders'"):
        Catalog([table("orders"), table("orders")])
    with pytest.raises(CatalogError, match=r"shop\.orders"):
        Catalog([table("orders")]) + Catalog([table("orders")])


def test_two_columns_of_one_name_are_an_error() -> None:
    """A table built by hand must name its columns differently."""
    with pytest.raises(CatalogError, match="two columns named 'id'"):
        table("orders", "id", "id")


def test_keys_are_resolved_without_regard_to_case() -> None:
    """Tables and columns of a key get the spelling of what they refer to; without columns it is the primary key."""
    catalog = Catalog(
        [
            table("orders", "client", foreign_keys=(ForeignKey(("CLIENT",), "SHOP.Clients"),)),
            table("clients", "Id", primary_key=("Id",)),
        ]
    )
    assert catalog["shop.orders"].foreign_keys == (ForeignKey(("client",), "shop.clients", ("Id",)),)


def test_a_key_to_an_absent_table_is_resolved_once_that_is_added() -> None:
    """A key stays as declared until a sum of catalogs holds its target."""
    key = ForeignKey(("client",), "shop.clients")
    orders = Catalog([table("orders", "client", foreign_keys=(key,))])
    assert orders["shop.orders"].foreign_keys == (key,)
    both = orders + Catalog([table("clients", "id", primary_key=("id",))])
    assert both["shop.orders"].foreign_keys == (ForeignKey(("client",), "shop.clients", ("id",)),)


def test_statistics_are_attached_by_table_id() -> None:
    """A mapping serves as well as the classes."""
    told = {"shop.orders": {"row_count": 9, "columns": {"id": {"distinct": 9, "sample_values": [1, 2]}}}}
    frames = {"shop.orders": pd.DataFrame({"id": [1]}), "shop.rest": pd.DataFrame({"a": [1]})}
    catalog = Catalog.from_frames(frames, statistics=told)
    statistics = catalog["shop.orders"].statistics
    assert statistics is not None
    assert statistics.columns["id"].distinct == 9
    assert catalog["shop.rest"].statistics is None
    assert catalog["shop.orders"].sample() == {"id": ("1", "2")}


@pytest.mark.parametrize(
    ("told", "complaint"),
    [
        ({"shop.nothing": {"row_count": 1}}, "no table 'shop.nothing'"),
        ({"shop.orders": {"row_count": 1, "columns": {"x": {}}}}, "a column that it does not have: 'x'"),
        ({"shop.orders": {"columns": {}}}, "need row_count"),
        ({"shop.orders": {"row_count": -1}}, "row_count is -1"),
        ({"shop.orders": {"row_count": 1, "columns": {"id": {"uniqueness": 2}}}}, "uniqueness is 2"),
        ({"shop.orders": {"row_count": 1, "columns": {"id": {"colour": 2}}}}, "'colour'; there are null_fraction, dis"),
        ({"shop.orders": {"row_count": 1, "columns": {"id": {"sample_values": "abc"}}}}, "sample_values is"),
        ({"shop.orders": {"row_count": 1, "columns": {"id": 5}}}, "column 'id': statistics of a column are a mapping"),
        ({"shop.orders": {"row_count": 1, "columns": ["id"]}}, "must be a mapping of names"),
        ({"shop.orders": None}, "statistics for 'shop.orders': table statistics are a mapping"),
    ],
)
def test_statistics_that_do_not_fit_are_an_error(told: dict[str, Any], complaint: str) -> None:
    """Unknown tables, columns and quantities, and impossible values, are named."""
    with pytest.raises(CatalogError, match=complaint):
        Catalog([table("orders", "id")]).with_statistics(told)


def test_a_catalog_prints_its_tables_and_failures() -> None:
    """The text names tables with their columns, and what could not be read with its cause."""
    text = str(Catalog([table("orders", "id", "total")], [("x.sqlite", "file is not a database")]))
    assert "shop.orders(id, total)" in text
    assert "not read: x.sqlite: file is not a database" in text


def test_when_nothing_can_be_read_there_is_no_catalog() -> None:
    """If every source fails, the first cause is raised."""
    with pytest.raises(SourceError, match="int is not a pandas, polars or pyarrow frame"):
        Catalog.from_frames({"a": 1, "b": 2})


def test_fingerprints_change_with_what_they_cover() -> None:
    """Schema, keys, description and statistics each change the fingerprint; nothing else does."""
    plain = table("orders", "id")
    others = [
        table("orders", "Id"),
        table("orders", "id", description="sales"),
        table("orders", "id", primary_key=("id",)),
        table("orders", "id", statistics=TableStatistics(3)),
    ]
    assert plain.fingerprint() == table("orders", "id").fingerprint()
    assert len({found.fingerprint() for found in [plain, *others]}) == 5


def test_the_package_is_light() -> None:
    """Importing it loads no engine and no data frame library."""
    code = "import sys, joinability; print(*(set(sys.argv[1].split()) & set(sys.modules)))"
    heavy = "duckdb pandas polars pyarrow sqlglot scipy sqlite3"
    shown = subprocess.run([sys.executable, "-c", code, heavy], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == ""


@pytest.mark.parametrize(
    "named",
    [
        lambda: Table("\udcff", "t"),
        lambda: Table("d", "t\ud800"),
        lambda: Table("d", "t", (Column("\ud800"),)),
        lambda: Table("d", "t", (Column("a"),), foreign_keys=(ForeignKey(("a",), "d.\ud800"),)),
    ],
)
def test_names_are_unicode(named: Callable[[], Table]) -> None:
    """A name that no engine could hold is an error where the table is made, in words that can be printed."""
    with pytest.raises(CatalogError, match=r"ud800|udcff"):
        named()


@pytest.mark.parametrize("given", [None, [1], {5: None}])
def test_frames_without_ids_are_refused(given: Any) -> None:
    with pytest.raises(CatalogError, match="a mapping of ids to frames"):
        Catalog.from_frames(given)


def test_a_file_is_no_ddl(tmp_path: Path) -> None:
    """Its text is."""
    path = tmp_path / "shop.sql"
    path.write_text("CREATE TABLE t (x INT)")
    with path.open() as file, pytest.raises(CatalogError, match="DDL is a text, not TextIOWrapper"):
        Catalog.from_ddl(file)  # type: ignore[arg-type]


@pytest.mark.parametrize("paths", [None, 5, [None], b"lake"])
def test_paths_are_paths(paths: Any) -> None:
    """What is none is refused in words, for files as for SQLite."""
    for constructor in (Catalog.from_files, Catalog.from_sqlite):
        with pytest.raises(CatalogError, match=r"given by their paths, such as 'data/', not by"):
            constructor(paths)
