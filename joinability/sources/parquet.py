"""Parquet files, read with pyarrow in batches of rows.

DuckDB's reader would not do: it turns decimals of more than 38 digits into floats, reads durations as integers, and
renames columns that differ in case alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from joinability.errors import SourceError
from joinability.paths import file_state, shown
from joinability.schema import Column, Table
from joinability.sources.frames import NUMBERED, distinct_names, learnt_pandas_types, sql_type

if TYPE_CHECKING:
    import pyarrow


ROW_LABELS = re.compile(r"__index_level_\d+__")
"""What pandas calls the index of a frame that has no name, as where rows were picked from another."""


@dataclass(frozen=True)
class ParquetSource:
    """The rows of one Parquet file."""

    path: Path
    table_id: str
    numbers: tuple[int, ...] = ()
    """Places of columns that number rows, and are left out."""

    @property
    def note(self) -> str:
        """What its reader has to know of the file, or ""."""
        return NUMBERED if self.numbers else ""

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`."""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            with self.path.open("rb") as stream, parquet.ParquetFile(stream) as file:
                for batch in file.iter_batches(batch_size=size):
                    yield [column for place, column in enumerate(batch.columns) if place not in self.numbers]
        except (OSError, pa.ArrowException) as error:
            raise SourceError(self.table_id, f"{error} ({shown(self.path)})") from error

    def fingerprint(self) -> str:
        """Path, size and time of change of the file."""
        return file_state(self.path)


def parquet_table(path: Path, database: str, name: str) -> Table:
    """Table of one file, with the types that it declares.

    Raises
    ------
    SourceError
        When the file is no Parquet file, or cannot be opened.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with path.open("rb") as stream:  # Arrow takes no path that is not UTF-8
            schema = parquet.read_schema(stream)
            if learnt_pandas_types(schema):
                stream.seek(0)
                schema = parquet.read_schema(stream)
    except (OSError, pa.ArrowException) as error:
        raise SourceError(shown(path), str(error)) from error
    numbers = tuple(
        place
        for place, field in enumerate(schema)
        if ROW_LABELS.fullmatch(field.name) and pa.types.is_integer(field.type) and len(schema) > 1
    )
    kept = [(field.name, sql_type(field.type)) for place, field in enumerate(schema) if place not in numbers]
    columns = tuple(map(Column, distinct_names([column for column, _ in kept]), [type_ for _, type_ in kept]))
    return Table(database, name, columns, source=ParquetSource(path, f"{database}.{name}", numbers))
