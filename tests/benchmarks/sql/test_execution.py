"""Queries run in a process that only reads, and results are compared as Spider's evaluation does."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.sql import sqlite_worker
from benchmarks.sql.execution import QueryResult, is_ordered, run_query, same_result

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
MANY = ", ".join(f"loan {name}" for name in "abcdefghijk")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two databases, each with a table of its own and one of the same name."""
    made = {}
    for name, own in (("bank", "loan"), ("my club", "member")):
        made[name] = tmp_path_factory.mktemp("rows") / f"{name}.sqlite"
        with closing(sqlite3.connect(made[name])) as connection, connection:
            connection.execute(f"CREATE TABLE {own} (id INTEGER, amount REAL)")
            connection.execute(f"INSERT INTO {own} VALUES (1, 2.0), (2, 0.5), (2, 0.5)")
            connection.execute("CREATE TABLE place (name TEXT)")
            connection.execute("INSERT INTO place VALUES (?)", [name])
    return made


def rows(*given: tuple[object, ...]) -> QueryResult:
    """The result that has these rows."""
    return QueryResult(len(given[0]), given)


def test_a_query_returns_its_rows(files: dict[str, Path]) -> None:
    """Whole numbers are equal whatever their type; tables of several databases are found with and without theirs."""
    assert run_query("SELECT id, amount FROM loan", files) == rows((1, 2), (2, 0.5), (2, 0.5))
    assert run_query('SELECT count(*) FROM bank.loan JOIN "my club".member USING (id)', files) == rows((5,))


def test_a_bare_name_is_of_the_first_database_that_has_it(files: dict[str, Path]) -> None:
    """The order of the files decides between tables of one name."""
    assert run_query("SELECT name FROM place", files).rows == (("bank",),)
    assert run_query("SELECT name FROM place", dict(reversed(files.items()))).rows == (("my club",),)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT missing FROM loan", "no such column"),
        ("SELECT FROM", "syntax error"),
        ("", "no query"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("DELETE FROM loan", "not authorized"),
        ("DROP TABLE loan", "not authorized"),
        ("CREATE TEMP TABLE t AS SELECT 1", "not authorized"),
        ("ATTACH ':memory:' AS other", "not authorized"),
        ("PRAGMA journal_mode = DELETE", "not authorized"),
        ("VACUUM INTO 'copy.sqlite'", "denied"),
        ("SELECT length(zeroblob(2000000000))", "too big"),
        (f"SELECT a.id FROM {MANY}", "more than"),
    ],
)
def test_what_is_no_readable_query_is_an_error(sql: str, told: str, files: dict[str, Path]) -> None:
    """Errors, writing, several statements and far too much are told in words, and change no file."""
    before = [hashlib.sha256(path.read_bytes()).digest() for path in files.values()]
    result = run_query(sql, files)
    assert told in result.error
    assert not result.rows
    assert [hashlib.sha256(path.read_bytes()).digest() for path in files.values()] == before


def test_the_file_itself_refuses_writing(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the authoriser it is still opened for reading alone."""
    monkeypatch.setattr(sqlite_worker, "_authorise", lambda *_: sqlite3.SQLITE_OK)
    told = sqlite_worker.query({"bank": str(files["bank"])}, "DELETE FROM loan")
    assert "readonly" in told["error"]


def test_a_query_without_end_is_ended(files: dict[str, Path]) -> None:
    """After the time limit there is an error in place of rows."""
    assert run_query(ENDLESS, files, limit=0.5).error == "no result in 0.5 s"


def test_rows_are_compared_as_multisets() -> None:
    """Order does not count unless it is asked for; how often a row comes does."""
    gold = rows((1, "a"), (2, "b"), (2, "b"))
    assert same_result(gold, rows((2, "b"), (1, "a"), (2, "b")), ordered=False)
    assert not same_result(gold, rows((2, "b"), (1, "a"), (2, "b")), ordered=True)
    assert not same_result(gold, rows((2, "b"), (1, "a"), (1, "a")), ordered=False)
    assert not same_result(gold, rows((1, "a"), (2, "b")), ordered=False)


def test_columns_may_stand_in_another_order() -> None:
    """But values stay with their row, and no column is taken twice or left over."""
    gold = rows((1, 2, "a"), (2, 1, "b"))
    assert same_result(gold, rows(("a", 1, 2), ("b", 2, 1)), ordered=True)
    assert same_result(gold, rows(("b", 1, 2), ("a", 2, 1)), ordered=False)
    assert not same_result(gold, rows((1, 1, "a"), (2, 2, "b")), ordered=False)
    assert not same_result(rows((1, "a"), (2, "b")), rows((1, "b"), (2, "a")), ordered=False)
    assert not same_result(gold, rows((1, 2), (2, 1)), ordered=False)


def test_an_error_equals_nothing() -> None:
    """Neither rows, nor another error; two empty results of the same columns are equal."""
    failed = QueryResult(error="no such table")
    assert not same_result(failed, failed, ordered=False)
    assert not same_result(QueryResult(1), failed, ordered=False)
    assert same_result(QueryResult(1), QueryResult(1), ordered=True)
    assert not same_result(QueryResult(1), QueryResult(2), ordered=True)


def test_floating_point_noise_does_not_count(files: dict[str, Path]) -> None:
    """Sums that differ in the last digits are equal, numbers that differ in the fourth are not."""
    noisy, plain = run_query("SELECT 0.1 + 0.2", files), run_query("SELECT 0.3", files)
    assert same_result(plain, noisy, ordered=True)
    assert not same_result(plain, run_query("SELECT 0.3001", files), ordered=True)


def test_order_counts_where_the_outermost_query_asks_for_it() -> None:
    """An ORDER BY of a subquery asks nothing of the rows that come out."""
    assert is_ordered("SELECT name FROM loan ORDER BY id LIMIT 3")
    assert is_ordered("SELECT 1 UNION SELECT 2 ORDER BY 1")
    assert not is_ordered("SELECT name FROM (SELECT name FROM loan ORDER BY id)")
    assert not is_ordered("SELECT name FROM loan WHERE id = (SELECT id FROM loan ORDER BY id LIMIT 1)")
