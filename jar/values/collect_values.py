"""The values of tables on their way into the index file, while the tables are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from jar.text.word_runs import folded_words
from jar.values.collect_meanings import MeaningCollector
from jar.values.known_values import (
    LETTERS,
    MOST,
    MOST_WORDS,
    PER_COLUMN,
    STARTS,
    WHOLE_VALUES,
    WORDS,
    ValueStore,
    is_address,
    is_telling,
    starts,
    value_hash,
    words_within,
)
from jar.values.shares import greatest_share

if TYPE_CHECKING:
    import duckdb
    import pyarrow

COMPACT = 2_000_000
"""Values that wait before repeated ones are dropped."""


class ValueCollector:
    """Takes the short texts that a store reads, and keeps those that a question may name, how they begin, and what they
    mean.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        An index that is written.
    kept : "off", "hashed" or "plain"
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, kept: ValueStore) -> None:
        self.kept = kept
        self._whole, self._starts, self._words = (
            _Waiting(connection, table) for table in (WHOLE_VALUES, STARTS, WORDS)
        )
        self._meanings = MeaningCollector(connection)

    def take(self, texts: pyarrow.Table) -> None:
        """Take texts of columns: (column_id, value), each once, those to be preferred first."""
        if self.kept == "off":
            return
        text_of: dict[tuple[int, int], str | None] = {}
        beginnings: dict[tuple[int, int], None] = {}
        within: dict[int, dict[str, None]] = {}
        sizes: dict[int, int] = {}
        given: dict[int, list[str]] = {}
        for column, text in zip(texts["column_id"].to_pylist(), texts["value"].to_pylist(), strict=True):
            given.setdefault(column, []).append(text)
            if not LETTERS[0] <= len(text) <= LETTERS[1] or sizes.get(column, 0) >= PER_COLUMN:
                continue
            words = folded_words(text)
            if len(known := within.setdefault(column, {})) <= MOST_WORDS and not is_address(text):
                known |= dict.fromkeys(words_within(words))
            key = (column, value_hash(words)) if is_telling(words) else None
            if key is not None and key not in text_of:
                text_of[key] = text if self.kept == "plain" else None
                sizes[column] = sizes.get(column, 0) + 1
                beginnings |= {(column, value_hash(start)): None for start in starts(words)}
        for column, own in given.items():
            self._meanings.take(column, own)
        self._whole.take(text_of)
        self._starts.take(beginnings)
        self._words.take({(column, value_hash([word])): None for column, known in within.items() for word in known})

    def write(self, failed: Collection[int]) -> None:
        """Write what was taken, but of columns of tables that could not be read to their end."""
        self._whole.write(failed)
        self._starts.write(failed)
        self._words.write(failed)
        self._meanings.write(failed)

    def forget(self, column_ids: Collection[int]) -> None:
        """Delete the values of columns."""
        self._whole.forget(column_ids)
        self._starts.forget(column_ids)
        self._words.forget(column_ids)
        self._meanings.forget(column_ids)

    def bound(self, most: int = MOST) -> None:
        """Keep at most `most` values, as many of each column as of every other one that has more, those of least hash.

        Column c with n_c values keeps min(n_c, L), with the greatest L such that sum_c min(n_c, L) <= most. The same
        holds for the beginnings and for the words; of columns with more than `MOST_WORDS` words none stays.
        """
        self._words.keep_few(MOST_WORDS)
        for texts in (self._whole, self._starts, self._words):
            texts.bound(most)
        self._meanings.bound()


class _Waiting:
    """Hashed texts on their way into a table of the file."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, table: str) -> None:
        self.connection, self.table = connection, table
        columns = "column_id INTEGER NOT NULL, hash UBIGINT NOT NULL, text VARCHAR"
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")
        self._rows: list[pyarrow.Table] = []
        self._count = 0

    def take(self, text_of: Mapping[tuple[int, int], str | None]) -> None:
        """Take texts, or None where they are not kept, by column and hash."""
        import pyarrow as pa

        self._rows.append(
            pa.table(
                {
                    "column_id": pa.array([column for column, _ in text_of], pa.int32()),
                    "hash": pa.array([key for _, key in text_of], pa.uint64()),
                    "text": pa.array(list(text_of.values()), pa.string()),
                }
            )
        )
        self._count += len(text_of)
        if self._count > COMPACT:
            self._rows = [self._compact(pa.concat_tables(self._rows), [])]
            self._count = 0

    def write(self, failed: Collection[int]) -> None:
        """Write what was taken, but of some columns; in the order in which it is read."""
        import pyarrow as pa

        if self._rows:
            kept = self._compact(pa.concat_tables(self._rows), failed)  # noqa: F841 - DuckDB finds it by its name
            self.connection.execute(
                f"INSERT INTO {self.table} SELECT column_id, hash, text FROM kept ORDER BY hash, column_id"
            )
        self._rows, self._count = [], 0

    def forget(self, column_ids: Collection[int]) -> None:
        """Delete those of columns."""
        self.connection.execute(f"DELETE FROM {self.table} WHERE list_contains(?, column_id)", [list(column_ids)])

    def keep_few(self, most: int) -> None:
        """Delete those of columns with more than so many."""
        self.connection.execute(
            f"DELETE FROM {self.table} WHERE column_id IN "
            f"(SELECT column_id FROM {self.table} GROUP BY column_id HAVING count(*) > ?)",
            [most],
        )

    def bound(self, most: int) -> None:
        """Keep at most so many of all columns."""
        rows = self.connection.execute(f"SELECT count(*) FROM {self.table} GROUP BY column_id").fetchall()
        counts = [int(row[0]) for row in rows]
        if sum(counts) <= most:
            return
        self.connection.execute(
            f"DELETE FROM {self.table} WHERE rowid IN (SELECT row FROM (SELECT rowid AS row, row_number() OVER "
            f"(PARTITION BY column_id ORDER BY hash) AS place FROM {self.table}) WHERE place > ?)",
            [greatest_share(counts, most)],
        )

    def _compact(self, values: pyarrow.Table, failed: Collection[int]) -> pyarrow.Table:
        """Each text of a column once, the `PER_COLUMN` of least hash."""
        return self.connection.sql(
            "SELECT column_id, hash, any_value(text) AS text FROM values WHERE NOT list_contains($failed, column_id) "
            "GROUP BY column_id, hash QUALIFY row_number() OVER (PARTITION BY column_id ORDER BY hash) <= $most",
            params={"failed": list(failed), "most": PER_COLUMN},
        ).to_arrow_table()
