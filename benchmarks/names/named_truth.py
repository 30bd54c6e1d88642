"""Databases whose keys are known to us and not to the score, which sees their names and types alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx

from benchmarks.data.wild.companies import company_schemas, company_tables
from benchmarks.data.wild.terse import terse_schemas, terse_tables
from joinability import Table


@dataclass(frozen=True)
class NamedTruth:
    """The tables of a database without rows and keys, and its keys.

    Attributes
    ----------
    tables : tuple of Table
    references : set of (child, parent)
        Between two tables; both "table.column".
    within : set of (child, parent)
        Of rows to others of their table.
    primary_keys : tuple of tuples of names
        Of each table.
    """

    tables: tuple[Table, ...]
    references: frozenset[tuple[str, str]]
    within: frozenset[tuple[str, str]]
    primary_keys: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, tables: Iterable[Table]) -> NamedTruth:
        """The tables of one database, whose keys are taken away, and the declared ones."""
        tables = tuple(tables)
        names = {table.id: table.name for table in tables}
        references = {
            (f"{table.name}.{child}", f"{names[key.target]}.{parent}")
            for table in tables
            for key in table.foreign_keys
            if key.target in names
            for child, parent in zip(key.columns, key.target_columns, strict=True)
        }
        return cls.told(tables, references)

    @classmethod
    def told(cls, tables: Iterable[Table], references: Iterable[tuple[str, str]]) -> NamedTruth:
        """The tables of one database, whose keys are taken away, and its references, whether or not they are declared.

        References of what is no column of them are left out.
        """
        tables = tuple(tables)
        owner = {f"{table.name}.{column}": table.name for table in tables for column in table.column_names}
        known = frozenset(
            (child, parent)
            for child, parent in references
            if child in owner and parent in owner
        )
        within = frozenset((child, parent) for child, parent in known if owner[child] == owner[parent])
        bare = tuple(replace(table, foreign_keys=(), primary_key=(), source=None, statistics=None) for table in tables)
        return cls(bare, known - within, within, tuple(tuple(table.primary_key) for table in tables))

    @cached_property
    def keys(self) -> frozenset[frozenset[str]]:
        """The pairs of columns that are keys."""
        return frozenset(map(frozenset, self.references))

    def is_right(self, pair: frozenset[str]) -> bool:
        """Whether a pair is a key, or refers to one key on both sides."""
        ends = {self._linked.get(end) for end in pair}
        return len(ends) == 1 and None not in ends

    @cached_property
    def _linked(self) -> dict[str, int]:
        """The number of the group of columns, linked by keys, that each column of a key is in."""
        groups = nx.connected_components(nx.Graph(self.references))
        return {end: number for number, group in enumerate(groups) for end in group}

    def known(self, *, types: bool, keys: bool) -> NamedTruth:
        """The same with the types of the columns or without them, with the primary keys of the tables or without."""
        tables = (
            replace(
                table,
                columns=table.columns if types else tuple(replace(column, type="") for column in table.columns),
                primary_key=key if keys else (),
            )
            for table, key in zip(self.tables, self.primary_keys, strict=True)
        )
        return replace(self, tables=tuple(tables))


def company_truths(*, held_out: bool) -> list[NamedTruth]:
    """The databases as companies have them, to choose by or held out, with all of their references."""
    truths = []
    for schema in company_schemas(held_out=held_out):
        references = [(f"{child}.{column}", f"{parent}.{key}") for child, column, parent, key in schema.keys]
        truths.append(NamedTruth.told(company_tables(schema.name), references))
    return truths


def terse_truths(*, held_out: bool) -> list[NamedTruth]:
    """The terse schemas to choose by or held out, with all of their references."""
    truths = []
    for name, schema in terse_schemas(held_out=held_out).items():
        tables = terse_tables(name)
        names = {table.name.rpartition(".")[2].casefold(): table for table in tables}
        columns = {
            (name, column.casefold()): f"{table.name}.{column}"
            for name, table in names.items()
            for column in table.column_names
        }
        ends = [tuple(map(str.casefold, reference)) for reference in schema["joins"]]
        references = [(columns[child, column], columns[parent, key]) for child, column, parent, key in ends]
        truths.append(NamedTruth.told(tables, references))
    return truths


def truths_of(catalog: Iterable[Table]) -> list[NamedTruth]:
    """The databases of a catalog that have keys."""
    groups: defaultdict[str, list[Table]] = defaultdict(list)
    for table in catalog:
        groups[table.database].append(table)
    truths = (NamedTruth.of(tables) for tables in groups.values())
    return [truth for truth in truths if truth.keys]
