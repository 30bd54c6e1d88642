"""SQLite files: any name, any value, and files that can not be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from joinability import Catalog, CatalogError, EvidenceStore, ForeignKey, SourceError
from joinability.sources.sqlite import quoted
from joinability.store.batches import column_batches

Make = Callable[[str, str], Path]
Add = Callable[[Catalog], list[tuple[str, str]]]

ORDERS = """
CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, client_id INT REFERENCES client, note);
INSERT INTO client VALUES (1, 'Ada'), (2, 'Bob');
INSERT INTO orders VALUES (10, 1, 'x'), (11, 1, NULL);
"""
WEIRD = ['a "b"', "select", "a.b", "line\nbreak", "名前", "it's", "%s ?", "x; DROP TABLE t; --", " ", "[a]", "`a`"]


def test_a_file_is_a_database(make_sqlite: Make) -> None:
    """Tables, types and keys are those of the file; its name is the database; SQLite's own tables are left out."""
    more = "CREATE TABLE counted (n INTEGER PRIMARY KEY AUTOINCREMENT); CREATE VIEW v AS SELECT 1;"
    path = make_sqlite("shop", ORDERS + more)
    catalog = Catalog.from_sqlite(path)
    assert [table.id for table in catalog] == ["shop.client", "shop.orders", "shop.counted"]
    assert catalog.notes == ("1 view of shop left out: an index is of tables",)
    orders = catalog["shop.orders"]
    assert [(column.name, column.type, column.family) for column in orders.columns] == [
        ("id", "INTEGER", "number"), ("client_id", "INT", "number"), ("note", "", "other"),
    ]  # fmt: skip
    assert orders.primary_key == ("id",)
    assert orders.foreign_keys == (ForeignKey(("client_id",), "shop.client", ("id",)),)
    assert orders.sample() == {"id": ("10", "11"), "client_id": ("1",), "note": ("x",)}


def test_composite_keys_keep_their_order(make_sqlite: Make) -> None:
    """The columns of a key stand in the order of the key, not of the table."""
    script = """
    CREATE TABLE a (x INT, y INT, PRIMARY KEY (y, x));
    CREATE TABLE b (p INT, q INT, r INT REFERENCES A (X), FOREIGN KEY (q, p) REFERENCES a);
    """
    catalog = Catalog.from_sqlite(make_sqlite("shop", script))
    assert catalog["shop.a"].primary_key == ("y", "x")
    assert catalog["shop.b"].foreign_keys == (
        ForeignKey(("r",), "shop.a", ("x",)),
        ForeignKey(("q", "p"), "shop.a", ("y", "x")),
    )


def test_weird_names_make_the_round_trip(make_sqlite: Make, add: Add, store: EvidenceStore) -> None:
    """Any name is quoted, in SQLite and in DuckDB, and nothing in it is run."""
    columns = ", ".join(f"{quoted(name)} TEXT" for name in WEIRD)
    values = ", ".join(f"'value {number}'" for number in range(len(WEIRD)))
    script = "".join(
        f"CREATE TABLE {quoted(name)} ({columns}); INSERT INTO {quoted(name)} VALUES ({values});" for name in WEIRD
    )
    catalog = Catalog.from_sqlite(make_sqlite("odd. name", script))
    assert [table.name for table in catalog] == WEIRD
    assert add(catalog) == []
    evidence = store.load()
    assert evidence.ids == [f"odd. name.{table}.{column}" for table in WEIRD for column in WEIRD]
    assert (evidence.distinct == 1).all()
    assert evidence.intersections.nnz == len(WEIRD) * len(WEIRD) * (len(WEIRD) - 1)


def test_values_of_any_type_are_read(make_sqlite: Make, add: Add, store: EvidenceStore) -> None:
    """A column may mix integers, floats, text and bytes; text that is not UTF-8 is read with replacements."""
    script = """
    CREATE TABLE mixed (v INTEGER);
    INSERT INTO mixed VALUES (1), (2.5), ('x'), (x'00ff'), (NULL), (''), (CAST(x'e9' AS TEXT)), (9e999);
    CREATE TABLE same (v TEXT);
    INSERT INTO same VALUES ('1'), ('2.5'), ('x'), ('00ff'), ('\ufffd'), ('inf');
    """
    assert add(Catalog.from_sqlite(make_sqlite("shop", script))) == []
    assert store.load().intersections.toarray().tolist() == [[0, 6], [6, 0]]


def test_generated_columns_are_columns(make_sqlite: Make, add: Add, store: EvidenceStore) -> None:
    """What SQLite computes is read like anything else."""
    script = "CREATE TABLE g (a INT, b INT AS (a + 1) STORED, c INT AS (a + 2)); INSERT INTO g (a) VALUES (1), (2);"
    assert add(Catalog.from_sqlite(make_sqlite("shop", script))) == []
    assert store.load().highest.tolist() == [2, 3, 4]


