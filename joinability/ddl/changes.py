"""What later statements of a script change in its tables: columns come, go, and get names and types, and tables go."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from joinability.ddl.column_lists import listed_changes
from joinability.ddl.statement_parts import altered_name, name_at
from joinability.ddl.trees import column_of, parsed, spelled_type, table_name, written_type
from joinability.errors import CatalogError

if TYPE_CHECKING:
    from sqlglot import exp

    from joinability.ddl.drafts import Drafts, Name
    from joinability.ddl.scripts import Statement

_CHANGES_COLUMNS = re.compile(r"\b(?:(?:ADD|DROP|MODIFY|RENAME)\s+COLUMN|RENAME\s+TO|SET\s+SCHEMA)\b", re.IGNORECASE)

CHANGES = ("ADD", "ALTER", "CHANGE", "DROP", "MODIFY", "RENAME")
"""Words with which changes of columns and keys begin."""
LIKE_CHANGES = frozenset(["EXCHANGE"])
"""Words that are nearly one of these, and begin something else."""
MISSPELT = 0.75
"""Likeness from which a word is one of them, misspelt."""
_PART = r"(?:`[^`]+`|[\w$]+)"
_NAME = rf"((?:{_PART}\.)?{_PART})"
_RENAMED = re.compile(rf"{_NAME}\s+TO\s+{_NAME}", re.IGNORECASE)


def misspelt_change(statement: Statement) -> str:
    """What is wrong with a statement ALTER TABLE whose change begins with a misspelt word; "" for any other."""
    whole, _, end = altered_name(statement)
    said = " ".join(whole.words[end : end + 1])
    near = [] if said in LIKE_CHANGES else get_close_matches(said, CHANGES, 1, MISSPELT)
    return f"{said} is not understood: is {near[0]} meant?" if near and said not in CHANGES else ""


def change_tables(drafts: Drafts, text: str, dialect: str) -> None:
    """Apply a statement ALTER TABLE or DROP TABLE to the tables so far; what it says of other things is passed over.

    Raises
    ------
    CatalogError
        When it changes columns in a way that is not understood, or those of a table that is not there.
    """
    from sqlglot import exp

    try:
        tree = parsed(text, dialect)
    except Exception:  # a parser may stumble in many ways
        if _CHANGES_COLUMNS.search(text):
            raise CatalogError(f"what this changes is not understood as {dialect}") from None
        return
    for table in _dropped(tree) if isinstance(tree, exp.Drop) else ():
        drafts.drop(table_name(table))
    for action in tree.args.get("actions") or ():
        _change(drafts, tree.this, action, dialect)


def change_listed(drafts: Drafts, statement: Statement, dialect: str) -> bool:
    """Apply ALTER TABLE with a list in brackets to the tables so far; whether it is one."""
    changed = listed_changes(statement)
    if changed is None:
        return False
    name, added, dropped = changed
    for column in added:
        drafts.add_column(name, replace(column, type=spelled_type(column.type, dialect)))
    for gone in dropped:
        drafts.drop_column(name, gone)
    return True


def rename_tables(drafts: Drafts, text: str) -> None:
    """Apply RENAME TABLE one TO other, ... to the tables so far, as MySQL has it."""
    for pair in _RENAMED.finditer(text):
        one, other = (_name_of(pair[side]) for side in (1, 2))
        drafts.rename(one, other)


def _name_of(text: str) -> Name:
    *qualifier, name = (part.strip("`") for part in re.findall(_PART, text))
    return ".".join(qualifier), name


def attached_partition(statement: Statement) -> tuple[Name, Name] | None:
    """The table that a statement ALTER TABLE gives a partition, and the table that becomes one; None for others."""
    whole, name, end = altered_name(statement)
    return (name, name_at(whole, end + 2)[0]) if whole.words[end : end + 2] == ["ATTACH", "PARTITION"] else None


def _dropped(drop: exp.Drop) -> list[exp.Expr]:
    """What a statement or a part of it drops; `this` in older versions of sqlglot."""
    return list(drop.args.get("tables") or filter(None, [drop.this, *drop.expressions]))


def _change(drafts: Drafts, table: exp.Expr, action: exp.Expr, dialect: str) -> None:
    from sqlglot import exp

    name = table_name(table)
    if isinstance(action, exp.ColumnDef):
        drafts.add_column(name, column_of(action, dialect))
    elif isinstance(action, exp.Drop) and action.args.get("kind") == "COLUMN":
        for column in _dropped(action):
            drafts.drop_column(name, column.name)
    elif isinstance(action, exp.RenameColumn):
        drafts.rename_column(name, action.this.name, action.args["to"].name)
    elif isinstance(action, exp.AlterRename):
        drafts.rename(name, table_name(action.this))
    elif isinstance(action, exp.SwapTable):
        drafts.swap(name, table_name(action.this))
    elif isinstance(action, exp.AlterColumn) and (type_ := action.args.get("dtype")) is not None:
        drafts.set_type(name, action.this.name, written_type(type_, dialect))
    elif isinstance(action, exp.ModifyColumn) and isinstance(action.this, exp.ColumnDef):
        changed = column_of(action.this, dialect)
        if old := action.args.get("rename_from"):  # CHANGE of MySQL
            drafts.rename_column(name, old.name, changed.name)
        drafts.set_type(name, changed.name, changed.type)
        if changed.description:
            drafts.describe(name, changed.description, changed.name)
