"""The rows of a table, batch by batch. Whatever a source raises fails its own table alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from joinability.cells import column_array
from joinability.errors import SourceError
from joinability.schema import NarrowSource, Table, TableStatistics
from joinability.store.chunks import CHUNK_CELLS, Chunk

if TYPE_CHECKING:
    import pyarrow

BATCH_ROWS = 8_192
"""Rows asked of a source at a time, fewer of a wide table."""


def table_batches(table: Table) -> Iterator[list[pyarrow.Array]]:
    """The rows of a table, or the sample values that its statistics hold: an array per column.

    Raises
    ------
    SourceError
        Whatever the source raised, and when what it gives does not fit the table.
    """
    try:
        yield from _given_batches(table)
    except SourceError:
        raise
    except Exception as error:
        raise SourceError(table.id, f"{type(error).__name__}: {error}") from error


def column_batches(table: Table, positions: Sequence[int]) -> Iterator[list[pyarrow.Array]]:
    """The rows of a table, of some columns alone: an array for each of the positions.

    Raises
    ------
    SourceError
        As `table_batches`.
    """
    if table.statistics is None and isinstance(table.source, NarrowSource):
        columns = tuple(table.columns[position] for position in positions)
        yield from table_batches(Table(table.database, table.name, columns, source=table.source.narrowed(positions)))
        return
    for batch in table_batches(table):
        yield [batch[position] for position in positions]


def row_count(table: Table, read: int) -> int | None:
    """Number of rows of a table of which `read` were read; None where only the schema is known."""
    if table.statistics is not None:
        return table.statistics.row_count
    return None if table.source is None else read


def append(chunk: Chunk, table: Table, column_id: int, values: pyarrow.Array) -> None:
    """Add values of a column to a chunk.

    Raises
    ------
    SourceError
        When they are no Arrow array, or one that can not be printed.
    """
    try:
        chunk.append(column_id, values)
    except Exception as error:  # what a source takes for an array may be anything
        raise SourceError(table.id, f"{type(error).__name__}: {error}") from error


def _given_batches(table: Table) -> Iterator[list[pyarrow.Array]]:
    if table.statistics is not None:
        yield [column_array(values) for values in _sample_values(table, table.statistics)]
    elif table.source is not None:
        size = max(1, min(BATCH_ROWS, CHUNK_CELLS // max(1, len(table.columns))))
        for batch in table.source.batches(size):
            if len(batch) != len(table.columns):
                raise SourceError(table.id, f"{len(table.columns)} columns expected, {len(batch)} read")
            if len(set(map(len, batch))) > 1:
                raise SourceError(table.id, "the columns of a batch differ in length")
            yield batch


def _sample_values(table: Table, statistics: TableStatistics) -> list[tuple[object, ...]]:
    stated = statistics.columns
    return [stated[name].sample_values if name in stated else () for name in table.column_names]
