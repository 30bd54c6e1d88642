"""Catalogs of databases: keys and comments, nothing written, no credentials told, only what changed read again."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from jar import Index
from jar.errors import QueryError
from jar.index.open_sources import open_sources
from joinability import Catalog, EvidenceStore, ForeignKey, SourceError
from joinability.sources.databases import DatabaseSource

SECRET = "s3cret/Pa:55@word"
QUOTED = "s3cret%2FPa%3A55%40word"
SHOP = (
    "CREATE TABLE client (id INTEGER PRIMARY KEY, name VARCHAR(30))",
    'CREATE TABLE "order ""x""" (id INTEGER PRIMARY KEY, "client id" INTEGER REFERENCES client (id), "100%" INTEGER)',
    "CREATE VIEW seen AS SELECT * FROM client",
    "INSERT INTO client VALUES (1, 'Ada'), (2, 'Ben '), (3, NULL)",
    'INSERT INTO "order ""x""" VALUES (1, 1, 7), (2, 1, 8), (3, 2, 7)',
)


@pytest.fixture
def shop() -> duckdb.DuckDBPyConnection:
    """A DuckDB connection with two tables and a view."""
    connection = duckdb.connect()
    for statement in SHOP:
        connection.execute(statement)
    return connection


@pytest.fixture(scope="session")
def reader(postgres: str) -> str:
    """The URL of a database of PostgreSQL as a user who may only read, whose password has signs that URLs escape."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE DATABASE shop")
        connection.execute(f"CREATE ROLE reader LOGIN PASSWORD '{SECRET}'")
    url = postgres.rpartition("/")[0]
    with psycopg.connect(f"{url}/shop") as connection:
        for statement in SHOP:
            connection.execute(statement)
        connection.execute("COMMENT ON TABLE client IS 'who buys'; COMMENT ON COLUMN client.name IS 'in full'")
        connection.execute("CREATE SCHEMA archive; CREATE TABLE archive.client (id INTEGER PRIMARY KEY)")
        connection.execute("GRANT USAGE ON SCHEMA archive TO reader")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    return f"{url.replace('postgres@', f'reader:{QUOTED}@')}/shop"


def indexed(catalog: Catalog) -> tuple[EvidenceStore, list[tuple[str, str]]]:
    store = EvidenceStore(duckdb.connect())
    store.create()
    numbered, first = [], 0
    for table in catalog:
        numbered.append((table, first))
        first += len(table.columns)
    failures = store.add_tables(numbered)
    store.update_overlaps()
    return store, failures


def overlaps(store: EvidenceStore) -> list[tuple[Any, ...]]:
    return store.connection.execute("FROM column_overlaps ORDER BY ALL").fetchall()


def check_shop(catalog: Catalog, database: str) -> None:
    client, order = sorted(catalog, key=lambda table: table.name)
    assert client.id == f"{database}.client"
    assert client.primary_key == ("id",)
    assert order.column_names == ["id", "client id", "100%"]
    assert order.foreign_keys == (ForeignKey(("client id",), client.id, ("id",)),)
    store, failures = indexed(Catalog([client, order]))
    assert failures == []
    assert overlaps(store) == [(0, 2, 3), (0, 3, 2)]
    assert store.load().rows.tolist() == [3, 3, 3, 3, 3]
    assert store.load().nulls.tolist() == [0, 1, 0, 0, 0]
    assert store.load().declared.toarray()[3, 0] == 1
    assert client.sample()["name"] == ("Ada", "Ben ")


def test_a_duckdb_connection_is_a_database(shop: duckdb.DuckDBPyConnection) -> None:
    """Tables with keys and odd names are read, views are not."""
    check_shop(Catalog.from_database(shop), "memory")


def test_schemas_that_have_nothing_are_told(shop: duckdb.DuckDBPyConnection) -> None:
    """One schema may be given by its name alone; one without tables is a failure, and alone an error."""
    shop.execute("CREATE SCHEMA archive; CREATE TABLE archive.old (id INTEGER)")
    assert [table.name for table in Catalog.from_database(shop, schemas="archive")] == ["old"]
    both = Catalog.from_database(shop, schemas=["archive", "nowhere"])
    assert (len(both), both.failures) == (1, (("memory.nowhere", "no tables in this schema"),))
    with pytest.raises(SourceError, match="no tables in this schema"):
        Catalog.from_database(shop, schemas="nowhere")


def test_schemas_that_are_not_read_are_named(shop: duckdb.DuckDBPyConnection) -> None:
    """Where none is asked for: by a note, that whoever indexes a server by its URL reads."""
    assert Catalog.from_database(shop).notes == ()
    shop.execute("CREATE SCHEMA archive; CREATE TABLE archive.old (id INTEGER)")
    (note,) = Catalog.from_database(shop).notes
    assert note.endswith("schemas that are not read unless you name them: archive")
    assert Catalog.from_database(shop, schemas=["main", "archive"]).notes == ()


def test_a_command_names_the_schemas_of_a_server(tmp_path: Path) -> None:
    """Of sources that are files it refuses them."""
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE a (id INTEGER); CREATE SCHEMA archive; CREATE TABLE archive.old (id INTEGER)")
    url = f"duckdb:///{tmp_path}/shop.duckdb"
    assert [table.id for table in open_sources([url])] == ["shop.a"]
    assert [table.id for table in open_sources([url], schemas=["archive"])] == ["shop.archive.old"]
    with pytest.raises(QueryError, match="of databases behind URLs"):
        open_sources([tmp_path], schemas=["archive"])


def test_sqlite_behind_an_engine_is_refused_as_its_url_is(tmp_path: Path) -> None:
    """Its tables would fail one by one: statements that profile are none of its dialect."""
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path}/shop.db")
    for source in (engine, f"sqlite:///{tmp_path}/shop.db"):
        with pytest.raises(SourceError, match=r"read by Catalog\.from_sqlite; give their path") as refused:
            Catalog.from_database(source)
    assert f"{tmp_path}/shop.db" in refused.value.cause
    assert not (tmp_path / "shop.db").exists()


def test_nanoseconds_of_duckdb_join_with_those_of_files(tmp_path: Path) -> None:
    """All nine digits of a time count, wherever it is read; midnight has none."""
    shop = duckdb.connect()
    times = "make_timestamp_ns(1577836800000000000 + range * 43200000000001 * (range % 7)) AS at"
    shop.execute(f"CREATE TABLE seen AS SELECT {times} FROM range(100)")
    shop.execute(f"COPY seen TO '{tmp_path}/seen.parquet'")
    with duckdb.connect() as connection:
        store = EvidenceStore(connection)
        store.create()
        tables = [*Catalog.from_database(shop), *Catalog.from_files(tmp_path)]
        assert store.add_tables([(table, place) for place, table in enumerate(tables)]) == []
        store.update_overlaps()
        evidence = store.load()
    assert evidence.distinct[0] == evidence.distinct[1] == evidence.intersections.csr[0, 1] > 50


SEEN = "CREATE TABLE seen (id INTEGER, d DATE, t TIMESTAMP, z TIMESTAMPTZ)"
MOMENTS = (
    "INSERT INTO seen VALUES (1, '2020-01-02', '2020-01-02 10:00:00', '2020-01-02 10:00:00+02'),"
    " (2, '20000-01-01', '2020-01-02 00:00:00.25', '2020-01-02 00:00:10+00'), (3, 'infinity', '-infinity', 'infinity')"
)


def test_a_sample_has_dates_and_times_of_every_kind(postgres: str) -> None:
    """With a zone, of years of five digits, and infinite ones, for which drivers of Python have no values."""
    import psycopg

    shop = duckdb.connect()
    shop.execute("SET TimeZone = 'Europe/Berlin'")
    shop.execute(SEEN)
    shop.execute(MOMENTS)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(SEEN)
        connection.execute(MOMENTS)
    for source in (shop, postgres):
        told = Catalog.from_database(source, database="db")["db.seen"].sample()
        assert told["id"] == ("1", "2", "3")
        assert told["d"][:2] == ("2020-01-02", "20000-01-01")
        assert told["t"][:2] == ("2020-01-02 10:00:00", "2020-01-02 00:00:00.25")
        assert told["z"][:2] == ("2020-01-02 08:00:00", "2020-01-02 00:00:10")


def test_arrays_cost_no_table() -> None:
    """A column of arrays of a fixed length has the texts of its values, whatever they are arrays of."""
    shop = duckdb.connect()
    shop.execute("CREATE TABLE docs (id INTEGER, embedding FLOAT[3], days DATE[1], flags BOOLEAN[1], raw BLOB[1])")
    shop.execute("INSERT INTO docs VALUES (1, [1, 2, 3], ['2020-01-02'], [true], ['a']), (2, NULL, NULL, NULL, NULL)")
    store, failures = indexed(Catalog.from_database(shop))
    assert failures == []
    assert store.load().distinct.tolist() == [2, 1, 1, 1, 1]


def test_ranges_and_enums_cost_no_table(postgres: str) -> None:
    """Types whose names begin like those of dates are text."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA odd")
        connection.execute("CREATE TYPE odd.dated AS ENUM ('a', 'b'); CREATE TYPE bytes AS ENUM ('a', 'b')")
        connection.execute("CREATE TABLE odd.t (id INTEGER, r DATERANGE, m DATEMULTIRANGE, d odd.dated, b bytes)")
        connection.execute("INSERT INTO odd.t VALUES (1, '[2020-01-01,2020-02-01)', '{}', 'a', 'b')")
    store, failures = indexed(Catalog.from_database(postgres, schemas="odd"))
    assert failures == []
    assert store.load().distinct.tolist() == [1] * 5


