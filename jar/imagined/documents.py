"""Schemas in JSON: what the objects and lists of a document mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jar.imagined.brackets import read_definitions
from jar.imagined.names import column_name, table_name

if TYPE_CHECKING:
    from jar.imagined.nested import Node

_WRAPPERS = frozenset("tables table schema schemas database databases result answer relations entities models".split())
_TABLE = ("table", "table_name", "tablename")
_COLUMN = ("column", "column_name", "columnname", "field")
_NAMES = ("name", *_TABLE, *_COLUMN, "title", "id")
_COLUMNS = ("columns", "fields", "attributes", "column_names", "properties", "cols")
_FAILURES = frozenset("message detail code status type".split())
"""Keys of what a server sends in place of an answer."""


def is_failure(node: Node) -> bool:
    """Whether a document says what went wrong, as servers do: ``{"error": {...}}``, ``{"detail": "not found"}``."""
    if not isinstance(node, dict) or not node:
        return False
    if isinstance(node.get("error"), (str, dict)):
        return True
    return set(node) <= _FAILURES and all(isinstance(value, str) for value in node.values())


def read_document(node: Node) -> Iterator[tuple[str, str]]:
    """Pairs (table, column) of a document.

    Understood are ``{"client": ["id", "name"]}``, ``{"client": {"id": "INT"}}``, ``{"tables": [{"name": "client",
    "columns": [{"name": "id"}]}]}``, ``{"table": "client", "column": "id"}``, lists of any of these, and lists of texts
    such as "client(id, name)" or "client.id".

    Examples
    --------
    >>> list(read_document({"tables": [{"name": "client", "columns": [{"name": "id"}, "gender"]}]}))
    [('client', 'id'), ('client', 'gender')]
    """
    if isinstance(node, list):
        for entry in node:
            yield from _text(entry) if isinstance(entry, str) else read_document(entry)
        return
    if isinstance(node, str):
        return
    lowered = {key.lower(): value for key, value in node.items()}
    of_table = any(isinstance(lowered.get(key), str) for key in _TABLE)
    columns = next((lowered[key] for key in _COLUMNS + _COLUMN * of_table if key in lowered), None)
    if columns is not None:
        name = next((lowered[key] for key in _NAMES if isinstance(lowered.get(key), str)), "")
        yield from _table(str(name), columns)
        return
    for key, value in node.items():
        if key.lower() in _WRAPPERS and not isinstance(value, str):
            yield from read_document(value)
        elif value != "":
            yield from _table(key, value)


def _text(entry: str) -> Iterator[tuple[str, str]]:
    definitions = read_definitions(entry)
    for definition in definitions:
        yield from ((definition.table, column) for column in definition.columns or [""])
    if not definitions:
        table, dot, column = entry.rpartition(".")
        if dot and table_name(table) and column_name(column):
            yield table_name(table), column_name(column)
        elif table_name(entry):
            yield table_name(entry), ""


def _table(key: str, value: Node) -> Iterator[tuple[str, str]]:
    name = table_name(key)
    if name:
        columns = list(_columns(value))
        yield from ((name, column) for column in columns or [""])


def _columns(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        found = [column_name(part) for part in node.split(",")]
    elif isinstance(node, list):
        found = [column_name(entry) if isinstance(entry, str) else _column(entry) for entry in node]
    else:
        inner = next((node[key] for key in node if key.lower() in _COLUMNS), None)
        if inner is not None:
            yield from _columns(inner)
            return
        found = [column_name(key) for key in node]
    yield from (name for name in found if name)


def _column(entry: Node) -> str:
    if not isinstance(entry, dict) or not entry:
        return ""
    lowered = {key.lower(): value for key, value in entry.items()}
    named = next((lowered[key] for key in _NAMES if isinstance(lowered.get(key), str)), None)
    return column_name(named if isinstance(named, str) else next(iter(entry)))
