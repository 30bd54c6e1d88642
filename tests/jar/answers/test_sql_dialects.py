"""The SQL of a prompt is SQL of its dialect: sqlglot reads back what was written, and engines that are here run it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing

import duckdb
import pytest
import sqlglot
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from jar import Catalog, Index, QueryError, Reranker
from jar.answers.join import Join
from jar.answers.sql_context import SqlContext
from jar.answers.sql_dialects import ALIASES, DIALECTS, dialect_named, plain_quote
from jar.answers.sql_types import type_in
from joinability import Column, ForeignKey, Table
from tests.joinability.servers import mariadb_server, postgres_server

NAMES = [dialect.name for dialect in DIALECTS]
HOSTILE = (
    "plain", "Mixed", "UPPER", "order", "select", "group", "rank", "date", "user", "level", "size", "key", "a b",
    "new\nline", 'say "x"', "it's", "a`b", "a]b", "[c]", "naïve", "名前", "1st", "x.y", "a-- b", "/* c */",
    "; DROP TABLE x", "{{ x }}", "$dollar", "per%cent", "tab\tbed", "\\slash", "emoji_é",
)  # fmt: skip
TYPES = (
    "BIGINT", "INTEGER", "INT(11)", "int unsigned", "DOUBLE", "DOUBLE PRECISION", "REAL", "float(24)", "NUMBER(38,0)",
    "DECIMAL(10,2)", "DECIMAL(76,38)", "NUMERIC", "VARCHAR", "varchar(20)", "CHAR(3)", "TEXT", "STRING",
    "NVARCHAR(MAX)",
    "character varying(30)", "BLOB", "RAW(16)", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP_NS",
    "TIMESTAMP_NTZ(9)", "DATETIME", "DATETIME2", "BOOLEAN", "BIT", "UUID", "JSON", "VARIANT", "HUGEINT", "INTEGER[]",
    "STRUCT(a INTEGER)", "ENUM('a','b')", "year", "INTERVAL", "GEOGRAPHY", "MONEY", "my_type", "x y z", "", "INT64",
    "BIGNUMERIC", "ARRAY<STRUCT<a STRING, b INT64>>", "VARCHAR(99999999)", "int); DROP TABLE x; --", "'", "INT -- x",
    "LONGTEXT", "\n",
)  # fmt: skip


def parsed(text: str, dialect: str) -> list[exp.Create]:
    """The statements of a text, each a CREATE TABLE."""
    trees = sqlglot.parse(text, read=dialect)
    statements = [tree for tree in trees if tree is not None and not isinstance(tree, exp.Semicolon)]
    assert all(isinstance(tree, exp.Create) for tree in statements), text
    return [tree for tree in statements if isinstance(tree, exp.Create)]


def columns_of(tree: exp.Create) -> list[str]:
    return [definition.name for definition in tree.this.expressions if isinstance(definition, exp.ColumnDef)]


def keys_of(tree: exp.Create) -> list[list[str]]:
    return [[column.name for column in key.expressions] for key in tree.find_all(exp.PrimaryKey)]


def context_of(*tables: Table, joins: tuple[Join, ...] = ()) -> SqlContext:
    return SqlContext(tuple(Catalog(list(tables)).tables), joins)


def bank() -> SqlContext:
    """Tables with keys of one and of two columns, one of which refers forward, and one of unequal types."""
    client = Table(
        "bank", "client",
        (Column("client_id", "INTEGER", "who"), Column("name", "VARCHAR"), Column("mentor", "INTEGER")),
        ("client_id",), (ForeignKey(("mentor",), "bank.client", ("client_id",)),), "People; they\nhave -- accounts",
    )  # fmt: skip
    owner = Table(
        "bank", "owner", (Column("client_id", "INTEGER"), Column("code", "TEXT"), Column("since", "DATE")),
        ("client_id", "code"),
        (ForeignKey(("client_id",), "bank.client", ("client_id",)), ForeignKey(("code",), "bank.account", ("code",))),
    )  # fmt: skip
    account = Table(
        "bank", "account", (Column("code", "VARCHAR"), Column("opened_by", "VARCHAR"), Column("extra", "JSON")),
        ("code",), (ForeignKey(("opened_by",), "bank.client", ("client_id",)),),
    )  # fmt: skip
    note = Table(
        "bank", "note", (Column("client_id", "INTEGER"), Column("code", "TEXT"), Column("body", "my_type")), (),
        (ForeignKey(("client_id", "code"), "bank.owner", ("client_id", "code")),),
    )  # fmt: skip
    document = Table("bank", "document", (Column("body", "JSON"),), ("body",))
    join = Join("bank.owner.code", "bank.account.code", 0.9, {}, "bank.owner", "bank.account", padded=((True, False),))
    return context_of(client, owner, account, note, document, joins=(join,))


Made = dict[str, list[str]]
"""The columns of each table that an engine has, by its own catalog."""
Run = Callable[[str], Made]
CATALOG = """
SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'trial' ORDER BY ordinal_position
"""


def made(rows: Iterable[Sequence[str]]) -> Made:
    """Tables with their columns, of rows (table, column)."""
    found: Made = {}
    for table, column in rows:
        found.setdefault(table, []).append(column)
    return found


def run_in_sqlite(text: str) -> Made:
    """Run statements in a database that is new each time."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(text)
        return made(
            connection.execute(
                "SELECT t.name, c.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'"
            ).fetchall()
        )


