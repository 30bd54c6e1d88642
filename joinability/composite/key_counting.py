"""Composite keys counted among the rows: which tuples of columns are keys, and which lie in which.

Parents are read first, until it is clear that none of their tuples is a key; then only the children of those with a
key. Tuples are kept as hashes. Of a large table only the hashes below a bound are kept: a sample of its distinct
tuples, chosen in the same way for child and parent (Broder 1997, On the resemblance and containment of documents). The
hashes are in a temporary table that spills to disk, so that memory does not grow with the tables.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from joinability.cells import cell_arrays
from joinability.composite.key_candidates import Candidate
from joinability.errors import SourceError
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.schema import Table
from joinability.statements import sql
from joinability.store.batches import column_batches

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from joinability.arrays import AnyArray, Flags
    from joinability.composite.cell_hashes import CellHasher, Cells, Hashes

SAMPLE = 16_384
"""A table of more than twice as many rows is sampled; about so many of its tuples are kept."""
FIRST_ROWS = 4_096
"""Rows that are hashed first of a table that is not sampled; they show for most columns that these are no key."""
TABLES = 32
"""Tables without a sample that are read side by side."""
CHUNK_ROWS = 131_072
"""Rows that are hashed at a time after the first ones."""
HOPELESS = 0.9
"""Uniqueness within a chunk of a sampled table below which columns are given up as a key."""

Tuple = tuple[int, ...]
NO_HASHES = np.zeros(0, dtype=np.uint64)

CONTAINED = """
SELECT place, count(*), count(parent.hash)
FROM compared
JOIN tuples AS child ON child.key = compared.child AND child.hash <= compared.bound
LEFT JOIN tuples AS parent ON parent.key = compared.parent AND parent.hash = child.hash
GROUP BY place
"""
"""Of each pair of keys: the tuples of the child below the bound, and those that the parent has."""


@dataclass(frozen=True)
class TupleCount:
    """What the rows say of a tuple of columns of one table.

    Attributes
    ----------
    number : int
        Under which its hashes are kept.
    rows, filled : int
        Rows, and those with a value in each of the columns.
    sampled, distinct : int
        Of the filled ones those whose hash is in the sample, and the distinct tuples among them.
    share : float
        Share of all hashes that the sample takes in; 1 where all tuples are kept.
    """

    number: int
    rows: int
    filled: int
    sampled: int
    distinct: int
    share: float

    @property
    def uniqueness(self) -> float:
        """Distinct tuples by rows; an estimate where they are a sample."""
        return self.distinct / self.sampled * self.filled / self.rows if self.sampled else 0.0


@dataclass(frozen=True)
class KeyCount:
    """A candidate with its counts: of the child's distinct tuples that were compared, how many the parent has."""

    candidate: Candidate
    child: TupleCount
    parent: TupleCount
    compared: int
    common: int


