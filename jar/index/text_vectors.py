"""The vectors of many texts, many of them alike: each distinct text once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.attributes import cached_property

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from jar.arrays import IntArray, Vectors

LOT = 8192
"""Vectors that are read at a time."""
ROW_ORDER = {"catalog_tables": "0", "catalog_columns": "position"}
"""What orders the rows of one table of the catalog."""


@dataclass(frozen=True, eq=False)
class TextVectors:
    """Unit vectors of n texts.

    Attributes
    ----------
    distinct : array (t, d)
        Of distinct texts, of others maybe, too.
    place : array (n,)
        The row of each text.
    """

    distinct: Vectors
    place: IntArray

    def __len__(self) -> int:
        return len(self.place)

    def __getitem__(self, texts: IntArray) -> Vectors:
        """The vectors of some texts, shape (m, d)."""
        return self.distinct[self.place[texts]]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """All of them, shape (n, d)."""
        return self.distinct[self.place].astype(np.float32 if dtype is None else dtype, copy=False)

    def cosines(self, vectors: Vectors) -> Vectors:
        """Products of m vectors and all texts, shape (m, n)."""
        used, place = self._used
        return np.asarray(vectors @ used.T)[:, place]

    @cached_property
    def _used(self) -> tuple[Vectors, IntArray]:
        """The distinct vectors of these texts, and which of them each text has."""
        used, place = np.unique(self.place, return_inverse=True)
        return self.distinct[used], place


def read_vectors(
    connection: duckdb.DuckDBPyConnection, dimension: int, texts: Sequence[tuple[str, str]]
) -> list[TextVectors]:
    """The vectors of some texts of an open index: of columns of its tables, in the order of their rows.

    Parameters
    ----------
    dimension : int
    texts : pairs (table, column)
        Of `catalog_tables` and `catalog_columns`.
    """
    distinct, rows = _distinct(connection, dimension)
    columns = " UNION ALL ".join(
        f'SELECT {number} AS number, table_id, {ROW_ORDER[table]} AS position, "{column}" AS text FROM "{table}"'
        for number, (table, column) in enumerate(texts)
    )
    placed = connection.execute(
        f"SELECT number, vectors.rowid AS row FROM ({columns}) AS told JOIN embeddings AS vectors USING (text) "
        f"ORDER BY number, table_id, position"
    ).fetchnumpy()
    place = np.searchsorted(rows, placed["row"]).astype(np.int64)
    starts = np.searchsorted(placed["number"], np.arange(len(texts) + 1))
    return [TextVectors(distinct, place[start:end]) for start, end in pairwise(starts)]


def _distinct(connection: duckdb.DuckDBPyConnection, dimension: int) -> tuple[Vectors, IntArray]:
    """The vectors (t, d) of an open index, and the numbers of their rows in it, ascending.

    They are read in the order in which the engine has them, which is that of the rows: to let it sort them takes as
    long again as to read them.
    """
    (count,) = connection.execute("SELECT count(*) FROM embeddings").fetchall()[0]
    vectors, rows = np.empty((count, dimension), dtype=np.float32), np.empty(count, dtype=np.int64)
    start = 0
    for batch in connection.sql("SELECT vector, rowid FROM embeddings").to_arrow_reader(LOT):
        end = start + batch.num_rows
        # Not `to_numpy`, which imports pandas on the way, and not `flatten`, which imports pyarrow.compute.
        flat = batch.column(0)
        first, last = flat.offset * dimension, (flat.offset + len(flat)) * dimension
        vectors[start:end] = np.from_dlpack(flat.values)[first:last].reshape(-1, dimension)
        rows[start:end] = np.from_dlpack(batch.column(1))
        start = end
    if np.any(rows[1:] < rows[:-1]):
        order = np.argsort(rows)
        vectors, rows = vectors[order], rows[order]
    return vectors, rows