def test_a_duckdb_file_is_a_database(tmp_path: Path) -> None:
    """A URL with a path opens the file read-only, and its state tells of changes."""
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE client (id INTEGER); INSERT INTO client VALUES (1)")
    catalog = Catalog.from_database(f"duckdb:///{path}", database="mine")
    (table,) = catalog.tables
    assert table.id == "mine.client"
    assert table.fingerprint() == Catalog.from_database(f"duckdb:///{path}", database="mine").tables[0].fingerprint()


def test_postgres_is_read_with_keys_and_comments(reader: str) -> None:
    """A user who may only read sees the keys, too; a table that it must not read fails alone."""
    catalog = Catalog.from_database(reader)
    check_shop(catalog, "shop")
    assert catalog["shop.client"].description == "who buys"
    assert catalog["shop.client"].columns[1].description == "in full"
    both = Catalog.from_database(reader, schemas=["public", "archive"], database="db")
    assert {table.id for table in both} == {"db.client", 'db.order "x"', "db.archive.client"}
    _, failures = indexed(both)
    [(table_id, cause)] = failures
    assert table_id == "db.archive.client"
    assert "permission denied" in cause


def test_mariadb_is_read_with_keys(mariadb: str) -> None:
    """Keys, comments and odd names are those of MariaDB."""
    import pymysql
    import sqlalchemy

    url = sqlalchemy.make_url(mariadb)
    with pymysql.connect(
        host=url.host, port=url.port or 0, user=url.username, password=str(url.password), autocommit=True
    ) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE DATABASE orders")
        cursor.execute("USE orders")
        cursor.execute("CREATE TABLE client (id INTEGER PRIMARY KEY, name VARCHAR(30)) COMMENT 'who buys'")
        cursor.execute(
            'CREATE TABLE `order "x"` (id INTEGER PRIMARY KEY, `client id` INTEGER, `100%` INTEGER,'
            " FOREIGN KEY (`client id`) REFERENCES client (id))"
        )
        cursor.execute("INSERT INTO client VALUES (1, 'Ada'), (2, 'Ben '), (3, NULL)")
        cursor.execute('INSERT INTO `order "x"` VALUES (1, 1, 7), (2, 1, 8), (3, 2, 7)')
        catalog = Catalog.from_database(mariadb.replace("/shop", "/orders"))
        check_shop(catalog, "orders")
        assert catalog["orders.client"].description == "who buys"
        check_shop(Catalog.from_database(connection, database="mine"), "mine")