def run_in_duckdb(text: str) -> Made:
    """Run statements in a database that is new each time."""
    with closing(duckdb.connect()) as connection:
        connection.execute(text)
        return made(
            connection.execute(
                "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal ORDER BY column_index"
            ).fetchall()
        )


def check_run(run: Run, dialect: str, tables: Iterable[Table]) -> None:
    """Run the statements of tables, and compare what the engine then has with what was asked for."""
    asked = list(tables)
    assert run(context_of(*asked).text(dialect_named(dialect))) == {table.name: table.column_names for table in asked}


@pytest.fixture(scope="session")
def postgres_run() -> Iterator[Run]:
    """Runs statements of PostgreSQL in a schema that is new each time."""
    psycopg = pytest.importorskip("psycopg", reason="pip install 'jar-rerank[postgres]'")
    with postgres_server() as url, psycopg.connect(url, autocommit=True) as connection:

        def run(text: str) -> Made:
            connection.execute("DROP SCHEMA IF EXISTS trial CASCADE; CREATE SCHEMA trial; SET search_path TO trial")
            connection.execute(text)
            return made(connection.execute(CATALOG).fetchall())

        yield run


@pytest.fixture(scope="session")
def mariadb_run() -> Iterator[Run]:
    """Runs statements of MariaDB in a database that is new each time."""
    pymysql = pytest.importorskip("pymysql", reason="pip install 'jar-rerank[mysql]'")
    with mariadb_server() as url:
        port = int(url.rsplit(":", 1)[1].split("/")[0])
        with pymysql.connect(host="127.0.0.1", port=port, user="tester", password="tester", charset="utf8mb4") as link:

            def run(text: str) -> Made:
                cursor = link.cursor()
                cursor.execute("DROP DATABASE IF EXISTS trial")
                cursor.execute("CREATE DATABASE trial CHARACTER SET utf8mb4")
                cursor.execute("USE trial")
                for statement in re.split(r";\n+(?=CREATE|-- )", text):
                    if re.search(r"^CREATE", statement, re.MULTILINE):
                        cursor.execute(statement.rstrip().removesuffix(";"))
                cursor.execute(CATALOG)
                return made(cursor.fetchall())

            yield run


@pytest.fixture(params=["sqlite", "duckdb", "postgres", "mysql"])
def engine(request: pytest.FixtureRequest) -> tuple[str, Run]:
    """An engine that is here: its dialect, and what runs a text and tells the tables that there are then."""
    own = {"sqlite": run_in_sqlite, "duckdb": run_in_duckdb}
    servers = {"postgres": "postgres_run", "mysql": "mariadb_run"}
    run = own.get(request.param) or request.getfixturevalue(servers[request.param])
    return request.param, run


