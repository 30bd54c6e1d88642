"""``jar explain --names``: what names mean."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from jar import Catalog, Index
from jar.cli.main import main

DDL = "CREATE TABLE CUSTACCT (ca_id INT, ca_nm TEXT, ca_cty TEXT); CREATE TABLE orders (order_id INT, amount INT);"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An index file of two tables."""
    file = tmp_path / "shop.jar"
    Index.build(Catalog.from_ddl(DDL, database="shop"), path=file, embedder=lambda texts: np.ones((len(texts), 2)))
    return file


def test_all_names_are_told(path: Path) -> None:
    """Tables and columns with their words, an arrow where separators do not show them; no embedder is asked for."""
    told = CliRunner().invoke(main, ["explain", "--names", str(path)])
    assert told.output.splitlines() == [
        "shop.CUSTACCT: shop customer account",
        "  ca_id -> id",
        "  ca_nm -> name",
        "  ca_cty -> city",
        "shop.orders: shop orders",
        "  order_id: order id",
        "  amount: amount",
    ]


def test_those_of_one_column(path: Path) -> None:
    """A column by name, behind its table; an unknown one is told as such."""
    told = CliRunner().invoke(main, ["explain", "--names", str(path), "orders.amount"])
    assert told.output.splitlines() == ["shop.orders: shop orders", "  amount: amount"]
    unknown = CliRunner().invoke(main, ["explain", "--names", str(path), "orders.amont"])
    assert (unknown.exit_code, "shop.orders has no column 'amont'" in unknown.output) == (2, True)


def test_those_of_one_table_or_database(path: Path) -> None:
    """A table or a database by name; another name is an error, and a question is needed without --names."""
    one = CliRunner().invoke(main, ["explain", "--names", str(path), "shop.orders"])
    assert one.output.splitlines()[0] == "shop.orders: shop orders"
    assert len(one.output.splitlines()) == 3
    assert len(CliRunner().invoke(main, ["explain", "--names", str(path), "shop"]).output.splitlines()) == 7
    assert CliRunner().invoke(main, ["explain", "--names", str(path), "shop.ordres"]).exit_code == 2
    assert CliRunner().invoke(main, ["explain", str(path)]).exit_code == 2


def test_sharded_tables_are_told_once(tmp_path: Path) -> None:
    """By the first of them, unless another one is asked for."""
    ddl = "".join(f"CREATE TABLE evts_202401{day:02} (usr_id INT);" for day in (1, 2, 3))
    file = tmp_path / "web.jar"
    Index.build(Catalog.from_ddl(ddl, database="web"), path=file, embedder=lambda texts: np.ones((len(texts), 2)))
    told = CliRunner().invoke(main, ["explain", "--names", str(file)])
    assert [line.partition(":")[0] for line in told.output.splitlines()] == ["web.evts_20240101", "  usr_id -> user id"]
    assert "(and 2 more to evts_20240103)" in told.output
    told = CliRunner().invoke(main, ["explain", "--names", str(file), "web.evts_20240102"])
    assert told.output.startswith("web.evts_20240102: ")