def test_connections_that_are_opened_only_read(postgres: str) -> None:
    """Even the URL of a superuser can not be written through."""
    from joinability.engines import engine_of

    with pytest.raises(Exception, match="read-only transaction"):
        engine_of(postgres).select("CREATE TABLE scribble (x INTEGER)", pa.schema([]))


def test_a_given_connection_is_left_as_it_was(postgres: str) -> None:
    """A transaction that the caller has open stays open, with what it has written; nothing is committed or closed."""
    import psycopg

    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE TABLE draft (x INTEGER)")
        connection.execute("INSERT INTO draft VALUES (1), (2)")
        catalog = Catalog.from_database(connection, database="mine")
        store, failures = indexed(Catalog([catalog["mine.draft"]]))
        assert failures == []
        assert store.load().rows.tolist() == [2]
        assert connection.execute("SELECT count(*) FROM draft").fetchone() == (2,)
        source = catalog["mine.draft"].source
        assert isinstance(source, DatabaseSource)
        with pytest.raises(SourceError, match="does not exist"):
            list(replace(source, table="gone").batches(1))
        assert connection.execute("SELECT count(*) FROM draft").fetchone() == (2,)
        connection.rollback()
        assert connection.execute("SELECT to_regclass('draft')").fetchone() == (None,)
    with psycopg.connect(postgres, autocommit=True) as connection:
        assert len(Catalog.from_database(connection, schemas=["pg_catalog"])) > 50


