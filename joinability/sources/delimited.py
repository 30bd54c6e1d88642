"""CSV and TSV files, read with pyarrow: the first line holds the names, every value is kept as the text it is.

Titles and comments above the names are passed over where it is sure that they are none, and so are empty fields behind
the last name that all rows have (see `read_layout`).

Types are inferred from the beginning of the file and only shown: "007" stays "007", and a column that begins with
numbers may hold text further down. DuckDB's reader would not do: it takes a line of names with an unclosed quote for a
file without rows and an empty line for a missing value, and it refuses Windows-1252 and mixed line ends.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joinability.errors import SourceError
from joinability.paths import file_state, shown
from joinability.schema import Column, Table
from joinability.sources.frames import sql_type
from joinability.sources.text_file import Layout, is_utf_16, read_layout, recoded

if TYPE_CHECKING:
    import pyarrow

HEAD_BYTES = 64 * 2**10
"""Bytes from which names, the delimiter and types are read."""
LONGEST_LOOKED_AT = 16 * 2**20
"""Bytes at most until a first row ends, for types to be read from it."""
BLOCK_BYTES = 4 * 2**20
"""Bytes that pyarrow parses at a time; no row may be longer."""
PADDED = re.compile(rb"""[\s,;|"'+-]0\d""")
"""What a number with zeros before it looks like, wherever in a text."""
RAGGED = re.compile(r"Expected (\d+) columns, got (\d+): (.*)", re.DOTALL)
"""What Arrow says of a row that is longer or shorter than that of the names."""
NAMED = 3
"""Names of the first row that a message has."""
STATED = re.compile(rb"\A(?:\xef\xbb\xbf)?[\r\n]*sep=([\t -~])\r?\n", re.IGNORECASE)
"""A first line that says what the delimiter is."""


