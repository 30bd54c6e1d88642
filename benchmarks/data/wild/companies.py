"""Databases as companies have them, with questions in the words of those who work there (companies/README.md)."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.data.join_schemas import RowSchema, RowSource
from joinability import Catalog, ForeignKey, Table

FOLDER, AGES, SMALL = (Path(__file__).parents[1] / name for name in ("companies", "ages", "small"))
"""With the project: a gzipped SQL dump for each database, and all questions."""
AGES_NOTE = "written for this project, with rows and without declared keys, in modules of several ages"
SMALL_NOTE = "written for this project, of a few slim tables, with rows, half of them with declared keys"
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
    name = f"companies{'-plain' if plain else ''}{'-held-out' if held_out else ''}"
    return _asked(name, _told(held_out), NOTE, "plain" if plain else "questions", unanswered=unanswered)


def ages(*, held_out: bool) -> Dataset:
    """The questions of ten databases that have grown for decades, to choose by, or of two others, each over the
    tables of its own database (ages/README.md)."""
    return _asked(f"ages{'-held-out' if held_out else ''}", _told(held_out, AGES), AGES_NOTE)


def small(*, held_out: bool) -> Dataset:
    """The questions of small databases of shops, clubs and apps, as people type them into a chat, each over the tables
    of its own database (small/README.md)."""
    return _asked(f"small{'-held-out' if held_out else ''}", _told(held_out, SMALL), SMALL_NOTE)


def _asked(
    name: str, told: dict[str, Any], note: str, kind: str = "questions", *, unanswered: bool = False
) -> Dataset:
    """The questions of one kind on some databases, over their tables."""
    questions = tuple(
        Question(
            id=f"{database}-{'plain-' if kind == 'plain' else ''}{place}",
            text=entry["question"],
            database=database,
            gold_tables=frozenset(f"{database}.{table}".casefold() for table in entry["tables"]),
            subqueries=None,
            sql=entry["sql"] or "",
        )
        for database, company in told.items()
        for place, entry in enumerate(company[kind])
        if entry["tables"] or unanswered
    )
    tables = [table for database in told for table in company_tables(database)]
    return Dataset(name, Catalog(tables), questions, SPIDER_WEIGHTS, note, within=True)


def company_schemas(*, held_out: bool, folder: Path = FOLDER) -> list[RowSchema]:
    """The databases with their rows and with their references, whether or not these are declared."""
    schemas = []
    for name, company in _told(held_out, folder).items():
        tables = company_tables(name)
        keys = tuple((child, column, parent, to) for child, column, parent, to in company["joins"])
        rows = {table.name: table.source.rows if isinstance(table.source, RowSource) else {} for table in tables}
        types = {(table.name, column.name): column.type for table in tables for column in table.columns}
        schemas.append(RowSchema(name, rows, keys, (), types))
    return schemas


def declaring_all(tables: Iterable[Table]) -> list[Table]:
    """Tables of these databases that declare all their references, those that their dumps do not declare as well, but
    for polymorphic ones: those of a column to several tables, in modules of several ages."""
    told = {name: own["joins"] for held_out in (False, True) for name, own in _told(held_out).items()}
    for held_out in (False, True):
        for name, own in _told(held_out, AGES).items():
            parents = Counter((child, column) for child, column, _, _ in own["joins"])
            told[name] = [join for join in own["joins"] if parents[tuple(join[:2])] == 1]
    return [replace(table, foreign_keys=_references(told[table.database], table)) for table in tables]


def _references(joins: Iterable[tuple[str, str, str, str]], table: Table) -> tuple[ForeignKey, ...]:
    return tuple(
        ForeignKey((column,), f"{table.database}.{parent}", (to,))
        for child, column, parent, to in joins
        if child == table.name
    )


@cache
def company_tables(name: str) -> tuple[Table, ...]:
    """The tables of a database, with their comments and declared keys; without a source where no table has rows."""
    file = next(path for folder in (FOLDER, AGES, SMALL) if (path := folder / f"{name}.sql.gz").exists())
    dump = gzip.decompress(file.read_bytes()).decode("utf-8")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(dump)
        own = "SELECT sql FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
        statements = connection.execute(own).fetchall()
        catalog = Catalog.from_ddl(";\n".join(text for (text,) in statements), dialect="sqlite", database=name)
        tables = [replace(table, source=RowSource(_rows(connection, table))) for table in catalog]
    has_rows = any(values for table in tables for values in table.source.rows.values())
    return tuple(tables if has_rows else (replace(table, source=None) for table in tables))


def _told(held_out: bool, folder: Path = FOLDER) -> dict[str, Any]:
    stored = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    return {name: company for name, company in stored.items() if company["held_out"] is held_out}


def _rows(connection: sqlite3.Connection, table: Table) -> dict[str, list[Any]]:
    rows = connection.execute(f'SELECT * FROM "{table.name}"').fetchall()
    columns = list(zip(*rows, strict=True)) or [()] * len(table.columns)
    return {name: list(values) for name, values in zip(table.column_names, columns, strict=True)}