def test_sqlalchemy_engines_and_connections_serve(postgres: str) -> None:
    """Both are taken as they are."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE made (x INTEGER)")
        assert "db.made" in Catalog.from_database(connection, database="db")
        connection.rollback()
    assert "db.made" not in Catalog.from_database(engine, database="db")


def wrong_urls(reader: str) -> list[str]:
    return [
        reader.replace("reader:", "nobody:"),
        reader.replace("127.0.0.1", "127.0.0.2"),
        reader.replace("/shop", "/nowhere"),
        reader.replace("postgresql:", "postgresql+nodriver:"),
        reader.replace("postgresql:", "nosuch:"),
        f"mysql://root:{QUOTED}@127.0.0.1:1/x",
        f"postgresql://reader:{QUOTED}@127.0.0.1:port/x",
        f"postgresql://127.0.0.1:1/x?user=reader&password={QUOTED}",
        f"not a url {SECRET}",
    ]


def test_the_path_of_a_file_is_told_where_it_is_read() -> None:
    """A path is no URL."""
    with pytest.raises(SourceError, match=r"not a URL: .* Catalog\.from_files reads files"):
        Catalog.from_database("x/water.duckdb")


def test_no_error_holds_what_stands_behind_a_path(tmp_path: Path) -> None:
    """A token in the options of a URL of DuckDB, which takes none, is in no message."""
    with pytest.raises(SourceError, match="no such file") as caught:
        Catalog.from_database(f"duckdb:///{tmp_path}/shop.duckdb?motherduck_token={SECRET}")
    assert SECRET not in str(caught.value)


def test_no_error_holds_credentials(reader: str, caplog: pytest.LogCaptureFixture) -> None:
    """No message, cause, traceback or log of a connection that fails holds the password, however it is written."""
    import traceback

    caplog.set_level(logging.DEBUG)
    for url in wrong_urls(reader):
        with pytest.raises(SourceError) as caught:
            Catalog.from_database(url)
        told = str(caught.value) + "".join(traceback.format_exception(caught.value)) + caplog.text
        assert SECRET not in told, url
        assert QUOTED not in told, url


def test_nothing_that_is_kept_holds_credentials(reader: str, tmp_path: Path) -> None:
    """The password is in no repr, and in no byte of a database that holds the evidence and the catalog's texts."""
    catalog = Catalog.from_database(reader, schemas=["public", "archive"])
    path = tmp_path / "evidence.duckdb"
    with duckdb.connect(str(path)) as connection:
        store = EvidenceStore(connection)
        store.create()
        failures = store.add_tables([(table, 10 * place) for place, table in enumerate(catalog)])
        connection.execute("CREATE TABLE failures AS SELECT unnest($1)", [[cause for _, cause in failures]])
        texts = [repr(catalog), str(catalog), *map(repr, catalog), *(repr(table.source) for table in catalog)]
        texts += [repr(getattr(table.source, "engine", None)) for table in catalog]
        texts += [str(getattr(table.source, "path", None)) for table in catalog]
        connection.execute("CREATE TABLE texts AS SELECT unnest($1)", [texts])
    kept = path.read_bytes()
    assert failures
    for form in (SECRET, QUOTED, "reader"):
        assert form.encode() not in kept
        assert not [text for text in texts if form in text]


def test_only_changes_of_a_table_change_its_fingerprint(reader: str, postgres: str) -> None:
    """PostgreSQL tells of rows that were written; other tables stay as they were."""
    import psycopg

    before = {table.id: table.fingerprint() for table in Catalog.from_database(reader)}
    assert before == {table.id: table.fingerprint() for table in Catalog.from_database(reader)}
    with psycopg.connect(postgres.rpartition("/")[0] + "/shop", autocommit=True) as connection:
        connection.execute("INSERT INTO client VALUES (4, 'Eve'); DELETE FROM client WHERE id = 4")
        connection.execute("SELECT pg_stat_force_next_flush()")
    after = {table.id: table.fingerprint() for table in Catalog.from_database(reader)}
    assert [id_ for id_ in before if before[id_] != after[id_]] == ["shop.client"]


