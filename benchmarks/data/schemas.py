"""Schemas in Spider's own format (tables.json), which BIRD uses too."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from joinability import Column, ForeignKey, Table


def read_schemas(path: Path) -> list[Table]:
    """Tables with types, keys and natural names, without rows.

    A list with an object per database: ``column_names_original`` and ``column_names`` hold (table number, name) pairs,
    ``foreign_keys`` pairs of column numbers, ``primary_keys`` column numbers or, for a key of several columns, lists.
    """
    return [table for schema in json.loads(path.read_text(encoding="utf-8")) for table in _tables(schema)]


def read_signatures(path: Path) -> dict[str, str]:
    """From "database.table(column, column)" in natural names to the id of the table, where the file has signatures."""
    return {
        signature: f"{schema['db_id']}.{name}"
        for schema in json.loads(path.read_text(encoding="utf-8"))
        for signature, name in zip(schema.get("schema", ()), schema["table_names_original"], strict=False)
    }


def _tables(schema: dict[str, Any]) -> list[Table]:
    database, names = schema["db_id"], schema["table_names_original"]
    owner = [number for number, _ in schema["column_names_original"]]
    column = [name for _, name in schema["column_names_original"]]
    columns: dict[int, list[Column]] = defaultdict(list)
    for number, name, (_, natural), type_ in zip(
        owner, column, schema["column_names"], schema["column_types"], strict=True
    ):
        if number >= 0:
            columns[number].append(Column(name, type_, natural_name=natural))
    primary: dict[int, tuple[str, ...]] = {}
    for key in schema["primary_keys"]:
        parts = key if isinstance(key, list) else [key]
        primary[owner[parts[0]]] = tuple(column[part] for part in parts)
    foreign: dict[int, list[ForeignKey]] = defaultdict(list)
    for source, target in schema["foreign_keys"]:
        key = ForeignKey((column[source],), f"{database}.{names[owner[target]]}", (column[target],))
        foreign[owner[source]].append(key)
    return [
        Table(database, name, tuple(columns[number]), primary.get(number, ()), tuple(foreign[number]))
        for number, name in enumerate(names)
    ]