def test_two_files_of_one_name_need_names(tmp_path: Path) -> None:
    """The clash is an error that says how to name them; a mapping does."""
    paths = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "shop.sqlite")
        with closing(sqlite3.connect(paths[-1])) as connection:
            connection.execute("CREATE TABLE t (x)")
    with pytest.raises(CatalogError, match=r"from_sqlite\(\{'first': path"):
        Catalog.from_sqlite(paths)
    named = Catalog.from_sqlite({"one": paths[0], "two": paths[1]})
    assert [table.id for table in named] == ["one.t", "two.t"]


@pytest.mark.parametrize("content", [None, b"no database at all, but long enough to be taken for one" * 20])
def test_files_that_are_no_database_are_failures(make_sqlite: Make, tmp_path: Path, content: bytes | None) -> None:
    """A missing or foreign file is reported with its cause, the others are read; alone it is an error."""
    bad = tmp_path / "bad.sqlite"
    if content is not None:
        bad.write_bytes(content)
    catalog = Catalog.from_sqlite([make_sqlite("shop", ORDERS), bad])
    assert len(catalog) == 2
    assert [source for source, _ in catalog.failures] == [str(bad)]
    with pytest.raises(SourceError, match=r"no such file|not a database"):
        Catalog.from_sqlite(bad)


