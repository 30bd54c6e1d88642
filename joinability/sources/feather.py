"""Feather files, which are Arrow's own format (IPC), as files or as streams; read with pyarrow batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joinability.errors import SourceError
from joinability.paths import file_state, shown
from joinability.schema import Column, Table
from joinability.sources.frames import distinct_names, learnt_pandas_types, sql_type

if TYPE_CHECKING:
    import pyarrow

MAGIC = b"ARROW1"
"""How a file of Arrow's begins; a stream begins with its schema."""


@dataclass(frozen=True)
class FeatherSource:
    """The rows of one Feather file."""

    path: Path
    table_id: str

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`."""
        with _opened(self.path, self.table_id) as reader:
            for batch in _batches(reader):
                for start in range(0, batch.num_rows, size):
                    yield list(batch.slice(start, size).columns)

    def fingerprint(self) -> str:
        """Path, size and time of change of the file."""
        return file_state(self.path)


def feather_table(path: Path, database: str, name: str) -> Table:
    """Table of one file, with the types that it declares.

    Raises
    ------
    SourceError
        When the file is of another format (Feather's first version included), or cannot be opened.
    """
    with _opened(path, shown(path)) as reader:
        schema = reader.schema
    if learnt_pandas_types(schema):
        with _opened(path, shown(path)) as reader:
            schema = reader.schema
    names = distinct_names(schema.names)
    columns = tuple(Column(name, sql_type(field.type)) for name, field in zip(names, schema, strict=True))
    return Table(database, name, columns, source=FeatherSource(path, f"{database}.{name}"))


@contextmanager
def _opened(path: Path, source: str) -> Iterator[Any]:
    """A reader of a file or of a stream."""
    import pyarrow as pa
    from pyarrow import ipc

    try:
        with path.open("rb") as file:  # Arrow takes no path that is not UTF-8
            is_file = file.read(len(MAGIC)) == MAGIC
            file.seek(0)
            with ipc.open_file(file) if is_file else ipc.open_stream(file) as reader:
                yield reader
    except (OSError, pa.ArrowException) as error:
        raise SourceError(source, f"{error}; is it a Feather file of version 2, and whole? ({shown(path)})") from error


def _batches(reader: Any) -> Iterator[pyarrow.RecordBatch]:
    count = getattr(reader, "num_record_batches", None)
    if count is None:
        yield from reader
    else:
        yield from (reader.get_batch(number) for number in range(count))
