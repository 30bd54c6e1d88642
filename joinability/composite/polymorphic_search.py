"""The search for polymorphic references: pairs of columns by their names, tables by the values of one, and keys by
those of the other, counted among the rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.attributes import cached_property
from joinability.cells import cell_arrays
from joinability.composite.composite import CompositeKey, TypeCondition
from joinability.composite.key_counting import NO_HASHES, greatest_hash, sample_share
from joinability.composite.tables_by_value import NamedTable, TablesByValue
from joinability.composite.typed_columns import typed_columns
from joinability.errors import SourceError
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.families import KINDS
from joinability.store.batches import column_batches

if TYPE_CHECKING:
    from joinability.arrays import Flags
    from joinability.composite.cell_hashes import CellHasher, Cells, Hashes
    from joinability.evidence.evidence import JoinEvidence
    from joinability.schema import Table

MOST_TYPES = 64
"""Distinct values of a column that says which table is meant, at most."""
MOST_ROWS = 1_048_576
"""Rows of a table that are read, at most; of a larger one the counts are estimates."""
MOST_KEYS = 4
"""Unique columns of a table without a declared key that are counted, the first ones."""
FEWEST, CONTAINED = 1, 0.3
"""Least number of keys in common with a table that a value names, and least share of the values under this one: rows
that are gone take their keys with them, and other rows keep theirs."""
FEWEST_IN_SHORT, CONTAINED_IN_SHORT = 3, 0.8
"""The same, where the value is but short for the name of the table."""


class TypedPair(NamedTuple):
    """Two columns of a table: one tells the type of what is meant, the other its key; positions in the evidence."""

    type_column: int
    key_column: int


@dataclass
class TypedKeys:
    """The keys under each type, of the rows that were read, as hashes; and how many rows these are."""

    of_type: dict[str, list[Hashes]] = field(default_factory=lambda: defaultdict(list))
    rows: int = 0


class PolymorphicSearch:
    """One search among the tables whose rows can be read, for the references of some tables or to them; of all by
    default.

    Parameters
    ----------
    evidence : JoinEvidence
    placed : mapping
        Number of a table to the table, and to the position of its first column.
    readable, touched : (T,) arrays of bool
        The tables that have rows to read, and those that are asked for; None for all.
    hasher : CellHasher

    Attributes
    ----------
    failures : dict
        Id and cause of each table that could not be read.
    """

    def __init__(
        self,
        evidence: JoinEvidence,
        placed: Mapping[int, tuple[Table, int]],
        readable: Flags,
        touched: Flags | None,
        hasher: CellHasher,
    ) -> None:
        self.evidence, self.placed, self.readable, self.touched = evidence, placed, readable, touched
        self.hasher = hasher
        self.failures: dict[str, str] = {}
        self._keys: dict[int, Hashes] = {}

    def found(self) -> list[CompositeKey]:
        """The references."""
        keys = []
        for tables in self._databases.values():
            if self.touched is None or self.touched[tables].any():
                keys += self._found_in(tables)
        return keys

    def _found_in(self, tables: list[int]) -> list[CompositeKey]:
        """The references between the tables of one database."""
        names = [self.placed[table][0].name if table in self.placed else "" for table in tables]
        by_value = TablesByValue(names, [self.evidence.forms.titles[table] for table in tables])
        found = []
        for pair in [pair for table in tables if self.readable[table] for pair in self._pairs(table, by_value)]:
            typed = self._typed_keys(pair)
            meant: defaultdict[NamedTable, list[str]] = defaultdict(list)
            for value in sorted(typed.of_type):
                for named in by_value.named(value):
                    meant[named].append(value)
            for (place, in_short), values in meant.items():
                key = self._best_key(pair, tables[place], values, typed)
                fewest, contained = (FEWEST_IN_SHORT, CONTAINED_IN_SHORT) if in_short else (FEWEST, CONTAINED)
                if key is None or key.common < max(fewest, contained * key.compared):
                    continue
                if self.touched is None or self.touched[self.evidence.table[[*key.child, *key.parent]]].any():
                    found.append(key)
        return found

    def _pairs(self, table: int, by_value: TablesByValue) -> Iterator[TypedPair]:
        evidence, (stored, first) = self.evidence, self.placed[table]
        for places in typed_columns([column.name for column in stored.columns], by_value.titles):
            pair = TypedPair(*(first + place for place in places))
            is_text = evidence.traits.kind[pair.type_column] == KINDS.index("text")
            if is_text and not self._is_own_key(pair.key_column) and evidence.distinct[pair.type_column] <= MOST_TYPES:
                yield pair

    def _is_own_key(self, column: int) -> bool:
        evidence = self.evidence
        leads = evidence.traits.leads[column] and evidence.uniqueness[column] >= KEY_UNIQUENESS
        return bool(evidence.is_key[column] or leads)

    def _typed_keys(self, pair: TypedPair) -> TypedKeys:
        """The keys under each type, read from the rows."""
        typed = TypedKeys()
        for (texts, _), cells in self._cells(pair):
            hashes, filled = self.hasher.hashed({pair.key_column: cells})[pair.key_column]
            typed.rows += len(filled)
            encoded = texts.dictionary_encode()
            codes = encoded.indices.fill_null(-1).to_numpy()
            for code, value in enumerate(encoded.dictionary.to_pylist()):
                typed.of_type[value].append(hashes[filled & (codes == code)])
            if typed.rows >= MOST_ROWS:
                break
        return typed

    def _cells(self, columns: Sequence[int]) -> Iterator[list[Cells]]:
        """The cells of some columns of a table, batch by batch."""
        table, first = self.placed[int(self.evidence.table[columns[0]])]
        try:
            for batch in column_batches(table, [column - first for column in columns]):
                yield [cell_arrays(values) for values in batch]
        except SourceError as error:
            self.failures[table.id] = error.cause

    def _best_key(self, pair: TypedPair, parent: int, values: list[str], typed: TypedKeys) -> CompositeKey | None:
        """The reference to the unique column of a table that has most of the keys under some types; None where the
        table has no rows to read."""
        parent_columns = self._unique_columns(parent, pair.key_column) if self.readable[parent] else []
        if not parent_columns:
            return None
        child = [hashes for value in values for hashes in typed.of_type[value]]
        counted = partial(self._counted, pair, values=tuple(values), child=np.concatenate(child), rows=typed.rows)
        return max(map(counted, parent_columns), key=lambda key: key.common)

    def _unique_columns(self, table: int, child: int) -> list[int]:
        """The columns of a table that may be keys to what a column holds, its declared key alone where it has one."""
        evidence, kind = self.evidence, self.evidence.traits.kind
        columns = np.flatnonzero((evidence.table == table) & (kind == kind[child]))
        declared = columns[evidence.is_key[columns]]
        if len(declared):
            return [int(column) for column in declared]
        unique = columns[evidence.uniqueness[columns] >= KEY_UNIQUENESS]
        return [int(column) for column in unique[np.argsort(evidence.position[unique])][:MOST_KEYS]]

    def _counted(self, pair: TypedPair, parent: int, values: tuple[str, ...], child: Hashes, rows: int) -> CompositeKey:
        """The reference of a column, where the one beside it has some values, to a column of another table."""
        share = sample_share(int(self.evidence.rows[parent]))
        bound = np.uint64(greatest_hash(share))
        own, keys = np.unique(child), self._hashes_of(parent, bound)
        compared = own[own <= bound]
        return CompositeKey(
            child=(pair.key_column,),
            parent=(parent,),
            declared=False,
            estimated=share < 1 or rows < self.evidence.rows[pair.key_column],
            compared=len(compared),
            common=int(np.isin(compared, keys, assume_unique=True).sum()),
            child_distinct=len(own),
            parent_distinct=int(self.evidence.distinct[parent]),
            child_uniqueness=len(own) / max(len(child), 1),
            parent_uniqueness=float(self.evidence.uniqueness[parent]),
            where=TypeCondition(pair.type_column, values),
        )

    def _hashes_of(self, column: int, bound: np.uint64) -> Hashes:
        """The distinct values of a column as hashes up to a bound, which its table has."""
        if column not in self._keys:
            parts = [NO_HASHES]
            for (cells,) in self._cells([column]):
                hashes, filled = self.hasher.hashed({column: cells})[column]
                parts.append(hashes[filled & (hashes <= bound)])
            self._keys[column] = np.unique(np.concatenate(parts))
        return self._keys[column]

    @cached_property
    def _databases(self) -> dict[int, list[int]]:
        """The tables of each database."""
        tables: defaultdict[int, list[int]] = defaultdict(list)
        for table, database in enumerate(self.evidence.database.tolist()):
            tables[database].append(table)
        return tables