def test_a_locked_file_is_a_failure(make_sqlite: Make, add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another connection holds an exclusive lock, the tables of the file fail and those of others are read."""
    monkeypatch.setattr("joinability.sources.sqlite.LOCK_TIMEOUT", 0.05)
    locked, free = make_sqlite("locked", ORDERS), make_sqlite("free", ORDERS)
    catalog = Catalog.from_sqlite([locked, free])
    with closing(sqlite3.connect(locked, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        failures = dict(add(catalog))
        remedy = "another program is writing it; let that finish or close it, or read a copy of the file"
        assert Catalog.from_sqlite([locked, free]).failures[0][1] == f"database is locked: {remedy}"
    assert set(failures) == {"locked.client", "locked.orders"}
    assert all("database is locked" in cause for cause in failures.values())


@pytest.fixture
def large(make_sqlite: Make) -> Path:
    """A file with a small table and one of many pages."""
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)"
    script = f"""
    CREATE TABLE small (x); INSERT INTO small VALUES (1);
    CREATE TABLE large (x); INSERT INTO large {numbers} SELECT i FROM n;
    """
    return make_sqlite("shop", script)


def test_a_damaged_table_is_a_failure(large: Path, add: Add, store: EvidenceStore) -> None:
    """A table with damaged pages fails half way; nothing of it is kept, and its neighbour is."""
    catalog = Catalog.from_sqlite(large)
    size = large.stat().st_size
    with large.open("r+b") as file:
        file.seek(size * 2 // 3)
        file.write(b"\xff" * (size // 6))
    [(source, cause)] = add(catalog)
    assert source == "shop.large"
    assert "malformed" in cause
    assert store.load().table_names == ("shop.small",)


def test_a_truncated_file_is_a_failure(large: Path, add: Add) -> None:
    """SQLite refuses a file that is shorter than its header says; each table says so."""
    catalog = Catalog.from_sqlite(large)
    with large.open("r+b") as file:
        file.truncate(large.stat().st_size * 2 // 3)
    failures = add(catalog)
    assert [source for source, _ in failures] == ["shop.small", "shop.large"]
    assert all("malformed" in cause for _, cause in failures)


def test_reading_changes_no_file(make_sqlite: Make, add: Add, tmp_path: Path) -> None:
    """The file is opened read-only: its bytes stay, and no other file appears."""
    path = make_sqlite("shop", ORDERS)
    before = path.read_bytes()
    assert add(Catalog.from_sqlite(path)) == []
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_fingerprint_follows_the_file(make_sqlite: Make) -> None:
    """It stays while the file does, and changes when rows are written, to the file or to its log."""
    path = make_sqlite("shop", ORDERS)
    first = Catalog.from_sqlite(path)["shop.orders"]
    assert Catalog.from_sqlite(path)["shop.orders"].fingerprint() == first.fingerprint()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        changed = first.fingerprint()
        connection.execute("INSERT INTO orders VALUES (12, 2, 'y')")
        connection.commit()
        assert first.fingerprint() != changed


@pytest.mark.skipif(sqlite3.sqlite_version_info < (3, 37), reason="SQLite does not tell the kinds of tables")
def test_shadow_tables_are_left_out(make_sqlite: Make, add: Add) -> None:
    """Of a full text index the virtual table is read, and those behind it are not; names alone make no shadow."""
    script = """
    CREATE TABLE notes_data (x); CREATE VIRTUAL TABLE notes USING fts4(body); INSERT INTO notes VALUES ('hello');
    PRAGMA writable_schema = ON;
    INSERT INTO sqlite_master VALUES ('table', 'lost', 'lost', 0, 'CREATE VIRTUAL TABLE lost USING missing(x)');
    """
    catalog = Catalog.from_sqlite(make_sqlite("shop", script))
    assert [table.id for table in catalog] == ["shop.notes_data", "shop.notes"]
    assert catalog["shop.notes"].sample() == {"body": ("hello",)}
    assert catalog.failures == (("shop.lost", "no such module: missing"),)
    assert add(catalog) == []


def test_text_that_is_no_utf8_may_come_late(tmp_path: Path) -> None:
    """Every row before and after it is read once, whichever way the text is decoded."""
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE word (number INTEGER, spelling TEXT)")
        rows = [(number, "é") for number in range(10)]
        connection.executemany("INSERT INTO word VALUES (?, ?)", rows)
        connection.execute("UPDATE word SET spelling = CAST(x'6FE9' AS TEXT) WHERE number = 7")
        connection.commit()
    [table] = Catalog.from_sqlite(path).tables
    assert table.source is not None
    batches = [[column.to_pylist() for column in batch] for batch in table.source.batches(3)]
    read = [row for batch in batches for row in zip(*batch, strict=True)]
    assert read == [(number, "é" if number != 7 else "o\ufffd") for number in range(10)]
    narrow = column_batches(table, [1])
    assert [value for batch in narrow for value in batch[0].to_pylist()] == [spelling for _, spelling in read]


def test_comments_in_the_statements_of_a_file_are_descriptions(make_sqlite: Make) -> None:
    """SQLite keeps a statement as it was written, remarks included; tables without remarks have no description."""
    path = make_sqlite(
        "shop",
        "CREATE TABLE lifhd ( -- suppliers\n  lifnr TEXT, -- number of the supplier\n  land1 TEXT /* country */\n);"
        "CREATE TABLE plain (a TEXT, note TEXT DEFAULT '-- none');",
    )
    catalog = Catalog.from_sqlite(path)
    told = catalog["shop.lifhd"]
    assert told.description == "suppliers"
    assert [column.description for column in told.columns] == ["number of the supplier", "country"]
    assert catalog["shop.plain"].description is None
    assert [column.description for column in catalog["shop.plain"].columns] == [None, None]


@pytest.mark.parametrize(
    ("statement", "descriptions"),
    [
        ("CREATE TABLE t (`a` INT PRIMARY KEY, -- first\n [b] TEXT -- second\n) WITHOUT ROWID", ["first", "second"]),
        ("CREATE TABLE t (a TEXT CHECK (a <> '-- x'), b TEXT /* second */)", [None, "second"]),
        ("CREATE TABLE t (a INT,\n -- c INT,\n -- d TEXT NOT NULL,\n b INT -- second\n)", [None, "second"]),
        ("CREATE TABLE t (\n -- --------\n -- Keys\n -- --------\n a INT, b INT)", ["Keys", None]),
        ("CREATE TABLE t (a INT, -- start date\n b INT)", ["start date", None]),
    ],
)
def test_comments_of_columns(make_sqlite: Make, statement: str, descriptions: list[str | None]) -> None:
    """Whatever else the statement has; columns that are commented out and drawn lines say nothing."""
    table = Catalog.from_sqlite(make_sqlite("shop", statement))["shop.t"]
    assert [column.description for column in table.columns] == descriptions


def test_columns_that_came_later_and_long_statements(make_sqlite: Make) -> None:
    """A comment of a column that ALTER TABLE added counts; of a statement without end none does."""
    long = "CREATE TABLE long (a INT -- " + "x" * 100_000 + "\n)"
    path = make_sqlite("shop", f"CREATE TABLE t (a INT -- first\n); ALTER TABLE t ADD COLUMN z INT /* last */; {long}")
    catalog = Catalog.from_sqlite(path)
    assert [column.description for column in catalog["shop.t"].columns] == ["first", "last"]
    assert catalog["shop.long"].columns[0].description is None


def test_a_table_without_a_name_is_a_failure(make_sqlite: Make) -> None:
    """SQLite allows one; the others of the file are read."""
    catalog = Catalog.from_sqlite(make_sqlite("shop", 'CREATE TABLE "" (x); CREATE TABLE loan (loan_id)'))
    assert [table.name for table in catalog] == ["loan"]
    assert len(catalog.failures) == 1
