"""The values of tables on their way into the index file, while the tables are read."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from jar.index.known_values import LETTERS, MOST, PER_COLUMN, ValueStore, folded_words, is_telling, value_hash

if TYPE_CHECKING:
    import duckdb
    import pyarrow

COMPACT = 2_000_000
"""Values that wait before repeated ones are dropped."""

SCHEMA = "CREATE TABLE IF NOT EXISTS known_values (column_id INTEGER NOT NULL, hash UBIGINT NOT NULL, text VARCHAR)"


class ValueCollector:
    """Takes the short texts that a store reads, and keeps those that a question may name.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        An index that is written.
    kept : "off", "hashed" or "plain"
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, kept: ValueStore) -> None:
        self.connection, self.kept = connection, kept
        connection.execute(SCHEMA)
        self._waiting: list[pyarrow.Table] = []
        self._count = 0

    def take(self, texts: pyarrow.Table) -> None:
        """Take texts of columns: (column_id, value), each once, those to be preferred first."""
        import pyarrow as pa

        if self.kept == "off":
            return
        text_of: dict[tuple[int, int], str] = {}
        sizes: dict[int, int] = {}
        for column, text in zip(texts["column_id"].to_pylist(), texts["value"].to_pylist(), strict=True):
            if not LETTERS[0] <= len(text) <= LETTERS[1] or sizes.get(column, 0) >= PER_COLUMN:
                continue
            words = folded_words(text)
            key = (column, value_hash(words)) if is_telling(words) else None
            if key is not None and key not in text_of:
                text_of[key] = text
                sizes[column] = sizes.get(column, 0) + 1
        plain = list(text_of.values()) if self.kept == "plain" else [None] * len(text_of)
        self._waiting.append(
            pa.table(
                {
                    "column_id": pa.array([column for column, _ in text_of], pa.int32()),
                    "hash": pa.array([key for _, key in text_of], pa.uint64()),
                    "text": pa.array(plain, pa.string()),
                }
            )
        )
        self._count += len(text_of)
        if self._count > COMPACT:
            self._waiting = [self._compact(pa.concat_tables(self._waiting), [])]
            self._count = 0

    def write(self, failed: Collection[int]) -> None:
        """Write what was taken, but of columns of tables that could not be read to their end."""
        import pyarrow as pa

        if self._waiting:
            kept = self._compact(pa.concat_tables(self._waiting), failed)  # noqa: F841 - DuckDB finds it by its name
            self.connection.execute("INSERT INTO known_values SELECT column_id, hash, text FROM kept")
        self._waiting, self._count = [], 0

    def forget(self, column_ids: Collection[int]) -> None:
        """Delete the values of columns."""
        self.connection.execute("DELETE FROM known_values WHERE list_contains(?, column_id)", [list(column_ids)])

    def bound(self, most: int = MOST) -> None:
        """Keep at most `most` values, as many of each column as of every other one that has more, those of least hash.

        Column c with n_c values keeps min(n_c, L), with the greatest L such that sum_c min(n_c, L) <= most.
        """
        rows = self.connection.execute("SELECT count(*) FROM known_values GROUP BY column_id").fetchall()
        counts = sorted(int(row[0]) for row in rows)
        if sum(counts) <= most:
            return
        each, left = 0, most
        for place, count in enumerate(counts):
            share = left // (len(counts) - place)
            each = min(count, share)
            if count > share:
                break
            left -= count
        self.connection.execute(
            "DELETE FROM known_values WHERE rowid IN (SELECT row FROM (SELECT rowid AS row, row_number() OVER "
            "(PARTITION BY column_id ORDER BY hash) AS place FROM known_values) WHERE place > ?)",
            [each],
        )

    def _compact(self, values: pyarrow.Table, failed: Collection[int]) -> pyarrow.Table:
        """Each value of a column once, the `PER_COLUMN` of least hash."""
        return self.connection.sql(
            "SELECT column_id, hash, any_value(text) AS text FROM values WHERE NOT list_contains($failed, column_id) "
            "GROUP BY column_id, hash QUALIFY row_number() OVER (PARTITION BY column_id ORDER BY hash) <= $most",
            params={"failed": list(failed), "most": PER_COLUMN},
        ).to_arrow_table()
