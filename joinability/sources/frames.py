"""Data frames: pandas, polars, pyarrow, and whatever else has the Arrow C stream interface."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from joinability.cells import PANDAS, UUID, cell_arrays, column_array, valid_text
from joinability.errors import CatalogError, SourceError
from joinability.schema import Column, Table

if TYPE_CHECKING:
    import pyarrow

NUMBERED = "what numbers its rows in front, as pandas writes it, is left out"
"""The note on a table without the columns that `row_numbers` tells."""
_ROW_NUMBERS = re.compile(r"|Unnamed: 0(\.\d+)*")
FINGERPRINT_ROWS = 65_536
"""Rows hashed at a time; fixed, so that a fingerprint does not depend on how the rows are read."""


@dataclass(frozen=True)
class FrameSource:
    """The rows of one frame, sliced and never copied as a whole."""

    frame: Any
    table_id: str
    note: str = ""

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`."""
        try:
            for start in range(0, len(self.frame), size):
                yield _arrays(self.frame, start, size)
        except Exception as error:  # a frame is foreign code: whatever it raises is a failure of this table alone
            raise SourceError(self.table_id, f"{type(error).__name__}: {error}") from error

    def fingerprint(self) -> str:
        """Hash of the contents, cell by cell."""
        import pyarrow as pa

        digest = hashlib.blake2b(digest_size=16)
        for columns in self.batches(FINGERPRINT_ROWS):
            for column in columns:
                cells = pa.record_batch(list(cell_arrays(column)), names=["text", "number"])
                digest.update(cells.serialize())
        return digest.hexdigest()


