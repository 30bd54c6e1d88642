"""The vectors of many texts, many of them alike: each distinct text once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.attributes import cached_property

if TYPE_CHECKING:
    import duckdb

    from jar.arrays import IntArray, Vectors


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


class StoredVectors:
    """The vectors of an open index, each read once."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, dimension: int) -> None:
        self._connection = connection
        rows = connection.sql("SELECT vector FROM embeddings ORDER BY rowid").to_arrow_table()
        # Not `to_numpy`, which imports pandas on the way, and not `flatten`, which imports pyarrow.compute.
        flat = np.from_dlpack(rows["vector"].combine_chunks().values)
        self._vectors = np.ascontiguousarray(flat.reshape(-1, dimension))

    def of(self, table: str, text: str, order: str) -> TextVectors:
        """Those of the texts of a table, in order."""
        rows = self._connection.execute(
            f'SELECT place FROM "{table}" JOIN (SELECT text, row_number() OVER (ORDER BY rowid) - 1 AS place '
            f'FROM embeddings) AS vectors ON vectors.text = "{table}"."{text}" ORDER BY {order}'
        ).fetchnumpy()
        return TextVectors(self._vectors, np.asarray(rows["place"], dtype=np.int64))
