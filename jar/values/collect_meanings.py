"""The meanings of values on their way into the index file, while the tables are read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from jar.values.shares import greatest_share
from jar.values.value_meanings import DIMENSIONS, FEW, MEANINGS, chosen_values, in_steps, meaning_vectors

if TYPE_CHECKING:
    import duckdb

MOST = 200_000
"""Vectors that are kept of an index; beyond, the columns with most of them keep fewer."""
LOT = 1024
"""Texts whose vectors are computed at a time: 22 MB."""
REMEMBERED = 100_000
"""Texts whose vectors are remembered, for the next columns that have them."""


class MeaningCollector:
    """Takes the texts of columns, and keeps what those mean of which a column has few.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        An index that is written.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {MEANINGS} (column_id INTEGER NOT NULL, vectors BLOB NOT NULL)"
        )
        self._texts: dict[int, set[str]] = {}
        self._read: dict[str, bytes] = {}

    def take(self, column: int, texts: Iterable[str]) -> None:
        """Take texts of a column; it may have been given others before."""
        known = self._texts.setdefault(column, set())
        if len(known) <= FEW:
            known.update(texts)

    def write(self, failed: Collection[int]) -> None:
        """Write what was taken, but of some columns."""
        few = {column: texts for column, texts in self._texts.items() if len(texts) <= FEW and column not in failed}
        chosen = {column: values for column, texts in few.items() if (values := chosen_values(texts))}
        self._texts = {}
        if not chosen:
            return
        self._embed({text for values in chosen.values() for text in values})
        rows = [(column, b"".join(map(self._read.__getitem__, values))) for column, values in chosen.items()]
        self._insert(rows)
        if len(self._read) > REMEMBERED:
            self._read = {}

    def forget(self, column_ids: Collection[int]) -> None:
        """Delete those of columns."""
        self.connection.execute(f"DELETE FROM {MEANINGS} WHERE list_contains(?, column_id)", [list(column_ids)])

    def bound(self, most: int = MOST) -> None:
        """Keep at most so many vectors, as many of each column as of every other one that has more."""
        size = f"octet_length(vectors) // {DIMENSIONS}"
        counts = [int(count) for (count,) in self.connection.execute(f"SELECT {size} FROM {MEANINGS}").fetchall()]
        if sum(counts) > most:
            each = greatest_share(counts, most)
            larger = f"SELECT column_id, vectors FROM {MEANINGS} WHERE {size} > {each}"
            rows = self.connection.execute(larger).fetchall()
            self.connection.execute("BEGIN")
            self.forget([column for column, _ in rows])
            self._insert([(column, vectors[: each * DIMENSIONS]) for column, vectors in rows if each])
            self.connection.execute("COMMIT")

    def _embed(self, texts: Collection[str]) -> None:
        new = sorted(text for text in texts if text not in self._read)
        for start in range(0, len(new), LOT):
            lot = new[start : start + LOT]
            self._read |= zip(lot, map(bytes, in_steps(meaning_vectors(lot))), strict=True)

    def _insert(self, rows: Collection[tuple[int, bytes]]) -> None:
        import pyarrow as pa

        written = pa.table(  # noqa: F841 - DuckDB finds it by its name
            {
                "column_id": pa.array([column for column, _ in rows], pa.int32()),
                "vectors": pa.array([vectors for _, vectors in rows], pa.binary()),
            }
        )
        self.connection.execute(f"INSERT INTO {MEANINGS} SELECT column_id, vectors FROM written")
