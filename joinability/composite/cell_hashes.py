"""Hashes of cells in the order of the rows, equal for values that a join would find equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.equality import Equality

if TYPE_CHECKING:
    import duckdb
    import pyarrow
    from numpy.typing import NDArray

    from joinability.arrays import AnyArray, Flags

    Hashes = NDArray[np.uint64]
    Cells = tuple[pyarrow.Array, pyarrow.Array]

HASHES = """
SELECT
    CASE WHEN value IS NULL OR of_one_kind AND missing_word(value) THEN 0
        ELSE greatest({function}(value), 1) END AS hash
FROM (
    SELECT place, of_one_kind, CASE WHEN $ignore_zeros THEN without_zeros(cased) ELSE cased END AS value
    FROM (
        SELECT place, of_one_kind, CASE WHEN $ignore_case THEN lowered(plain) ELSE plain END AS cased
        FROM (SELECT place, of_one_kind, normalised(trimmed(text), number) AS plain FROM cells)
    )
)
ORDER BY place
"""
"""The hash of each cell in order, 0 where normalisation leaves no value."""


@dataclass(frozen=True)
class CellHasher:
    """Hashes cells in the connection of a store that has the macros of `sql/normalised.sql`.

    Attributes
    ----------
    connection : duckdb.DuckDBPyConnection
    of_one_kind : (C,) array of bool
        Columns in which words such as "N/A" are missing values.
    equality : Equality
    as_stored : bool
        The hashes of `column_values`, which take longer, in place of those that are compared with each other alone.
    """

    connection: duckdb.DuckDBPyConnection
    of_one_kind: Flags
    equality: Equality
    as_stored: bool = False

    def hashed(self, chunk: Mapping[int, Cells]) -> dict[int, tuple[Hashes, Flags]]:
        """The hash of each cell of some columns, and which cells have a value. Each distinct cell is hashed once."""
        import pyarrow as pa

        if not chunk:
            return {}
        coded = {column: _coded(*cells, bool(self.of_one_kind[column])) for column, cells in chunk.items()}
        cells = pa.concat_tables([distinct for distinct, _ in coded.values()])
        ends = np.cumsum([len(distinct) for distinct, _ in coded.values()])
        found = self._hashes(cells.append_column("place", pa.array(np.arange(len(cells)))))
        # The last hash of each column is for its cells without a value.
        known = [np.append(part, np.uint64(0)) for part in np.split(found, ends[:-1])]
        hashes = [part[places] for part, (_, places) in zip(known, coded.values(), strict=True)]
        return {column: (part, part != 0) for column, part in zip(coded, hashes, strict=True)}

    def _hashes(self, cells: pyarrow.Table) -> Hashes:  # DuckDB finds the table by its name
        query = HASHES.format(function="hashed" if self.as_stored else "hash")
        answer = self.connection.sql(query, params=dict(self.equality.parameters))
        return np.asarray(answer.to_arrow_table()["hash"].to_numpy())


def _coded(text: pyarrow.Array, number: pyarrow.Array, of_one_kind: bool) -> tuple[pyarrow.Table, AnyArray]:
    """The distinct cells of a column, and the place of each cell among them; -1 where it has no value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts, numbers = text.dictionary_encode(), number.dictionary_encode()
    no_text, no_number = pa.nulls(len(numbers.dictionary), pa.string()), pa.nulls(len(texts.dictionary), pa.float64())
    distinct = pa.table(
        {
            "text": pa.concat_arrays([texts.dictionary, no_text]),
            "number": pa.concat_arrays([no_number, numbers.dictionary]),
            "of_one_kind": pa.repeat(of_one_kind, len(texts.dictionary) + len(numbers.dictionary)),
        }
    )
    place = pc.coalesce(texts.indices, pc.add(numbers.indices, len(texts.dictionary)))
    return distinct, pc.fill_null(place, -1).to_numpy()
