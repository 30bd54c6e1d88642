"""Scripts for the programs of servers: where statements end, in which dialect they are, what no parser knows."""

from __future__ import annotations

import pytest

from joinability import Catalog, ForeignKey, SourceError


def columns(text: str, dialect: str | None = None) -> dict[str, list[str]]:
    return {table.id: table.column_names for table in Catalog.from_ddl(text, dialect=dialect)}


@pytest.mark.parametrize("dialect", [None, "tsql"])
@pytest.mark.parametrize(
    "text",
    [
        "USE [Shop]\nGO\nCREATE TABLE [dbo].[a]([x] [int])\nGO\nCREATE TABLE [dbo].[b]([y] [int])\nGO\n",
        "USE [Shop];\nGO\nCREATE TABLE [dbo].[a]([x] [int]);\ngo -- end\nCREATE TABLE [dbo].[b]([y] [int]);\nGO 2",
        "SET ANSI_NULLS ON\nCREATE TABLE [dbo].[a]([x] [int])\nCREATE TABLE [dbo].[b]([y] [int])",
        "/* GO\nGO\n*/ CREATE TABLE [dbo].[a]([x] [int])\nGO\nIF 1 = 1 CREATE TABLE [dbo].[b]([y] [int])",
        "CREATE PROCEDURE p AS\nCREATE TABLE #t (z int)\nGO\nCREATE TABLE [dbo].[a]([x] [int])\nGO\n"
        "BEGIN CREATE TABLE [dbo].[b]([y] [int]) END",
        "CREATE TYPE [dbo].[t] AS TABLE ([z] [int])\r\nGO\r\nCREATE TABLE [dbo].[a]([x] [int])\r\nGO\r\n"
        "CREATE TABLE [dbo].[b]([y] [int])\r\nGO\r\n",
    ],
)
def test_a_line_ends_statements_of_sql_server(text: str, dialect: str | None) -> None:
    """GO, the beginning of a statement in a new line, and what may stand before one; temporary tables are none."""
    assert columns(text, dialect) == {"dbo.a": ["x"], "dbo.b": ["y"]}
    assert Catalog.from_ddl(text, dialect=dialect).failures == ()


def test_scripts_for_sql_plus_are_read() -> None:
    """Remarks and prompts with quotes, slashes, and keys in brackets."""
    text = (
        "REM  Oracle's sample\nPrompt ******  Creating REGIONS table ....\n\n"
        "CREATE TABLE regions\n  ( region_id NUMBER CONSTRAINT region_id_nn NOT NULL\n  , name VARCHAR2(25) )\n/\n"
        "CREATE UNIQUE INDEX reg_id_pk\nON regions (region_id)\n/\n"
        "ALTER TABLE regions\nADD ( CONSTRAINT reg_id_pk PRIMARY KEY (region_id) )\n/\n"
    )
    catalog = Catalog.from_ddl(text)
    assert catalog.failures == ()
    assert catalog["main.regions"].column_names == ["region_id", "name"]
    assert catalog["main.regions"].primary_key == ("region_id",)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("CREATE TABLE `o` (`id` int, KEY `i` (`id`)) ENGINE=InnoDB", ["id"]),
        ("CREATE TABLE o (id int, geo point, KEY i (id), UNIQUE KEY (id), FULLTEXT KEY f (id))", ["id", "geo"]),
        ("CREATE TABLE o (id int, geo point, INDEX (id), FULLTEXT INDEX f (id), KEY k (geo))", ["id", "geo"]),
        ("CREATE TABLE o (key TEXT PRIMARY KEY, index INT, key2 VARCHAR(20))", ["key", "index", "key2"]),
        ("CREATE TABLE o (`key` varchar(20), `index` enum('a'), KEY `k` (`key`)) ENGINE=InnoDB", ["key", "index"]),
        ("CREATE TABLE o (a NUMBER(3) NOT NULL ENABLE, b VARCHAR2(9), CHECK (a < 3) ENABLE)", ["a", "b"]),
        ("CREATE TABLE o (a text[] DEFAULT '{}'::text[], b timestamp with time zone)", ["a", "b"]),
        ("CREATE TABLE [o] ([a b] INTEGER PRIMARY KEY, c)", ["a b", "c"]),
        ("CREATE TABLE o (a INT64, b ARRAY<STRUCT<c INT64, d STRING>>, e STRING)", ["a", "b", "e"]),
    ],
)
def test_without_a_dialect_the_one_that_the_text_looks_like_is_taken(text: str, names: list[str]) -> None:
    """Indexes are no columns, columns may have the names of indexes, and types may hold commas."""
    catalog = Catalog.from_ddl(text)
    assert [table.column_names for table in catalog] == [names]
    assert catalog.failures == ()


