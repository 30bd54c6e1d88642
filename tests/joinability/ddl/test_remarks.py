"""Comments around CREATE TABLE: which describe the table, which a column, and which neither."""

from __future__ import annotations

import pytest

from joinability import Catalog

OTHER = "CREATE TABLE other (y INT);"


def said(text: str, dialect: str | None = None) -> dict[str, str | None]:
    return {table.name: table.description for table in Catalog.from_ddl(text, dialect=dialect)}


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE a ( -- people\n  x INT\n);",
        "CREATE TABLE a -- people\n(x INT);",
        "CREATE TABLE a /* people */ (x INT);",
        "CREATE TABLE a (x INT); -- people",
        "CREATE TABLE a (x INT) -- people\n;",
        "CREATE TABLE a (x INT) -- people\n\n;",
        "/* people */ CREATE TABLE a (x INT);",
        "-- people\nDROP TABLE IF EXISTS a;\nCREATE TABLE a (x INT);",
        "/*\n * people\n */\nCREATE TABLE a (x INT);",
        "--------\n-- people\n--------\nCREATE TABLE a (x INT);",
        "-- ==== people ====\nCREATE TABLE a (x INT);",
        "-- Licence: MIT\n\n-- people\nCREATE TABLE a (x INT);",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_comment_of_a_table_may_stand_at_many_places(statement: str, first: bool) -> None:
    """Above, after the name, at either bracket, behind the end: of this table and not of its neighbour."""
    texts = (statement, f"-- others\n{OTHER}") if first else (f"-- others\n{OTHER}", statement)
    assert said("\n".join(texts)) == {"a": "people", "other": "others"}


@pytest.mark.parametrize(
    "above",
    [
        "-- Licence: MIT\n\n",
        "/* Copyright by all of us.\n   All rights reserved. */\n\n",
        "-- The shop's schema, version 3\n",
        "-- --------------------------------\n",
        "--\n-- Table structure for table `a`\n--\n\n",
        "--\n-- Name: a; Type: TABLE; Schema: public; Owner: app\n--\n\n",
        "/****** Object:  Table [dbo].[a]    Script Date: 5/1/2024 ******/\n",
        "-- Table: a\n-- DROP TABLE a;\n",
        "-- TODO: drop it\n",
        "-- old system ----------------\n",
        "-- CreateTable\n",
        "/*!40101 SET NAMES utf8 */\n",
    ],
)
def test_headers_and_banners_are_no_descriptions(above: str) -> None:
    """Titles of scripts, lines that are drawn, what dump programs write, and commands in comments."""
    assert said(f"{above}CREATE TABLE a (x INT);\n{OTHER}") == {"a": None, "other": None}


def test_the_only_table_of_a_script_has_the_comment_above_it() -> None:
    """There is nothing else that the comment could be about."""
    assert said("-- people\nCREATE TABLE a (x INT)") == {"a": "people"}


def test_a_comment_at_the_beginning_counts_where_others_have_one() -> None:
    """A script that comments its tables begins with such a comment, too."""
    assert said(f"-- people\nCREATE TABLE a (x INT);\n-- others\n{OTHER}") == {"a": "people", "other": "others"}


def test_a_comment_that_names_its_table_is_no_header() -> None:
    """Though it is the only one, at the beginning, it is about the table whose name it has."""
    assert said(f"-- all people\nCREATE TABLE people_a (x INT);\n{OTHER}") == {"people_a": "all people", "other": None}


def test_a_header_gives_way_to_the_comment_at_the_bracket() -> None:
    """What stands beside the table is about the table."""
    text = "-- an extract\nCREATE TABLE a ( -- people\n x INT);\nCREATE TABLE b ( -- things\n x INT);"
    assert said(text) == {"a": "people", "b": "things"}


def test_blank_lines_after_comments_may_be_a_habit() -> None:
    """Where most tables have a comment and a blank line above them, the comments are theirs."""
    text = f"-- people\n\nCREATE TABLE a (x INT);\n\n-- others\n\n{OTHER}"
    assert said(text) == {"a": "people", "other": "others"}
    assert said(f"{text}\n{OTHER.replace('other', 'c')}\n{OTHER.replace('other', 'd')}")["a"] is None


def test_a_comment_at_a_column_is_the_columns() -> None:
    """Above it, before it in its line, behind it, and behind its comma; a command for MySQL is none."""
    text = """CREATE TABLE a (
        -- the first
        v INT,
        w INT, -- the second
        /* the third */ x INT /* and more */, /* the fourth */ y INT,
        z INT /*!80023 INVISIBLE */
    )"""
    (table,) = Catalog.from_ddl(text, dialect="mysql")
    told = [column.description for column in table.columns]
    assert told == ["the first", "the second", "the third and more", "the fourth", None]
    assert table.description is None


def test_what_statements_say_comes_before_comments() -> None:
    """COMMENT of the table, of a column, and in a statement of its own; options of BigQuery."""
    text = "-- no\nCREATE TABLE a ( -- no\n x INT COMMENT 'ex' -- no\n) COMMENT 'people';"
    (table,) = Catalog.from_ddl(text, dialect="mysql")
    assert (table.description, table.columns[0].description) == ("people", "ex")
    assert said("CREATE TABLE a (x INT); -- no\nCOMMENT ON TABLE a IS 'people';") == {"a": "people"}
    (table,) = Catalog.from_ddl(
        "CREATE TABLE d.a (x INT64 OPTIONS (description = 'ex'), y STRUCT<p INT64, q STRING>) -- no\n"
        "OPTIONS (description = 'people');"
    )
    assert (table.description, table.columns[0].description) == ("people", "ex")
    assert table.column_names == ["x", "y"]


def test_a_statement_that_is_no_comment_is_none() -> None:
    """COMMENT ... IS NULL takes a comment away, and is no failure."""
    catalog = Catalog.from_ddl("CREATE TABLE a (x INT);\nCOMMENT ON TABLE a IS NULL;", dialect="postgres")
    assert catalog["main.a"].description is None
    assert catalog.failures == ()
