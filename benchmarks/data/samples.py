"""Statistics and sample rows of BIRD, in place of rows that are too large to pass around."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from joinability import ColumnStatistics, TableStatistics

CELL_LIMIT = 10_000_000
"""Longest field of the sample file, which holds the rows of a table as one field."""


def read_statistics(path: Path, sample_path: Path | None) -> dict[str, TableStatistics]:
    """Statistics of tables by id, case folded; sample values come from sample rows where these are there.

    Parameters
    ----------
    path : Path
        JSON: a list of databases with ``tables``, each with ``row_count`` and ``columns`` (``null_fraction``,
        ``unique_count``, ``unique_fraction``, ``min_value``, ``max_value``, ``sample_values``).
    sample_path : Path or None
        CSV: ``schema`` ("database,table,column,...") and ``instance_tapas`` (JSON, column to its first values).
    """
    samples = dict(_sample_rows(sample_path)) if sample_path is not None else {}
    return {
        (key := f"{database['name']}.{table['name']}".casefold()): TableStatistics(
            table["row_count"],
            {column["name"]: _column(column, samples.get(key, {})) for column in table["columns"]},
        )
        for database in json.loads(path.read_text(encoding="utf-8"))
        for table in database["tables"]
    }


def _sample_rows(path: Path) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    limit = csv.field_size_limit(CELL_LIMIT)
    try:
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                database, table = row["schema"].split(",")[:2]
                yield f"{database}.{table}".casefold(), json.loads(row["instance_tapas"])
    finally:
        csv.field_size_limit(limit)


def _column(column: dict[str, Any], rows: dict[str, list[Any]]) -> ColumnStatistics:
    values = [value for value in rows.get(column["name"], column["sample_values"]) if value is not None]
    return ColumnStatistics(
        null_fraction=column["null_fraction"],
        distinct=column["unique_count"],
        uniqueness=column["unique_fraction"],
        minimum=column["min_value"],
        maximum=column["max_value"],
        sample_values=tuple(dict.fromkeys(values)),
    )
