"""Schemas and databases of clients, tenants or countries: many with the same tables, of which a question means one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from jar.lookalikes.copy_names import database_key
from jar.text.spelled_names import NamedTable
from joinability.spelling.vocabulary import singular

MANY = 3
"""Equal schemas from which on one of them comes first, whatever else they hold: an answer with the same table of many
clients helps nobody."""
SHARED_TABLES, SHARED_OF_LARGER = 0.8, 0.5
"""Shares of the tables of two databases that both have by name, from which on each is a client's: of the smaller one,
and of the larger."""
CLOSE = 0.1
"""Relevance by which the most relevant of equal schemas has to lead, as where its rows have what the question names."""

_NUMBERED = re.compile(r"(?<![^\W\d_])([^\W\d_]+)[\W_]*0*(\d+)(?!\d)")


class OtherClients(NamedTuple):
    """What is the same in many schemas, where the tables of some come first.

    Attributes
    ----------
    behind : tuple of int
        Its tables in the other schemas.
    taken, schemas : tuples of int
        A table of each of the schemas that come first, and of all of them.
    is_named : bool
        Whether the question names those that come first, or the caller one of their tables.
    """

    behind: tuple[int, ...]
    taken: tuple[int, ...]
    schemas: tuple[int, ...]
    is_named: bool


def database_keys(tables: Sequence[NamedTable]) -> dict[str, str]:
    """What the databases that hold copies of each other have in common, by their names.

    Those with one name but for words for copies; and those whose tables have the same names, as where each client has a
    schema or a database of its own.
    """
    held: dict[str, set[str]] = {}
    for table in tables:
        held.setdefault(table.database, set()).add(table.name.rpartition(".")[2].casefold())
    alike: dict[str, list[str]] = {}
    with_table: dict[str, list[str]] = {}
    for database, names in held.items():
        known = dict.fromkeys(first for name in names for first in with_table.get(name, ()))
        same = (one for one in known if have_the_same(len(held[one] & names), len(held[one]), len(names)))
        first = next(same, database)
        alike.setdefault(first, []).append(database)
        if first == database and len(names) > 1:
            for name in names:
                with_table.setdefault(name, []).append(database)
    keys = {database: database_key(database) for database in held}
    for first, databases in alike.items():
        if len(databases) > 1:
            keys |= dict.fromkeys(databases, keys[first])
    return keys


def have_the_same(shared: int, one: int, other: int) -> bool:
    """Whether two schemas, or databases, have the same tables but for some, by how many they share and have."""
    fewer, more = sorted((one, other))
    return fewer > 1 and shared >= max(SHARED_TABLES * fewer, SHARED_OF_LARGER * more)


def numbered_names(text: str) -> frozenset[str]:
    """The words of a text with a number after them, zeros before it left out.

    Examples
    --------
    >>> sorted(numbered_names("top 5 of Tenant 12, and client_007"))
    ['client7', 'tenant12', 'top5']
    """
    return frozenset(f"{singular(word)}{number}" for word, number in _NUMBERED.findall(text.lower()))
