"""The answer as SQL for a prompt: the schema of the chosen tables and the conditions that join them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from joinability import condition_text

if TYPE_CHECKING:
    from jar.answers.join import Join
    from joinability import Table

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
PLAIN_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_ ]*(\(\s*\d+\s*(,\s*\d+\s*)?\))?\Z")

RESERVED = frozenset(
    "all alter and any as asc between by case cast check column constraint create cross current_date current_time "
    "current_timestamp default delete desc distinct drop else end except exists false fetch for foreign from full "
    "grant group having in index inner insert intersect into is join left like limit natural not null offset on or "
    "order outer primary references right select set table then to transaction true union unique update user using "
    "values when where with".split()
)
"""Words that some common dialect reserves; a name among them is quoted."""


def quote(name: str) -> str:
    """An SQL identifier, in double quotes unless it is a plain word that no common dialect reserves."""
    if PLAIN.match(name) and name.lower() not in RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def sql_context(
    schemas: Sequence[Table],
    joins: Sequence[Join],
    columns: Mapping[str, Collection[str]] | None = None,
    families: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """CREATE TABLE statements of the chosen tables, then a comment line for each join condition.

    Names are quoted where needed; a table is written with its database only where two chosen tables share a name.
    Within comments, line breaks in a name become blanks, so that nothing in a name can end the comment.

    Parameters
    ----------
    columns : mapping, optional
        Names of the columns of each table that are written; by default all. Keys that need another are left out.
    families : mapping, optional
        Ids of the tables that a chosen one stands for, by its id; a comment before its statement tells them.
    """
    names = [table.name.lower() for table in schemas]
    written = {
        table.id: quote(table.name)
        if names.count(table.name.lower()) == 1
        else f"{quote(table.database)}.{quote(table.name)}"
        for table in schemas
    }
    shown = schemas if columns is None else [_cut(table, columns) for table in schemas]
    told = {table: f"-- {_one_line(stands_for(members))}\n" for table, members in (families or {}).items()}
    statements = [told.get(table.id, "") + _create(table, written) for table in shown]
    conditions = [_one_line(f"-- {_condition(join, written)}") for join in joins]
    text = "\n\n".join(statements)
    return text + ("\n\n-- joins\n" + "\n".join(conditions) if conditions else "") + "\n"


def stands_for(members: Sequence[str]) -> str:
    """The members of a family of tables in words."""
    return f"stands for {len(members)} tables {members[0]} ... {members[-1]}"


def _condition(join: Join, written: Mapping[str, str]) -> str:
    left, right = written[join.left_table], written[join.right_table]
    text = condition_text(
        join.column_pairs, join.padded, lambda name: f"{left}.{quote(name)}", lambda name: f"{right}.{quote(name)}"
    )
    return text if join.is_verified else f"{text}  (names alone, not verified)"


def _cut(table: Table, columns: Mapping[str, Collection[str]]) -> Table:
    """A table with some of its columns; of its keys, those that they and the columns of other tables make up."""
    kept = columns[table.id]
    return replace(
        table,
        columns=tuple(column for column in table.columns if column.name in kept),
        primary_key=table.primary_key if set(table.primary_key) <= set(kept) else (),
        foreign_keys=tuple(
            key
            for key in table.foreign_keys
            if set(key.columns) <= set(kept) and set(key.target_columns) <= set(columns.get(key.target, ()))
        ),
    )


def _create(table: Table, written: dict[str, str]) -> str:
    entries: list[tuple[str, str]] = []
    for column in table.columns:
        type_ = f" {column.type}" if PLAIN_TYPE.match(column.type) else ""
        entries.append((f"{quote(column.name)}{type_}", column.description or ""))
    if table.primary_key:
        entries.append((f"PRIMARY KEY ({', '.join(map(quote, table.primary_key))})", ""))
    for key in table.foreign_keys:
        if key.target in written:
            keys, targets = (", ".join(map(quote, columns)) for columns in (key.columns, key.target_columns))
            entries.append((f"FOREIGN KEY ({keys}) REFERENCES {written[key.target]} ({targets})", ""))
    lines = [
        f"  {entry}{',' if place < len(entries) else ''}{'  -- ' + _one_line(comment) if comment else ''}"
        for place, (entry, comment) in enumerate(entries, 1)
    ]
    head = f"-- {_one_line(table.description)}\n" if table.description else ""
    return head + f"CREATE TABLE {written[table.id]} (\n" + "\n".join(lines) + "\n);"


def _one_line(text: str) -> str:
    return " ".join(text.split())
