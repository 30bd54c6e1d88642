"""Types that a script creates itself: domains, enumerations and other names for types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joinability.ddl.scripts import Statement

ENUMERATION = "TEXT"
"""What the values of an enumeration are."""
BEHIND_TYPE = frozenset("NOT NULL DEFAULT CHECK CONSTRAINT COLLATE".split())
"""Words that end a type."""


def own_type(statement: Statement) -> tuple[str, str] | None:
    """The name of a type that a statement creates, without its schema, and what it stands for; None for any other.

    ``CREATE DOMAIN name AS type`` and ``CREATE TYPE name AS ENUM (...)`` are those of PostgreSQL, ``CREATE TYPE name
    FROM type`` is that of SQL Server. A composite type stands for nothing.
    """
    if statement.words(2) not in (["CREATE", "DOMAIN"], ["CREATE", "TYPE"]):
        return None
    words = [token.text.upper() for token in statement.tokens]
    place = _behind_name(words, 2)
    name, rest = statement.tokens[place - 1].text.rpartition(".")[2], words[place : place + 2]
    if words[1] == "TYPE" and rest == ["AS", "ENUM"]:
        return name, ENUMERATION
    if words[1] == "TYPE" and rest[:1] != ["FROM"]:
        return None
    start = place + (rest[:1] in (["AS"], ["FROM"]))
    end = next((stop for stop in range(start, len(words)) if words[stop] in BEHIND_TYPE), len(words))
    if start >= end:
        return None
    return name, " ".join(token.text for token in statement.tokens[start:end])


def _behind_name(words: Sequence[str], place: int) -> int:
    """The place behind a name that schemas may qualify."""
    place += 1
    while place + 1 < len(words) and words[place] == ".":
        place += 2
    return place


def meaning(type_: str, own_types: Mapping[str, str]) -> str:
    """What a type of a column stands for, where the script created it; else, and for lists of it, the type itself.

    Parameters
    ----------
    own_types : mapping
        By their names in small letters.
    """
    seen: set[str] = set()
    while (name := type_.rpartition(".")[2].strip('"`').casefold()) in own_types and name not in seen:
        seen.add(name)
        type_ = own_types[name]
    return type_
