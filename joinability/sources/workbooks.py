"""Excel workbooks (.xlsx), read with python-calamine: a sheet is a table, its first full row holds the names.

A cell has the value that Excel has stored: a formula its last result, an error such as #N/A none. Excel keeps every
number as a float; one without a fraction is read as an integer, so that it prints as in other sources.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joinability.cells import column_array
from joinability.errors import SourceError
from joinability.paths import file_state, shown
from joinability.schema import Column, Table
from joinability.sources.frames import NUMBERED, distinct_names, row_numbers, sql_type

if TYPE_CHECKING:
    import pyarrow
    from python_calamine import CalamineWorkbook

COMPOUND_FILE = bytes.fromhex("d0cf11e0a1b11ae1")
"""How a workbook begins that a password protects: it lies encrypted in a file of an older format."""
EXACT_INTEGERS = 2**53
"""Up to here a float stands for one integer alone."""


@dataclass(frozen=True)
class SheetSource:
    """The rows of one sheet of a workbook."""

    path: Path
    table_id: str
    sheet: str
    note: str = ""

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`."""
        with _opened(self.path, self.table_id) as workbook:
            _, arrays, _ = _columns(workbook, self)
        for start in range(0, len(arrays[0]) if arrays else 0, size):
            yield [array.slice(start, size) for array in arrays]

    def fingerprint(self) -> str:
        """Path, size and time of change of the file."""
        return file_state(self.path)


def workbook_tables(path: Path, database: str) -> tuple[list[Table], list[tuple[str, str]]]:
    """Tables of all sheets with content, hidden ones included, and the (table id, cause) of those that cannot be read.

    Raises
    ------
    SourceError
        When the file cannot be opened, is damaged, or is protected by a password.
    """
    from python_calamine import SheetTypeEnum

    tables, failures = [], []
    with _opened(path, shown(path)) as workbook:
        for sheet in workbook.sheets_metadata:
            if sheet.typ != SheetTypeEnum.WorkSheet:  # charts and macros
                continue
            source = SheetSource(path, f"{database}.{sheet.name}", sheet.name)
            try:
                names, arrays, note = _columns(workbook, source)
            except SourceError as error:
                failures.append((error.source, error.cause))
                continue
            if names:
                columns = [Column(name, sql_type(array.type)) for name, array in zip(names, arrays, strict=True)]
                tables.append(Table(database, sheet.name, tuple(columns), source=replace(source, note=note)))
    if not tables and not failures:
        failures.append((shown(path), "no sheet has content"))
    return tables, failures


@contextmanager
def _opened(path: Path, source: str) -> Iterator[CalamineWorkbook]:
    """A workbook, open as long as its sheets are read."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        with path.open("rb") as file:  # not by its path, which may be no UTF-8
            if file.read(len(COMPOUND_FILE)) == COMPOUND_FILE:
                raise SourceError(source, f"a password protects it, or it is an old .xls file{_place(path, source)}")
            file.seek(0)
            yield CalamineWorkbook.from_filelike(file)
    except (OSError, CalamineError) as error:
        raise SourceError(source, f"{error}; is it an .xlsx file, and whole?{_place(path, source)}") from error


def _place(path: Path, source: str) -> str:
    """The file of a sheet; nothing where the source is the file."""
    return "" if source == shown(path) else f" ({shown(path)})"


def _columns(workbook: CalamineWorkbook, source: SheetSource) -> tuple[list[str], list[pyarrow.Array], str]:
    """Names and values of the columns of a sheet, and a note; rows and columns without content are left out, and what
    numbers the rows."""
    from python_calamine import CalamineError

    try:
        cells = workbook.get_sheet_by_name(source.sheet).to_python()
    except CalamineError as error:
        raise SourceError(source.table_id, f"{error} ({shown(source.path)})") from error
    rows = _from_names([row for row in cells if any(value != "" for value in row)])
    columns = [column for column in zip(*rows, strict=True) if any(value != "" for value in column)]
    named = ["" if cell == "" else str(_plain(cell)).strip() for cell, *_ in columns]
    numbers = row_numbers(named, lambda place: [str(_plain(cell)) for cell in columns[place][1:]])
    arrays = [column_array(list(map(_plain, column[1:]))) for column in columns[numbers:]]
    return distinct_names(named)[numbers:], arrays, NUMBERED if numbers else ""


def _from_names(rows: list[list[Any]]) -> list[list[Any]]:
    """The rows from that of the names on: the first with more than half as many values as the fullest, below titles."""
    filled = [sum(value != "" for value in row) for row in rows]
    return rows[next((place for place, count in enumerate(filled) if 2 * count > max(filled)), 0) :]


def _plain(cell: Any) -> Any:
    """The value of a cell: None for an empty one, an integer for a number without a fraction."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < EXACT_INTEGERS:
        return int(cell)
    return None if cell == "" else cell
