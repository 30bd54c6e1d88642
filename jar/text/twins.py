"""Twins: tables of one name and kind of columns in several schemas of a database, or beside their copies."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from jar.arrays import Array
from jar.text.spelled_names import NamedTable
from joinability.names import name_words
from joinability.spelling.vocabulary import singular

SHARED = 0.8
"""Share of the columns of the narrower of two tables that both have, from which they are twins."""
COPIES = frozenset(
    "archive archived backup backups bak copy copies deprecated dev development history hist landing legacy old raw "
    "sandbox scratch snapshot snapshots stage staging stg temp temporary test tests testing tmp".split()
)
"""Words in the name of a schema that holds copies of what stands elsewhere."""
MARKS = COPIES - frozenset("dev development hist history landing snapshot snapshots test tests testing".split())
"""Those of them that mark a copy at an end of a table's own name, as in `stg_orders` and `orders_bak`."""

Claim = tuple[int, bool, float, int]
"""What speaks for a schema, the strongest first."""


@dataclass(frozen=True)
class Schema:
    """A schema that has twins of tables elsewhere.

    Attributes
    ----------
    words : frozenset of str
        Of its name, in the singular.
    is_copy : bool
        Whether its name says that it holds copies.
    own : tuple of int
        Its tables that no other schema has.
    size : int
        Number of its tables.
    """

    words: frozenset[str]
    is_copy: bool
    own: tuple[int, ...]
    size: int


@dataclass(frozen=True)
class Twins:
    """The groups of twins among the tables of an index.

    Attributes
    ----------
    groups : tuple of tuples of int
        Two and more tables of one database that are called alike, but for schemas and marks of copies, and share
        their columns.
    schemas : tuple of Schema
    schema_of : mapping
        From each table of a group to its place among the schemas.
    """

    groups: tuple[tuple[int, ...], ...]
    schemas: tuple[Schema, ...]
    schema_of: Mapping[int, int]

    @classmethod
    def of(cls, tables: Sequence[NamedTable]) -> Twins:
        """The twins among the tables: of one database and name, but for the schema before it and marks of copies."""
        named: dict[tuple[str, str], list[int]] = {}
        for place, table in enumerate(tables):
            named.setdefault((table.database, _named(table.name)[1]), []).append(place)
        groups = tuple(
            tuple(group) for places in named.values() if len(places) > 1 for group in _alike(tables, places)
        )
        return cls(groups, *_schemas(tables, groups))

    def others(
        self, said: Collection[str], relevance: Array, excluded: Collection[int] = (), kept: Collection[int] = ()
    ) -> list[int]:
        """Of each group all but the table of the schema that most speaks for, or those of several equal ones.

        There speak, the first that tells: a table of it that the caller names; words of the question in its name; that
        its name is not that of a place for copies; the most relevant of the tables that it alone has; how many tables
        it has.

        Parameters
        ----------
        said : words
            Of the question, in the singular.
        relevance : array (N,)
            Of all tables.
        excluded : positions
            Tables that none of the others stands behind.
        kept : positions
            Tables that the caller names: they are none of the others.
        """
        if not self.groups:
            return []
        gone, named = frozenset(excluded), frozenset(kept)
        called = {self.schema_of[table] for table in named if table in self.schema_of}
        claims = [
            (place in called, *_claim(schema, frozenset(said), relevance, gone))
            for place, schema in enumerate(self.schemas)
        ]
        others: list[int] = []
        for group in self.groups:
            told = {table: claims[self.schema_of[table]] for table in group if table not in gone}
            best = max(told.values(), default=None)
            others += [table for table, claim in told.items() if claim != best and table not in named]
        return others

    def pairs(self, tables: Collection[int]) -> list[tuple[int, int]]:
        """The pairs of twins among some tables."""
        some = frozenset(tables)
        return [pair for group in self.groups for pair in combinations((one for one in group if one in some), 2)]

    def beside(self, tables: Collection[int]) -> dict[int, tuple[int, ...]]:
        """From each of some tables that has twins to those that are not among the tables."""
        chosen = frozenset(tables)
        return {
            table: rest
            for group in self.groups
            for table in group
            if table in chosen and (rest := tuple(twin for twin in group if twin not in chosen))
        }


@lru_cache(maxsize=1 << 16)
def _named(table: str) -> tuple[str, str]:
    """The schema of a table, with the marks of a copy at the ends of its own name, and the name without them."""
    schema, _, own = table.rpartition(".")
    words = name_words(own)
    start, end = 0, len(words)
    while end - start > 1 and words[start] in MARKS:
        start += 1
    while end - start > 1 and words[end - 1] in MARKS:
        end -= 1
    marks = words[:start] + words[end:]
    return " ".join((schema, *marks)), "".join(words[start:end]) or own.casefold()


def _claim(schema: Schema, said: frozenset[str], relevance: Array, gone: frozenset[int]) -> Claim:
    own = [table for table in schema.own if table not in gone]
    best = float(relevance[own].max()) if own else -np.inf
    return len(said & schema.words), not schema.is_copy, best, schema.size


def _schemas(
    tables: Sequence[NamedTable], groups: Sequence[Sequence[int]]
) -> tuple[tuple[Schema, ...], dict[int, int]]:
    """The schemas that have twins, and which of them each twin is in."""
    twins = {table for group in groups for table in group}
    members: dict[tuple[str, str], list[int]] = {}
    for place, table in enumerate(tables):
        members.setdefault((table.database, _named(table.name)[0]), []).append(place)
    schemas: list[Schema] = []
    schema_of: dict[int, int] = {}
    for (_, name), places in members.items():
        if not twins.isdisjoint(places):
            schema_of |= dict.fromkeys(twins.intersection(places), len(schemas))
            words = name_words(name)
            own = tuple(place for place in places if place not in twins)
            schemas.append(Schema(frozenset(map(singular, words)), not COPIES.isdisjoint(words), own, len(places)))
    return tuple(schemas), schema_of


def _alike(tables: Sequence[NamedTable], places: Sequence[int]) -> list[list[int]]:
    """The tables that share columns with the first of their group, in groups of different schemas."""
    groups: list[tuple[frozenset[str], set[str], list[int]]] = []
    for place in places:
        columns = frozenset(column.name.casefold() for column in tables[place].columns)
        schema = _named(tables[place].name)[0]
        for first, schemas, group in groups:
            least = min(len(first), len(columns))
            if schema not in schemas and least and len(first & columns) >= SHARED * least:
                group.append(place)
                schemas.add(schema)
                break
        else:
            groups.append((columns, {schema}, [place]))
    return [group for _, _, group in groups if len(group) > 1]
