"""Paths of any kind become one catalog, and what cannot be read is named beside what can."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest

from jar import Index
from jar.errors import QueryError
from jar.index.open_sources import open_sources
from joinability import Catalog, CatalogError
from tests.jar.conftest import toy_embedder


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
    (tmp_path / "bad.sql").write_text("create table a (id int, name varchar(")
    for name, cause in (("bad.sqlite", "not a database"), ("bad.sql", "Expecting")):
        with pytest.raises(QueryError, match=cause) as caught:
            open_sources([tmp_path / name])
        assert str(caught.value).count(str(tmp_path)) == 1
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


def test_a_source_may_be_given_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files and folders of one name stand beside each other: name=path names the database, and what is below it."""
    for part in ("p1", "p2"):
        for file in ("data/t.csv", "data/sub/u.csv"):
            (tmp_path / part / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / part / file).write_text("id\n1\n")
        database(tmp_path / part / "a.sqlite")
        database(tmp_path / part / "data" / "deep" / "b.db", "v")
    monkeypatch.chdir(tmp_path)
    named = {table.id for table in open_sources(["p1/data", "old=p2/data", "p1/a.sqlite", "olds=p2/a.sqlite"])}
    of_first = {"data.t", "sub.u", "b.v", "a.t"}
    assert named == {*of_first, "old.t", "old/sub.u", "old/deep/b.v", "olds.t"}
    assert {table.id for table in open_sources(["x=p1/data/t.csv", "y=p1/data/t.csv"])} == {"x.t", "y.t"}


def test_a_name_goes_to_databases_and_addresses_and_before_schemas_of_ddl(tmp_path: Path) -> None:
    """Of DuckDB by URL, of a file behind an address, and of two dumps whose tables name their schema; keys follow."""
    import duckdb

    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE client (id INTEGER)")
    (tmp_path / "t.csv").write_text("id\n1\n")
    ddl = "CREATE TABLE dbo.b (id INT PRIMARY KEY); CREATE TABLE dbo.a (id INT, b INT REFERENCES dbo.b (id))"
    for name in ("old.sql", "new.sql"):
        (tmp_path / name).write_text(ddl)
    catalog = open_sources(
        [
            f"u=duckdb:///{tmp_path}/shop.duckdb", f"d={tmp_path}/shop.duckdb", f"w=file://{tmp_path}/t.csv",
            f"o={tmp_path}/old.sql", f"{tmp_path}/new.sql",
        ]
    )  # fmt: skip
    assert {table.id for table in catalog} == {"u.client", "d.client", "w.t", "o.dbo.a", "o.dbo.b", "dbo.a", "dbo.b"}
    assert [key.target for key in catalog["o.dbo.a"].foreign_keys] == ["o.dbo.b"]
    assert [key.target for key in catalog["dbo.a"].foreign_keys] == ["dbo.b"]


def test_files_that_share_a_schema_are_one_database_with_a_note(tmp_path: Path) -> None:
    """Which says how to keep them apart; files with names are apart."""
    for name in ("bank", "clinic"):
        (tmp_path / f"{name}.sql").write_text(f"CREATE TABLE public.{name}_staff (id INT, name TEXT);")
    files = [tmp_path / "bank.sql", tmp_path / "clinic.sql"]
    together = open_sources(files)
    assert {table.id for table in together} == {"public.bank_staff", "public.clinic_staff"}
    (note,) = [note for note in together.notes if "one database" in note]
    assert note.endswith(f"if it is not, name them: bank={files[0]} clinic={files[1]}")
    apart = open_sources([f"bank={files[0]}", f"clinic={files[1]}"])
    assert {table.id for table in apart} == {"bank.public.bank_staff", "clinic.public.clinic_staff"}
    assert not [note for note in apart.notes if "one database" in note]


