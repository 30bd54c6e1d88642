"""What SQL dialects are called, beside what sqlglot calls them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from joinability.errors import CatalogError

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "postgresql": "postgres",
        "pgsql": "postgres",
        "cockroachdb": "postgres",
        "mariadb": "mysql",
        "t-sql": "tsql",
        "mssql": "tsql",
        "sqlserver": "tsql",
        "sql-server": "tsql",
        "sql server": "tsql",
    }
)
"""Other names of dialects, and those of engines that speak them."""
LIKE = 0.6
"""Likeness from which a name may be meant."""


def plain_name(name: str) -> str:
    """The name of a dialect as sqlglot has it, in small letters, whichever of its names is given."""
    lowered = name.strip().lower()
    return ALIASES.get(lowered, lowered)


def meant(name: str, known: Iterable[str]) -> str:
    """Which of some dialects may be meant by a name that none of them has, in words; "" where none is like it."""
    names = [*known]
    spelled = [*names, *(alias for alias, one in ALIASES.items() if one in names)]
    close = get_close_matches(name.strip().lower(), spelled, 1, LIKE)
    return f" (did you mean {close[0]}?)" if close else ""


def checked_dialect(name: str) -> str:
    """The name of a dialect as sqlglot has it, maybe with settings behind it.

    Raises
    ------
    CatalogError
        When sqlglot reads no such dialect; the message names those that it reads.
    """
    from sqlglot import Dialect

    try:
        Dialect.get_or_raise(plain_name(name))
    except ValueError as error:
        known = sorted(one for one in Dialect.classes if one)
        remedy = f"leave it out, or give one of {', '.join(known)}"
        raise CatalogError(f"{name!r} is no dialect that sqlglot reads{meant(name, known)}: {remedy}") from error
    return plain_name(name)
