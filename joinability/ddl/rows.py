"""Rows in dumps, which are most of their text and say nothing of a schema: they go before statements are looked for."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import Dialect

_INSERT = re.compile(
    r"^[ \t]*INSERT\s+(?:(?:\w+\s+){0,2}INTO\b|ALL\b|\[|\w+\.|\w+\s*(?:\([^()]*\)\s*)?(?:VALUES|SELECT)\b)",
    re.MULTILINE | re.IGNORECASE,
)
"""INSERT INTO, or without INTO as SQL Server allows; a column may be called insert."""
_COPY = re.compile(r"^COPY\s[^;]*\sFROM\s+stdin\b[^;\n]*;.*?^\\\.[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE)
"""Rows in a dump of PostgreSQL, which are no SQL."""
_ESCAPED = r"'[^'\\]*(?:\\.[^'\\]*)*'"
_ORACLES = r"q'(?:\[.*?\]|\{.*?\}|\(.*?\)|<.*?>|!.*?!)'"
_QUOTED = rf"""e{_ESCAPED}|{_ORACLES}|"[^"]*"|`[^`]*`|--[ \t][^\n]*|/\*.*?\*/"""
_END = r"(?P<end>;)|(?P<next>\n(?=[ \t]*(?:CREATE|ALTER|COMMENT|DROP|EXEC|EXECUTE|INSERT|GO)\b)|\*/)"
"""What a statement ends with, and what follows one that has no end."""


@cache
def _marks(has_backslashes: bool) -> re.Pattern[str]:
    """Texts, names in quotes, comments, and ends of statements, in a dialect with or without escapes in texts."""
    text = _ESCAPED if has_backslashes else "'[^']*'"
    return re.compile(rf"{text}|{_QUOTED}|{_END}", re.DOTALL | re.IGNORECASE)


def without_rows(text: str, dialect: Dialect | None = None) -> str:
    """The script without its INSERT statements, and without what COPY reads from the script itself.

    Without a dialect, texts are read as MySQL has them where there are backticks: near enough to tell the dialect of
    what is left.
    """
    text = _COPY.sub("", text)
    marks = _marks("`" in text if dialect is None else "\\" in dialect.tokenizer_class.STRING_ESCAPES)
    kept, place = [], 0
    while insert := _INSERT.search(text, place):
        kept.append(text[place : insert.start()])
        place = _end_of_statement(text, insert.end(), marks)
        while text[place : place + 1].isspace():  # so that no blank lines are left
            place += 1
    return "".join([*kept, text[place:]])


def has_rows(text: str) -> bool:
    """Whether a script has rows."""
    return _INSERT.search(text) is not None or _COPY.search(text) is not None


def _end_of_statement(text: str, place: int, marks: re.Pattern[str]) -> int:
    for mark in marks.finditer(text, place):
        if mark.lastgroup == "end":
            return mark.end()
        if mark.lastgroup == "next":
            return mark.start()
    return len(text)
