"""Files of text that people write with any program: UTF-8, or UTF-16 with its mark at the beginning.

Of rows of delimited values, how they lie in such a text: what stands above the names, and behind them.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from joinability.errors import SourceError
from joinability.paths import shown
from joinability.sources.frames import NUMBERED, distinct_names, renamed_note, row_numbers

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
DELIMITERS = ",;\t|"
NUMBER = re.compile(r"\s*[-+]?\d[\d.,:/-]*\s*")
"""A number, a date or a time: no name of a column."""
LINE_END = re.compile("\r\n|\r|\n")
COMMENT = "#"
"""How a line begins that is certainly no row of names, where the rows below have another number of values."""
QUOTED = 40
"""Letters of a line that a message quotes."""
CHUNK = 2**16
"""Bytes that are recoded at a time."""


Record = tuple[int, list[str]]
"""How many lines stand before a row, and its values."""


@dataclass(frozen=True)
class Layout:
    """How a file is written.

    Attributes
    ----------
    names : tuple of str
        Those of its columns.
    delimiter : str
    numbers : int
        Fields before the first column that number the rows, as pandas writes them.
    surplus : int
        Fields without name or value behind the last column of each row.
    is_named : bool
        Whether the line of names has these fields, too: they are columns unless every row lacks their values.
    above : int
        Lines above that of the names.
    note : str
        What its reader has to know of it, or "".
    """

    names: tuple[str, ...]
    delimiter: str
    surplus: int = 0
    is_named: bool = False
    above: int = 0
    note: str = ""
    numbers: int = 0

    @property
    def fields(self) -> list[str]:
        """Names of all fields of a row."""
        return distinct_names([*[""] * self.numbers, *self.names, *[""] * self.surplus])

    @property
    def columns(self) -> slice:
        """Which of these are columns."""
        return slice(self.numbers, self.numbers + len(self.names))

    def options(self, **more: Any) -> dict[str, Any]:
        """What Arrow has to know of it."""
        from pyarrow import csv as arrow_csv

        return {
            "read_options": arrow_csv.ReadOptions(
                column_names=self.fields, skip_rows=self.above, skip_rows_after_names=1, **more
            ),
            "parse_options": arrow_csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True),
        }


def is_utf_16(path: Path) -> bool:
    """Whether a file, maybe compressed with gzip, begins with the mark of UTF-16.

    Raises
    ------
    OSError
        When it cannot be opened.
    """
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opened(path, "rb") as file:
            return file.read(2) in UTF_16
    except (EOFError, zlib.error):  # cut short, or damaged: whoever reads on says so
        return False


def recoded(stream: Any) -> io.BufferedReader:
    """A stream of UTF-16 as one of UTF-8, without the mark; what is no text becomes a question mark of Unicode."""
    return io.BufferedReader(_Recoded(stream), CHUNK)


class _Recoded(io.RawIOBase):
    def __init__(self, stream: Any) -> None:
        self._stream, self._rest = stream, b""
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raw = b" "
        while raw and not self._rest:
            raw = bytes(self._stream.read(CHUNK))
            self._rest = self._decoder.decode(raw, not raw).encode("utf-8", "replace")
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def text_of(path: Path) -> str:
    """The text of a file, without the mark at its beginning.

    Raises
    ------
    SourceError
        When it is of another encoding; the message says how to make it one that is read.
    OSError
        When it cannot be opened.
    """
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-16" if raw.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise SourceError(
            shown(path),
            "it is neither UTF-8 nor UTF-16 with a byte order mark: save it as UTF-8, for example by "
            "iconv -f WINDOWS-1252 -t UTF-8 FILE, or -f UTF-16LE",
        )
    return text.replace("\r\n", "\n")


def read_layout(text: str, is_whole: bool, delimiter: str | None) -> Layout:
    """The layout of a file by its beginning.

    Raises
    ------
    ValueError
        When there are no names, or what stands above them may be the name of the only column.
    """
    separator = _separator(text.partition("\n")[0], delimiter)
    records = _records(text, separator, is_whole)
    if not any(value.strip() for _, fields in records for value in fields):
        raise ValueError("there is no line of names in it")
    layout = _from_names(records, separator)
    is_ragged = any(len(fields) != len(layout.fields) for _, fields in records[1:])
    if is_ragged and (len(records[0][1]) == 1 or text.startswith(COMMENT)):
        return _below_titles(text, is_whole, delimiter) or layout
    return _below_filled_titles(records, separator) or _with_doubts(_without_row_numbers(layout, records), records)


def _from_names(records: Sequence[Record], delimiter: str, note: str = "") -> Layout:
    """The layout of a file by its line of names and the rows below.

    Fields without a name, behind the last value of every row, are no columns where all rows have as many.
    """
    (above, first), rows = records[0], [fields for _, fields in records[1:]]
    names = [name.strip() for name in first]
    note = note or renamed_note(names)
    count = len(rows[0]) if rows else 0
    kept = max((place + 1 for fields in (names, *rows) for place, value in enumerate(fields) if value), default=0)
    if not 0 < kept <= min(count, len(names)) or any(len(fields) != count for fields in rows):
        return Layout(tuple(distinct_names(names)), delimiter, above=above, note=note)
    names = distinct_names(names)[:kept]
    return Layout(tuple(names), delimiter, count - kept, count == len(first), above, note)


def _without_row_numbers(layout: Layout, records: Sequence[Record]) -> Layout:
    """The layout without the fields that number the rows."""
    names, rows = [name.strip() for name in records[0][1]], [fields for _, fields in records[1:]]
    is_even = all(len(fields) == len(names) for fields in rows)
    count = row_numbers(names, lambda place: [fields[place].strip() for fields in rows]) if is_even else 0
    if not count or layout.names[:count] != tuple(distinct_names(names)[:count]):
        return layout
    return replace(layout, names=layout.names[count:], numbers=count, note=layout.note or NUMBERED)


def _below_titles(text: str, is_whole: bool, delimiter: str | None) -> Layout | None:
    """The layout of a file in which lines of one value, or comments, stand above the names; None of any other.

    All rows below have one number of values. They begin with names when no value of the first is empty, a number, or
    there twice, and an empty line or comments alone stand above, or a column of two rows and more has numbers alone.

    Raises
    ------
    ValueError
        When these lines may be the name of the only column.
    """
    lines = LINE_END.split(text)
    told = (line for line in lines if not line.startswith(COMMENT))
    separator = next((found for line in told if (found := _separator(line, delimiter)) in _unquoted(line)), None)
    records = _records(text, separator, is_whole) if separator else []
    count = len(records[-1][1]) if records else 0
    wide = (place for place, (_, fields) in enumerate(records) if len(fields) == count)
    above = next((place for place in wide if not records[place][1][0].startswith(COMMENT)), 0)
    titles, rows = [fields for _, fields in records[:above]], [fields for _, fields in records[above:]]
    comments = [fields[0].startswith(COMMENT) for fields in titles]
    if not titles or len(rows) < 3 or any(len(fields) != count for fields in rows):
        return None
    if any(len(fields) > 1 and not is_comment for fields, is_comment in zip(titles, comments, strict=True)):
        return None
    title = str(separator).join(titles[0])
    layout = _from_names(records[above:], str(separator), _passed_over(title))
    names = [name.strip() for name in rows[0][: len(layout.names)]]
    may_be_names = len(set(names)) == len(names) and not any(not name or NUMBER.fullmatch(name) for name in names)
    is_apart = all(comments) or not lines[records[above][0] - 1].strip()
    if may_be_names and (is_apart or any(map(_are_numbers, zip(*rows[1:], strict=True)))):
        return layout
    raise ValueError(
        f"its first line has one value, {title[:QUOTED]!r}, and the rows below have {count}: take away what is above "
        f"the names of the columns, or put values with {separator!r} in quotes if that is the name of the only column"
    )


def _below_filled_titles(records: Sequence[Record], separator: str) -> Layout | None:
    """The layout of a file as a workbook exports it, with titles in the first cell of lines as long as all others.

    They end at the first line of several values, which are names if all cells have one, no two the same and none a
    number, and rows stand below.
    """
    first = records[0][1]
    above = next((place for place, (_, fields) in enumerate(records) if sum(map(bool, fields)) > 1), 0)
    names = [name.strip() for name in records[above][1]]
    are_names = all(names) and len(set(names)) == len(names) and not any(map(NUMBER.fullmatch, names))
    if not above or not first[0] or len(first) < 3 or not are_names or above + 1 == len(records):
        return None
    return _from_names(records[above:], separator, _passed_over(first[0]))


def _with_doubts(layout: Layout, records: Sequence[Record]) -> Layout:
    """The layout, with a note where its line of names begins as a row does: with a number above numbers."""
    firsts = [fields[0].strip() for _, fields in records[:3]]
    if len(firsts) > 1 and all(map(NUMBER.fullmatch, firsts)):
        note = "its first line begins with a number, but is taken for names: if it is a row, put names above it"
        return replace(layout, note=layout.note or note)
    return layout


def _passed_over(title: str) -> str:
    title = title if len(title) <= QUOTED else f"{title[:QUOTED]}..."
    return f"what stands above the names of the columns is passed over: {title!r}"


def _are_numbers(values: Iterable[str]) -> bool:
    """Whether there are values, and those are numbers."""
    given = [value for value in values if value]
    return bool(given) and all(map(NUMBER.fullmatch, given))


def _separator(line: str, delimiter: str | None) -> str:
    """The delimiter of a line: the given one, else the most frequent candidate outside of quotes."""
    return delimiter or max(DELIMITERS, key=_unquoted(line).count)


def _unquoted(line: str) -> str:
    return re.sub('"[^"]*"', "", line)


def _records(text: str, delimiter: str, is_whole: bool) -> list[Record]:
    """The rows of a text that are not empty, up to one that is cut or cannot be read.

    Raises
    ------
    ValueError
        When the first cannot be read.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    records: list[Record] = []
    above = 0
    try:
        for fields in reader:
            if fields:
                records.append((above, fields))
            above = reader.line_num
    except csv.Error as error:
        if not records:
            raise ValueError(f"its names can not be read: {error}") from None
        return records
    return records if is_whole else records[:1] + records[1:-1]
