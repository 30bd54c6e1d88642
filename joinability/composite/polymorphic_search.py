"""The search for polymorphic references: pairs of columns by their names, tables by the values of one, and keys by
those of the other, counted among the rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.by_name.key_words import Words, singular_words
from joinability.composite.key_counting import NO_HASHES, greatest_hash, sample_share
from joinability.composite.stored_keys import CompositeKey, TypeCondition
from joinability.composite.tables_by_value import NamedTable, TablesByValue
from joinability.composite.type_lists import TypeList, type_list
from joinability.composite.typed_columns import typed_columns
from joinability.errors import SourceError
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.families import KINDS

if TYPE_CHECKING:
    from joinability.arrays import Flags
    from joinability.composite.cell_hashes import CellHasher, Hashes
    from joinability.composite.read_columns import ColumnReader
    from joinability.evidence.evidence import JoinEvidence

MOST_TYPES = 64
"""Distinct values of a column that says which table is meant, at most."""
MOST_ROWS = 1_048_576
"""Rows of a table that are read for its types and keys, at most; of a larger one the counts are estimates."""
MOST_KEYS = 4_194_304
"""Keys of a table that are kept, about, at most; of a larger one a sample."""
MOST_COLUMNS = 4
"""Unique columns of a table without a declared key that are counted, the first ones."""
TYPED = 0.5
"""Least share of the rows with a type whose type names a table: a value may be called like one by chance."""
MOST_LISTED = 1_000
"""Rows of a table that lists types, at most."""
LISTS = (("type",), ("model",), ("class",), ("entity",), ("object",), ("table",))
"""Last words of what such a table holds."""
CONTAINED, CONTAINED_IN_SHORT, FEWEST_IN_SHORT = 0.3, 0.8, 3
"""Least share of the keys under a type that its table has, for rows that are gone take their keys with them; the same,
and the least number of keys, where the value is but short for the name of the table."""

Names = Callable[[str], Sequence[NamedTable]]
"""Tells the tables that a value means."""


class TypedPair(NamedTuple):
    """Two columns of a table: one tells the type of what is meant, the other its key; positions in the evidence."""

    type_column: int
    key_column: int


@dataclass
class TypedKeys:
    """The keys under each type, of the rows that were read, as hashes; and how many rows these are."""

    of_type: dict[str, list[Hashes]] = field(default_factory=lambda: defaultdict(list))
    rows: int = 0

    def under(self, types: Sequence[str]) -> Hashes:
        """The keys under some types."""
        return np.concatenate([NO_HASHES, *(hashes for value in types for hashes in self.of_type[value])])


class UniqueColumn(NamedTuple):
    """The distinct values of a unique column, as hashes up to a bound, and the share of all hashes that these are."""

    column: int
    hashes: Hashes
    share: float

    def compared_with(self, keys: Hashes) -> tuple[int, int]:
        """How many of some distinct keys may be compared, and how many of these it has."""
        compared = keys[keys <= np.uint64(greatest_hash(self.share))]
        return len(compared), int(np.isin(compared, self.hashes, assume_unique=True).sum())


class PolymorphicSearch:
    """One search among the tables of some databases whose rows can be read.

    Parameters
    ----------
    evidence : JoinEvidence
    reader : ColumnReader
        Of the stored tables.
    readable : (T,) array of bool
        The tables that have rows to read.
    hasher : CellHasher
    samples : callable
        A few values of a column, by its position: rows are read only where one of them names a table.

    Attributes
    ----------
    failures : dict
        Id and cause of each table that could not be read; its references are not found.
    """

    def __init__(
        self,
        evidence: JoinEvidence,
        reader: ColumnReader,
        readable: Flags,
        hasher: CellHasher,
        samples: Callable[[int], Sequence[str]],
    ) -> None:
        self.evidence, self.reader, self.readable = evidence, reader, readable
        self.hasher, self.samples = hasher, samples
        self.failures: dict[str, str] = {}
        self._unique: dict[int, list[UniqueColumn]] = {}

    def found_in(self, tables: Sequence[int]) -> Iterator[CompositeKey]:
        """The references between the tables of one database, by their numbers."""
        names = [self.reader.placed[table][0].name if table in self.reader.placed else "" for table in tables]
        by_value = TablesByValue(names, [self.evidence.forms.titles[table] for table in tables])
        lists = list(self._type_lists(tables, by_value))
        pairs = [pair for table in tables if self.readable[table] for pair in self._pairs(table, by_value)]
        for pair in pairs:
            named = self._names_by(pair, by_value, lists)
            if named is None:
                continue
            try:
                typed = self._typed_keys(pair)
            except SourceError as error:
                self.failures[error.source] = error.cause
                continue
            yield from self._references(pair, typed, tables, named)

    def _pairs(self, table: int, by_value: TablesByValue) -> Iterator[TypedPair]:
        stored, first = self.reader.placed[table]
        for places in typed_columns([column.name for column in stored.columns], by_value.titles):
            pair = TypedPair(*(first + place for place in places))
            few = self.evidence.distinct[pair.type_column] <= MOST_TYPES
            if few and not self._is_own_key(pair.key_column):
                yield pair

    def _names_by(self, pair: TypedPair, by_value: TablesByValue, lists: Sequence[TypeList]) -> Names | None:
        """What tells the tables that types mean: what they are called, or a list of them to which they refer; None
        where no sample means a table."""
        column = pair.type_column
        (name,) = singular_words([self.evidence.read[column]])
        ways: list[Names] = [listed.named for listed in lists if listed.is_meant_by(name)]
        if self.evidence.traits.kind[column] == KINDS.index("text"):
            ways.insert(0, by_value.named)
        return next((way for way in ways if any(map(way, self.samples(column)))), None)

    def _type_lists(self, tables: Sequence[int], by_value: TablesByValue) -> Iterator[TypeList]:
        """The tables that list types by number."""
        for table, title in zip(tables, by_value.words, strict=True):
            if self.readable[table] and title[-1:] in LISTS:
                try:
                    found = self._type_list(table, title, by_value)
                except SourceError as error:
                    self.failures[error.source] = error.cause
                    continue
                yield from [found] if found else []

    def _type_list(self, table: int, title: Words, by_value: TablesByValue) -> TypeList | None:
        evidence, (stored, first) = self.evidence, self.reader.placed[table]
        keys = [column for column in self._keys_of(table)[:1] if evidence.uniqueness[column] >= KEY_UNIQUENESS]
        columns = list(range(first, first + len(stored.columns)))
        is_text = evidence.traits.kind[columns] == KINDS.index("text")
        texts = [column for column in np.array(columns)[is_text].tolist() if column not in keys]
        if not keys or not texts or evidence.rows[first] > MOST_LISTED:
            return None
        key, *values = self._texts([*keys, *texts[:MOST_COLUMNS]])
        return type_list(title, key, values, by_value)

    def _texts(self, columns: Sequence[int]) -> list[list[str]]:
        """The values of some columns of a table, as texts; "" for none."""
        batches = list(self.reader.cells(columns))
        return [
            [text or "" for batch in batches for text in self.reader.texts(batch[place])]
            for place in range(len(columns))
        ]

    def _is_own_key(self, column: int) -> bool:
        evidence = self.evidence
        leads = evidence.traits.leads[column] and evidence.uniqueness[column] >= KEY_UNIQUENESS
        return bool(evidence.is_key[column] or leads)

    def _typed_keys(self, pair: TypedPair) -> TypedKeys:
        """The keys under each type, read from the rows."""
        import pyarrow as pa

        typed = TypedKeys()
        with closing(self.reader.cells(pair)) as batches:
            while typed.rows < MOST_ROWS and (batch := next(batches, None)) is not None:
                types, cells = batch
                hashes, filled = self.hasher.hashed({pair.key_column: cells})[pair.key_column]
                typed.rows += len(filled)
                encoded = pa.array(self.reader.texts(types), pa.string()).dictionary_encode()
                codes = encoded.indices.fill_null(-1).to_numpy()
                for code, value in enumerate(encoded.dictionary.to_pylist()):
                    typed.of_type[value].append(hashes[filled & (codes == code)])
        return typed

    def _references(
        self, pair: TypedPair, typed: TypedKeys, tables: Sequence[int], named_by: Names
    ) -> Iterator[CompositeKey]:
        """The references by two columns to other tables, where most types name such."""
        named = {value: named_by(value) for value in sorted(typed.of_type) if value.isprintable()}
        sizes = {value: len(typed.under([value])) for value in typed.of_type}
        if sum(sizes[value] for value, meant in named.items() if meant) < TYPED * sum(sizes.values()):
            return
        meant: defaultdict[int, list[tuple[str, bool]]] = defaultdict(list)
        for value, of_value in named.items():
            for place, in_short in of_value:
                meant[tables[place]].append((value, in_short))
        for table in meant:
            yield from self._reference(pair, typed, table, meant[table])

    def _reference(
        self, pair: TypedPair, typed: TypedKeys, parent: int, types: Sequence[tuple[str, bool]]
    ) -> Iterator[CompositeKey]:
        """The reference to the unique column of a table that has most of the keys under its types, where it has enough
        of them; types are given with whether they are but short for the name of the table."""
        best: CompositeKey | None = None
        for unique in self._unique_columns(parent):
            values = []
            for is_short in (False, True):
                some = [value for value, in_short in types if in_short is is_short]
                compared, common = unique.compared_with(np.unique(typed.under(some)))
                enough = max(FEWEST_IN_SHORT, CONTAINED_IN_SHORT * compared) if is_short else CONTAINED * compared
                values += some if 0 < common >= enough else []
            key = self._counted(pair, unique, tuple(values), typed) if values else None
            if key is not None and (best is None or key.common > best.common):
                best = key
        if best is not None:
            yield best

    def _counted(
        self, pair: TypedPair, unique: UniqueColumn, values: tuple[str, ...], typed: TypedKeys
    ) -> CompositeKey:
        """The reference of a column, where the one beside it has some values, to a unique column of another table."""
        evidence, keys = self.evidence, typed.under(values)
        own = np.unique(keys)
        compared, common = unique.compared_with(own)
        return CompositeKey(
            child=(pair.key_column,),
            parent=(unique.column,),
            declared=False,
            estimated=unique.share < 1 or typed.rows < evidence.rows[pair.key_column],
            compared=compared,
            common=common,
            child_distinct=len(own),
            parent_distinct=int(evidence.distinct[unique.column]),
            child_uniqueness=len(own) / max(len(keys), 1),
            parent_uniqueness=float(evidence.uniqueness[unique.column]),
            where=TypeCondition(pair.type_column, values),
        )

    def _unique_columns(self, table: int) -> list[UniqueColumn]:
        """The declared key of a table, or its first unique columns, as they are read; none where it has no rows."""
        if table not in self._unique:
            columns = self._keys_of(table) if self.readable[table] else []
            try:
                self._unique[table] = self._read_columns(columns) if columns else []
            except SourceError as error:
                self.failures[error.source] = error.cause
                self._unique[table] = []
        return self._unique[table]

    def _read_columns(self, columns: Sequence[int]) -> list[UniqueColumn]:
        """Some unique columns of a table, as they are read together."""
        share = sample_share(int(self.evidence.rows[columns[0]]), MOST_KEYS)
        bound = np.uint64(greatest_hash(share))
        parts: dict[int, list[Hashes]] = {column: [NO_HASHES] for column in columns}
        for batch in self.reader.cells(columns):
            for column, (hashes, filled) in self.hasher.hashed(dict(zip(columns, batch, strict=True))).items():
                parts[column].append(hashes[filled & (hashes <= bound)])
        return [UniqueColumn(column, np.unique(np.concatenate(hashes)), share) for column, hashes in parts.items()]

    def _keys_of(self, table: int) -> list[int]:
        """The columns of a table that may be keys: its declared one alone, where it has one."""
        evidence = self.evidence
        columns = np.flatnonzero(evidence.table == table)
        declared = columns[evidence.is_key[columns]]
        if len(declared):
            return [int(column) for column in declared]
        unique = columns[evidence.uniqueness[columns] >= KEY_UNIQUENESS]
        return [int(column) for column in unique[np.argsort(evidence.place[unique])][:MOST_COLUMNS]]


def tables_of_databases(evidence: JoinEvidence, touched: Flags | None) -> list[list[int]]:
    """The tables of each database that has touched ones; of each by default."""
    tables: defaultdict[int, list[int]] = defaultdict(list)
    for table, database in enumerate(evidence.database.tolist()):
        tables[database].append(table)
    return [own for own in tables.values() if touched is None or touched[own].any()]
