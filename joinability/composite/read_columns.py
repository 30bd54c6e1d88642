"""Cells of some columns of stored tables, as they are read from where the rows are."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from joinability.cells import cell_arrays
from joinability.store.batches import column_batches

if TYPE_CHECKING:
    from joinability.arrays import Indices
    from joinability.composite.cell_hashes import Cells
    from joinability.schema import Table


@dataclass(frozen=True)
class ColumnReader:
    """Reads columns by their positions in the evidence.

    Attributes
    ----------
    table : (C,) array of int
        The table of each column.
    placed : mapping
        Number of a table to the table, and to the position of its first column.
    """

    table: Indices
    placed: Mapping[int, tuple[Table, int]]

    def cells(self, columns: Sequence[int]) -> Generator[list[Cells], None, None]:
        """The cells of some columns of one table, batch by batch."""
        table, first = self.placed[int(self.table[columns[0]])]
        for batch in column_batches(table, [column - first for column in columns]):
            yield [cell_arrays(values) for values in batch]

    @staticmethod
    def texts(cells: Cells) -> list[str | None]:
        """Cells as texts; whole numbers without a point."""
        texts: list[str | None] = cells[0].to_pylist()
        numbers: list[float | None] = cells[1].to_pylist()
        if not any(number is not None for number in numbers):
            return texts
        shown = [None if number is None else _shown(number) for number in numbers]
        return [number if text is None else text for text, number in zip(texts, shown, strict=True)]


def _shown(number: float) -> str:
    return f"{number:.0f}" if number.is_integer() else str(number)