def test_unknown_sources_are_told(tmp_path: Path) -> None:
    """A connection of no known driver and a file that is not there are errors with a remedy."""
    import sqlite3

    with pytest.raises(SourceError, match="give a URL or a SQLAlchemy engine"):
        Catalog.from_database(sqlite3.connect(":memory:"))
    with pytest.raises(SourceError, match="no such file"):
        Catalog.from_database(f"duckdb:///{tmp_path}/nothing.duckdb")


def letters(texts: list[str]) -> np.ndarray:
    """An embedder that needs no model."""
    return np.array([[len(text), *(text.count(letter) for letter in "aeiou")] for text in texts], dtype=np.float32)


def test_an_index_holds_no_credentials(reader: str, tmp_path: Path) -> None:
    """The index of a database has its tables, and in no byte the password or the user."""
    path = tmp_path / "shop.jar"
    index = Index.build(Catalog.from_database(reader), path=path, embedder=letters, progress=False)
    assert len(index) == 2
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not [form for form in (SECRET, QUOTED, "reader") if form.encode() in kept]


def test_a_file_that_was_read_can_be_written(tmp_path: Path) -> None:
    """As long as its catalog and its index live, too, and what is written then is read the next time."""
    source = tmp_path / "shop.duckdb"
    for rows in (5, 7):
        with duckdb.connect(str(source)) as connection:
            connection.execute(f"CREATE OR REPLACE TABLE a AS SELECT range AS id FROM range({rows})")
        catalog = Catalog.from_database(f"duckdb:///{source}")
        index = Index.build(catalog, path=tmp_path / "shop.jar", embedder=letters, progress=False)
        assert index.tables()["rows"].tolist() == [rows]
    assert [len(batch[0]) for batch in catalog["shop.a"].source.batches(4)] == [4, 3]  # type: ignore[union-attr]


@pytest.mark.parametrize("form", ["duckdb:///{}", "duckdb:{}"])
def test_tables_of_a_database_that_is_away_stay(tmp_path: Path, form: str) -> None:
    """Its failure is known as that of the tables that were read of it, however its URL is written."""
    source, path = tmp_path / "shop.duckdb", tmp_path / "shop.jar"
    with duckdb.connect(str(source)) as connection:
        connection.execute("CREATE TABLE a AS SELECT range AS id FROM range(5)")
    (tmp_path / "b.csv").write_text("id\n1\n")
    asked = [form.format(source), str(tmp_path / "b.csv")]
    Index.build(open_sources(asked), path=path, embedder=letters, progress=False)
    source.rename(tmp_path / "elsewhere")
    built = Index.build(open_sources(asked), path=path, embedder=letters, progress=False)
    assert "shop.a" in set(built.tables()["id"])
    assert "stays in the index" in built.failures[0][1]


def test_an_index_of_a_database_is_refreshed(tmp_path: Path) -> None:
    """After a change the overlaps, of columns too long for their sketches to tell, are exact again."""
    source = tmp_path / "shop.duckdb"
    url = f"duckdb:///{source}"
    with duckdb.connect(str(source)) as connection:
        for name in ("a", "b", "c"):
            connection.execute(f"CREATE TABLE {name} AS SELECT range AS id FROM range(5000)")
    path = tmp_path / "shop.jar"
    Index.build(Catalog.from_database(url), path=path, embedder=letters, progress=False)
    with duckdb.connect(str(source)) as connection:
        connection.execute("DELETE FROM b WHERE id < 1000; INSERT INTO b SELECT 6000 + range FROM range(500)")
    built = Index.build(Catalog.from_database(url), path=path, embedder=letters, progress=False)
    assert built.failures == ()
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute(
            "SELECT a.table_name, b.table_name, intersection FROM column_overlaps JOIN profiles AS a"
            " ON a.column_id = left_id JOIN profiles AS b ON b.column_id = right_id"
        ).fetchall()
        errors = connection.execute("SELECT count(*) FROM overlap_errors").fetchone()
    assert {(*sorted((left, right)), common) for left, right, common in rows} == {
        ("a", "b", 4000), ("a", "c", 5000), ("b", "c", 4000),
    }  # fmt: skip
    assert errors == (0,)
