"""JSON files that hold an array of objects, read object by object; those that hold JSON lines are read as such.

The array may be the only one of objects in an object, ``{"rows": [...]}``, which is all that the file holds. One object
without such an array is no table, on however many lines it stands: most are settings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joinability.errors import NoTableError, SourceError
from joinability.paths import shown
from joinability.sources.json_lines import UNREADABLE, json_lines_table, objects_table, opened_text

if TYPE_CHECKING:
    from joinability.schema import Table

CHUNK = 2**16
"""Characters that are read at a time; twice as many each time where an object is longer."""
LONGEST_LINE = 2**20
"""Characters of a first line by which JSON lines are told from one object."""


def json_table(path: Path, database: str, name: str) -> Table:
    """Table of one file: of the array of objects that it is, or that its only object holds, or of its several lines,
    each an object.

    Raises
    ------
    NoTableError
        When it is JSON of another form.
    SourceError
        When it cannot be opened, or its beginning is no JSON.
    """
    try:
        with opened_text(path) as file:
            line = next((line for line in iter(lambda: file.readline(LONGEST_LINE), "") if line.strip()), "").strip()
    except UNREADABLE as error:
        raise SourceError(shown(path), str(error)) from error
    if line.startswith("["):
        return objects_table(path, database, name, array_entries)
    arrays = _arrays_of_objects(path) if line.startswith("{") else None
    if arrays is None and line.startswith("{") and _is_object(line):
        return json_lines_table(path, database, name)
    if arrays is None:
        raise NoTableError(
            shown(path), "JSON that is neither an array of objects, by itself or in one object, nor an object a line"
        )
    if len(arrays) == 1:
        return objects_table(path, database, name, partial(array_entries, member=arrays[0]))
    listed = ", ".join(map(repr, arrays))
    raise NoTableError(
        shown(path),
        f"JSON of an object with several arrays of objects ({listed}): a file for each"
        if arrays
        else "JSON of one object without an array of objects; if it is a row of JSON lines, call the file .jsonl",
    )


def array_entries(path: Path, source: str, member: str | None = None) -> Iterator[dict[str, Any]]:
    """The objects of the array in a file, or of that which a member of the object in it is.

    Raises
    ------
    NoTableError
        When its first entry is no object.
    SourceError
        When the file cannot be read, a later entry is no object, or its JSON ends too early or goes on.
    """
    number = 0
    try:
        for entry in _entries(path) if member is None else _member_entries(path, member):
            if not isinstance(entry, dict):
                error = SourceError if number else NoTableError
                raise error(source, f"entry {number + 1} of the array is no object ({shown(path)})")
            number += 1
            yield entry
    except (*UNREADABLE, ValueError, RecursionError) as error:
        raise SourceError(source, f"{error}, after entry {number} ({shown(path)})") from error


class _Text:
    """A text of which more is read as it is needed, and what lies behind is forgotten."""

    def __init__(self, file: Any) -> None:
        self._file, self._size = file, CHUNK
        self._decoder = json.JSONDecoder()
        self._text, self._place = "", 0

    def sign(self) -> str:
        """The next sign that is no blank, passed over; none at the end."""
        self._blanks()
        sign = self._text[self._place : self._place + 1]
        self._place += len(sign)
        return sign

    def is_next(self, sign: str) -> bool:
        """Whether this is the next sign that is no blank."""
        self._blanks()
        return self._text.startswith(sign, self._place)

    def value(self) -> Any:
        """The next JSON value, passed over; one that ends where the text does may go on."""
        self._blanks()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._place)
            except json.JSONDecodeError:
                if not self._more():
                    raise
                continue
            if end < len(self._text) or not self._more():
                self._place, self._size = end, CHUNK
                return value

    def _blanks(self) -> None:
        while True:
            while self._text[self._place : self._place + 1].isspace():
                self._place += 1
            if self._place < len(self._text) or not self._more():
                return

    def _more(self) -> bool:
        more = self._file.read(self._size)
        self._text, self._place, self._size = self._text[self._place :] + more, 0, 2 * self._size
        return bool(more)


def _entries(path: Path) -> Iterator[Any]:
    """The entries of the array that a file is, of which one at a time is held."""
    with opened_text(path) as file:
        text = _Text(file)
        yield from _array(text)
        if text.sign():
            raise ValueError("something follows the array")


def _member_entries(path: Path, member: str) -> Iterator[Any]:
    """The entries of the array that a member of the object in a file is."""
    with opened_text(path) as file:
        text = _Text(file)
        for name in _members(text):
            if name == member and text.is_next("["):
                yield from _array(text)
            else:
                text.value()
        if text.sign():
            raise ValueError("something follows the object")


def _arrays_of_objects(path: Path) -> list[str] | None:
    """The members of the one object in a file that are arrays of objects; None where the file is of another form.

    Of JSON lines no more is read than the first object and what follows it.
    """
    arrays: list[str] = []
    try:
        with opened_text(path) as file:
            text = _Text(file)
            for name in _members(text):
                if not text.is_next("["):
                    text.value()
                    continue
                kinds = {isinstance(entry, dict) for entry in _array(text)}
                arrays += [name] if kinds == {True} else []
            return None if text.sign() else arrays
    except (*UNREADABLE, ValueError, RecursionError):
        return None


def _array(text: _Text) -> Iterator[Any]:
    """The entries of the next value, an array, passed over with its brackets."""
    text.sign()
    follows = text.sign() if text.is_next("]") else ","
    while follows == ",":
        yield text.value()
        follows = text.sign()
    if follows != "]":
        raise ValueError(f"a comma or a bracket is missing before {follows!r}" if follows else "it is not closed")


def _members(text: _Text) -> Iterator[str]:
    """The names of the next value, an object; whoever takes one passes over its value."""
    text.sign()
    follows = text.sign() if text.is_next("}") else ","
    while follows == ",":
        name = text.value()
        if not isinstance(name, str) or text.sign() != ":":
            raise ValueError("a name and a colon are missing")
        yield name
        follows = text.sign()
    if follows != "}":
        raise ValueError(f"a comma or a brace is missing before {follows!r}" if follows else "it is not closed")


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
