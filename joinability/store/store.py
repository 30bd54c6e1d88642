"""The evidence kept in DuckDB: profiles, value hashes and overlaps of columns, in the connection of the caller.

The rows of many tables are streamed into chunks of cells (column id, text or number); one statement finds the distinct
values of a chunk, so that neither the number of tables nor their size shows in memory. A table that does not fit in
one chunk waits in temporary tables until its last row is read. The store opens no transaction: a caller that wants all
or nothing opens one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from joinability.equality import Equality
from joinability.errors import SourceError, StoreVersionError
from joinability.schema import Table
from joinability.sources.databases import DatabaseSource
from joinability.statements import sql
from joinability.store.batches import append, row_count, table_batches
from joinability.store.chunks import Chunk
from joinability.store.engine_counts import sources_of, verify_overlaps
from joinability.store.overlaps import OverlapCount, OverlapLimits, count_overlaps

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from joinability.evidence.evidence import JoinEvidence

SAMPLES = 5
"""Values of a column that are kept as text."""
SKETCH = 256
"""Values of least hash that are kept of a column whose rows stay with their engine."""
SKETCH_SHARE = "1"
"""Values whose hash, as text, is less than this are kept as well: one in sixteen."""

SHORT_TEXTS = {"shortest": 3, "longest": 80, "most": 10_000}
"""Letters of the texts that are handed on, and how many of a column."""


class EvidenceStore:
    """Profiles, values and overlaps in the tables `profiles`, `column_values`, `column_overlaps` and `declared_keys`.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Owned by the caller.
    memory_limit : str, optional
        What DuckDB may use, such as "512MB"; beyond it, it spills to disk.
    temp_directory : path, optional
        Where it spills; by default beside the file of the database, for one in memory `.tmp` in the working directory.
    limits : OverlapLimits, optional
        What a count of overlaps may cost before sketches go first.
    ignore_case : bool
        Take values that differ in case alone for one; the same for all tables of a store.
    ignore_zeros : bool
        Take whole numbers that differ in leading zeros alone for one, `007` for `7`; likewise.
    on_texts : callable, optional
        Called, while tables are read, with the distinct short texts of their columns as an Arrow table
        (column_id, value), at most 10,000 of a column at a time. Of a table that stays with its engine they are those
        of its sketches. Nothing of them is kept here; a large table may give a text several times, and one that cannot
        be read to its end may have given some before.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        *,
        memory_limit: str | None = None,
        temp_directory: str | os.PathLike[str] | None = None,
        limits: OverlapLimits | None = None,
        ignore_case: bool = False,
        ignore_zeros: bool = False,
        on_texts: Callable[[pyarrow.Table], None] | None = None,
    ) -> None:
        self.connection = connection
        self.on_texts = on_texts
        self.limits = limits or OverlapLimits()
        self.equality = Equality(ignore_case, ignore_zeros)
        self._sources: dict[int, tuple[DatabaseSource, int]] = {}
        if memory_limit is not None:
            connection.execute("SET memory_limit = ?", [memory_limit])
        if temp_directory is not None:
            connection.execute("SET temp_directory = ?", [os.fspath(temp_directory)])

    def create(self) -> None:
        """Create the tables where they do not exist.

        Raises
        ------
        StoreVersionError
            When the connection has tables of another version; nothing is changed.
        """
        present = _profile_columns(self.connection)
        if present and present != _expected_columns():
            raise StoreVersionError(
                "the tables of this connection were made by another version of the package: read the tables of the "
                "catalog into a new file"
            )
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
        gone = list(column_ids)
        self._delete(_id_table(gone))
        for column_id in gone:
            self._sources.pop(column_id, None)

    def update_overlaps(
        self, changed_column_ids: Iterable[int] | None = None, tables: Iterable[tuple[Table, int]] | None = None
    ) -> OverlapCount:
        """Count the common values of all pairs of columns of different tables.

        For two tables that one engine holds, that engine counts the common values where their sketches give only an
        estimate. Where the engines differ, the estimate stays, with its standard error in `overlap_errors`.

        Parameters
        ----------
        changed_column_ids : iterable of int, optional
            Columns added since the last call: only their pairs are counted. All pairs by default.
        tables : iterable of (Table, int), optional
            The tables, each with the id of its first column, whose engines may be asked; by default those that this
            object has added.
        """
        ids = None if changed_column_ids is None else _id_table(changed_column_ids)
        counted = count_overlaps(self.connection, ids, self.limits)
        sources = self._sources if tables is None else sources_of(list(tables))
        return replace(counted, failures=tuple(verify_overlaps(self.connection, sources, equality=self.equality)))

    def load(self, column_ids: Sequence[int] | None = None) -> JoinEvidence:
        """The evidence as arrays, in the order of `column_ids` (by default all columns, by id).

        Raises
        ------
        KeyError
            When a column was never added.
        """
        from joinability.store.loading import load_evidence

        return load_evidence(self.connection, column_ids)

    def _read(self, table: Table, first_id: int, group: Chunk) -> None:
        """Read one table into the group, or, when it is large, straight into the database."""
        if isinstance(table.source, DatabaseSource) and table.statistics is None:
            self._keep_remote(table, first_id, table.source)
            return
        chunk, rows, is_large = Chunk(), 0, False
        try:
            for batch in table_batches(table):
                rows += len(batch[0]) if batch else 0
                for position, values in enumerate(batch):
                    append(chunk, table, first_id + position, values)
                if chunk.is_full:
                    is_large = True
                    self._set_aside(chunk)
                    chunk = Chunk()
            chunk.describe(table, first_id, row_count(table, rows))
            if is_large:
                self._set_aside(chunk)
                self._keep_large(chunk)
            else:
                group.extend(chunk)
        finally:
            if is_large:
                for name in ("large_values", "large_parts", "large_words"):
                    self.connection.execute(f"DROP TABLE IF EXISTS {name}")
        self._keep_keys(table, first_id)

    def _set_aside(self, chunk: Chunk) -> None:
        fresh, words = self._values(chunk.cell_table())
        self._hand_on(fresh)
        self._insert_large(fresh, self._parts(fresh), words)

    def _keep_large(self, chunk: Chunk) -> None:
        set_aside = self.connection.sql(
            "SELECT column_id, value, hash, CAST(sum(occurrences) AS BIGINT) AS occurrences,"
            " CAST(sum(padded) AS BIGINT) AS padded FROM large_words GROUP BY column_id, value, hash"
        ).to_arrow_table()
        words = self._true_words(set_aside, self.connection.sql("FROM large_parts").to_arrow_table())
        self._hand_on(words)
        self._insert_large(words, self._parts(words), words.slice(0, 0))
        self.connection.execute(
            "INSERT INTO column_values"
            " SELECT column_id, hash, sum(occurrences) FROM large_values GROUP BY column_id, hash"
        )
        parts = self.connection.sql("FROM large_parts").to_arrow_table()
        counted = self.connection.sql(
            "SELECT column_id, count(*) AS value_count FROM column_values"
            " WHERE column_id IN (SELECT column_id FROM large_parts) GROUP BY column_id"
        ).to_arrow_table()
        self._insert_profiles(chunk.column_table(), self._merged(parts, counted))

    def _keep_remote(self, table: Table, first_id: int, source: DatabaseSource) -> None:
        """Keep the profiles and sketches that the engine of a table computes; the rows stay there."""
        chunk = Chunk()
        chunk.describe(table, first_id, source.row_count())
        parts = self._received(source.parts(first_id, SKETCH, SKETCH_SHARE, equality=self.equality))
        self._insert_profiles(chunk.column_table(), self._merged(parts, _counts()))
        self._hand_on(parts.select(["column_id", "minimum", "hash"]).rename_columns(["column_id", "value", "hash"]))
        self._insert_sketches(parts)
        self._sources |= sources_of([(table, first_id)])
        self._keep_keys(table, first_id)

    def _keep(self, group: Chunk) -> None:
        import pyarrow as pa

        if not group.is_empty:
            fresh, words = self._values(group.cell_table())
            parts = self._parts(fresh)
            if len(words):
                words = self._true_words(words, parts)
                fresh, parts = pa.concat_tables([fresh, words]), pa.concat_tables([parts, self._parts(words)])
            self._hand_on(fresh)
            self._insert_profiles(group.column_table(), self._merged(parts, _counts()))
            self._insert_values(fresh)

    # DuckDB finds the tables of the following statements by name among the parameters of the method that runs them.
    # Registered views and temporary tables would not do: both live on, once dropped, to the end of the caller's
    # transaction, and with them every chunk ever read.

    def _values(self, cells: pyarrow.Table) -> tuple[pyarrow.Table, pyarrow.Table]:
        """The distinct values of cells, and apart from them those that may stand for missing ones."""
        import pyarrow.compute as pc

        spelled = self.connection.sql(sql("values"), params=dict(self.equality.parameters)).to_arrow_table()
        is_word, values = spelled["is_word"], spelled.drop_columns("is_word")
        if not pc.any(is_word).as_py():
            return values, values.slice(0, 0)
        return values.filter(pc.invert(is_word)), values.filter(is_word)

    def _true_words(self, words: pyarrow.Table, read_parts: pyarrow.Table) -> pyarrow.Table:
        """Of the words for missing values those that are values, by the parts of all other values of their columns."""
        return self.connection.sql(sql("true_words")).to_arrow_table()

    def _hand_on(self, fresh: pyarrow.Table) -> None:
        if self.on_texts is not None:
            self.on_texts(self.connection.sql(sql("short_texts"), params=SHORT_TEXTS).to_arrow_table())

    def _parts(self, fresh: pyarrow.Table) -> pyarrow.Table:
        return self.connection.sql(sql("parts"), params={"kept": SAMPLES, "below": 0}).to_arrow_table()

    def _merged(self, read_parts: pyarrow.Table, counted: pyarrow.Table) -> pyarrow.Table:
        return self.connection.sql(sql("merged_parts")).to_arrow_table()

    def _received(self, sent: pyarrow.Table) -> pyarrow.Table:
        return self.connection.sql(sql("remote_parts")).to_arrow_table()

    def _insert_sketches(self, read_parts: pyarrow.Table) -> None:
        self.connection.execute(
            "INSERT INTO column_values SELECT column_id, hash, filled FROM read_parts WHERE hash NOT NULL"
        )
        self.connection.execute(sql("sketches"))

    def _insert_values(self, fresh: pyarrow.Table) -> None:
        self.connection.execute("INSERT INTO column_values SELECT column_id, hash, occurrences FROM fresh")

    def _insert_profiles(self, described: pyarrow.Table, counted: pyarrow.Table) -> None:
        self.connection.execute(sql("profiles"))

    def _insert_large(self, fresh: pyarrow.Table, read_parts: pyarrow.Table, words: pyarrow.Table) -> None:
        self.connection.execute(sql("large"))
        self.connection.execute("INSERT INTO large_values SELECT column_id, hash, occurrences FROM fresh")
        self.connection.execute("INSERT INTO large_parts FROM read_parts")
        self.connection.execute("INSERT INTO large_words FROM words")

    def _delete(self, changed: pyarrow.Table) -> None:
        for table in ("profiles", "column_values", "sketches", "declared_keys"):
            self.connection.execute(f"DELETE FROM {table} WHERE column_id IN (SELECT column_id FROM changed)")
        sides = {"column_overlaps": ("left_id", "right_id"), "overlap_errors": ("left_id", "right_id")}
        for table, (one, other) in (sides | {"overlap_rows": ("child_id", "parent_id")}).items():
            self.connection.execute(
                f"DELETE FROM {table} WHERE {one} IN (SELECT column_id FROM changed)"
                f" OR {other} IN (SELECT column_id FROM changed)"
            )

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


def _profile_columns(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Names of the columns of the profiles; none where there are no profiles yet."""
    there = connection.execute(
        "SELECT 1 FROM duckdb_tables() WHERE table_name = 'profiles' AND database_name = current_database()"
        " AND schema_name = current_schema()"
    ).fetchone()
    described = connection.execute("SELECT * FROM profiles LIMIT 0").description if there else None
    return [name for name, *_ in described or ()]


@cache
def _expected_columns() -> list[str]:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("schema"))
        return _profile_columns(connection)


def _counts() -> pyarrow.Table:
    """An empty table of counts: the counts of the parts are used."""
    import pyarrow as pa

    return pa.table({"column_id": pa.array([], type=pa.int32()), "value_count": pa.array([], type=pa.int64())})


def _id_table(column_ids: Iterable[int]) -> pyarrow.Table:
    import pyarrow as pa

    return pa.table({"column_id": pa.array(column_ids, type=pa.int32())})
