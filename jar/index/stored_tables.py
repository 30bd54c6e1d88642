"""The tables of an index as they are stored, without their rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

    from joinability import Table


def read_tables(connection: duckdb.DuckDBPyConnection) -> tuple[tuple[Table, ...], Sequence[int]]:
    """The tables of an index by their numbers, and the numbers of their columns, table by table."""
    from joinability import Column, ForeignKey, Table

    columns: dict[int, list[Column]] = {}
    column_ids: list[int] = []
    for column_id, table_id, name, type_, description, natural_name in connection.execute(
        "SELECT column_id, table_id, name, type, description, natural_name FROM catalog_columns "
        "ORDER BY table_id, position"
    ).fetchall():
        column_ids.append(int(column_id))
        columns.setdefault(int(table_id), []).append(
            Column(name=name, type=type_, description=description, natural_name=natural_name)
        )
    tables = tuple(
        Table(
            database=database,
            name=name,
            columns=tuple(columns.get(int(table_id), ())),
            primary_key=tuple(json.loads(primary_key)),
            foreign_keys=tuple(
                ForeignKey(columns=tuple(child), target=target, target_columns=tuple(parent))
                for child, target, parent in json.loads(foreign_keys)
            ),
            description=description,
        )
        for table_id, database, name, description, primary_key, foreign_keys in connection.execute(
            "SELECT table_id, database, name, description, primary_key, foreign_keys FROM catalog_tables "
            "ORDER BY table_id"
        ).fetchall()
    )
    return tables, column_ids


def read_signatures(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """The text ``database.table(column, column)`` of each table, as it was embedded, in the order of `read_tables`."""
    rows = connection.execute("SELECT text FROM catalog_tables ORDER BY table_id").fetchall()
    return tuple(str(text) for (text,) in rows)


def read_samples(
    connection: duckdb.DuckDBPyConnection, count: int, tables: Sequence[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """Up to `count` values of each column as texts, by "db.table.column", where there are any.

    Of the tables with these ids; of all by default.
    """
    which = "" if tables is None else "list_contains(?, table_id) AND "
    given = [count] if tables is None else [count, list(tables)]
    rows = connection.execute(
        f"SELECT table_id || '.' || name, samples[:?] FROM profiles WHERE {which}len(samples) > 0 ORDER BY column_id",
        given,
    ).fetchall()
    return {str(column): tuple(map(str, samples)) for column, samples in rows}