def test_schemas_of_one_ddl_file_are_one_warehouse(tmp_path: Path) -> None:
    """Those that a file has tables of or a key links, over files; names refer across, by short forms, too."""
    (tmp_path / "shop.sql").write_text(
        "CREATE TABLE crm.customers (id INT, full_name TEXT); CREATE TABLE hr.departments (id INT, name TEXT);"
        "CREATE TABLE hr.employees (id INT, name TEXT, dept_id INT, customer_id INT);"
    )
    (tmp_path / "sales.sql").write_text("CREATE TABLE sales.orders (id INT, buyer INT REFERENCES crm.customers (id));")
    (tmp_path / "clinic.sql").write_text("CREATE TABLE clinic.visits (id INT, customer_id INT);")
    catalog = open_sources([tmp_path])
    held = {"crm": "crm+", "hr": "crm+", "sales": "crm+", "clinic": None}
    assert {table.database: table.warehouse for table in catalog} == held
    named = open_sources([f"old={tmp_path}/shop.sql"])
    assert {table.warehouse for table in named} == {"old.crm+"}
    assert {table.id for table in named} == {"old.crm.customers", "old.hr.departments", "old.hr.employees"}
    index = Index.build(catalog, path=tmp_path / "shop.jar", embedder=toy_embedder, progress=False)
    for one in (index, Index.load(tmp_path / "shop.jar", embedder=toy_embedder)):
        joins = one.joins(min_score=0.5)
        kinds = {frozenset((row.left, row.right)): row.by_name for row in joins.itertuples()}
        assert kinds[frozenset(("crm.customers.id", "hr.employees.customer_id"))]
        assert kinds[frozenset(("hr.departments.id", "hr.employees.dept_id"))] == "kin"
        numbers = dict(zip((table.id for table in one.contents.tables), one.contents.databases.tolist(), strict=True))
        clinic = numbers.pop("clinic.visits")
        assert {clinic} ^ {*numbers.values()} == {clinic, numbers["crm.customers"]}


def test_only_schemas_of_one_system_are_a_warehouse(tmp_path: Path) -> None:
    """Not a database that is called like the file of others, two scripts, or two systems that one script names."""
    (tmp_path / "hr.sql").write_text("CREATE TABLE crm.a (id INT); CREATE TABLE sales.b (id INT);")
    (tmp_path / "x.sql").write_text("CREATE TABLE hr.c (id INT);")
    (tmp_path / "y.sql").write_text("CREATE TABLE spotify.public.d (id INT); CREATE TABLE bank.public.e (id INT);")
    catalog = open_sources([tmp_path])
    assert {table.name: table.warehouse for table in catalog} == {"a": "crm+", "b": "crm+", **dict.fromkeys("cde")}
    two = Catalog.from_ddl("CREATE TABLE a.t (x INT); CREATE TABLE b.t (x INT);")
    two += Catalog.from_ddl("CREATE TABLE c.t (x INT); CREATE TABLE d.t (x INT);")
    assert [table.warehouse for table in two] == ["a+", "a+", "c+", "c+"]


def test_keys_between_scripts_of_one_name_are_found(tmp_path: Path) -> None:
    """In whatever case, and of a whole folder, too."""
    (tmp_path / "a.sql").write_text("CREATE TABLE CRM.customers (id INT PRIMARY KEY); CREATE TABLE hr.emp (id INT);")
    (tmp_path / "b.sql").write_text("CREATE TABLE sales.orders (id INT, buyer INT REFERENCES CRM.customers (id));")
    for given, name in (([f"x={tmp_path}/a.sql", f"x={tmp_path}/b.sql"], "x"), ([f"shop={tmp_path}"], "shop/a")):
        catalog = open_sources(given)
        (orders,) = [table for table in catalog if table.name == "orders"]
        assert [key.target for key in orders.foreign_keys] == [f"{name}.CRM.customers"]
    (tmp_path / "b.sql").write_text("CREATE TABLE sales.orders (id INT, buyer INT REFERENCES crm.customers (id));")
    assert {table.warehouse for table in open_sources([tmp_path])} == {"CRM+"}


def test_the_schemas_of_a_duckdb_file_are_one_warehouse(tmp_path: Path) -> None:
    """As those of a script are; a file with one schema is none."""
    import duckdb

    for name, schemas in (("w", ("crm", "hr")), ("one", ())):
        with duckdb.connect(str(tmp_path / f"{name}.duckdb")) as connection:
            connection.execute("CREATE TABLE t (id INTEGER)")
            for schema in schemas:
                connection.execute(f"CREATE SCHEMA {schema}; CREATE TABLE {schema}.t (id INTEGER)")
    catalog = open_sources([tmp_path / "w.duckdb", tmp_path / "one.duckdb"])
    held = {table.id: table.warehouse for table in catalog}
    assert held == {"w.t": "w+", "w.crm.t": "w+", "w.hr.t": "w+", "one.t": None}


@pytest.mark.parametrize("damage", ["CREATE TABEL sales.orders (id INT);", "\udce9\udcff"])
def test_what_a_script_had_stays_while_it_can_not_be_read(tmp_path: Path, damage: str) -> None:
    """A statement, or the file as a whole; what it no longer has goes once it can be."""
    script, path = tmp_path / "shop.sql", tmp_path / "shop.jar"
    script.write_text("CREATE TABLE crm.clients (id INT); CREATE TABLE sales.orders (id INT);")
    (tmp_path / "other.sql").write_text("CREATE TABLE other.t (id INT);")
    sources = [script, tmp_path / "other.sql"]

    def ids() -> set[str]:
        index = Index.build(open_sources(sources), path=path, embedder=toy_embedder, progress=False)
        assert all("stays in the index" in cause for _, cause in index.failures)
        return {table.id for table in index.contents.tables}

    whole = {"crm.clients", "sales.orders", "other.t"}
    assert ids() == whole
    kept = "" if "udc" in damage else "CREATE TABLE crm.clients (id INT);"
    script.write_bytes((kept + damage).encode("utf-8", "surrogateescape"))
    assert ids() == whole
    script.write_text("CREATE TABLE crm.clients (id INT);")
    assert ids() == whole - {"sales.orders"}


def test_a_table_that_a_script_declares_stays_where_its_file_is_damaged(tmp_path: Path) -> None:
    """Without rows, as the failure says; once the file is whole again, a refresh reads it."""
    ddl = "CREATE TABLE client (id INT, name TEXT); CREATE TABLE orders (id INT, client_id INT);"
    (tmp_path / "shop.sql").write_text(ddl)
    (tmp_path / "client.csv").write_text("id,name\n1,a\n")
    orders, path = tmp_path / "orders.csv", tmp_path / "shop.jar"
    whole, damaged = "id,client_id\n7,1\n", 'id,client_id\n7,1\n8,"2,3\n"9,"1",4,5\n'

    def built(text: str) -> tuple[Index, dict[str, str]]:
        orders.write_text(text)
        index = Index.build(open_sources([tmp_path]), path=path, embedder=toy_embedder, progress=False)
        return index, dict(index.failures)

    name = f"{tmp_path.name}.orders"
    index, failures = built(damaged)
    assert failures[name].endswith(f"; it is here without rows, as {tmp_path / 'shop.sql'} declares it")
    (table,) = [table for table in index.contents.tables if table.id == name]
    assert table.column_names == ["id", "client_id"]
    assert index.contents.evidence.silent.sum() == 2
    for text, unread, silent in ((damaged, {name}, 2), (whole, set(), 0)):
        index, failures = built(text)
        assert failures.keys() == unread
        assert index.contents.evidence.silent.sum() == silent


def test_a_path_with_a_sign_of_equality_stays_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it exists, where it has several parts, and where Python gives a path."""
    for folder in ("day=1", "x/day=1"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "t.csv").write_text("id\n1\n")
    monkeypatch.chdir(tmp_path)
    assert [table.id for table in open_sources(["day=1"])] == ["day=1.t"]
    assert [table.id for table in open_sources(["x/day=1/t.csv"])] == ["day=1.t"]
    assert [table.id for table in open_sources(["y=day=1"])] == ["y.t"]
    with pytest.raises(FileNotFoundError, match=r"no file or folder .*/x/day=2$"):
        open_sources(["x/day=2"])
    with pytest.raises(FileNotFoundError, match=r"no file or folder .*/2, which is to be called day$"):
        open_sources(["day=2"])
    with pytest.raises(FileNotFoundError, match=r"/day=2$"):
        open_sources([Path("day=2")])


def test_sources_of_one_name_are_told_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the error proposes is accepted; within one folder it says so, too."""
    for part in ("p1", "p2"):
        database(tmp_path / part / "a.sqlite")
    monkeypatch.chdir(tmp_path)
    asked = "first=p1/a.sqlite second=p2/a.sqlite"
    with pytest.raises(QueryError, match=rf"p1/a\.sqlite and p2/a\.sqlite both have a table a\.t: .*, {asked}$"):
        open_sources(["p1/a.sqlite", "p2/a.sqlite"])
    assert {table.id for table in open_sources(asked.split())} == {"first.t", "second.t"}
    database(tmp_path / "p1" / "a.db")
    with pytest.raises(CatalogError, match="name=path in the shell"):
        open_sources(["p1"])
    with pytest.raises(QueryError, match="nothing to index in the database") as caught:
        open_sources(["x=md:shop?motherduck_token=S3CRET"])
    assert "S3CRET" not in str(caught.value)


def test_the_only_statement_of_a_file_that_fails_names_the_file(tmp_path: Path) -> None:
    """Of a folder with many scripts one could not tell which."""
    (tmp_path / "one.sql").write_text("CREATE TABLE a (x int);")
    (tmp_path / "two.sql").write_text("CREATE TABLE b (x int")
    catalog = open_sources([str(tmp_path)])
    assert [table.name for table in catalog] == ["a"]
    [(source, _)] = catalog.failures
    assert source.startswith(f"{tmp_path / 'two.sql'}: CREATE TABLE b")
