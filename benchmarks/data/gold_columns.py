"""Gold columns: those that a gold query names, or that the data set of CRUSH lists."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from benchmarks.data.gold_tables import query_scopes

Schema = Mapping[str, frozenset[str]]
"""Columns by table, all case folded."""


def gold_columns(sql: str, database: str, schema: Schema) -> frozenset[str]:
    """Columns of stored tables that a query names in any of its parts, case folded.

    A column without a qualifier is looked for in the tables of its own scope, then in those around it. A star names no
    column; columns of common table expressions and subqueries count where they are computed.

    Returns
    -------
    frozenset of str
        "database.table.column".

    Raises
    ------
    GoldError
        When the query can not be parsed.
    """
    columns = set()
    for scope in query_scopes(sql, database):
        for column in scope.columns:
            if column.find_ancestor(exp.Select) is scope.expression:
                table = _table_of(column, scope, schema)
                if table is not None:
                    columns.add(f"{database}.{table}.{column.name}".casefold())
    return frozenset(columns)


def _table_of(column: exp.Column, scope: Scope, schema: Schema) -> str | None:
    """The stored table that a column belongs to, by its qualifier or by its name; None where there is none."""
    name, qualifier = column.name.casefold(), column.table.casefold()
    around: Scope | None = scope
    while around is not None:
        for alias, source in around.sources.items():
            if isinstance(source, exp.Table) and name in schema.get(source.name.casefold(), ()):
                if qualifier in ("", alias.casefold()):
                    return source.name.casefold()
            elif qualifier == alias.casefold():
                return None
        around = around.parent
    return None


def read_schema_columns(path: Path) -> dict[str, Schema]:
    """Columns by table of each database, from a file in Spider's format."""
    schemas: dict[str, dict[str, set[str]]] = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        tables = [name.casefold() for name in entry["table_names_original"]]
        columns_of: dict[str, set[str]] = {table: set() for table in tables}
        for number, column in entry["column_names_original"]:
            if number >= 0:
                columns_of[tables[number]].add(column.casefold())
        schemas[entry["db_id"]] = columns_of
    return {
        database: {table: frozenset(columns) for table, columns in columns_of.items()}
        for database, columns_of in schemas.items()
    }


def annotated_columns(entry: Mapping[str, Any]) -> frozenset[str]:
    """Gold columns of a question in the file of CRUSH, case folded.

    The annotation names some columns that no table has (a table alone, a column without table). They stay: no system
    can find them, and the oracle shows what that costs.
    """
    return frozenset(".".join(element).casefold() for element in entry["schema_elements"])