def hostile(dialect: str) -> list[str]:
    """Names that quotes have to hold, without those that no table of the dialect can have."""
    impossible = {"mysql": r"[\U00010000-\U0010ffff]|\s\Z", "bigquery": r"[`.]"}
    return [name for name in HOSTILE if dialect not in impossible or not re.search(impossible[dialect], name)]


@pytest.mark.parametrize("dialect", NAMES)
def test_hostile_names_come_back_as_they_are(dialect: str) -> None:
    """Quotes, reserved words, line breaks, comment signs and other scripts: sqlglot reads the names that went in."""
    names = hostile(dialect)
    tables = [
        Table("shop", name, tuple(Column(column, "INTEGER", f"{column} --\nx") for column in names), (name,))
        for name in names
    ]
    trees = parsed(context_of(*tables).text(dialect_named(dialect)), dialect)
    assert [tree.find(exp.Table).name for tree in trees] == [table.name for table in Catalog(tables).tables]
    assert all(columns_of(tree) == names for tree in trees)
    assert [keys_of(tree) for tree in trees] == [[[table.name]] for table in Catalog(tables).tables]


def test_hostile_names_are_run(engine: tuple[str, Run]) -> None:
    """The same statements run on the engine, which then has the tables and columns of these names."""
    dialect, run = engine
    names = hostile(dialect)
    tables = [Table("shop", name, tuple(Column(column, "INTEGER", "-- x\ny") for column in names)) for name in names]
    check_run(run, dialect, tables)


@pytest.mark.parametrize("dialect", NAMES)
def test_words_that_any_dialect_reserves_come_back(dialect: str) -> None:
    """Every word that some dialect reserves, or that sqlglot knows, is read back as a table and as a column.

    Where unquoted names are in upper case, a word that only sqlglot reserves is quoted as the engine has it.
    """
    words = sorted(
        {word for row in DIALECTS for word in row.reserved}
        | {word.lower() for row in DIALECTS for word in Dialect.get_or_raise(row.name).tokenizer_class.KEYWORDS
           if re.fullmatch(r"\w+", word)}
    )  # fmt: skip
    row = dialect_named(dialect)
    tables = tuple(Table("shop", word, (Column(word, "INTEGER"),)) for word in words)
    trees = parsed(SqlContext(tables).text(dialect_named(dialect)), dialect)
    expected = [word.upper() if word in row.unread.split() else word for word in words]
    assert [(tree.find(exp.Table).name, columns_of(tree)) for tree in trees] == [(word, [word]) for word in expected]


@pytest.mark.parametrize("dialect", NAMES)
@pytest.mark.parametrize("is_key", [False, True])
def test_every_type_is_read_back(dialect: str, is_key: bool) -> None:
    """Whatever type is declared, the statement has every column, each with a type that is no type of the user's."""
    key = ("c0",) if is_key else ()
    tables = [Table("shop", f"t{place}", (Column("c0", type_),), key) for place, type_ in enumerate(TYPES)]
    trees = parsed(context_of(*tables).text(dialect_named(dialect)), dialect)
    assert len(trees) == len(TYPES)
    for tree in trees:
        assert columns_of(tree) == ["c0"]
        kind = tree.find(exp.ColumnDef).args["kind"]
        assert kind.this != exp.DataType.Type.USERDEFINED


@pytest.mark.parametrize("is_key", [False, True])
def test_every_type_is_run(engine: tuple[str, Run], is_key: bool) -> None:
    """The engine takes the statement of every type, in keys and out of them."""
    dialect, run = engine
    key = ("c0",) if is_key else ()
    tables = [
        Table("shop", f"t{place}", (Column("c0", type_), Column("c1", type_)), key) for place, type_ in enumerate(TYPES)
    ]
    check_run(run, dialect, tables)


def test_composite_keys_are_run(engine: tuple[str, Run]) -> None:
    """A key of six long texts is within what the engine allows."""
    dialect, run = engine
    columns = tuple(Column(f"c{place}", "VARCHAR(4000)") for place in range(6))
    check_run(run, dialect, [Table("shop", "t", columns, tuple(column.name for column in columns))])


def test_keys_between_tables_are_run(engine: tuple[str, Run]) -> None:
    """Keys stand where the engine takes them, and as comments where it would not; none is lost."""
    dialect, run = engine
    text = bank().text(dialect_named(dialect))
    assert run(text) == {table.name: table.column_names for table in bank().schemas}
    assert text.count("FOREIGN KEY") == 5
    assert text.count("PRIMARY KEY") == 4
    refused = [line.strip() for line in text.splitlines() if re.match(r"\s+-- (PRIMARY|FOREIGN)", line)]
    assert refused == [
        "-- FOREIGN KEY (code) REFERENCES account (code)",  # written later
        "-- FOREIGN KEY (opened_by) REFERENCES client (client_id)",  # of another type
        "-- PRIMARY KEY (body)",  # of a type that no key has
    ]


def test_what_was_written_is_what_is_there() -> None:
    """DuckDB's own catalog has the columns, types and keys of the statements."""
    with closing(duckdb.connect()) as connection:
        connection.execute(bank().text(dialect_named("duckdb")))
        found = connection.execute(
            "SELECT table_name, constraint_column_names FROM duckdb_constraints() "
            "WHERE constraint_type = 'PRIMARY KEY' ORDER BY 1"
        ).fetchall()
        assert found == [("account", ["code"]), ("client", ["client_id"]), ("owner", ["client_id", "code"])]
        kinds = connection.execute(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'account' ORDER BY column_index"
        ).fetchall()
        assert kinds == [("code", "VARCHAR"), ("opened_by", "VARCHAR"), ("extra", "JSON")]


@pytest.mark.parametrize("dialect", NAMES)
def test_keys_and_conditions_are_read_in_every_dialect(dialect: str) -> None:
    """Each dialect reads the keys of the bank, and the condition of its join as an expression."""
    text = bank().text(dialect_named(dialect))
    trees = parsed(text, dialect)
    assert [keys_of(tree) for tree in trees] == [[["client_id"]], [["client_id", "code"]], [["code"]], [], []]
    condition = text.splitlines()[-1].removeprefix("-- ")
    tree = sqlglot.parse_one(condition, read=dialect)
    assert isinstance(tree, exp.EQ)
    assert isinstance(tree.this, exp.Trim)
    if dialect == "bigquery":
        assert text.count("NOT ENFORCED") == 6