@dataclass(frozen=True)
class DelimitedSource:
    """The rows of one CSV or TSV file; whether their types are told by its first rows, or by a script."""

    path: Path
    table_id: str
    layout: Layout
    infers_types: bool = True

    @property
    def note(self) -> str:
        """What its reader has to know of the file, or ""."""
        return self.layout.note

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`, text that is not UTF-8 read as Windows-1252."""
        import pyarrow as pa

        kept = self.layout.columns
        try:
            with _opened(self.path) as stream:
                for batch in self._parsed(stream):
                    for start in range(0, batch.num_rows, size):
                        yield [_decoded(column) for column in batch.slice(start, size).columns[kept]]
        except (OSError, pa.ArrowException) as error:
            raise SourceError(self.table_id, f"{_explained(error, self.layout)} ({shown(self.path)})") from error

    def check(self) -> None:
        """Read all rows, and keep none.

        Raises
        ------
        SourceError
            When they cannot be read so.
        """
        for _ in self.batches(BLOCK_BYTES):
            pass

    def fingerprint(self) -> str:
        """Path, size and time of change of the file."""
        return file_state(self.path)

    def _parsed(self, stream: Any) -> Iterator[pyarrow.RecordBatch]:
        """Batches of all rows.

        Arrow ends an unclosed quoted value at the end of the file without an error. So one more row is appended here.

        Raises
        ------
        SourceError
            When the appended row does not come back: it was read as part of a quoted value. When a row has a value
            where the others end.
        """
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        fields = self.layout.fields
        batches = arrow_csv.open_csv(
            Marked(stream, b"\n" + self.layout.delimiter.encode().join([b'""'] * len(fields))),
            **self.layout.options(block_size=BLOCK_BYTES),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(fields, pa.binary()),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
        last = None
        for batch in batches:
            if batch.num_rows:
                if any(_has_values(column) for column in batch.columns[self.layout.columns.stop :]):
                    named = self.layout.names[-1]
                    cause = f"a row has a value behind that of {named!r}, the last name of the first row"
                    raise SourceError(self.table_id, f"{cause} ({shown(self.path)})")
                if last is not None:
                    yield last
                last = batch
        if last is None or any(column[-1].as_py() != b"" for column in last.columns):
            raise SourceError(self.table_id, f"a quoted value is never closed ({shown(self.path)})")
        yield last.slice(0, last.num_rows - 1)


class Marked(io.RawIOBase):
    """The bytes of a stream from its first row on, followed by a mark."""

    def __init__(self, stream: Any, mark: bytes) -> None:
        self._stream = stream
        self._mark = io.BytesIO(mark)
        self._is_begun = False

    def readable(self) -> bool:
        """As Arrow asks for it."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Up to so many bytes; none at the end."""
        chunk = bytes(self._stream.read(size))
        while chunk and not self._is_begun:
            chunk = _begun(chunk)
            self._is_begun = bool(chunk)
            chunk = chunk or bytes(self._stream.read(size))
        return chunk or self._mark.read(size)


def csv_table(path: Path, database: str, name: str) -> Table:
    """Table of one CSV file; see `_table`."""
    return _table(path, database, name, None)


def tsv_table(path: Path, database: str, name: str) -> Table:
    """Table of one TSV file, whose delimiter is the tab unless it states another; see `_table`."""
    return _table(path, database, name, "\t")


def _table(path: Path, database: str, name: str, delimiter: str | None) -> Table:
    """Table of one file.

    A line ``sep=;`` before the names states the delimiter; otherwise it is the given one, else the most frequent
    candidate in the line of names.

    Raises
    ------
    SourceError
        When the file cannot be opened, or is neither UTF-8 nor a text of single bytes.
    """
    import pyarrow as pa

    try:
        with _opened(path) as stream:
            head, is_whole, stated = _head(stream)
    except (OSError, pa.ArrowException) as error:
        raise SourceError(shown(path), str(error)) from error
    text = _text(head if is_whole else head[: head.rfind(b"\n") + 1] or head)
    if "\0" in text.partition("\n")[0]:
        raise SourceError(
            shown(path), "it is UTF-16 without a byte order mark, or a NUL byte is among its names; save it as UTF-8"
        )
    try:
        layout = read_layout(text, is_whole, stated or delimiter)
    except ValueError as error:
        raise SourceError(shown(path), str(error)) from error
    source = DelimitedSource(path, f"{database}.{name}", layout)
    if layout.is_named and layout.surplus and not is_whole:
        try:
            source.check()
        except SourceError:
            layout = replace(layout, names=tuple(layout.fields[layout.numbers :]), surplus=0)
            source = replace(source, layout=layout)  # or the same error comes when it is read
    columns = tuple(map(Column, layout.names, _inferred(head, is_whole, layout)))
    return Table(database, name, columns, source=source)


def _head(stream: Any) -> tuple[bytes, bool, str]:
    """The beginning of a file, whether it is the whole file, and the delimiter that it states ("" if none).

    It includes the whole first line, unless that is longer than a row may be, and a row by which types are read, unless
    that is too long to look at.
    """
    head, stated = b"", ""
    while True:
        asked = max(HEAD_BYTES, len(head))
        more = bytes(stream.read(asked))
        head += more
        if statement := STATED.match(head):
            stated = statement[1].decode("ascii")
        head = _begun(head)
        most = LONGEST_LOOKED_AT if b"\n" in head else BLOCK_BYTES
        if len(more) < asked or head.count(b"\n") > 1 or len(head) >= most:
            return head, len(more) < asked, stated


def _begun(beginning: bytes) -> bytes:
    """The beginning of a file without a byte order mark, a statement of the delimiter and empty lines before the first
    row."""
    return STATED.sub(b"", beginning).removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")


def _explained(error: Exception, layout: Layout) -> str:
    """What an error of Arrow means for the file."""
    if "straddling" in str(error):
        return f"a quoted value is never closed, or a row is longer than {BLOCK_BYTES // 2**20} MB"
    if ragged := RAGGED.search(str(error)):
        named, found, row = ragged.groups()
        first = ", ".join(map(repr, layout.names[:NAMED])) + (", ..." if len(layout.names) > NAMED else "")
        return (
            f"a row has {found} values, but the first row names {named} ({first}): {row.rstrip()} (the first row has "
            f"to hold the names of the columns, a value with the delimiter in it stands in quotes, and each quote is "
            f"closed)"
        )
    return str(error)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The bytes of a file, decompressed; opened by Python, for Arrow takes no path that is not UTF-8."""
    import pyarrow as pa

    compression = "gzip" if path.suffix.lower() == ".gz" else None
    with path.open("rb") as file, pa.input_stream(file, compression=compression) as stream:
        yield recoded(stream) if is_utf_16(path) else stream


def _inferred(head: bytes, is_whole: bool, layout: Layout) -> list[str]:
    """Types of the columns by the first rows; unknown where these cannot be parsed (reading then raises the error)."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    rows = head if is_whole else head[: head.rfind(b"\n") + 1]
    try:
        read = arrow_csv.read_csv(
            pa.BufferReader(rows),
            **layout.options(use_threads=False, block_size=max(len(rows), 1)),
            convert_options=arrow_csv.ConvertOptions(check_utf8=False, include_columns=list(layout.names)),
        )
        codes = _codes(read, rows, layout)
    except pa.ArrowException:
        return [""] * len(layout.names)
    return ["VARCHAR" if field.name in codes else sql_type(field.type) if len(read) else "" for field in read.schema]


def _codes(read: pyarrow.Table, rows: bytes, layout: Layout) -> set[str]:
    """The columns that read as numbers and are none: of a number, the zeros before it would be lost."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv as arrow_csv

    numbers = [
        field.name for field in read.schema if pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
    ]
    if not numbers or PADDED.search(rows) is None:
        return set()
    texts = arrow_csv.read_csv(
        pa.BufferReader(rows),
        **layout.options(use_threads=False, block_size=max(len(rows), 1)),
        convert_options=arrow_csv.ConvertOptions(
            check_utf8=False, include_columns=numbers, column_types=dict.fromkeys(numbers, pa.string())
        ),
    )
    return {name for name in numbers if pc.any(pc.match_substring_regex(texts[name], r"^\s*[+-]?0\d")).as_py()}


def _has_values(column: pyarrow.Array) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.not_equal(column, b"")).as_py())


def _decoded(column: pyarrow.Array) -> pyarrow.Array:
    import pyarrow as pa

    try:
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([None if value is None else _text(value) for value in column.to_pylist()], type=pa.string())


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")
