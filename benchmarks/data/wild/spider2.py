"""Half of Spider 2.0-lite: questions over real warehouses, with two sample rows for each table."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from benchmarks.data.corpora import Names
from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.data.dev_questions import read_json
from benchmarks.data.layout import Layout
from joinability import Catalog, Column, ColumnStatistics, Table, TableStatistics

NOTE = "schemas without rows but for two sample rows of each table"


def spider2(root: Path, names: Names, half: int | None = None, *, within: bool = True) -> Dataset:
    """All questions over the tables of their own databases, or of all; of a half, those on every second database.

    The databases of half 0 are those to choose by, the others are held out. The tables have no natural names.
    """
    layout = Layout(root, "spider2")
    tables = _read_tables(layout.require("tables.json.gz"))
    databases = sorted({table.database for table in tables})
    kept = set(databases if half is None else databases[half::2])
    questions = tuple(
        Question(
            id=entry["id"],
            text=entry["q"],
            database=entry["db"],
            gold_tables=frozenset(f"{entry['db']}.{name}".casefold() for name in entry["g"]),
            subqueries=None,
            sql="",
        )
        for entry in read_json(layout.require("questions.json"))
        if entry["db"] in kept
    )
    name = "spider2" if within else "spider2-union"
    suffix = "" if half is None else ("-tuning", "-held-out")[half]
    corpus = Catalog([table for table in tables if table.database in kept])
    return Dataset(f"{name}{suffix}", corpus, questions, SPIDER_WEIGHTS, NOTE, within=within)


def _read_tables(path: Path) -> list[Table]:
    schemas = json.loads(gzip.decompress(path.read_bytes()))
    return [
        Table(
            database=database,
            name=name,
            columns=tuple(Column(column, type_ or "", description or None) for column, type_, description in columns),
            statistics=_statistics([column for column, *_ in columns], entry["rows"]),
        )
        for database, tables in schemas.items()
        for name, entry in tables.items()
        for columns in [_without_repeats(entry["columns"])]
    ]


def _without_repeats(columns: list[list[Any]]) -> list[list[Any]]:
    """The columns by their names; a warehouse may list a nested one twice."""
    return list({column[0]: column for column in reversed(columns)}.values())[::-1]


def _statistics(columns: list[str], rows: list[list[Any]]) -> TableStatistics:
    """What two sample rows tell: values, and nothing of how many rows there are or how many values differ."""
    values = {
        column: tuple(dict.fromkeys(str(row[place]) for row in rows if place < len(row) and row[place] is not None))
        for place, column in enumerate(columns)
    }
    return TableStatistics(
        len(rows), {column: ColumnStatistics(sample_values=samples) for column, samples in values.items() if samples}
    )