def named_frames(frames: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """Data frames with their ids.

    Raises
    ------
    CatalogError
        When they have no ids, or other ones than texts.
    """
    if not isinstance(frames, Mapping) or not all(isinstance(name, str) for name in frames):
        raise CatalogError('data frames are a mapping of ids to frames, such as {"shop.orders": orders}')
    return frames.items()


def frame_table(table_id: str, frame: Any) -> Table:
    """Table of one frame; an id without a dot belongs to the database "main".

    Raises
    ------
    SourceError
        When the object is not a frame, or the id is no name of a table.
    """
    try:
        return _frame_table(table_id, frame)
    except SourceError:
        raise
    except CatalogError as error:
        raise SourceError(table_id, str(error)) from error
    except Exception as error:  # a frame is foreign code: whatever it raises is a failure of this table alone
        raise SourceError(table_id, f"{type(error).__name__}: {error}") from error


def _frame_table(table_id: str, frame: Any) -> Table:
    database, _, name = table_id.rpartition(".")
    if hasattr(frame, "collect") and _library(frame) == "polars":
        frame = frame.collect()
    if not hasattr(frame, "column_names") and not hasattr(frame, "columns"):
        if not hasattr(frame, "__arrow_c_stream__") or _library(frame) in ("pandas", "polars"):  # a series
            raise SourceError(table_id, f"{type(frame).__name__} is not a pandas, polars or pyarrow frame")
        import pyarrow as pa

        frame = pa.table(frame)
    if _is_pandas(frame):
        frame = _with_named_index(frame)
    names, types = _schema(frame)
    columns = tuple(map(Column, distinct_names(names), types))
    table = Table(database or "main", name, columns)
    note = renamed_note(["" if name is None else str(name) for name in names])
    return replace(table, source=FrameSource(frame, table.id, note))


def _with_named_index(frame: Any) -> Any:
    """A frame of pandas with the named levels of its index as its first columns; others number rows."""
    levels = [place for place, name in enumerate(frame.index.names) if name is not None]
    return frame.reset_index(level=levels, allow_duplicates=True) if levels else frame


def distinct_names(names: Sequence[object]) -> list[str]:
    """Column names made unique and not empty: a second "a" becomes "a_2".

    Examples
    --------
    >>> distinct_names(["a", "a", "a_2", ""])
    ['a', 'a_2', 'a_2_2', 'column_4']
    """
    taken: set[str] = set()
    result = []
    for position, given in enumerate(names, start=1):
        text = "" if given is None else valid_text(str(given))
        name = text or f"column_{position}"
        unique, copy = name, 2
        while unique in taken:
            unique, copy = f"{name}_{copy}", copy + 1
        taken.add(unique)
        result.append(unique)
    return result


def row_numbers(names: Sequence[str], values_of: Callable[[int], Sequence[str]]) -> int:
    """How many columns in front only number the rows, as pandas writes those of a frame: without a name, or as
    `Unnamed: 0` where they were read and written again, they count from 0 or 1. All others have names.

    Parameters
    ----------
    values_of : callable
        From the place of a column to its values.

    Examples
    --------
    >>> columns = [["0", "1", "2"], ["York", "Hull", "Bath"]]
    >>> row_numbers(["", "city"], columns.__getitem__), row_numbers(["Unnamed: 0", "city"], columns.__getitem__)
    (1, 1)
    >>> row_numbers(["id", "city"], columns.__getitem__), row_numbers(["", "city"], columns[::-1].__getitem__)
    (0, 0)
    """
    count = next((place for place, name in enumerate(names) if not _ROW_NUMBERS.fullmatch(name)), len(names))
    if not all(names[count:]) or count == len(names) or "column_1" in names:
        return 0
    return count if all(_count_rows(values_of(place)) for place in range(count)) else 0


def _count_rows(values: Sequence[str]) -> bool:
    """Whether values are 0, 1, 2 and so on, or 1, 2, 3, two at least."""
    return len(values) > 1 and any(list(values) == [str(start + row) for row in range(len(values))] for start in (0, 1))


def renamed_note(names: Sequence[str]) -> str:
    """Which names occur twice, and what the second ones are called."""
    changed = [(old, new) for old, new in zip(names, distinct_names(names), strict=True) if old and old != new]
    return "; ".join(f"a further column {old!r} is called {new!r}" for old, new in changed)


def sql_type(type_: pyarrow.DataType) -> str:
    """SQL name of an Arrow type; "" where there is none."""
    import pyarrow.types as kind

    names = (
        (kind.is_boolean, "BOOLEAN"),
        (kind.is_integer, "BIGINT"),
        (kind.is_floating, "DOUBLE"),
        (kind.is_decimal, "DECIMAL"),
        (kind.is_date, "DATE"),
        (kind.is_timestamp, "TIMESTAMP"),
        (kind.is_time, "TIME"),
        (kind.is_duration, "INTERVAL"),
        (kind.is_string, "VARCHAR"),
        (kind.is_large_string, "VARCHAR"),
        (lambda other: str(other) == "string_view", "VARCHAR"),
        (kind.is_binary, "BLOB"),
        (kind.is_large_binary, "BLOB"),
        (lambda other: getattr(other, "extension_name", "") == UUID, "UUID"),
    )
    if kind.is_dictionary(type_):
        return sql_type(type_.value_type)
    return next((name for test, name in names if test(type_)), "")


def learnt_pandas_types(schema: pyarrow.Schema) -> bool:
    """Whether a file has types of pandas that Arrow does not know yet, and knows from now on.

    Else it would read the same file in another way once pandas has been imported.
    """
    names = ((field.metadata or {}).get(b"ARROW:extension:name", b"") for field in schema)
    if not any(name.startswith(PANDAS.encode()) for name in names):
        return False
    import pandas as pd
    import pyarrow as pa

    pa.array(pd.Series(pd.PeriodIndex([], freq="D")))  # which registers them
    return True


def _library(frame: Any) -> str:
    return type(frame).__module__.partition(".")[0]


def _is_pandas(frame: Any) -> bool:
    return _library(frame) == "pandas"


def _schema(frame: Any) -> tuple[list[object], list[str]]:
    if hasattr(frame, "schema") and hasattr(frame, "column_names"):  # pyarrow
        return list(frame.column_names), [sql_type(field.type) for field in frame.schema]
    if _is_pandas(frame):
        names = [" ".join(map(str, name)) if isinstance(name, tuple) else name for name in frame.columns]
        return names, [sql_type(array.type) for array in _arrays(frame, 0, 1000)]
    return list(frame.columns), [sql_type(array.type) for array in _arrays(frame, 0, 1000)]


def _arrays(frame: Any, start: int, size: int) -> list[pyarrow.Array]:
    if _is_pandas(frame):
        rows = frame.iloc[start : start + size]
        return [column_array(_dense(rows.iloc[:, position])) for position in range(rows.shape[1])]
    rows = frame.slice(start, size)
    table = rows.to_arrow() if hasattr(rows, "to_arrow") else rows
    return [_combined(table.column(position)) for position in range(table.num_columns)]


def _dense(column: Any) -> Any:
    """A column of pandas with the values that a sparse one leaves out."""
    return column.sparse.to_dense() if hasattr(column.dtype, "fill_value") else column


def _combined(column: Any) -> pyarrow.Array:
    return column.combine_chunks() if hasattr(column, "combine_chunks") else column
