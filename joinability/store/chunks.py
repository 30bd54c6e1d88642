"""Chunks of cells: the rows of many tables, or of a part of one, as one long Arrow table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from joinability.cells import cell_arrays, valid_text
from joinability.schema import ColumnStatistics, Table

if TYPE_CHECKING:
    import pyarrow

CHUNK_CELLS = 1_000_000
"""Cells after which a chunk is full."""
CHUNK_BYTES = 64 * 2**20
"""Bytes after which a chunk is full."""

NO_STATISTICS = ColumnStatistics()


class Chunk:
    """Cells (column id, text, number) and the columns that are complete with it."""

    def __init__(self) -> None:
        self.cells = 0
        self.bytes = 0
        self._ids: list[int] = []
        self._texts: list[pyarrow.Array] = []
        self._numbers: list[pyarrow.Array] = []
        self._columns: list[dict[str, object]] = []

    @property
    def is_full(self) -> bool:
        """Whether the chunk has reached its number of cells or bytes."""
        return self.cells >= CHUNK_CELLS or self.bytes >= CHUNK_BYTES

    @property
    def is_empty(self) -> bool:
        """Whether it holds neither cells nor columns."""
        return not self._ids and not self._columns

    def append(self, column_id: int, values: pyarrow.Array) -> None:
        """Add values of one column.

        Raises
        ------
        pyarrow.ArrowInvalid
            When a text is not UTF-8.
        """
        text, number = cell_arrays(values)
        text.validate(full=True)
        self._ids.append(column_id)
        self._texts.append(text)
        self._numbers.append(number)
        self.cells += len(values)
        self.bytes += text.nbytes + number.nbytes

    def describe(self, table: Table, first_id: int, rows: int | None) -> None:
        """Add the columns of a table that is complete, with its number of rows (None: only the schema is known)."""
        stated, (holder, name) = table.statistics, table.place
        for position, column in enumerate(table.columns):
            statistics = NO_STATISTICS if stated is None else stated.columns.get(column.name, NO_STATISTICS)
            self._columns.append(
                {
                    "column_id": first_id + position,
                    "table_id": table.id,
                    "database": holder,
                    "table_name": name,
                    "name": column.name,
                    "natural_name": column.natural_name and valid_text(column.natural_name),
                    "position": position,
                    "type": valid_text(column.type),
                    "family": column.family,
                    "is_key": table.primary_key == (column.name,),
                    "row_count": rows,
                    "stated": stated is not None,
                    "stated_null_fraction": statistics.null_fraction,
                    "stated_distinct": statistics.distinct,
                    "stated_uniqueness": statistics.uniqueness,
                    "stated_minimum": None if statistics.minimum is None else valid_text(str(statistics.minimum)),
                    "stated_maximum": None if statistics.maximum is None else valid_text(str(statistics.maximum)),
                }
            )

    def extend(self, other: Chunk) -> None:
        """Add all cells and columns of another chunk."""
        self.cells += other.cells
        self.bytes += other.bytes
        self._ids += other._ids
        self._texts += other._texts
        self._numbers += other._numbers
        self._columns += other._columns

    def cell_table(self) -> pyarrow.Table:
        """The cells as an Arrow table."""
        import pyarrow as pa

        lengths = [len(text) for text in self._texts]
        return pa.table(
            {
                "column_id": pa.array(np.repeat(np.array(self._ids, dtype=np.int32), lengths)),
                "text": pa.chunked_array(self._texts, type=pa.string()),
                "number": pa.chunked_array(self._numbers, type=pa.float64()),
            }
        )

    def column_table(self) -> pyarrow.Table:
        """The complete columns as an Arrow table."""
        import pyarrow as pa

        text, number = pa.string(), pa.float64()
        return pa.Table.from_pylist(
            self._columns,
            schema=pa.schema(
                [
                    ("column_id", pa.int32()),
                    ("table_id", text),
                    ("database", text),
                    ("table_name", text),
                    ("name", text),
                    ("natural_name", text),
                    ("position", pa.int32()),
                    ("type", text),
                    ("family", text),
                    ("is_key", pa.bool_()),
                    ("row_count", pa.int64()),
                    ("stated", pa.bool_()),
                    ("stated_null_fraction", number),
                    ("stated_distinct", pa.int64()),
                    ("stated_uniqueness", number),
                    ("stated_minimum", text),
                    ("stated_maximum", text),
                ]
            ),
        )
