"""The search for composite keys and polymorphic references: candidates from the evidence, counted among the rows, kept
in the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import cached_property
from joinability.composite.cell_hashes import CellHasher
from joinability.composite.code_search import CodeSearch
from joinability.composite.key_candidates import CONTAINED, Candidate, composite_candidates
from joinability.composite.key_counting import KeyCount, TupleCounter
from joinability.composite.leading_keys import leading_columns, likely_keys, references_in_a_row
from joinability.composite.named_keys import named_composites
from joinability.composite.polymorphic_search import PolymorphicSearch, tables_of_databases
from joinability.composite.read_columns import ColumnReader
from joinability.composite.stored_keys import (
    SCHEMA,
    TYPES,
    CompositeKey,
    keep_composites,
    renumbered,
    stored_columns,
)
from joinability.equality import Equality
from joinability.families import OF_ONE_KIND
from joinability.schema import Table
from joinability.sources.databases import DatabaseSource
from joinability.store.loading import load_evidence

if TYPE_CHECKING:
    import duckdb

    from joinability.arrays import Flags
    from joinability.evidence.evidence import JoinEvidence

FEWEST = 3
"""Least number of tuples that a child and a parent have in common."""

FORGET = """
DELETE FROM composite_keys WHERE EXISTS (
    FROM (SELECT unnest(child || parent || if(type_column IS NULL, [], [type_column])) AS column_id) AS named
    ANTI JOIN profiles USING (column_id)
)
"""
"""Delete the keys that name a column which is not in the store any more."""


def find_composites(
    connection: duckdb.DuckDBPyConnection,
    tables: Iterable[Table],
    changed: Collection[int] | None = None,
    *,
    ignore_case: bool = False,
    ignore_zeros: bool = False,
) -> list[tuple[str, str]]:
    """Look among the rows for composite keys and polymorphic references between the tables of a store, and keep them in
    `composite_keys`.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Of a store whose overlaps are counted.
    tables : iterable of Table
        Where the rows are. Tables with statistics, and those whose rows stay with their engine, are not read: between
        these only declared keys are kept.
    changed : collection of int, optional
        Ids of columns added since the last call: only keys of their tables are looked for, and polymorphic references
        in their databases. All by default.
    ignore_case, ignore_zeros : bool
        As in the store.

    Returns
    -------
    list of (str, str)
        Id and cause of each table that could not be read.
    """
    everything = changed is None or not _was_searched(connection)
    connection.execute(SCHEMA)
    connection.execute("DELETE FROM composite_keys" if everything else FORGET)
    search = Search(connection, tuple(tables))
    if (not everything and not changed) or not any(map(_may_have_keys, search.tables)):
        return []
    evidence = search.evidence
    of_one_kind = (evidence.numeric_share >= OF_ONE_KIND) | (evidence.time_share >= OF_ONE_KIND)
    hasher = CellHasher(connection, of_one_kind, Equality(ignore_case, ignore_zeros))
    with TupleCounter(connection, search.placed, hasher, evidence.table, evidence.rows) as counter:
        candidates = search.candidates(None if everything else changed, counter)
        counts = counter.count([c for c in candidates if search.can_read(c)])
    known = {count.candidate for count in counts}
    keys = [_counted(count) for count in counts if count.candidate.declared or _holds(count)]
    keys = _without_parts(keys)
    keys += [CompositeKey(c.child, c.parent, True, True) for c in candidates if c.declared and c not in known]
    listed = {frozenset(zip(key.child, key.parent, strict=True)) for key in keys}
    keys += [
        CompositeKey(child, parent, declared=False, estimated=True)
        for child, parent in search.named(None if everything else changed)
        if frozenset(zip(child, parent, strict=True)) not in listed
    ]
    typed, failed = _find_typed(search, hasher, None if everything else changed)
    keep_composites(connection, [renumbered(key, search.column_ids) for key in (*keys, *typed)])
    failed |= {"composite keys": counter.failures}
    told = ((sought, failure) for sought, failures in failed.items() for failure in failures.items())
    return [(table, f"{sought} were not looked for: {cause}") for sought, (table, cause) in told]


def _find_typed(
    search: Search, hasher: CellHasher, changed: Collection[int] | None
) -> tuple[list[CompositeKey], dict[str, dict[str, str]]]:
    """The references in the rows of a type, in place of those kept before, and the tables that could not be read, by
    what was sought in them."""
    reader = ColumnReader(search.evidence.table, search.placed)
    polymorphic = PolymorphicSearch(search.evidence, reader, search.readable, hasher, search.samples)
    coded = CodeSearch(
        search.connection, search.evidence, search.column_ids, reader, search.readable, replace(hasher, as_stored=True)
    )
    keys: list[CompositeKey] = []
    for own in tables_of_databases(search.evidence, search.touched(changed)):
        search.forget_types(own)
        keys += [*polymorphic.found_in(own), *coded.found_in(own)]
    return keys, {"polymorphic references": polymorphic.failures, "codes by type": coded.failures}


@dataclass(frozen=True)
class Search:
    """One search: the tables that it may read, and the evidence on all that are stored."""

    connection: duckdb.DuckDBPyConnection
    tables: tuple[Table, ...]

    @cached_property
    def evidence(self) -> JoinEvidence:
        """The evidence on all columns of the store, by id."""
        return load_evidence(self.connection, None)

    @cached_property
    def column_ids(self) -> list[int]:
        """Id of each column of the evidence."""
        rows = self.connection.execute("SELECT column_id FROM profiles ORDER BY column_id").fetchall()
        return [int(row[0]) for row in rows]

    @cached_property
    def placed(self) -> dict[int, tuple[Table, int]]:
        """The stored tables by number, each with the position of its first column."""
        first = {int(table): column for column, table in reversed(list(enumerate(self.evidence.table.tolist())))}
        by_id = {table.id: table for table in self.tables}
        names = self.evidence.table_names
        return {number: (by_id[name], first[number]) for number, name in enumerate(names) if name in by_id}

    @cached_property
    def readable(self) -> Flags:
        """Which tables have rows to read."""
        return np.array(
            [
                number in self.placed and _has_rows(self.placed[number][0])
                for number in range(len(self.evidence.table_names))
            ],
            dtype=np.bool_,
        )

    def can_read(self, candidate: Candidate) -> bool:
        """Whether both sides of a candidate have rows to read."""
        table = self.evidence.table
        return bool(self.readable[table[candidate.child[0]]] and self.readable[table[candidate.parent[0]]])

    def candidates(self, changed: Collection[int] | None, counter: TupleCounter) -> list[Candidate]:
        """The keys to be counted among the rows, of the tables of the changed columns; of all by default."""
        touched = self.touched(changed)
        keys = {table: [key] for table, key in self._primary_keys.items()} | self._count_leading_keys(counter, touched)
        in_a_row = list(chain.from_iterable(keys.values()))
        return composite_candidates(
            self.evidence,
            readable=self.readable,
            primary_keys=keys,
            declared=list(self._declared()),
            in_a_row=references_in_a_row(self.evidence, in_a_row, self.readable, touched),
            touched=touched,
        )

    def _count_leading_keys(self, counter: TupleCounter, touched: Flags | None) -> dict[int, list[tuple[int, ...]]]:
        """The keys that tables without a declared one begin with, by the number of their table: one, or two of which
        the first is the better one."""
        leading = leading_columns(self.evidence, self.readable, self._primary_keys, touched)
        uniqueness = counter.uniqueness_of_keys(columns for tuples in leading.values() for columns in tuples)
        found = {table: likely_keys(tuples, uniqueness) for table, tuples in leading.items()}
        return {table: keys for table, keys in found.items() if keys}

    def samples(self, column: int) -> list[str]:
        """A few values of a column."""
        query = "SELECT coalesce(samples, []) FROM profiles WHERE column_id = ?"
        return list(self.connection.execute(query, [self.column_ids[column]]).fetchall()[0][0])

    def forget_types(self, tables: Sequence[int]) -> None:
        """Delete the polymorphic references of some tables: what values name depends on all tables of a database."""
        columns = np.array(self.column_ids)[np.isin(self.evidence.table, tables)].tolist()
        self.connection.execute("DELETE FROM composite_keys WHERE list_contains(?, type_column)", [columns])

    def named(self, changed: Collection[int] | None) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The keys that names alone suggest, of the tables of the changed columns; of all by default."""
        touched, table = self.touched(changed), self.evidence.table
        for child, parent in named_composites(self.evidence, self._primary_keys, self.readable):
            if touched is None or touched[table[child[0]]] or touched[table[parent[0]]]:
                yield child, parent

    @cached_property
    def _primary_keys(self) -> dict[int, tuple[int, ...]]:
        """The declared primary keys of several columns, by the number of their table."""
        keys = {number: self._positions(number, table.primary_key) for number, (table, _) in self.placed.items()}
        return {number: key for number, key in keys.items() if len(key) > 1}

    def touched(self, changed: Collection[int] | None) -> Flags | None:
        """Which tables have changed columns; None for all."""
        if changed is None:
            return None
        touched = np.zeros(len(self.readable), dtype=np.bool_)
        touched[self.evidence.table[np.isin(self.column_ids, list(changed))]] = True
        return touched

    def _declared(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Foreign keys of several columns, between stored tables."""
        number_of = {table.id: number for number, (table, _) in self.placed.items()}
        for number, (table, _) in self.placed.items():
            for key in table.foreign_keys:
                if len(key.columns) < 2 or key.target not in number_of:
                    continue
                child = self._positions(number, key.columns)
                parent = self._positions(number_of[key.target], key.target_columns)
                if len(child) == len(parent) == len(key.columns):
                    yield child, parent

    def _positions(self, number: int, names: Iterable[str]) -> tuple[int, ...]:
        """Positions of columns of a table; unknown names are skipped."""
        table, first = self.placed[number]
        place: Mapping[str, int] = {name: first + position for position, name in enumerate(table.column_names)}
        return tuple(place[name] for name in names if name in place)


def _was_searched(connection: duckdb.DuckDBPyConnection) -> bool:
    return stored_columns(connection).issuperset(TYPES)


def _has_rows(table: Table) -> bool:
    return table.source is not None and table.statistics is None and not isinstance(table.source, DatabaseSource)


def _may_have_keys(table: Table) -> bool:
    """Whether a table has rows to look for keys in, or declares one of several columns."""
    declared = (table.primary_key, *(key.columns for key in table.foreign_keys))
    return _has_rows(table) or any(len(columns) > 1 for columns in declared)


def _holds(count: KeyCount) -> bool:
    return count.common >= FEWEST and count.common >= CONTAINED * count.compared


def _without_parts(keys: Sequence[CompositeKey]) -> list[CompositeKey]:
    """Keys but for those of which another has all conditions and more, with fewer exceptions; declared ones stay."""
    conditions = [frozenset(zip(key.child, key.parent, strict=True)) for key in keys]
    wholes: dict[tuple[int, int], list[int]] = {}
    for place, key in enumerate(keys):
        for pair in zip(key.child, key.parent, strict=True):
            wholes.setdefault(pair, []).append(place)

    def is_part(place: int) -> bool:
        mine = conditions[place]
        others = (other for other in wholes[next(iter(mine))] if mine < conditions[other])
        return any(keys[place].parent_uniqueness < keys[other].parent_uniqueness for other in others)

    return [key for place, key in enumerate(keys) if key.declared or not is_part(place)]


def _counted(count: KeyCount) -> CompositeKey:
    return CompositeKey(
        child=count.candidate.child,
        parent=count.candidate.parent,
        declared=count.candidate.declared,
        estimated=min(count.child.share, count.parent.share) < 1,
        compared=count.compared,
        common=count.common,
        child_distinct=round(count.child.distinct / count.child.share),
        parent_distinct=round(count.parent.distinct / count.parent.share),
        child_uniqueness=count.child.uniqueness,
        parent_uniqueness=count.parent.uniqueness,
    )
