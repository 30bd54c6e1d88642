"""What later statements of a script change in its tables: columns come, go, and get names and types, and tables go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from joinability.ddl.trees import column_of, parsed, table_name, written_type
from joinability.errors import CatalogError

if TYPE_CHECKING:
    from sqlglot import exp

    from joinability.ddl.drafts import Drafts

_CHANGES_COLUMNS = re.compile(r"\b(?:(?:ADD|DROP|MODIFY|RENAME)\s+COLUMN|RENAME\s+TO)\b", re.IGNORECASE)


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
    elif isinstance(action, exp.AlterColumn) and (type_ := action.args.get("dtype")) is not None:
        drafts.set_type(name, action.this.name, written_type(type_, dialect))
    elif isinstance(action, exp.ModifyColumn) and isinstance(action.this, exp.ColumnDef):
        drafts.set_type(name, action.this.name, column_of(action.this, dialect).type)
