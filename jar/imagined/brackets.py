"""Tables written as a name with columns in brackets: ``client(id, name)``, CREATE TABLE, DBML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from jar.imagined.names import clean_name, column_name, is_function, is_type, table_name, without_marker

MOST_DEFINITIONS = 200
"""Definitions that are read from one text."""

_NAME = r"""(?:"[^"\n]{1,80}"|`[^`\n]{1,80}`|\[[^\]\n]{1,80}\]|[\w$-]{1,80})"""
_CREATE = re.compile(
    r"(?i)\bcreate\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|external\s+)?(?:table|view)\s+(?:if\s+not\s+exists\s+)?"
    rf"(?P<name>{_NAME}(?:\s?\.\s?{_NAME}){{0,3}})\s*(?P<open>[({{])?"
)
_BLOCK = re.compile(
    rf"(?im)^[ \t]*(?:table|entity|class)\s+(?P<name>{_NAME}(?:\.{_NAME}){{0,2}})[^\n{{(]{{0,40}}(?P<open>{{)"
)
_CALL = re.compile(r"(?P<open>\()")
_NEXT = re.compile(rf"(?:[-*+•]\s+|\d{{1,3}}[.)]\s*)?(?:\*\*)?(?P<name>{_NAME})(?:\*\*)?(?P<open>\()")
_NOTHING_BEFORE = frozenset(["", *"([{,;:=<>\n"])
_WORD = re.compile(r"\w")
_ITEM_MARKS = re.compile(r"""["'`(){}\[\],;\n]""")


@dataclass(frozen=True)
class Definition:
    """A table with its columns, and where it stands in the text."""

    table: str
    columns: tuple[str, ...]
    start: int
    end: int


def read_definitions(text: str) -> list[Definition]:
    """Definitions in order of appearance; linear in the length of the text.

    A bracket that is not closed ends where the next definition starts, or with the text.

    Examples
    --------
    >>> [(found.table, found.columns) for found in read_definitions("1. client(id, name VARCHAR(20)) 2. loan(amount")]
    [('client', ('id', 'name')), ('loan', ('amount',))]
    """
    return list(islice(_definitions(text), MOST_DEFINITIONS))


def _definitions(text: str) -> Iterator[Definition]:
    position = 0
    openings = [match for pattern in (_CREATE, _BLOCK, _CALL) for match in pattern.finditer(text)]
    for opening in sorted(openings, key=lambda match: match.start()):
        start = opening.start()
        if start < position:
            continue
        ddl = "name" in opening.groupdict()
        if ddl:
            name, begin = table_name(opening["name"]), start
        else:
            begin, name = _name_before(text, position, start)
        if not name:
            continue
        if opening["open"] is None:
            position = opening.end()
            yield Definition(name, (), begin, position)
            continue
        position, items = _body(text, opening.end(), opening["open"], ddl=ddl)
        named = [column for item in items if (column := column_name(item, ddl=ddl))]
        columns = tuple(dict.fromkeys(_without_table(column, name) for column in named))
        if not ddl and is_function(name) and len(columns) < 2:
            continue
        if text[opening.start() - 1].isspace() and all(map(is_type, columns)) and columns:
            continue  # "gender (text)" is a column with its type
        if columns or ddl or not any(_WORD.search(item) for item in items):
            yield Definition(name, columns, begin, position)


def _without_table(column: str, table: str) -> str:
    """A column without the name of its own table before it."""
    head, dot, tail = column.partition(".")
    return tail if dot and tail and head.strip().lower() == table.lower() else column


def _name_before(text: str, floor: int, bracket: int) -> tuple[int, str]:
    """Where the name in front of a bracket starts, and the name; empty where it is a function or part of a sentence.

    A name that touches its bracket is the last word before it, or the words since the start of the line, the last
    comma or bracket, where they read like a name. One that does not touch it has to stand at such a place.
    """
    if text[bracket - 1 : bracket] in _NOTHING_BEFORE:
        return bracket, ""
    line = max(floor, text.rfind("\n", floor, bracket) + 1, bracket - 120)
    before = text[line:bracket]
    cut = max(before.rfind(mark) for mark in ",;)|:")
    segment = before[cut + 1 :]
    begin = line + cut + 1
    whole = table_name(without_marker(segment))
    if before.endswith(" "):
        return begin, "" if is_function(whole) else whole
    quoted = re.search(rf"{_NAME}(?:\*\*)?\Z", segment)
    last = clean_name(quoted.group().strip('[]"`*')) if quoted else ""
    return begin, (whole or last) if last else ""


def _body(text: str, start: int, bracket: str, *, ddl: bool) -> tuple[int, list[str]]:
    """Where a body ends, and its items: parts between commas or semicolons outside of inner brackets and quotes."""
    depth, items, item, position = 1, [], start, start
    lines = bracket == "{"
    while position < len(text):
        mark = _ITEM_MARKS.search(text, position)
        if mark is None:
            position = len(text)
            break
        position, sign = mark.end(), mark.group()
        if sign in "\"'`":
            closing = text.find(sign, position, position + 80)
            if closing > 0 and "\n" not in text[position:closing] and not text[mark.start() - 1].isalnum():
                position = closing + 1
        elif sign in "({[":
            depth += 1
        elif sign in ")}]":
            depth -= 1
            if depth == 0:
                items.append(text[item : mark.start()])
                return position, _kept(items)
        elif depth == 1 and (sign in ",;" or lines):
            items.append(text[item : mark.start()])
            item = position
        elif sign == "\n" and _starts_anew(text, position):
            break
    items.append(text[item:position])
    return position, _kept(items)


def _starts_anew(text: str, position: int) -> bool:
    """Whether the next definition starts at a line, although the last one was not closed."""
    following = _NEXT.match(text, position)
    if following is not None:
        return not is_function(following["name"]) and not is_type(following["name"])
    return _CREATE.match(text, position) is not None


def _kept(items: list[str]) -> list[str]:
    """Items with anything in them; one that is several lines without commas is as many items."""
    return [part for item in items for part in _split_lines(item) if part.strip()]


def _split_lines(item: str) -> list[str]:
    lines = [line for line in item.splitlines() if line.strip()]
    if len(lines) < 2 or lines[1].lstrip()[:1] in "()":
        return [item]
    return lines
