"""What calls of SQL Server's procedures say, with their parameters by name or in order."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from joinability.ddl.scripts import Statement

if TYPE_CHECKING:
    from joinability.ddl.drafts import Drafts, Name

FURTHEST = 8
"""Words of a call before which the name of its procedure stands."""
RENAMING = "objname newname objtype".split()
"""Parameters of `sp_rename`, in order."""
_PART = re.compile(r"\[((?:[^\]]|\]\])+)\]|\"([^\"]+)\"|([^.\[\]\"]+)")


def called(statement: Statement, procedures: Collection[str], parameters: Sequence[str]) -> dict[str, str] | None:
    """What a call of one of some procedures gives their parameters; None for any other statement."""
    words = [token.text.upper() for token in statement.tokens[:FURTHEST]]
    place = next((place for place, word in enumerate(words) if word in procedures), None)
    if place is None:
        return None
    given = {}
    for order, (name, value) in enumerate(_arguments(statement, place + 1)):
        given[name or parameters[min(order, len(parameters) - 1)]] = value
    return given


def rename_called(drafts: Drafts, statement: Statement) -> None:
    """Apply a call of `sp_rename` to the tables so far; any other statement is passed over.

    A call without a type whose name is neither that of a table nor that of a column renames something else, such as a
    constraint.

    Raises
    ------
    CatalogError
        When it renames a column of a table that is not there, or that has no such column.
    """
    given = called(statement, ("SP_RENAME",), RENAMING) or {}
    names = ["".join(part).replace("]]", "]") for part in _PART.findall(given.get("objname", ""))]
    new, kind = given.get("newname", ""), given.get("objtype", "").upper()
    if not (names and new):
        return
    table, owner = _name(names), _name(names[:-1])
    if kind == "COLUMN":
        drafts.rename_column(owner, names[-1], new)
    elif kind in ("", "OBJECT") and drafts.has(table):
        drafts.rename(table, ("", new))
    elif not kind and drafts.has(owner, names[-1]):
        drafts.rename_column(owner, names[-1], new)


def _name(names: Sequence[str]) -> Name:
    return ".".join(names[:-1]), names[-1] if names else ""


def _arguments(statement: Statement, start: int) -> list[tuple[str, str]]:
    """The name, or "" where there is none, and the value of each argument of a call."""
    arguments, name, value = [], "", ""
    for token in statement.tokens[start:]:
        if token.text == ",":
            arguments.append((name, value))
            name = value = ""
        elif token.text == "=":
            name, value = value.lstrip("@").casefold(), ""
        elif token.text != "@":
            value = token.text
    return [*arguments, (name, value)]
