"""Paths of any kind become one catalog, and what cannot be read is named beside what can."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest

from jar.errors import QueryError
from jar.index.open_sources import open_sources


def database(path: Path, table: str = "t") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE {table} (id INTEGER)")
    connection.commit()
    connection.close()
    return path


def test_every_kind_of_source_is_found_in_a_folder(tmp_path: Path) -> None:
    """SQLite, CSV, compressed CSV, JSON lines and DDL beside each other give one catalog."""
    database(tmp_path / "lake" / "shop.db", "orders")
    (tmp_path / "lake" / "a.csv").write_text("id\n1\n")
    (tmp_path / "lake" / "b.csv.gz").write_bytes(gzip.compress(b"id\n1\n"))
    (tmp_path / "lake" / "c.jsonl").write_text('{"id": 1}\n')
    (tmp_path / "lake" / "schema.sql").write_text("CREATE TABLE d (id INTEGER)")
    (tmp_path / "lake" / "notes.txt").write_text("not a table")
    ids = {table.id for table in open_sources([tmp_path / "lake"]).tables}
    assert ids == {"shop.orders", "lake.a", "lake.b", "lake.c", "schema.d"}


@pytest.mark.parametrize(
    ("name", "content"),
    [("bad.sqlite", b"garbage " * 200), ("bad.sql", "CREATE TABLE é".encode("latin-1")), ("bad.parquet", b"PAR1")],
)
def test_a_file_that_cannot_be_read_is_a_failure_beside_the_others(tmp_path: Path, name: str, content: bytes) -> None:
    """Garbage by the name of a database, a text in another encoding and a broken Parquet file stop nothing."""
    (tmp_path / "good.csv").write_text("id\n1\n")
    (tmp_path / name).write_bytes(content)
    for paths in ([tmp_path], [tmp_path / name, tmp_path / "good.csv"]):
        catalog = open_sources(paths)
        assert [table.name for table in catalog.tables if table.name == "good"] == ["good"]
        assert any("bad" in source for source, _ in catalog.failures)


def test_ddl_beside_files_of_the_same_tables_makes_no_second_ones(tmp_path: Path) -> None:
    """The table has the rows of the file and the key of the declaration."""
    (tmp_path / "lake").mkdir()
    (tmp_path / "lake" / "a.csv").write_text("id,b\n1,2\n")
    (tmp_path / "schema.sql").write_text("CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER)")
    (table,) = open_sources([tmp_path / "schema.sql", tmp_path / "lake"]).tables
    assert table.id == "lake.a"
    assert table.source is not None
    assert table.primary_key == ("id",)


def test_databases_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    """Two files of the same name below a folder get their paths as names; a path given twice counts once."""
    database(tmp_path / "a" / "data.sqlite")
    database(tmp_path / "b" / "data.sqlite")
    assert {t.id for t in open_sources([tmp_path, tmp_path]).tables} == {"a/data.t", "b/data.t"}


def test_the_dialect_reaches_the_parser(tmp_path: Path) -> None:
    """A MySQL dump is read as MySQL when told so."""
    dump = tmp_path / "dump.sql"
    dump.write_text("CREATE TABLE `order` (`id` INT AUTO_INCREMENT PRIMARY KEY) ENGINE=InnoDB;")
    (table,) = open_sources([dump], dialect="mysql").tables
    assert (table.id, table.primary_key) == ("dump.order", ("id",))


def test_nothing_to_index_says_why(tmp_path: Path) -> None:
    """An empty folder, a database without tables and only unreadable files are bad input, each with its cause."""
    with pytest.raises(QueryError, match="nothing that can be indexed"):
        open_sources([tmp_path])
    sqlite3.connect(tmp_path / "empty.db").execute("CREATE TABLE t (id)").connection.commit()
    connection = sqlite3.connect(tmp_path / "empty.db")
    connection.execute("DROP TABLE t")
    connection.commit()
    connection.close()
    with pytest.raises(QueryError, match="no tables"):
        open_sources([tmp_path / "empty.db"])
    (tmp_path / "bad.sqlite").write_bytes(b"garbage " * 200)
    with pytest.raises(QueryError, match="not a database"):
        open_sources([tmp_path / "bad.sqlite"])
    with pytest.raises(FileNotFoundError):
        open_sources([tmp_path / "missing"])


def test_a_url_is_a_database(tmp_path: Path) -> None:
    """What has :// in it is asked, not read as a file; a wrong one is told without what it says."""
    import duckdb

    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE client (id INTEGER)")
    catalog = open_sources([f"duckdb:///{tmp_path}/shop.duckdb"])
    assert [table.id for table in catalog] == ["shop.client"]
    with pytest.raises(QueryError, match="nothing to index in the database") as caught:
        open_sources(["postgresql://someone:s3cret@127.0.0.1:port/x"])
    assert "s3cret" not in str(caught.value)
