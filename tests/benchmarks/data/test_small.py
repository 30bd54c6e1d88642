"""The small databases: what their files say of themselves holds."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections import Counter
from contextlib import closing

import pytest
import sqlglot
from sqlglot import exp

from benchmarks.data.wild.companies import AGES, FOLDER, SMALL, small

STORED = json.loads((SMALL / "questions.json").read_text("utf-8"))


@pytest.mark.parametrize(("held_out", "databases"), [(False, 30), (True, 10)])
def test_questions_read_the_tables_that_are_listed(held_out: bool, databases: int) -> None:
    """Twenty of each database, with SQL over these tables alone."""
    dataset = small(held_out=held_out)
    assert len({table.database for table in dataset.catalog}) == databases
    assert len(dataset.questions) == 20 * databases
    known = {table.id.casefold() for table in dataset.catalog}
    sizes = Counter((question.database, min(len(question.gold_tables), 4)) for question in dataset.questions)
    assert {size: {sizes[name, size] for name, _ in sizes} for size in (1, 2, 3, 4)} == {1: {5}, 2: {6}, 3: {5}, 4: {4}}
    for question in dataset.questions:
        tree = sqlglot.parse_one(question.sql, read="sqlite")
        inner = {part.alias.casefold() for part in tree.find_all(exp.CTE)}
        named = {table.name.casefold() for table in tree.find_all(exp.Table)} - inner
        assert question.gold_tables <= known
        assert {gold.partition(".")[2] for gold in question.gold_tables} == named


@pytest.mark.parametrize("name", STORED)
def test_every_sql_gives_rows(name: str) -> None:
    """On a database of 6 to 16 tables with 5 to 400 rows each."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(gzip.decompress((SMALL / f"{name}.sql.gz").read_bytes()).decode("utf-8"))
        own = "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'"
        tables = [name for (name,) in connection.execute(own)]
        counts = [connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in tables]
        assert 6 <= len(tables) <= 16
        assert {min(counts) >= 5, max(counts) <= 400} == {True}
        assert all(connection.execute(entry["sql"]).fetchone() for entry in STORED[name]["questions"])


def test_half_of_them_declare_keys_and_no_name_is_that_of_a_company() -> None:
    """All are read by their names."""
    keyed = {table.database for part in (False, True) for table in small(held_out=part).catalog if table.foreign_keys}
    assert len(keyed) == len(STORED) / 2
    page = (SMALL / "README.md").read_text("utf-8")
    assert all((f"`{name}`" in page) is entry["held_out"] for name, entry in STORED.items())
    others = {path.name for folder in (FOLDER, AGES) for path in folder.glob("*.sql.gz")}
    assert others.isdisjoint(path.name for path in SMALL.glob("*.sql.gz"))