class TupleCounter:
    """Counts candidates in the connection of a store.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    tables : mapping
        Number of a table to the table, and to the position of its first column.
    hasher : CellHasher
    table_of, rows_of : arrays of int
        The table of each column, and how many rows that has.

    Attributes
    ----------
    failures : dict
        Id and cause of each table that could not be read; its candidates are not counted.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        tables: Mapping[int, tuple[Table, int]],
        hasher: CellHasher,
        table_of: AnyArray,
        rows_of: AnyArray,
    ) -> None:
        self.connection = connection
        self.tables = tables
        self.hasher = hasher
        self.table_of, self.rows_of = table_of, rows_of
        self.failures: dict[str, str] = {}
        self._counts: dict[Tuple, TupleCount] = {}

    def __enter__(self) -> TupleCounter:
        self.connection.execute(sql("normalised"))
        self.connection.execute("CREATE OR REPLACE TEMP TABLE tuples (key INTEGER, hash UBIGINT)")
        return self

    def __exit__(self, *raised: object) -> None:
        self.connection.execute("DROP TABLE IF EXISTS tuples")

    def uniqueness_of_keys(self, tuples: Iterable[Tuple]) -> dict[Tuple, float]:
        """The uniqueness of those tuples of columns that are keys, and of what was counted before."""
        self._read(tuples, set())
        return {columns: count.uniqueness for columns, count in self._counts.items()}

    def count(self, candidates: Sequence[Candidate]) -> list[KeyCount]:
        """Counts of the candidates whose parent columns are a key, and of all declared ones."""
        self._read([c.parent for c in candidates], {c.parent for c in candidates if c.declared})
        counts = self._counts
        is_key = {columns for columns, count in counts.items() if count.uniqueness >= KEY_UNIQUENESS}
        keyed = [c for c in candidates if c.parent in counts and (c.declared or c.parent in is_key)]
        children = [candidate.child for candidate in keyed]
        self._read(children, set(children))
        alive = [(c, counts[c.child], counts[c.parent]) for c in keyed if c.child in counts]
        pairs = [(one.number, other.number, greatest_hash(min(one.share, other.share))) for _, one, other in alive]
        compared = self._compared(_pair_table(pairs))
        return [KeyCount(*entry, *compared.get(place, (0, 0))) for place, entry in enumerate(alive)]

    def _read(self, tuples: Iterable[Tuple], needed: set[Tuple]) -> None:
        """Read the tables of tuples that are not counted yet, and keep their counts and hashes.

        A tuple that is not `needed` serves only as a key, and is dropped as soon as it proves to be none. Tables that
        are not sampled are read side by side, and hashed by one statement.
        """
        import pyarrow as pa

        asked: dict[int, list[Tuple]] = {}
        for columns in dict.fromkeys(tuples):
            if columns not in self._counts:
                asked.setdefault(int(self.table_of[columns[0]]), []).append(columns)
        readings = [
            Reading(*self.tables[table], columns, int(self.rows_of[columns[0][0]])) for table, columns in asked.items()
        ]
        small, large = ([reading for reading in readings if (reading.share == 1) is whole] for whole in (True, False))
        for group in [*_batched(small, TABLES), *_batched(large, 1)]:
            kept = [self._keep(reading, needed) for reading in self._read_group(group, needed)]
            self._insert(pa.concat_tables([_key_table(0, NO_HASHES), *chain.from_iterable(kept)]))

    def _read_group(self, readings: Sequence[Reading], needed: set[Tuple]) -> list[Reading]:
        """Read tables to their ends, or until none of their tuples can be a key; returns those that did not fail."""
        failed = []
        waiting = list(readings)
        while waiting:
            chunks: list[tuple[Reading, dict[int, Cells]]] = []
            for reading in waiting:
                try:
                    chunk = next(reading.chunks, None)
                except SourceError as error:
                    self.failures[reading.table.id] = error.cause
                    failed.append(reading)
                    continue
                if chunk is not None:
                    chunks.append((reading, chunk))
            hashes = self.hasher.hashed({column: cells for _, chunk in chunks for column, cells in chunk.items()})
            for reading, _ in chunks:
                reading.add(hashes, needed)
            waiting = [reading for reading, _ in chunks if reading.tallies]
        for reading in readings:
            reading.chunks.close()
        return [reading for reading in readings if reading not in failed]

    def _keep(self, reading: Reading, needed: set[Tuple]) -> list[pyarrow.Table]:
        """Keep the counts of the tuples of a table that are keys or needed; returns their hashes."""
        kept = []
        for columns, tally in reading.tallies.items():
            distinct, number = tally.distinct(), len(self._counts)
            count = TupleCount(number, tally.rows, tally.filled, tally.sampled, len(distinct), reading.share)
            if columns in needed or count.uniqueness >= KEY_UNIQUENESS:
                self._counts[columns] = count
                kept.append(_key_table(number, distinct))
        return kept

    # DuckDB finds the Arrow tables of these statements by name among the parameters of the method.

    def _insert(self, fresh: pyarrow.Table) -> None:
        self.connection.execute("INSERT INTO tuples FROM fresh")

    def _compared(self, compared: pyarrow.Table) -> dict[int, tuple[int, int]]:
        rows = self.connection.execute(CONTAINED).fetchall()
        return {int(place): (int(tuples), int(common)) for place, tuples, common in rows}


class Reading:
    """A table that is being read, and the tallies of its tuples.

    Parameters
    ----------
    table : Table
    first : int
        Position of its first column.
    asked : sequence of tuples of int
        The columns of each tuple.
    rows : int
        How many the table has.
    """

    def __init__(self, table: Table, first: int, asked: Sequence[Tuple], rows: int) -> None:
        self.table, self.rows, self.share = table, rows, sample_share(rows, 2 * SAMPLE)
        self.tallies = {columns: Tally(greatest_hash(self.share)) for columns in asked}
        used = sorted({column for columns in asked for column in columns})
        self.chunks = _chunks(table, first, used, FIRST_ROWS if self.share == 1 else CHUNK_ROWS)

    def add(self, hashes: Mapping[int, tuple[Hashes, Flags]], needed: set[Tuple]) -> None:
        """Count the hashes of a chunk; tuples that are not needed and can no longer be a key are dropped."""
        for columns, tally in list(self.tallies.items()):
            unique = tally.add([hashes[column] for column in columns])
            hopeless = tally.wasted > (1 - KEY_UNIQUENESS) * self.rows if self.share == 1 else unique < HOPELESS
            if hopeless and columns not in needed:
                del self.tallies[columns]


class Tally:
    """The tuples of some columns, chunk by chunk: how many rows, and the hashes of the sample.

    Parameters
    ----------
    bound : int
        The greatest hash of the sample.

    Attributes
    ----------
    rows, filled, sampled : int
        As in `TupleCount`.
    wasted : int
        Rows without a value in one of the columns, and rows of the sample that repeat one of their chunk: there are at
        most `rows - wasted` distinct tuples.
    """

    def __init__(self, bound: int) -> None:
        self.bound = np.uint64(bound)
        self.rows = self.filled = self.sampled = self.wasted = 0
        self._parts: list[Hashes] = []

    def add(self, columns: Sequence[tuple[Hashes, Flags]]) -> float:
        """Count the rows of a chunk; returns how unique its tuples are, nulls apart."""
        filled = np.logical_and.reduce([has_value for _, has_value in columns])
        tuples = combined([hashes[filled] for hashes, _ in columns])
        kept = tuples[tuples <= self.bound]
        distinct = np.unique(kept)
        self.rows += len(filled)
        self.filled += len(tuples)
        self.sampled += len(kept)
        self.wasted += len(filled) - len(tuples) + len(kept) - len(distinct)
        self._parts.append(distinct)
        return len(distinct) / len(kept) if len(kept) else 1.0

    def distinct(self) -> Hashes:
        """Hashes of the distinct tuples of the sample, sorted."""
        return np.unique(np.concatenate(self._parts)) if self._parts else np.zeros(0, dtype=np.uint64)


def combined(hashes: Sequence[Hashes]) -> Hashes:
    """One hash for each tuple of hashes, which depends on their order: the finaliser of SplitMix64 (Steele, Lea and
    Flood 2014, Fast splittable pseudorandom number generators) over each in turn."""
    state = np.zeros(len(hashes[0]), dtype=np.uint64)
    for part in hashes:
        state = (state ^ part) + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return state


def _batched(readings: Sequence[Reading], size: int) -> Iterator[Sequence[Reading]]:
    """Groups of `size`."""
    return (readings[start : start + size] for start in range(0, len(readings), size))


def sample_share(rows: int, most: int) -> float:
    """The share of the hashes of so many rows that is kept, for these to be `most` at most: a power of one half."""
    share = 1.0
    while rows * share > most:
        share /= 2
    return share


def greatest_hash(share: float) -> int:
    """The greatest hash of a share of all."""
    return int(share * 2**64) - 1


def _key_table(number: int, hashes: Hashes) -> pyarrow.Table:
    import pyarrow as pa

    return pa.table({"key": pa.array(np.full(len(hashes), number, dtype=np.int32)), "hash": pa.array(hashes)})


def _pair_table(pairs: Sequence[tuple[int, int, int]]) -> pyarrow.Table:
    import pyarrow as pa

    types = {"place": pa.int32(), "child": pa.int32(), "parent": pa.int32(), "bound": pa.uint64()}
    rows = [(place, *pair) for place, pair in enumerate(pairs)]
    return pa.Table.from_pylist([dict(zip(types, row, strict=True)) for row in rows], schema=pa.schema(types.items()))


def _chunks(table: Table, first: int, columns: Sequence[int], enough: int) -> Generator[dict[int, Cells], None, None]:
    """Text and number cells of some columns of a table, `enough` rows, and then many at a time."""
    waiting: list[dict[int, Cells]] = []
    for batch in column_batches(table, [column - first for column in columns]):
        waiting.append({column: _cells(table, values) for column, values in zip(columns, batch, strict=True)})
        if sum(len(part[columns[0]][0]) for part in waiting) >= enough:
            yield _joined(waiting)
            waiting, enough = [], CHUNK_ROWS
    if waiting:
        yield _joined(waiting)


def _cells(table: Table, values: pyarrow.Array) -> Cells:
    try:
        return cell_arrays(values)
    except Exception as error:  # what a source takes for an array may be anything
        raise SourceError(table.id, f"{type(error).__name__}: {error}") from error


def _joined(parts: Sequence[dict[int, Cells]]) -> dict[int, Cells]:
    import pyarrow as pa

    return {
        column: (
            pa.concat_arrays([part[column][0] for part in parts]),
            pa.concat_arrays([part[column][1] for part in parts]),
        )
        for column in parts[0]
    }