@pytest.mark.parametrize("dialect", [None, "sqlite", "postgres", "mysql", "oracle", "tsql"])
def test_no_table_is_lost_for_a_clause(dialect: str | None) -> None:
    """Columns, types, keys and comments are read of a statement that no dialect has, and a note says so."""
    text = """CREATE TABLE a (
        x INT NOT NULL GUARDED BY 7 COMMENT 'the x', -- no
        y character varying(3) SEALED, -- the y
        z REFERENCES b (k) WATCHED,
        CONSTRAINT p PRIMARY KEY (x, y) BURNT (IN TWO),
        CONSTRAINT f FOREIGN KEY (y) REFERENCES s.c (k, l) BENT
    ) STORED (UNDER 'the; stairs', COMMENT 'no') COMMENT = 'things';
    ALTER TABLE a ADD CONSTRAINT g FOREIGN KEY (x) REFERENCES b (k) FORGED NOWHERE;
    CREATE TABLE b (k INT);"""
    catalog = Catalog.from_ddl(text, dialect=dialect)
    assert catalog.failures == ()
    table = catalog["main.a"]
    assert table.description == "things"
    assert [column.description for column in table.columns] == ["the x", "the y", None]
    assert table.column_names == ["x", "y", "z"]
    assert table.columns[1].type.endswith("(3)")
    assert table.columns[2].type == ""
    assert table.primary_key == ("x", "y")
    assert set(table.foreign_keys) == {
        ForeignKey(("z",), "main.b", ("k",)),
        ForeignKey(("y",), "s.c", ("k", "l")),
        ForeignKey(("x",), "main.b", ("k",)),
    }
    (note,) = [note for note in catalog.notes if "columns, keys and comments were read" in note]
    assert note.startswith("of a in the DDL of main")


def test_no_table_is_lost_for_a_deep_expression() -> None:
    """A check of thousands of brackets matters to nobody who asks for columns."""
    check = "(" * 5000 + "1" + ")" * 5000
    assert columns(f"CREATE TABLE a (x INT CHECK ({check}), y INT)") == {"main.a": ["x", "y"]}


def test_what_is_not_read_tells_the_way_out() -> None:
    """Of a text without a dialect how to name one; of one with a dialect which one it looks like."""
    with pytest.raises(SourceError, match=r"read as sqlite.*--dialect"):
        Catalog.from_ddl("CREATE TABLE b (id INT")
    with pytest.raises(SourceError, match=r"looks like mysql, not postgres"):
        Catalog.from_ddl("CREATE TABLE `b` (`id` INT AUTO_INCREMENT, ", dialect="postgres")


def test_a_partition_is_no_table() -> None:
    """It has the columns and the rows of its table; a note counts them."""
    text = "CREATE TABLE s.a (x int) PARTITION BY RANGE (x);" + "".join(
        f"CREATE TABLE s.a_{place} PARTITION OF s.a FOR VALUES FROM ({place}) TO ({place + 1});" for place in range(3)
    )
    catalog = Catalog.from_ddl(text, dialect="postgres")
    assert [table.id for table in catalog] == ["s.a"]
    assert catalog.notes == ("3 partitions of s.a in the DDL of main left out",)


@pytest.mark.parametrize("text", ["", "no statement", "INSERT INTO a VALUES (1)", "-- CREATE TABLE a (b INT)"])
def test_a_text_that_creates_no_table_is_told(text: str) -> None:
    """A catalog without tables says why."""
    catalog = Catalog.from_ddl(text, database="shop")
    assert len(catalog) == 0
    assert catalog.notes[-1] == "the DDL of shop creates no table"


def test_views_are_counted() -> None:
    """They are no tables; the note says how many are not there. Other things that are named so are none."""
    view = "CREATE OR REPLACE TEMP VIEW v AS SELECT * FROM t; CREATE MATERIALIZED VIEW w AS SELECT * FROM t;"
    others = "CREATE INDEX view ON t (view); CREATE FUNCTION view() RETURNS INT AS 'SELECT 1';"
    catalog = Catalog.from_ddl(f"CREATE TABLE t (view INT); {view} CREATE VIEW IF NOT EXISTS x AS SELECT 1; {others}")
    assert [table.id for table in catalog] == ["main.t"]
    assert catalog.notes == ("3 views in the DDL of main left out: an index is of tables",)


@pytest.mark.parametrize(
    "words",
    [
        "CREATE OR ALTER VIEW",
        "CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW",
        "CREATE OR REPLACE FORCE NONEDITIONABLE VIEW",
        "REPLACE VIEW",
    ],
)
def test_views_of_all_dialects_are_counted(words: str) -> None:
    notes = Catalog.from_ddl(f"CREATE TABLE t (a INT); {words} v AS SELECT a FROM t").notes
    assert [note[:10] for note in notes if "view" in note] == ["1 view in "]


def test_notes_stay_with_what_they_are_about() -> None:
    """Sums of catalogs and copies with statistics or descriptions keep them, and the text of a catalog tells them."""
    catalog = Catalog.from_ddl("CREATE TABLE `o` (`id` int, KEY `i` (`id`)) ENGINE=InnoDB", database="shop")
    assert len(catalog.notes) == 1
    assert catalog.notes[0] in str(catalog)
    for other in (
        catalog + Catalog(()),
        Catalog(()) + catalog,
        catalog.with_descriptions({"shop.o": "orders"}),
        catalog.with_statistics({"shop.o": {"row_count": 3}}),
        Catalog(()).with_declared(catalog),
    ):
        assert other.notes == catalog.notes


def test_many_blank_lines_cost_what_they_are() -> None:
    """Not the square of that, which would take an hour."""
    catalog = Catalog.from_ddl("CREATE TABLE a (id INT);" + "\n" * 300_000 + "CREATE TABLE b (id INT);")
    assert [table.id for table in catalog] == ["main.a", "main.b"]
