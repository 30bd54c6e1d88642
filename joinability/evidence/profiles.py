"""What is known of columns and of pairs of columns: arrays and sparse matrices, data alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import cached_property
from joinability.by_name.key_words import unqualified
from joinability.by_name.named_joins import Heads, NamedJoins, joins_by_name
from joinability.by_name.table_names import (
    CASES,
    OPAQUE_KIND,
    UNKNOWN_KIND,
    TableNames,
    case_of,
    dimensional,
    of_modules,
)
from joinability.evidence.layers import HOME, OF_SYSTEM, layer_kinds, table_layers
from joinability.evidence.traits import (
    FEW_SAMPLES,
    FILLED,
    INTEGERS,
    KEY_UNIQUENESS,
    LOOKED_AT,
    MANY_NUMBERED,
    NAMED_AFTER,
    ROW_NUMBERS,
    WIDEST,
    Traits,
    are_codes,
    are_random,
    first_of_tables,
    leaders,
    named_after_others,
    tell_nothing,
)
from joinability.families import FAMILIES, FRACTIONS, KINDS, kinds
from joinability.names import is_key_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.name_forms import NameForms
    from joinability.sparse.sparse_rows import SparseRows


@dataclass(frozen=True, eq=False)
class ColumnEvidence:
    """The profiles of C columns of T tables, an array for each quantity, and sparse matrices of what is known of their
    names and of pairs of them.

    Attributes
    ----------
    family : (C,) array of int8
        Index into `FAMILIES`.
    position : (C,) array of int
        Place of the column in its table, from 0.
    rows, nulls, distinct : (C,) arrays of int
    values : (C,) array of int
        How many distinct values the overlaps count: `distinct`, or fewer where they are a sample.
    uniqueness : (C,) array of float
        `distinct / rows`, or the figure that the owner of the table states.
    numeric_share, integer_share, time_share, mean_length : (C,) arrays of float
        Shares of the values that read as a number, an integer, a date or time of day, and mean length of their text.
    padded_share : (C,) array of float
        Share of the values that have blanks before or after them, which a join has to trim.
    zero_filled : (C,) array of bool
        Whole numbers are filled up with zeros on the left, as texts are: the least of them, by its letters, begins so.
    lowest, highest : (C,) arrays of float
        Of the values that are numbers; NaN where none is.
    is_key : (C,) array of bool
        The column alone is its table's declared primary key.
    estimated : (C,) array of bool
        True where the values are a sample, or not known at all.
    table : (C,) array of int
        Index into `table_names`.
    table_names : tuple of str
        Ids of the tables.
    database : (T,) array of int
        Tables with one number are of one database.
    name : tuple of str
        Column names.
    intersections : SparseRows (C, C) of int32
        |A n B| of the columns of different tables, symmetric.
    intersection_errors : SparseRows (C, C) of float64
        Standard errors of the intersections, symmetric. An intersection without an entry is exact, as far as the
        values are.
    row_overlaps : SparseRows (C, C) of int64
        Entry (k, l): rows of column k whose value column l has, where l is a key that has a part of the values of k and
        some of these repeat.
    declared : SparseRows (C, C) of int32
        Declared keys: entry (k, l) is the number of columns of the key by which column k refers to column l.
    forms : NameForms
        Words, trigrams and endings of the names of columns and tables.
    primary_keys : tuple of T tuples of names
        The declared primary key of each table; where it is (), those of one column that `is_key` marks.
    stored_names : NamedJoins, optional
        References that names alone suggest, where they were computed before; by default `named` computes them.
    stored_may_join : (C,) array of bool, optional
        The columns that may join, where these were looked for before; by default `traits` computes them.
    standing : (T,) array of int, optional
        For each of some sharded tables, which are one table to a join, the first of them; for others itself.
    declared_length : (C,) array of int, optional
        How many letters or digits a value may have by the declared type of the column, as
        `joinability.families.declared_length` tells it; by default it is known of none.
    in_words : C names, optional
        The names of columns in words; by default as they are.
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
    zero_filled: Flags
    lowest: Array
    highest: Array
    is_key: Flags
    estimated: Flags
    table: Indices
    table_names: tuple[str, ...]
    database: Indices
    name: tuple[str, ...]
    intersections: SparseRows
    intersection_errors: SparseRows
    row_overlaps: SparseRows
    declared: SparseRows
    forms: NameForms
    primary_keys: tuple[tuple[str, ...], ...] = ()
    stored_names: NamedJoins | None = None
    stored_may_join: Flags | None = None
    standing: Indices | None = None
    declared_length: Indices | None = None
    in_words: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(self.name)

    @property
    def length(self) -> Indices:
        """How many letters or digits a value of each column may have by its declared type, shape (C,); 0 where that is
        not known, `joinability.families.FRACTIONS` for numbers with digits behind the point."""
        return np.zeros(len(self), dtype=np.int32) if self.declared_length is None else self.declared_length

    @property
    def read(self) -> Sequence[str]:
        """The names by which references are told without rows: in words, where these are known (`in_words`)."""
        return self.name if self.in_words is None else self.in_words

    @property
    def ids(self) -> list[str]:
        """Column ids, "database.table.column"."""
        return [f"{self.table_names[table]}.{name}" for table, name in zip(self.table, self.name, strict=True)]

    @cached_property
    def column_database(self) -> Indices:
        """The database of each column, shape (C,)."""
        return self.database[self.table]

    @cached_property
    def declared_alone(self) -> Flags:
        """The columns that are a declared key by themselves, shape (C,)."""
        alone = np.zeros(len(self), dtype=np.bool_)
        alone[self.declared.nonzero()[0][self.declared.data == 1]] = True
        return alone

    @cached_property
    def beside_keys(self) -> Flags:
        """The columns that are no key, neither by their values nor by a declaration, of tables that declare a primary
        key, shape (C,)."""
        keyed = np.bincount(self.table, self.is_key, len(self.table_names)) > 0
        keyed |= np.array([bool(key) for key in self.primary_keys or [()] * len(keyed)], dtype=np.bool_)
        return np.asarray(keyed[self.table] & ~self.is_key & (self.silent | (self.uniqueness < KEY_UNIQUENESS)))

    @cached_property
    def dimensional(self) -> Flags:
        """The columns of tables of a warehouse, by the names of these, shape (C,)."""
        tables = np.zeros(len(self.table_names), dtype=np.bool_)
        for own in self._tables_of_databases:
            tables[own] = dimensional([self.table_names[table] for table in own.tolist()])
        return tables[self.table]

    @cached_property
    def layer(self) -> NDArray[np.int8]:
        """The layer of each column's table (`layers.table_layers`), shape (C,)."""
        tables = np.zeros(len(self.table_names), dtype=np.int8)
        for own in self._tables_of_databases:
            tables[own] = table_layers([self.table_names[table] for table in own.tolist()])
        return tables[self.table]

    @cached_property
    def _tables_of_databases(self) -> list[Indices]:
        """The tables of each database that has some."""
        order = np.argsort(self.database, kind="stable")
        starts = np.flatnonzero(np.diff(self.database[order], prepend=-1))
        return np.split(order, starts[1:]) if len(order) else []

    def at_home(self, child: Indices, parent: Indices) -> Flags:
        """Which columns are child and parent in one database, and in layers that refer to each other (`HOME`)."""
        database, layer = self.column_database, self.layer
        return np.asarray((database[child] == database[parent]) & HOME[layer[child], layer[parent]])

    @cached_property
    def layer_kind(self) -> NDArray[np.int8]:
        """The kind of each column's name (`layers.layer_kinds`), where its database has a system beside a warehouse:
        twice as many other tables, and `OF_SYSTEM` of them; shape (C,), 0 elsewhere."""
        count = int(self.database.max(initial=-1)) + 1
        first = np.unique(self.table, return_index=True)[1]
        stored = np.bincount(self.column_database[first], self.dimensional[first], count)
        others = np.bincount(self.column_database[first], ~self.dimensional[first], count)
        both = (stored > 0) & (others >= np.maximum(2 * stored, OF_SYSTEM))
        columns = np.flatnonzero(both[self.column_database])
        kinds = np.zeros(len(self), dtype=np.int8)
        kinds[columns] = layer_kinds([self.read[column] for column in columns.tolist()])
        return kinds

    @cached_property
    def case(self) -> NDArray[np.int8]:
        """How the names of the columns of each column's table are written (`case_of`), by number; shape (C,), 0 where
        that is not known."""
        columns: list[list[str]] = [[] for _ in self.table_names]
        for table, name in zip(self.table.tolist(), self.name, strict=True):
            columns[table].append(name)
        case = np.zeros(len(columns), dtype=np.int8)
        for tables in self._tables_of_databases:
            told = of_modules([case_of(columns[table]) for table in tables.tolist()])
            case[tables] = [CASES.index(one) for one in told]
        return case[self.table]

    @cached_property
    def incomplete(self) -> Flags:
        """The columns whose values are not all known: only a sample of them, or none."""
        return np.asarray(self.estimated | self.silent)

    @cached_property
    def standing_tables(self) -> Indices:
        """The table that stands for each table: itself, but for the first of sharded ones."""
        return np.arange(len(self.table_names)) if self.standing is None else self.standing

    @cached_property
    def silent(self) -> Flags:
        """The columns of whose values nothing is known: an empty table, a schema without rows, or no more than
        `FEW_SAMPLES` samples and nothing else."""
        few = (self.values <= FEW_SAMPLES) & (self.distinct <= self.values)
        return np.asarray((self.estimated & few) | ((self.values == 0) & (self.estimated | (self.rows == 0))))

    @cached_property
    def key_uniqueness(self) -> Array:
        """Distinct values by rows, shape (C,); by those with a value alone where the name says that the column
        identifies, and at least `FILLED` have one, as among stops the stations alone have a station code."""
        filled = self.rows - self.nulls
        of_filled = np.minimum(self.distinct / np.maximum(filled, 1), 1)
        identifies = self.traits.identifies & (filled >= FILLED)
        return np.where(identifies, np.maximum(of_filled, self.uniqueness), self.uniqueness)

    @cached_property
    def numbers_rows(self) -> Flags:
        """The first columns that only number the rows, from 0 or 1, as pandas writes the index of a frame, shape (C,):
        those whose name says so, where another column is as unique, or half of the tables of the database have one."""
        named = np.zeros(len(self), dtype=np.bool_)
        for first in np.flatnonzero(self.position == 0).tolist():
            named[first] = self.name[first].casefold() in ROW_NUMBERS
        counts = (self.distinct == self.rows) & (self.highest - self.lowest + 1 == self.rows) & ~self.is_key
        counting = named & counts & np.isin(self.lowest, (0, 1)) & (self.integer_share == 1)
        tables = len(self.table_names)
        unique = np.bincount(self.table[(self.uniqueness == 1) & ~counting], minlength=tables) > 0
        begin_so = np.bincount(self.table[counting], minlength=tables) > 0
        usual = np.bincount(self.database, begin_so) >= MANY_NUMBERED * np.bincount(self.database)
        return np.asarray(counting & (unique | usual[self.database])[self.table])

    @cached_property
    def place(self) -> Indices:
        """The place of each column in its table, from 0, where those that number rows stand behind all others, (C,)."""
        numbered = np.bincount(self.table[self.numbers_rows], minlength=len(self.table_names))
        last = np.bincount(self.table, minlength=len(self.table_names)) - 1
        return np.where(self.numbers_rows, last[self.table], self.position - numbered[self.table])

    @property
    def may_join(self) -> Flags:
        """The columns that may join others by themselves (`Traits.may_join`), shape (C,)."""
        return self.traits.may_join if self.stored_may_join is None else self.stored_may_join

    @cached_property
    def traits(self) -> Traits:
        """What makes each column a key or a reference by itself."""
        leads = leaders(self.table, np.where(self.numbers_rows, 0, self.uniqueness), self.place)
        standing, titles = self.standing_tables, self.forms.table_words
        if self.standing is not None:
            titles = titles.only(standing == np.arange(len(standing)))
        named_after = named_after_others(*self.forms.numbered_words, titles, standing[self.table], self.database)
        keys = {name: is_key_name(name) for name in {*self.name, *self.read}}
        named = zip(self.name, self.read, strict=True)
        marks = leads, np.array([keys[name] or keys[read] for name, read in named], dtype=np.bool_)
        first = first_of_tables(
            self.table, self.place, (*marks, named_after["other_name"] >= NAMED_AFTER), LOOKED_AT
        )
        integers = self.integer_share > INTEGERS
        known = self.values > 0
        kind = kinds(self.family, self.numeric_share, self.time_share, known)
        kind[(self.length == FRACTIONS) & ~known] = KINDS.index("opaque")  # where there are values, these decide
        texts = kind == KINDS.index("text")
        return Traits(
            kind=kind,
            counted=integers & ~self.zero_filled & tell_nothing(self.distinct, self.lowest, self.highest),
            random=(texts | integers) & are_random(texts, self.mean_length, self.distinct, self.lowest, self.highest),
            codes=are_codes(texts, self.mean_length, self.distinct),
            leads=leads,
            may_join=(first | ~self.incomplete) & ~self.numbers_rows,
            width=np.log10(np.minimum(np.bincount(self.table), WIDEST)[self.table]).astype(np.float32),
            **named_after,
            acts=self.forms.acts,
            deals=self.forms.deals,
            called=self.forms.called,
            identifies=self.forms.identifies,
            registered=self.forms.registered,
            quantity=self.forms.quantity,
            of_quantities=self.forms.of_quantities,
            person=self.forms.person,
            people=self.forms.people,
        )

    @cached_property
    def named(self) -> NamedJoins:
        """References that names alone suggest, in databases with columns of whose values nothing is known."""
        if self.stored_names is not None:
            return self.stored_names
        silent = self.silent
        if not silent.any():
            return NamedJoins.none(len(self))
        databases = self.names_of_databases(np.flatnonzero(np.isin(self.database, self.column_database[silent])))
        free = np.diff(self.declared.indptr) == 0
        title = np.unique([unqualified(name) for name in self.forms.titles], return_inverse=True)[1]
        number = np.where(self.forms.recorded, -1, self.forms.headers.number)
        heads = Heads(number, title[self.table], self.column_database)
        return joins_by_name(databases, silent, free, heads)

    @cached_property
    def may_refer_by_name(self) -> Flags:
        """Every reference that names alone suggest has one of these columns at least: those of whose values something,
        but not all, is known; keys by their names; and what leads a table of whose values nothing is known."""
        return np.asarray((self.estimated & ~self.silent) | self.named.is_key | self.named.begins)

    def names_of_databases(self, tables: Indices) -> list[list[tuple[Indices, TableNames]]]:
        """What some tables and their columns are called, with the positions of the columns; by databases."""
        order = np.lexsort((self.position, self.table))
        columns = np.split(order, np.searchsorted(self.table[order], np.arange(1, len(self.table_names))))
        databases: dict[int, list[tuple[Indices, TableNames]]] = {}
        for table in tables.tolist():
            names = self._names_of_table(table, columns[table])
            databases.setdefault(int(self.database[table]), []).append((columns[table], names))
        return list(databases.values())

    def _names_of_table(self, table: int, columns: Indices) -> TableNames:
        names = [self.read[column] for column in columns.tolist()]
        marked = [self.read[column] for column in columns[self.is_key[columns]].tolist()]
        holds = self.traits.kind[columns].astype(np.int64)
        holds[holds == KINDS.index("other")] = UNKNOWN_KIND
        holds[holds == KINDS.index("opaque")] = OPAQUE_KIND
        holds[self.family[columns] == FAMILIES.index("boolean")] = len(KINDS)
        if self.primary_keys:
            declared = set(self.primary_keys[table])
            marked = [self.read[column] for column in columns.tolist() if self.name[column] in declared]
        case = CASES[self.case[columns[0]]]
        return TableNames(self.forms.titles[table], names, holds.tolist(), marked, self.length[columns].tolist(), case)

    def padding(self, left: Sequence[int], right: Sequence[int]) -> tuple[tuple[bool, bool], ...]:
        """Which columns of each pair have values with blanks around them; empty where none has."""
        padded = self.padded_share > 0
        marks = [(bool(padded[column]), bool(padded[other])) for column, other in zip(left, right, strict=True)]
        return tuple(marks) if any(map(any, marks)) else ()
