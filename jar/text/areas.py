"""Subject areas: the schemas and the prefixes of names into which people divide a large database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from jar.arrays import IntArray
from jar.text.spelled_names import NamedTable
from joinability.spelling.vocabulary import plain_words

LEAST = 3
"""Tables that make a prefix an area."""

Area = tuple[str, str, str]
"""Database, schema and prefix, the latter two empty where they tell nothing."""


def table_areas(tables: Iterable[NamedTable]) -> IntArray:
    """The area of each table as a number from 0 up, -1 for tables that are in none, shape (n,).

    The schema is what stands before the last dot of a table's name, where the database has several. Within it, tables
    whose names begin with the same word, three at least but not all, are an area of their own.
    """
    parts = [_parts(table) for table in tables]
    schemas: dict[str, set[str]] = {}
    for database, schema, _ in parts:
        schemas.setdefault(database, set()).add(schema)
    several = [(database, schema if len(schemas[database]) > 1 else "", prefix) for database, schema, prefix in parts]
    sizes = Counter((database, schema) for database, schema, _ in several)
    shared = Counter(several)
    numbers: dict[Area, int] = {}
    areas = []
    for database, schema, prefix in several:
        tells = prefix and LEAST <= shared[database, schema, prefix] < sizes[database, schema]
        area = database, schema, prefix if tells else ""
        areas.append(numbers.setdefault(area, len(numbers)) if any(area[1:]) else -1)
    return np.array(areas, dtype=np.int64)


def _parts(table: NamedTable) -> Area:
    schema, _, name = table.name.rpartition(".")
    words = plain_words(name)
    return table.database.casefold(), schema.casefold(), words[0].casefold() if len(words) > 1 else ""
