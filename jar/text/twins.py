"""Twins: tables of one name and kind of columns in several schemas of a database, or beside their copies."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from jar.arrays import Array
from jar.text.spelled_names import EVERYWHERE, NamedTable
from joinability.names import name_words
from joinability.spelling.vocabulary import singular

SHARED = 0.8
"""Share of the columns of the narrower of two tables that both have, from which they are twins."""
COPIES = frozenset(
    "archive archived backup backups bak bck bkp bkup copy copies deprecated dev development hist history hst landing "
    "legacy old raw sandbox scratch snapshot snapshots stage staging stg temp temporary test tests testing tmp".split()
)
"""Words in the name of a schema, or of a database, that holds copies of what stands elsewhere."""
MARKS = COPIES - frozenset("dev development hist history hst landing snapshot snapshots test tests testing".split())
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
    alone : tuple of int
        Its tables that no other schema has.
    size : int
        Number of its tables.
    """

    words: frozenset[str]
    is_copy: bool
    alone: tuple[int, ...]
    size: int


@dataclass(frozen=True)
class Twins:
    """The groups of twins among the tables of an index.

    Attributes
    ----------
    groups : tuple of tuples of int
        Two and more tables that are called alike, but for schemas and marks of copies, and share their columns.
    schemas : tuple of Schema
    schema_of : mapping
        From each table of a group to its place among the schemas.
    """

    groups: tuple[tuple[int, ...], ...]
    schemas: tuple[Schema, ...]
    schema_of: Mapping[int, int]

    @classmethod
    def of(cls, tables: Sequence[NamedTable]) -> Twins:
        """The twins among the tables: of one name, but for the schema before it and marks of copies."""
        named: dict[str, list[int]] = {}
        for place, table in enumerate(tables):
            named.setdefault(_place_and_key(table.database, table.name)[1], []).append(place)
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
            claim_of = {table: claims[self.schema_of[table]] for table in group if table not in gone}
            best = max(claim_of.values(), default=None)
            others += [table for table, claim in claim_of.items() if claim != best and table not in named]
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
def _place_and_key(database: str, table: str) -> tuple[str, str]:
    """Where a table stands: database, schema and the marks of a copy in its own name; and what its twins share.

    That is its name without the marks, and the words of its database that speak of no copy: a source may call a schema
    a database of its own ("shop.staging"), or copies may be one ("shop_backup").
    """
    schema, _, last = table.rpartition(".")
    words = name_words(last)
    start, end = 0, len(words)
    while end - start > 1 and words[start] in MARKS:
        start += 1
    undated = end - 1 if end - start > 2 and words[end - 1].isdigit() else end  # orders_bkp_20210301
    if words[undated - 1 : undated] and words[undated - 1] in MARKS:
        end = undated
    while end - start > 1 and words[end - 1] in MARKS:
        end -= 1
    bare = "".join(words[start:end]) or last.casefold()
    kept = [word for word in name_words(database) if word not in COPIES and word not in EVERYWHERE]
    return " ".join((database, schema, *words[:start], *words[end:])), f"{' '.join(kept)}.{bare}"


def _claim(schema: Schema, said: frozenset[str], relevance: Array, gone: frozenset[int]) -> Claim:
    single = [table for table in schema.alone if table not in gone]
    best = float(relevance[single].max()) if single else -np.inf
    return len(said & schema.words), not schema.is_copy, best, schema.size


def _schemas(
    tables: Sequence[NamedTable], groups: Sequence[Sequence[int]]
) -> tuple[tuple[Schema, ...], dict[int, int]]:
    """The schemas that have twins, and which of them each twin is in."""
    twins = {table for group in groups for table in group}
    members: dict[str, list[int]] = {}
    for place, table in enumerate(tables):
        members.setdefault(_place_and_key(table.database, table.name)[0], []).append(place)
    schemas: list[Schema] = []
    schema_of: dict[int, int] = {}
    for name, places in members.items():
        if not twins.isdisjoint(places):
            schema_of |= dict.fromkeys(twins.intersection(places), len(schemas))
            words = name_words(name)
            single = tuple(place for place in places if place not in twins)
            schemas.append(Schema(frozenset(map(singular, words)), not COPIES.isdisjoint(words), single, len(places)))
    return tuple(schemas), schema_of


def _alike(tables: Sequence[NamedTable], places: Sequence[int]) -> list[list[int]]:
    """The tables that share columns with the first of their group, in groups of different schemas."""
    groups: list[tuple[frozenset[str], set[str], list[int]]] = []
    for place in places:
        columns = frozenset(column.name.casefold() for column in tables[place].columns)
        schema = _place_and_key(tables[place].database, tables[place].name)[0]
        for first, schemas, group in groups:
            least = min(len(first), len(columns))
            if schema not in schemas and least and len(first & columns) >= SHARED * least:
                group.append(place)
                schemas.add(schema)
                break
        else:
            groups.append((columns, {schema}, [place]))
    return [group for _, _, group in groups if len(group) > 1]
