"""Folders as they come: names of any bytes, texts in other encodings, kinds of files that are no tables."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from pyarrow import parquet

from jar import Catalog, Index, JarError, QueryError
from jar.cli.main import main
from jar.description_file import read_descriptions
from jar.index.open_sources import open_sources
from tests.jar.conftest import toy_embedder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(
        main, [os.fspath(argument) if isinstance(argument, Path) else str(argument) for argument in arguments]
    )


def test_names_of_files_and_folders_may_be_of_any_bytes(tmp_path: Path) -> None:
    """Each kind of file is indexed under a name with escapes, and a refresh finds it again, beside the others."""
    lake = tmp_path / "lake"
    odd = os.fsdecode(b"caf\xe9")
    (lake / odd).mkdir(parents=True)
    for folder in (lake, lake / odd):
        (folder / "ok.csv").write_text("id\n1\n")
        (folder / f"{odd}.csv").write_text("id\n1\n")
        (folder / f"{odd}.sql").write_text("CREATE TABLE q (id INTEGER)")
        with (folder / f"{odd}.parquet").open("wb") as file:
            parquet.write_table(pa.table({"id": [1]}), file)
        connection = sqlite3.connect(tmp_path / "plain.db")
        connection.execute("CREATE TABLE IF NOT EXISTS t (id INTEGER)")
        connection.commit()
        connection.close()
        os.rename(tmp_path / "plain.db", folder / f"{odd}.db")
    index = Index.build(open_sources([lake]), path=tmp_path / "a.jar", embedder=toy_embedder, progress=False)
    assert index.failures == ()
    ids = set(index.tables()["id"])
    assert len(ids) == 10
    assert {"lake.ok", "caf\\udce9.ok", "caf\\udce9/caf\\udce9.t"} <= ids
    again = Index.build(open_sources([lake]), path=tmp_path / "a.jar", embedder=toy_embedder, progress=False)
    assert again.changes is not None
    assert again.changes.kept == 10


def test_an_index_is_not_written_under_a_name_that_duckdb_cannot_open(tmp_path: Path) -> None:
    """The message asks for another name."""
    path = tmp_path / os.fsdecode(b"caf\xe9.jar")
    with pytest.raises(JarError, match="another name"):
        Index.build(Catalog.from_ddl("CREATE TABLE t (id INTEGER)"), path=path, embedder=toy_embedder, progress=False)
    assert list(tmp_path.iterdir()) == []


def test_the_command_tells_what_it_skipped_and_what_is_empty(tmp_path: Path) -> None:
    """Kinds that are not read are told and no failure; empty files are failures, and no tables without columns."""
    lake = tmp_path / "lake"
    lake.mkdir()
    for name in ("a.zip", "b.zip", "c.xls", "d.png"):
        (lake / name).write_bytes(b"\x00")
    for name in ("empty.sql", "empty.db"):
        (lake / name).touch()
    (lake / "ok.csv").write_text("id\n1\n")
    done = run("index", lake, "-o", tmp_path / "a.jar", "--embedder", "static")
    assert done.exit_code == 0, done.output
    assert f"skipped: {lake}/a.zip, {lake}/b.zip: no table is read of .zip files" in done.stderr
    assert "c.xls" in done.stderr
    assert "d.png" in done.stderr
    assert f"skipped: {lake}/empty.db, {lake}/empty.sql: it holds no tables" in done.stderr
    (lake / "empty.csv").touch()
    done = run("index", lake, "-o", tmp_path / "a.jar")
    assert done.exit_code == 1
    assert "empty.csv: the file is empty" in done.stderr
    assert list(Index.load(tmp_path / "a.jar").tables()["id"]) == ["lake.ok"]


def test_a_table_whose_file_became_empty_stays(tmp_path: Path) -> None:
    """As after an export that failed."""
    path = tmp_path / "lake" / "orders.csv"
    path.parent.mkdir()
    path.write_text("id\n1\n")
    (tmp_path / "lake" / "other.csv").write_text("id\n1\n")
    for _ in range(2):
        index = Index.build(open_sources([path.parent]), path=tmp_path / "a.jar", embedder=toy_embedder, progress=False)
        assert set(index.tables()["id"]) == {"lake.orders", "lake.other"}
        path.write_text("")
    assert "stays in the index" in index.failures[0][1]


SQL = "CREATE TABLE größe (id INTEGER);"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom"])
def test_ddl_and_descriptions_may_be_utf_16(tmp_path: Path, encoding: str) -> None:
    """As editors of Windows save them, with the mark at the beginning."""
    mark = "\ufeff" if encoding.endswith("-bom") else ""
    name = encoding.removesuffix("-bom")
    (tmp_path / "a.sql").write_bytes(f"{mark}{SQL}".encode(name))
    (table,) = open_sources([tmp_path / "a.sql"])
    assert table.id == "a.größe"
    (tmp_path / "d.csv").write_bytes(f"{mark}a.größe,wie groß\r\n".encode(name))
    assert read_descriptions(tmp_path / "d.csv") == {"a.größe": "wie groß"}


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16-le"])
def test_text_in_another_encoding_is_told_the_remedy(tmp_path: Path, encoding: str) -> None:
    """Latin-1 would be guesswork, and so would UTF-16 without its mark."""
    (tmp_path / "a.sql").write_bytes(SQL.encode(encoding))
    with pytest.raises(QueryError, match="save it as UTF-8, for example by iconv"):
        open_sources([tmp_path / "a.sql"])
    (tmp_path / "d.csv").write_bytes("a.größe,wie groß\n".encode(encoding))
    with pytest.raises(QueryError, match="save it as UTF-8, for example by iconv"):
        read_descriptions(tmp_path / "d.csv")


def test_a_link_to_a_database_or_a_script_of_the_folder_is_taken_once(tmp_path: Path) -> None:
    """Beside a table file or without one: it is skipped, with a note, and no failure."""
    connection = sqlite3.connect(tmp_path / "shop.sqlite")
    connection.execute("CREATE TABLE orders (id INTEGER)")
    connection.commit()
    connection.close()
    (tmp_path / "hr.sql").write_text("CREATE TABLE staff (id INTEGER)")
    (tmp_path / "copy.sqlite").symlink_to("shop.sqlite")
    (tmp_path / "more.sql").symlink_to("hr.sql")
    for _ in range(2):
        catalog = open_sources([tmp_path])
        assert {"shop.orders", "hr.staff"} <= {table.id for table in catalog}
        assert not any(table.id.startswith(("copy", "more")) for table in catalog)
        assert [cause for _, cause in catalog.skipped] == [
            f"a link to {tmp_path / 'shop.sqlite'}, which is taken once",
            f"a link to {tmp_path / 'hr.sql'}, which is taken once",
        ]
        assert catalog.failures == ()
        (tmp_path / "beside.csv").write_text("id\n1\n")


def test_a_script_of_views_alone_says_so_once(tmp_path: Path) -> None:
    """Beside a table, by itself, and in Python."""
    script = tmp_path / "v.sql"
    script.write_text("CREATE VIEW v AS SELECT 1")
    told = "it holds no tables (1 view in the DDL of v left out: an index is of tables)"
    alone = run("index", script, "-o", tmp_path / "a.jar")
    assert alone.exit_code == 2
    assert alone.stderr == f"Error: nothing to index in {script}: {told}\n"
    (tmp_path / "ok.csv").write_text("id\n1\n")
    beside = run("index", tmp_path, "-o", tmp_path / "out" / "a.jar", "--embedder", "static")
    assert beside.stderr.count("left out") == beside.stderr.count(told) == 1
    assert Catalog.from_ddl(script.read_text()).notes == ("1 view in the DDL of main left out: an index is of tables",)
