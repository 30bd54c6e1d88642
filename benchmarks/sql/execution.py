"""What queries return, within a time limit, and whether two of them return the same."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot.errors import SqlglotError

from benchmarks.sql import sqlite_worker

LIMIT = 10.0
"""Seconds of a query."""
DIGITS = 6
"""Significant digits in which floating-point values are compared."""
MOST_ORDERS = 10_000
"""Orders of columns that are tried; more only where many columns have the same values."""

Row = tuple[Any, ...]


@dataclass(frozen=True)
class QueryResult:
    """Rows of a query with the number of its columns, or why there are none."""

    columns: int = 0
    rows: tuple[Row, ...] = ()
    error: str = ""


def run_query(sql: str, files: Mapping[str, Path], limit: float = LIMIT) -> QueryResult:
    """Run a query in a process of its own over databases that are only read.

    Parameters
    ----------
    sql : str
    files : mapping
        SQLite files by the names of their databases; a table without one is looked for in their order.
    limit : float
        Seconds after which the process is ended.
    """
    job = json.dumps({"files": {name: str(path) for name, path in files.items()}, "sql": sql})
    command = [sys.executable, "-I", "-S", str(sqlite_worker.__file__)]
    try:
        done = subprocess.run(command, input=job, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return QueryResult(error=f"no result in {limit:g} s")
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        return QueryResult(error=f"the process ended with status {done.returncode}: {last[0]}")
    answer = json.loads(done.stdout)
    if "error" in answer:
        return QueryResult(error=answer["error"])
    return QueryResult(answer["columns"], tuple(tuple(map(_plain, row)) for row in answer["rows"]))


def is_ordered(sql: str) -> bool:
    """Whether the rows of a query come in an order that it asks for, not counting its subqueries."""
    try:
        return sqlglot.parse_one(sql, read="sqlite").args.get("order") is not None
    except SqlglotError:
        return False


def same_result(gold: QueryResult, other: QueryResult, ordered: bool) -> bool:
    """Whether two queries return the same rows equally often, and in the same order where it counts.

    Columns may stand in another order, as Spider's own evaluation has it; their names do not count. Numbers are equal
    in six significant digits. A query that failed is equal to none.
    """
    if gold.error or other.error or gold.columns != other.columns or len(gold.rows) != len(other.rows):
        return False
    if not gold.rows or gold.rows == other.rows:
        return True
    return any(_matches(gold.rows, moved, ordered) for moved in _rearranged(gold, other))


def _matches(gold: Sequence[Row], rows: Sequence[Row], ordered: bool) -> bool:
    return list(gold) == list(rows) if ordered else Counter(gold) == Counter(rows)


def _rearranged(gold: QueryResult, other: QueryResult) -> Iterator[list[Row]]:
    """The rows of `other` with columns in each order in which every column has the values of its fellow."""
    theirs = [Counter(column) for column in zip(*other.rows, strict=True)]
    fellows = [
        [place for place, values in enumerate(theirs) if values == Counter(column)]
        for column in zip(*gold.rows, strict=True)
    ]
    orders = (order for order in product(*fellows) if len(set(order)) == len(order))
    for order in islice(orders, MOST_ORDERS):
        yield [tuple(row[place] for place in order) for row in other.rows]


def _plain(value: Any) -> Any:
    """A value such that equal ones are equal in Python: 2.0 is 2, and floating-point noise is gone."""
    if not isinstance(value, float):
        return value
    rounded = float(f"{value:.{DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded
