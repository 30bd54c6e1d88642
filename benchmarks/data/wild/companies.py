"""Databases as companies have them, with questions in the words of those who work there (companies/README.md)."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.data.join_schemas import RowSchema, RowSource
from joinability import Catalog, ForeignKey, Table

FOLDER = Path(__file__).parents[1] / "companies"
"""With the project: a gzipped SQL dump for each database, and all questions."""
NOTE = "written for this project, most with rows, some with declared keys"


def companies(*, held_out: bool, unanswered: bool = False, plain: bool = False) -> Dataset:
    """The questions of 18 databases to choose by, or of six others, each over the tables of its own database.

    Parameters
    ----------
    unanswered : bool
        Whether the questions that no table of their database answers are among them.
    plain : bool
        Those in plain words for what the schema has, which all have an answer and need 3.4 tables in the mean, in place
        of those in the words of who works there.
    """
    told = _told(held_out)
    questions = tuple(
        Question(
            id=f"{name}-{'plain-' if plain else ''}{place}",
            text=entry["question"],
            database=name,
            gold_tables=frozenset(f"{name}.{table}".casefold() for table in entry["tables"]),
            subqueries=None,
            sql=entry["sql"] or "",
        )
        for name, company in told.items()
        for place, entry in enumerate(company["plain" if plain else "questions"])
        if entry["tables"] or unanswered
    )
    tables = [table for name in told for table in company_tables(name)]
    name = f"companies{'-plain' if plain else ''}{'-held-out' if held_out else ''}"
    return Dataset(name, Catalog(tables), questions, SPIDER_WEIGHTS, NOTE, within=True)


def company_schemas(*, held_out: bool) -> list[RowSchema]:
    """The databases with their rows and with their references, whether or not these are declared."""
    schemas = []
    for name, company in _told(held_out).items():
        tables = company_tables(name)
        keys = tuple((child, column, parent, to) for child, column, parent, to in company["joins"])
        rows = {table.name: table.source.rows if isinstance(table.source, RowSource) else {} for table in tables}
        types = {(table.name, column.name): column.type for table in tables for column in table.columns}
        schemas.append(RowSchema(name, rows, keys, (), types))
    return schemas


def declaring_all(tables: Iterable[Table]) -> list[Table]:
    """Tables of these databases that declare all their references, those that their dumps do not declare as well."""
    told = {**_told(held_out=False), **_told(held_out=True)}
    return [replace(table, foreign_keys=_references(told[table.database]["joins"], table)) for table in tables]


def _references(joins: Iterable[tuple[str, str, str, str]], table: Table) -> tuple[ForeignKey, ...]:
    return tuple(
        ForeignKey((column,), f"{table.database}.{parent}", (to,))
        for child, column, parent, to in joins
        if child == table.name
    )


@cache
def company_tables(name: str) -> tuple[Table, ...]:
    """The tables of a database, with their comments and declared keys; without a source where no table has rows."""
    dump = gzip.decompress((FOLDER / f"{name}.sql.gz").read_bytes()).decode("utf-8")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(dump)
        own = "SELECT sql FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
        statements = connection.execute(own).fetchall()
        catalog = Catalog.from_ddl(";\n".join(text for (text,) in statements), dialect="sqlite", database=name)
        tables = [replace(table, source=RowSource(_rows(connection, table))) for table in catalog]
    has_rows = any(values for table in tables for values in table.source.rows.values())
    return tuple(tables if has_rows else (replace(table, source=None) for table in tables))


def _told(held_out: bool) -> dict[str, Any]:
    stored = json.loads((FOLDER / "questions.json").read_text(encoding="utf-8"))
    return {name: company for name, company in stored.items() if company["held_out"] is held_out}


def _rows(connection: sqlite3.Connection, table: Table) -> dict[str, list[Any]]:
    rows = connection.execute(f'SELECT * FROM "{table.name}"').fetchall()
    columns = list(zip(*rows, strict=True)) or [()] * len(table.columns)
    return {name: list(values) for name, values in zip(table.column_names, columns, strict=True)}
