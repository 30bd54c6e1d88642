"""Terse schemas of old systems, without rows and foreign keys, with their names in plain words (terse/README.md)."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from joinability import Catalog, Table

FOLDER = Path(__file__).parents[1] / "terse"
"""With the project: a gzipped DDL script for each schema, and what is known of all."""
NOTE = "written for this project, without rows and foreign keys"


def terse(*, held_out: bool) -> Dataset:
    """The questions of six schemas to choose by, or of six others, each over the tables of its own schema."""
    told = terse_schemas(held_out=held_out)
    questions = tuple(
        Question(
            id=f"{name}-{place}",
            text=entry["question"],
            database=name,
            gold_tables=frozenset(f"{name}.{table}".casefold() for table in entry["tables"]),
            subqueries=None,
            sql=entry["sql"],
        )
        for name, schema in told.items()
        for place, entry in enumerate(schema["questions"])
    )
    tables = [table for name in told for table in terse_tables(name)]
    name = f"terse{'-held-out' if held_out else ''}"
    return Dataset(name, Catalog(tables), questions, SPIDER_WEIGHTS, NOTE, within=True)


@cache
def terse_tables(name: str) -> tuple[Table, ...]:
    """The tables of a schema, without that of SQL Server in front of their names."""
    script = gzip.decompress((FOLDER / f"{name}.sql.gz").read_bytes()).decode("utf-8")
    tables = Catalog.from_ddl(script, dialect=_stored()[name]["dialect"] or None)
    return tuple(replace(table, database=name) for table in tables)


def terse_schemas(*, held_out: bool) -> dict[str, Any]:
    """What is known of the schemas to choose by, or of the others: `words`, `joins` and `questions`."""
    return {name: schema for name, schema in _stored().items() if schema["held_out"] is held_out}


@cache
def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(gzip.decompress((FOLDER / "terse.json.gz").read_bytes()))
    return stored
