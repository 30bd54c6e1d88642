"""What is known of columns and of pairs of columns: arrays and sparse matrices, data alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import cached_property
from joinability.by_name.key_names import NamedTable, unqualified
from joinability.by_name.named_joins import NamedJoins, joins_by_name, shares
from joinability.evidence.sparse_entries import with_rows
from joinability.evidence.traits import (
    FEW_SAMPLES,
    INTEGERS,
    LOOKED_AT,
    NAMED_AFTER,
    WIDEST,
    Traits,
    fill_their_range,
    first_of_tables,
    leaders,
    named_after_others,
)
from joinability.families import FAMILIES, KINDS, kinds
from joinability.names import is_key_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.name_forms import HeaderForms, NameForms


@dataclass(frozen=True, eq=False)
class Profiles:
    """What is known of each column, one array per quantity.

    Attributes
    ----------
    family : array of int8
        Index into `FAMILIES`.
    position : array of int
        Place of the column in its table, from 0.
    rows, nulls, distinct : arrays of int
    values : array of int
        How many distinct values the overlaps count: `distinct`, or fewer where they are a sample.
    uniqueness : array of float
        `distinct / rows`, or the figure that the owner of the table states.
    numeric_share, integer_share, time_share, mean_length : arrays of float
        Shares of the values that read as a number, an integer, a date or time of day, and mean length of their text.
    padded_share : array of float
        Share of the values that have blanks before or after them, which a join has to trim.
    lowest, highest : arrays of float
        Of the values that are numbers; NaN where none is.
    is_key : array of bool
        The column alone is its table's declared primary key.
    has_rows : array of bool
        False where only a schema is known.
    estimated : array of bool
        True where the values are a sample, or not known at all.
    """

    family: NDArray[np.int8]
    position: Indices
    rows: Indices
    nulls: Indices
    distinct: Indices
    values: Indices
    uniqueness: Array
    numeric_share: Array
    integer_share: Array
    time_share: Array
    mean_length: Array
    padded_share: Array
    lowest: Array
    highest: Array
    is_key: Flags
    has_rows: Flags
    estimated: Flags


@dataclass(frozen=True, eq=False)
class ColumnEvidence(Profiles):
    """The profiles of C columns of T tables, and sparse matrices of what is known of their names and of pairs of them.

    Attributes
    ----------
    table : (C,) array of int
        Index into `table_names`.
    table_names : tuple of str
        Ids of the tables.
    database : (T,) array of int
        Tables with one number are of one database.
    name : tuple of str
        Column names.
    intersections : (C, C) sparse array of int32
        |A n B| of the columns of different tables, symmetric.
    intersection_errors : (C, C) sparse array of float64
        Standard errors of the intersections, symmetric. An intersection without an entry is exact, as far as the
        values are.
    row_overlaps : (C, C) sparse array of int64
        Entry (k, l): rows of column k whose value column l has, where l is a key that has a part of the values of k and
        some of these repeat.
    declared : (C, C) sparse array of int32
        Declared keys: entry (k, l) is the number of columns of the key by which column k refers to column l.
    forms : NameForms
        What the names of columns and tables tell.
    primary_keys : tuple of T tuples of names
        The declared primary key of each table; where it is (), those of one column that `is_key` marks.
    standing : (T,) array of int, optional
        For each of some sharded tables, which are one table to a join, the first of them; for others itself.
    """

    table: Indices
    table_names: tuple[str, ...]
    database: Indices
    name: tuple[str, ...]
    intersections: csr_array
    intersection_errors: csr_array
    row_overlaps: csr_array
    declared: csr_array
    forms: NameForms
    primary_keys: tuple[tuple[str, ...], ...] = ()
    standing: Indices | None = None

    def __len__(self) -> int:
        return len(self.name)

    @property
    def ids(self) -> list[str]:
        """Column ids, "database.table.column"."""
        return [f"{self.table_names[table]}.{name}" for table, name in zip(self.table, self.name, strict=True)]

    @cached_property
    def standing_tables(self) -> Indices:
        """The table that stands for each table: itself, but for the first of sharded ones."""
        return np.arange(len(self.table_names)) if self.standing is None else self.standing

    @cached_property
    def traits(self) -> Traits:
        """What makes each column a key or a reference by itself."""
        few = (self.values <= FEW_SAMPLES) & (self.distinct <= self.values)
        silent = (self.estimated & few) | ((self.values == 0) & (self.estimated | (self.rows == 0)))
        leads = leaders(self.table, self.uniqueness, self.position)
        standing, titles = self.standing_tables, self.forms.table_words
        if self.standing is not None:
            titles = with_rows(titles, standing == np.arange(len(standing)))
        named_after = named_after_others(*self.forms.numbered_words, titles, standing[self.table], self.database)
        keys = {name: is_key_name(name) for name in set(self.name)}
        marks = leads, np.array([keys[name] for name in self.name], dtype=np.bool_)
        named = first_of_tables(
            self.table, self.position, (*marks, named_after["other_name"] >= NAMED_AFTER), LOOKED_AT
        )
        return Traits(
            silent=silent,
            kind=kinds(self.family, self.numeric_share, self.time_share, self.values > 0),
            counted=fill_their_range(self.distinct, self.lowest, self.highest) & (self.integer_share > INTEGERS),
            leads=leads,
            may_join=named | ~(self.estimated | silent),
            width=np.log10(np.minimum(np.bincount(self.table), WIDEST)[self.table]).astype(np.float32),
            **named_after,
        )

    @cached_property
    def named(self) -> NamedJoins:
        """What names alone tell of columns, in databases that have some of whose values nothing is known."""
        silent = self.traits.silent
        if not silent.any():
            return NamedJoins.none(len(self))
        asked = np.isin(self.database, self.database[self.table[silent]])
        order = np.lexsort((self.position, self.table))
        columns = np.split(order, np.searchsorted(self.table[order], np.arange(1, len(self.table_names))))
        databases: dict[int, list[tuple[Indices, NamedTable]]] = {}
        for table in np.flatnonzero(asked).tolist():
            databases.setdefault(int(self.database[table]), []).append(
                (columns[table], self._named_table(table, columns[table]))
            )
        free = np.diff(self.declared.indptr) == 0
        title = np.unique([unqualified(name) for name in self.forms.titles], return_inverse=True)[1]
        shared = shares(self.forms.headers.number, title[self.table], self.database[self.table])
        return joins_by_name(databases.values(), silent, free, shared)

    @cached_property
    def named_keys(self) -> Flags:
        """The columns of which one at least has part in a reference that names tell: those of whose values something,
        but not all, is known, keys by their names, and what leads a table of whose values nothing is known."""
        return np.asarray((self.estimated & ~self.traits.silent) | self.named.is_key | self.named.begins)

    def _named_table(self, table: int, columns: Indices) -> NamedTable:
        names = [self.name[column] for column in columns.tolist()]
        own = [self.name[column] for column in columns[self.is_key[columns]].tolist()]
        holds = np.where(self.traits.kind[columns] == KINDS.index("other"), -1, self.traits.kind[columns])
        holds[self.family[columns] == FAMILIES.index("boolean")] = len(KINDS)
        key = self.primary_keys[table] if self.primary_keys else own
        return NamedTable(self.forms.titles[table], names, holds.tolist(), key)

    @property
    def header_forms(self) -> tuple[HeaderForms, ...]:
        """The forms of the names as they are and, where a table has a prefix, without the prefixes."""
        full, bare = self.forms.headers, self.forms.bare_headers
        return (full,) if bare is full else (full, bare)

    def padding(self, left: Sequence[int], right: Sequence[int]) -> tuple[tuple[bool, bool], ...]:
        """Which columns of each pair have values with blanks around them; empty where none has."""
        padded = self.padded_share > 0
        marks = [(bool(padded[column]), bool(padded[other])) for column, other in zip(left, right, strict=True)]
        return tuple(marks) if any(map(any, marks)) else ()
