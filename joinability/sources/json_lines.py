"""JSON lines: an object a line. The first 20,000 objects determine the columns. Members of an object within are
columns by both names, `buyer_id` of {"buyer": {"id": 7}}; arrays are kept as JSON text.

DuckDB's reader would not do: it refuses halves of surrogate pairs and bytes that are no UTF-8, renames columns that
differ in case alone, and takes lines without an object for values.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joinability.cells import column_array
from joinability.errors import SourceError
from joinability.paths import file_state, shown
from joinability.schema import Column, Table
from joinability.sources.frames import distinct_names, sql_type
from joinability.sources.text_file import is_utf_16

if TYPE_CHECKING:
    import pyarrow

HEAD_ROWS = 20_000
"""Objects that determine the columns; a name that appears only later is no column, and a note says so."""
MOST_MEMBERS = 50
"""Names in the objects under one name from which these are kept as JSON text: they are keys of a map, not columns."""
DEEPEST = 4
"""Objects within objects whose members are columns; what lies deeper is kept as JSON text."""
UNREADABLE = (OSError, EOFError, zlib.error)
"""What reading of a file raises that is away, cut short, or damaged where it is compressed."""

Members = tuple[str, ...]
"""Names that lead to a value within nested objects."""
Entries = Callable[[Path, str], Iterator[dict[str, Any]]]
"""``(path, source) -> objects``; errors call the file by its source."""


@dataclass(frozen=True)
class JsonSource:
    """The objects of one file; whether their types are told by the first of them, or by a script."""

    path: Path
    table_id: str
    columns: tuple[Members, ...]
    entries: Entries
    note: str = ""
    infers_types: bool = True

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Objects in batches of at most `size`; an absent name is a missing value."""
        objects = self.entries(self.path, self.table_id)
        while batch := list(islice(objects, size)):
            yield [column_array([_plain(entry, members) for entry in batch]) for members in self.columns]

    def fingerprint(self) -> str:
        """Path, size and time of change of the file."""
        return file_state(self.path)


def json_lines_table(path: Path, database: str, name: str) -> Table:
    """Table of one file; a file whose beginning cannot be read is a failure.

    Raises
    ------
    SourceError
        When it cannot be opened, or one of the first lines holds no object.
    """
    return objects_table(path, database, name, _objects)


def objects_table(path: Path, database: str, name: str, entries: Entries) -> Table:
    """Table of the objects of one file, the first `HEAD_ROWS` of which determine its columns; where there are more, its
    source has a note.

    Raises
    ------
    SourceError
        When there is no object, or the entries raise it.
    """
    objects = entries(path, shown(path))
    head = list(islice(objects, HEAD_ROWS))
    if not head:
        raise SourceError(shown(path), "there is no object in it")
    members = tuple(_columns(head))
    names = distinct_names(["_".join(some) for some in members])
    arrays = [column_array([_plain(entry, some) for entry in head]) for some in members]
    columns = tuple(Column(name, sql_type(array.type)) for name, array in zip(names, arrays, strict=True))
    note = f"columns are the names of its first {HEAD_ROWS:,} objects" if _goes_on(objects) else ""
    return Table(database, name, columns, source=JsonSource(path, f"{database}.{name}", members, entries, note))


def _goes_on(objects: Iterator[dict[str, Any]]) -> bool:
    """Whether there is another object; what cannot be read is told when the rows are."""
    try:
        return next(objects, None) is not None
    except SourceError:
        return True


def _objects(path: Path, source: str) -> Iterator[dict[str, Any]]:
    number = 0
    try:
        with opened_text(path) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    entry = json.loads(line)
                    if not isinstance(entry, dict):
                        raise SourceError(source, f"line {number} holds no object ({shown(path)})")
                    yield entry
    except (*UNREADABLE, ValueError, RecursionError) as error:
        raise SourceError(source, f"{error}, after line {max(number - 1, 0)} ({shown(path)})") from error


def opened_text(path: Path) -> Any:
    """A file of UTF-8, or of UTF-16 with its mark, or such a file compressed, to be read as text."""
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    return opened(path, "rt", encoding="utf-16" if is_utf_16(path) else "utf-8-sig", errors="replace")


def _columns(entries: Sequence[dict[str, Any]], before: Members = ()) -> Iterator[Members]:
    """The names that lead to each value of the objects; where all values of a name are objects, to each of theirs."""
    for name in dict.fromkeys(name for entry in entries for name in entry):
        values = [value for entry in entries if (value := entry.get(name)) is not None]
        objects = [value for value in values if isinstance(value, dict)]
        inner = {member for value in objects for member in value}
        if len(objects) == len(values) and 0 < len(inner) <= MOST_MEMBERS and len(before) < DEEPEST:
            yield from _columns(objects, (*before, name))
        else:
            yield (*before, name)


def _plain(entry: Any, members: Members) -> Any:
    """The value to which names lead; of an object or an array its JSON text."""
    for name in members:
        entry = entry.get(name) if isinstance(entry, dict) else None
    return json.dumps(entry, sort_keys=True) if isinstance(entry, (dict, list)) else entry
