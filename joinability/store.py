"""The evidence kept in DuckDB: profiles, value hashes and overlaps of columns, in the connection of the caller.

The rows of many tables are streamed into chunks of cells (column id, text or number); one statement finds the distinct
values of a chunk, so that neither the number of tables nor their size shows in memory. A table that does not fit in
one chunk waits in temporary tables until its last row is read. The store opens no transaction: a caller that wants all
or nothing opens one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from joinability.cells import column_array
from joinability.chunks import CHUNK_CELLS, Chunk
from joinability.errors import SourceError
from joinability.schema import Table, TableStatistics

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from joinability.evidence import JoinEvidence

SLICE_VALUES = 4_000_000
"""Values whose overlaps are counted at a time."""
BATCH_ROWS = 8_192
"""Rows asked of a source at a time, fewer of a wide table."""


class EvidenceStore:
    """Profiles, values and overlaps in the tables `profiles`, `column_values`, `column_overlaps` and `declared_keys`.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Owned by the caller.
    memory_limit : str, optional
        What DuckDB may use, such as "512MB"; beyond it, it spills to disk.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, *, memory_limit: str | None = None) -> None:
        self.connection = connection
        if memory_limit is not None:
            connection.execute("SET memory_limit = ?", [memory_limit])

    def create(self) -> None:
        """Create the tables where they do not exist."""
        self.connection.execute(sql("schema"))

    def add_tables(
        self, tables: Iterable[tuple[Table, int]], *, progress: Callable[[str], None] | None = None
    ) -> list[tuple[str, str]]:
        """Read and profile tables, and keep the hashes of their distinct values.

        Parameters
        ----------
        tables : iterable of (Table, int)
            Each with the id of its first column; its other columns follow.
        progress : callable, optional
            Called with the id of each table once it is read, or has failed.

        Returns
        -------
        list of (str, str)
            Id and cause of each table that could not be read to its end. Nothing is kept of those.
        """
        self.connection.execute(sql("normalised"))
        failures: list[tuple[str, str]] = []
        group = Chunk()
        for table, first_id in tables:
            try:
                self._read(table, first_id, group)
            except SourceError as error:
                failures.append((table.id, error.cause))
            if group.is_full:
                self._keep(group)
                group = Chunk()
            if progress is not None:
                progress(table.id)
        self._keep(group)
        return failures

    def remove_columns(self, column_ids: Iterable[int]) -> None:
        """Forget columns, their values, keys and overlaps."""
        self._delete(_id_table(column_ids))

    def update_overlaps(self, changed_column_ids: Iterable[int] | None = None) -> None:
        """Count the common values of all pairs of columns of different tables.

        Parameters
        ----------
        changed_column_ids : iterable of int, optional
            Columns added since the last call: only their pairs are counted. All pairs by default.
        """
        self.connection.execute(
            "CREATE OR REPLACE TEMP TABLE pairs (left_id INTEGER, right_id INTEGER, intersection INTEGER)"
        )
        if changed_column_ids is None:
            self.connection.execute("DELETE FROM column_overlaps")
            self._count_pairs("overlaps")
        else:
            self._count_pairs("changed_overlaps", _id_table(changed_column_ids))
        self.connection.execute(sql("different_tables"))

    def load(self, column_ids: Sequence[int] | None = None) -> JoinEvidence:
        """The evidence as arrays, in the order of `column_ids` (by default all columns, by id).

        Raises
        ------
        KeyError
            When a column was never added.
        """
        from joinability.loading import load_evidence

        return load_evidence(self.connection, column_ids)

    def _read(self, table: Table, first_id: int, group: Chunk) -> None:
        """Read one table into the group, or, when it is large, straight into the database."""
        chunk, rows, is_large = Chunk(), 0, False
        try:
            for batch in _batches(table):
                rows += len(batch[0]) if batch else 0
                for position, values in enumerate(batch):
                    _append(chunk, table, first_id + position, values)
                if chunk.is_full:
                    is_large = True
                    self._set_aside(chunk)
                    chunk = Chunk()
            chunk.describe(table, first_id, _row_count(table, rows))
            if is_large:
                self._set_aside(chunk)
                self._keep_large(chunk)
            else:
                group.extend(chunk)
        finally:
            if is_large:
                self.connection.execute("DROP TABLE IF EXISTS large_values; DROP TABLE IF EXISTS large_parts")
        self._keep_keys(table, first_id)

    def _set_aside(self, chunk: Chunk) -> None:
        fresh = self._values(chunk.cell_table())
        self._insert_large(fresh, self._parts(fresh))

    def _keep_large(self, chunk: Chunk) -> None:
        self.connection.execute("INSERT INTO column_values SELECT DISTINCT * FROM large_values")
        parts = self.connection.sql(sql("merged_parts")).to_arrow_table()
        self._insert_profiles(chunk.column_table(), parts)

    def _keep(self, group: Chunk) -> None:
        if not group.is_empty:
            fresh = self._values(group.cell_table())
            self._insert_profiles(group.column_table(), self._parts(fresh))
            self._insert_values(fresh)

    # DuckDB finds the tables of the following statements by name among the parameters of the method that runs them.
    # Registered views and temporary tables would not do: both live on, once dropped, to the end of the caller's
    # transaction, and with them every chunk ever read.

    def _values(self, cells: pyarrow.Table) -> pyarrow.Table:
        return self.connection.sql(sql("values")).to_arrow_table()

    def _parts(self, fresh: pyarrow.Table) -> pyarrow.Table:
        return self.connection.sql(sql("profile_parts")).to_arrow_table()

    def _insert_values(self, fresh: pyarrow.Table) -> None:
        self.connection.execute("INSERT INTO column_values SELECT column_id, hash FROM fresh")

    def _insert_profiles(self, described: pyarrow.Table, read_parts: pyarrow.Table) -> None:
        self.connection.execute(sql("profiles"))

    def _insert_large(self, fresh: pyarrow.Table, read_parts: pyarrow.Table) -> None:
        self.connection.execute(sql("large"))
        self.connection.execute("INSERT INTO large_values SELECT column_id, hash FROM fresh")
        self.connection.execute("INSERT INTO large_parts FROM read_parts")

    def _delete(self, changed: pyarrow.Table) -> None:
        for table in ("profiles", "column_values", "declared_keys"):
            self.connection.execute(f"DELETE FROM {table} WHERE column_id IN (SELECT column_id FROM changed)")
        self.connection.execute(
            "DELETE FROM column_overlaps WHERE left_id IN (SELECT column_id FROM changed)"
            " OR right_id IN (SELECT column_id FROM changed)"
        )

    def _count_pairs(self, statement: str, changed: pyarrow.Table | None = None) -> None:
        """Run a statement that adds to `pairs`, for one slice of the hashes after the other."""
        (values,) = self.connection.execute("SELECT count(*) FROM column_values").fetchone() or (0,)
        slices = -(-values // SLICE_VALUES)
        edges = [2**64 * number // slices for number in range(slices)] + [2**64]
        for low, end in pairwise(edges):
            self.connection.execute(sql(statement), {"low": low, "high": end - 1})

    def _keep_keys(self, table: Table, first_id: int) -> None:
        position = {name: first_id + index for index, name in enumerate(table.column_names)}
        rows = [
            (position[column], key.target, target_column, len(key.columns))
            for key in table.foreign_keys
            for column, target_column in zip(key.columns, key.target_columns, strict=False)
            if column in position
        ]
        if rows:
            self.connection.executemany("INSERT INTO declared_keys VALUES (?, ?, ?, ?)", rows)


@cache
def sql(name: str) -> str:
    """Text of one of the package's SQL files."""
    return (files("joinability") / "sql" / f"{name}.sql").read_text("utf-8")


def _id_table(column_ids: Iterable[int]) -> pyarrow.Table:
    import pyarrow as pa

    return pa.table({"column_id": pa.array(column_ids, type=pa.int32())})


def _batches(table: Table) -> Iterator[list[pyarrow.Array]]:
    """The batches of a table; a source is foreign code: whatever it raises is a failure of this table alone."""
    try:
        yield from _given_batches(table)
    except SourceError:
        raise
    except Exception as error:
        raise SourceError(table.id, f"{type(error).__name__}: {error}") from error


def _given_batches(table: Table) -> Iterator[list[pyarrow.Array]]:
    """The rows of a table, or the sample values that its statistics hold."""
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
    told = statistics.columns
    return [told[name].sample_values if name in told else () for name in table.column_names]


def _row_count(table: Table, rows: int) -> int | None:
    if table.statistics is not None:
        return table.statistics.row_count
    return None if table.source is None else rows


def _append(chunk: Chunk, table: Table, column_id: int, values: pyarrow.Array) -> None:
    try:
        chunk.append(column_id, values)
    except Exception as error:  # what a source takes for an array may be anything
        raise SourceError(table.id, f"{type(error).__name__}: {error}") from error
