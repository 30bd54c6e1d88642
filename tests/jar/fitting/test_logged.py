"""Logs: CSV files and lists, tables as they are written, tables of SQL, and what cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from jar import Catalog, Index, QueryError
from jar.fitting.logged import Entry, given_log, read_log_file, usable_questions
from jar.fitting.named_tables import NamedTables, read_sql_tables
from jar.index.contents import IndexContents
from tests.jar.conftest import toy_embedder


@pytest.fixture(scope="module")
def contents() -> IndexContents:
    """Two databases that both have a table of orders."""
    shop = Catalog.from_ddl("CREATE TABLE Orders (id INT); CREATE TABLE clients (id INT);", database="shop")
    lake = Catalog.from_ddl("CREATE TABLE orders (id INT); CREATE TABLE parts (id INT);", database="lake")
    return Index.build(shop + lake, embedder=toy_embedder, progress=False).contents


def needed(contents: IndexContents, *entries: Entry) -> list[tuple[str, ...]]:
    log = usable_questions(contents, entries, "sqlite")
    return [tuple(sorted(contents.tables[table].id for table in one.tables)) for one in log.questions]


def causes(contents: IndexContents, *entries: Entry) -> dict[int, str]:
    return dict(usable_questions(contents, entries, "sqlite").left_out)


def test_tables_are_found_by_what_they_are_called(contents: IndexContents) -> None:
    """Case does not count, and the database may be left out where it is clear from one table or from all together."""
    entries = [
        Entry(1, "a?", ["shop.Orders"]),
        Entry(2, "b?", ["SHOP.ORDERS", "Clients"]),
        Entry(3, "c?", ["orders", "clients"]),
        Entry(4, "d?", ["parts", "orders"]),
        Entry(5, "e?", ["orders"], "lake"),
    ]
    shop, lake = ("shop.Orders", "shop.clients"), ("lake.orders", "lake.parts")
    assert needed(contents, *entries) == [("shop.Orders",), shop, shop, lake, ("lake.orders",)]


def test_what_cannot_be_used_is_told_by_its_row(contents: IndexContents) -> None:
    """An unknown table, one of several, no table, no question, SQL that is none: each says what is wrong."""
    told = causes(
        contents,
        Entry(1, "a?", ["shop.order"]),
        Entry(2, "b?", ["orders"]),
        Entry(3, "c?", []),
        Entry(4, "", ["clients"]),
        Entry(5, "d?", "SELECT FROM WHERE ("),
        Entry(6, "e?", "SELECT 1"),
        Entry(7, "f?", ""),
        Entry(8, "g?", [None]),  # type: ignore[list-item]
        Entry(9, "h?", ["clients"]),
        Entry(10, "i?", "SELEC bad"),
    )
    assert list(told) == [1, 2, 3, 4, 5, 6, 7, 8, 10]
    assert told[10] == "the SQL is no query: it begins with SELEC"
    assert "did you mean shop.Orders" in told[1]
    assert "may be any of 2 tables (shop.Orders, lake.orders): name the database" in told[2]
    assert "ids of tables, or SQL" in told[3]
    assert "question is empty" in told[4]
    assert "can not be read as sqlite" in told[5]
    assert told[6] == "the SQL reads no table"
    assert told[7] == "neither tables nor SQL are given"
    assert "ids of tables, or SQL" in told[8]


def test_sql_tells_its_tables(contents: IndexContents) -> None:
    """Those of sub-queries, too, and no common table expressions; a project before the database does not matter."""
    sql = "WITH parts AS (SELECT * FROM orders) SELECT * FROM parts JOIN clients WHERE id IN (SELECT id FROM orders)"
    assert sorted(read_sql_tables(sql, "sqlite")) == [("clients",), ("orders",)]
    assert needed(contents, Entry(1, "a?", sql)) == [("shop.Orders", "shop.clients")]
    names = read_sql_tables("SELECT * FROM `project`.lake.orders", "bigquery")
    assert names == [("project", "lake", "orders")]
    (place,) = NamedTables.of(contents).positions(names)
    assert contents.tables[place].id == "lake.orders"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("sqlite", "SELECT j.value FROM orders, json_each(orders.tags) AS j"),
        ("postgres", "SELECT g FROM generate_series(1, 31) AS g LEFT JOIN orders ON day = g"),
        ("duckdb", "SELECT * FROM read_csv('more.csv') UNION SELECT * FROM orders"),
    ],
)
def test_functions_that_return_tables_are_no_tables(dialect: str, sql: str) -> None:
    """A query reads the tables beside them."""
    assert read_sql_tables(sql, dialect) == [("orders",)]


def test_questions_with_one_sql_or_the_same_words_are_one_group(contents: IndexContents) -> None:
    """Blanks, case and the order of words make no other question."""
    entries = (
        Entry(1, "How many clients?", "SELECT count(*)  FROM clients;"),
        Entry(2, "Count the clients", "select count(*) from CLIENTS"),
        Entry(3, "clients of orders", ["clients"]),
        Entry(4, "Orders of clients?", ["clients"]),
    )
    groups = [question.group for question in usable_questions(contents, entries, "sqlite").questions]
    assert groups[0] == groups[1] != groups[2] == groups[3]


def test_a_file_has_a_row_for_each_question(tmp_path: Path) -> None:
    """The first question is in row 2; ids stand between commas, semicolons or blanks; SQL counts without them."""
    path = tmp_path / "log.csv"
    path.write_text(
        "﻿Question,tables,sql,database,user\n"
        '"Who, and why?","shop.a, shop.b;c",,,me\n'
        "\n"
        "What?,,SELECT * FROM a,shop,\n",
        encoding="utf-8",
    )
    assert read_log_file(path) == [
        Entry(2, "Who, and why?", ["shop.a", "shop.b", "c"], ""),
        Entry(4, "What?", "SELECT * FROM a", "shop"),
    ]


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    """The message says which columns are needed, and which there are."""
    path = tmp_path / "log.csv"
    for content, message in (
        (b"text,tables\nWho?,a\n", "first row that names its columns, question and tables .or sql.; it has text, tab"),
        (b"", "it has none"),
        (b"question,tables\n\xff\xfe,a\n", "no CSV file in UTF-8"),
        (b'question,tables\n"Who?,a\n', "no CSV file in UTF-8"),
    ):
        path.write_bytes(content)
        with pytest.raises(QueryError, match=message):
            read_log_file(path)
    with pytest.raises(FileNotFoundError):
        read_log_file(tmp_path / "none.csv")


def test_lists_are_counted_from_one() -> None:
    """A list has no first row of names."""
    assert given_log(["a?"], [["t"]]) == [Entry(1, "a?", ["t"])]