@example(names=["true"], dialect="oracle")
@example(names=["TRUE", "false"], dialect="snowflake")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    names=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0`"), min_size=1, max_size=12),
        min_size=1, max_size=6, unique_by=str.casefold,
    ),
    dialect=st.sampled_from(NAMES),
)  # fmt: skip
def test_any_names_are_read_back(names: list[str], dialect: str) -> None:
    """Whatever stands in a name stays in the name: no column appears, vanishes or changes."""
    assume(dialect != "bigquery" or "." not in names[-1])  # it has no such tables, and reads a path
    assume(dialect != "tsql" or not names[-1].startswith("#"))  # temporary tables, read without the mark
    unread = dialect_named(dialect).unread.split()  # in quotes these are in upper case
    names = [name.upper() if name == name.lower() in unread else name for name in names]
    table = Table("shop", names[-1], tuple(Column(name, "INTEGER", f"{name}--{name}") for name in names), (names[0],))
    (tree,) = parsed(SqlContext((table,)).text(dialect_named(dialect)), dialect)
    assert tree.find(exp.Table).name == names[-1]
    assert columns_of(tree) == names
    assert keys_of(tree) == [[names[0]]]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    names=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12),
        min_size=1, max_size=6, unique_by=str.casefold,
    )
)  # fmt: skip
def test_any_names_are_run(names: list[str]) -> None:
    """SQLite and DuckDB make the table of any names, with these names."""
    table = Table("shop", "t", tuple(Column(name, "INTEGER", f"{name}--{name}") for name in names), (names[0],))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SqlContext((table,)).text(dialect_named("sqlite")))
        assert [row[1] for row in connection.execute("PRAGMA table_info('t')")] == names
    with closing(duckdb.connect()) as other:
        other.execute(SqlContext((table,)).text(dialect_named("duckdb")))
        rows = other.execute("SELECT column_name FROM duckdb_columns() WHERE table_name = 't'").fetchall()
        assert [row[0] for row in rows] == names


def test_words_that_an_engine_reserves_are_quoted(engine: tuple[str, Run]) -> None:
    """Every word that some dialect reserves can be a table and a column on the engine."""
    dialect, run = engine
    words = sorted({word for row in DIALECTS for word in row.reserved})
    tables = [Table("shop", word, (Column(word, "INTEGER"), Column("id", "INTEGER")), ("id",)) for word in words]
    check_run(run, dialect, tables)


@pytest.mark.parametrize(
    ("dialect", "written"),
    [
        ("sqlite", "a Id ORDERS Ünit"),
        ("postgres", "a Id* ORDERS* Ünit*"),
        ("mysql", "a Id ORDERS Ünit*"),
        ("snowflake", "a Id* ORDERS Ünit*"),
        ("oracle", "a Id* ORDERS Ünit*"),
    ],
)
def test_names_keep_their_case(dialect: str, written: str) -> None:
    """Quotes hold a name whose case the engine would change; a name in one case is what nobody quoted."""
    row = dialect_named(dialect)
    quoted = {name: row.quote(name) != name for name in ("a", "Id", "ORDERS", "Ünit")}
    expected = {name.rstrip("*"): name.endswith("*") for name in written.split()}
    assert quoted | {"Ünit": True} == expected | {"Ünit": True}


@pytest.mark.parametrize("dialect", ["postgres", "snowflake", "oracle"])
def test_columns_that_differ_in_case_alone_are_told_apart(dialect: str) -> None:
    """Where an engine tells cases apart in quotes, two such columns are both quoted."""
    table = Table("shop", "t", (Column("id", "INTEGER"), Column("ID", "INTEGER")))
    text = SqlContext((table,)).text(dialect_named(dialect))
    assert '"id" ' in text
    assert '"ID" ' in text


def test_tables_stand_in_their_schema() -> None:
    """A table outside the default schema has its schema before it; where that is not enough, its database, too."""

    def heads(*tables: Table) -> list[str]:
        postgres, plain = (
            re.findall(r"CREATE TABLE (\S+)", SqlContext(tables).text(dialect))
            for dialect in (dialect_named("postgres"), None)
        )
        assert plain == [name.replace('"', "") for name in postgres]
        return postgres

    columns = (Column("id", "INTEGER"),)
    default, archived = Table("shop", "orders", columns), Table("shop.archive", "orders", columns)
    assert heads(default) == ["orders"]
    assert heads(default, archived) == ["orders", "archive.orders"]
    assert heads(default, Table("bank", "Orders", columns)) == ["shop.orders", 'bank."Orders"']
    assert heads(archived, Table("bank.archive", "orders", columns)) == ["shop.archive.orders", "bank.archive.orders"]


def test_an_unknown_dialect_is_refused_with_the_known_ones() -> None:
    """The error lists the dialects; other names and other cases of these are taken."""
    for name in ("cobol", "", 3):
        with pytest.raises(QueryError, match="sqlite, postgres, mysql, snowflake, bigquery, duckdb, tsql, oracle"):
            dialect_named(name)  # type: ignore[arg-type]
    assert dialect_named("PostgreSQL").name == "postgres"
    assert {dialect_named(name).name for name in ALIASES} == {"postgres", "mysql", "tsql"}


def test_what_a_dialect_has_no_type_for_says_what_was_declared() -> None:
    """A type that is written as text is told in the comment; a type that the dialect has is not."""
    table = Table("shop", "t", (Column("a", "GEOGRAPHY"), Column("b", "BIGINT"), Column("c", "")))
    lines = SqlContext((table,)).text(dialect_named("postgres")).splitlines()
    assert lines[1:4] == ["  a TEXT,  -- declared as GEOGRAPHY", "  b BIGINT,", "  c TEXT  -- type not declared"]
    assert type_in(dialect_named("bigquery"), "ARRAY<STRUCT<a STRING>>").sql == "ARRAY<STRUCT<a STRING>>"


def test_a_table_without_columns_is_a_comment() -> None:
    """No engine takes a table without columns, and the answer still names it."""
    for dialect in (None, dialect_named("duckdb")):
        assert SqlContext((Table("shop", "empty"),)).text(dialect) == "-- empty: no column is known\n"


@pytest.mark.parametrize("dialect", NAMES)
def test_an_answer_is_written_in_every_dialect(lake_index: Index, dialect: str) -> None:
    """`Selection.to_sql_context` writes the tables, columns and joins of an answer in each dialect."""
    answer = Reranker(lake_index).rank("Which clients own credit cards and have loans?", k=4)
    text = answer.to_sql_context(dialect)
    trees = parsed(text, dialect)
    assert [tree.find(exp.Table).name for tree in trees] == [table.name for table in answer.schemas]
    assert [columns_of(tree) for tree in trees] == [table.column_names for table in answer.schemas]
    assert text.count("\n-- ") == 1 + len(answer.joins) + (not answer.connected)


@pytest.mark.parametrize("elsewhere", [(), ("retail.customers", "library.loans")], ids=["one database", "three"])
def test_an_answer_is_run(lake_index: Index, engine: tuple[str, Run], elsewhere: tuple[str, ...]) -> None:
    """The engine runs the text of an answer, whole and within a budget; of three databases, where these are there."""
    dialect, run = engine
    tables = ["bank.client", "bank.card", "bank.loan", "bank.disposition", *elsewhere]
    answer = Reranker(lake_index, expand=0).rank("Which clients have loans?", len(tables), candidates=tables)
    assert len(answer.tables) == len(tables)
    start = {
        "sqlite": "ATTACH ':memory:' AS {};\n",
        "duckdb": "CREATE SCHEMA {};\n",
        "postgres": "DROP SCHEMA IF EXISTS {0} CASCADE; CREATE SCHEMA {0};\n",
        "mysql": "CREATE OR REPLACE DATABASE {};\n",
    }[dialect]
    names = dict.fromkeys(table.partition(".")[0] for table in tables)
    before = "".join(start.format(name) for name in names) if elsewhere else ""
    for budget in (None, 120):
        text = answer.to_sql_context(dialect, max_tokens=budget)
        assert ("CREATE TABLE bank.loan (" in text) == bool(elsewhere)
        run(before + text)


PLAIN = (
    *("TEXT[]", "VARCHAR(20)[]", "NVARCHAR(MAX)", "ENUM('a', 'b c')", "ARRAY<STRUCT<a INT64>>"),
    *("ARRAY<STRUCT<a STRING, b NUMERIC(10, 2)>>", "public.geometry(Point, 4326)"),
)


@pytest.mark.parametrize("type_", PLAIN)
def test_plain_sql_has_types_as_they_are_declared(type_: str) -> None:
    """Lists, sizes and nested types, too."""
    assert f"kept {type_}," in context_of(Table("main", "t", [Column("kept", type_), Column("n", "INT")])).text()


@pytest.mark.parametrize("type_", ["int); DROP TABLE x; --", "INT -- x", "ENUM('a\nb')", "a<b>); x", "a<b(1)>) x", "'"])
def test_plain_sql_leaves_out_what_might_end_a_statement(type_: str) -> None:
    """A column without a type is as good."""
    assert "\n  kept,\n" in context_of(Table("main", "t", [Column("kept", type_), Column("n", "INT")])).text()


def test_without_a_dialect_every_word_of_duckdb_is_a_name() -> None:
    """As the name of a table and of a column; words that need no quotes have none."""
    connection = duckdb.connect()
    for (word,) in connection.execute("SELECT DISTINCT keyword_name FROM duckdb_keywords()").fetchall():
        connection.execute(f"CREATE TABLE {plain_quote(word)} ({plain_quote(word)} INTEGER)")
    assert plain_quote("title") == "title"
