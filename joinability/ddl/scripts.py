"""Scripts and dumps of any server, split into statements with the comments around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from joinability.ddl.dialect_names import checked_dialect
from joinability.ddl.rows import without_rows

if TYPE_CHECKING:
    from sqlglot import Dialect
    from sqlglot.tokenizer_core import Token

LONGEST_STATEMENT = 100_000
"""Characters of a statement whose end is searched for where a whole text cannot be split."""
COMMENT = re.compile(r"--[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*|//[^\n]*", re.DOTALL)
"""A comment between two tokens, where nothing but comments and blanks can be."""
CLIENT_LINE = re.compile(r"^\\(?:c|connect|(?:un)?restrict|(?:un|p)?set|encoding|echo|ir?)\b[^\n]*$", re.MULTILINE)
"""A command to psql."""
REMARK_LINE = re.compile(r"^(?:REM|REMARK|PROMPT)(?:[ \t][^\n]*)?(?<!,)$", re.MULTILINE | re.IGNORECASE)
"""A command of SQL*Plus with text that is no SQL."""
END_LINE = re.compile(r"^[ \t]*(?:GO(?:[ \t]+\d+)?|/)[ \t]*;?[ \t]*(?=\r?$|--)", re.MULTILINE | re.IGNORECASE)
"""The line that ends a statement in scripts for SQL Server (GO) and for Oracle (a slash)."""
BEGINNINGS = {"CREATE": "", "ALTER": "TABLE", "COMMENT": "ON", "DROP": "TABLE", "EXEC": "", "EXECUTE": "", "INSERT": ""}
"""Words that begin a statement at the beginning of a line, even where the one before has no end; with what follows."""

CONDITIONS = frozenset(("IF", "BEGIN"))
"""Words that another statement follows, in the same line perhaps."""


@dataclass(frozen=True)
class Statement:
    """A statement of a script.

    Attributes
    ----------
    text : str
        From its first token to its last.
    tokens : sequence of Token
        Their positions count from the beginning of `script`.
    script : str
        The text that it was found in.
    above, beside : str
        Comments before it; comments that follow it in its last line.
    is_first : bool
        Whether the script begins with it.
    """

    text: str
    tokens: Sequence[Token]
    script: str = ""
    above: str = ""
    beside: str = ""
    is_first: bool = False

    def gap(self, place: int) -> str:
        """Blanks and comments before a token that is not the first."""
        return self.script[self.tokens[place - 1].end + 1 : self.tokens[place].start]

    def ending(self, text: str) -> Statement:
        """The statement with a text in place of its last token."""
        return replace(self, text=self.text[: self.tokens[-1].start - self.tokens[0].start] + text)

    def words(self, most: int | None = None) -> list[str]:
        """The words of the first tokens, in upper case; a token may be two, such as FOREIGN KEY."""
        return [word for token in self.tokens[:most] for word in token.text.upper().split()]


def statements(text: str, dialect: str) -> Iterator[Statement]:
    """All statements of a script.

    A text with a quote or a comment that is never closed cannot be split. It is read as far as possible; the
    rest is one more statement, without tokens.

    Raises
    ------
    CatalogError
        When the dialect is unknown.
    """
    from sqlglot import Dialect
    from sqlglot.errors import TokenError

    reader = Dialect.get_or_raise(checked_dialect(dialect))
    text = _without_clients_words(without_rows(text, reader), dialect)
    try:
        yield from _split(text, reader)
        return
    except TokenError:
        pass
    pending = ""
    for piece in text.splitlines(keepends=True) if text.count("\n") > text.count(";") else re.split("(?<=;)", text):
        pending += piece
        if len(pending) > LONGEST_STATEMENT or not piece.rstrip().endswith(";"):
            continue
        try:
            complete = _split(pending, reader)
        except TokenError:
            continue
        yield from complete
        pending = ""
    if pending.strip():
        yield Statement(pending, ())


def _without_clients_words(text: str, dialect: str) -> str:
    """The script without what is meant for the program that runs it; its ends of statements as semicolons."""
    text = CLIENT_LINE.sub("", text)
    if dialect == "oracle":
        text = REMARK_LINE.sub("", text)
    return END_LINE.sub(";", text)


def _split(text: str, reader: Dialect) -> list[Statement]:
    groups = list(_groups(reader.tokenize(text), text))
    found: list[Statement] = []
    above, carried = "", ""
    if groups:
        above = text[: groups[0][0].start]
    for place, tokens in enumerate(groups):
        end = tokens[-1].end + 1
        gap = text[end : groups[place + 1][0].start if place + 1 < len(groups) else len(text)]
        cut = _end_of_line(gap) if place + 1 < len(groups) else _end_of_line(gap + "\n")
        is_carried = bool(carried) and not COMMENT.search(above)
        statement = Statement(
            text[tokens[0].start : end],
            tokens,
            text,
            carried if is_carried else above,
            gap[:cut],
            is_first=place == is_carried,
        )
        # what stands above DROP TABLE is about the table that is created next
        carried = statement.above if statement.words(2) == ["DROP", "TABLE"] else ""
        above = gap[cut:]
        found.append(statement)
    return found


def _groups(tokens: Sequence[Token], text: str) -> Iterator[list[Token]]:
    """The tokens of each statement, without the semicolons between."""
    from sqlglot import TokenType

    group: list[Token] = []
    depth = end = 0
    for place, token in enumerate(tokens):
        if token.token_type == TokenType.SEMICOLON:
            if group:
                yield group
            group, depth = [], 0
            continue
        follower = tokens[place + 1].text.upper() if place + 1 < len(tokens) else ""
        begins = BEGINNINGS.get(token.text.upper(), "?") in ("", follower)
        is_clear = bool(group) and ("\n" in text[end : token.start] or group[0].text.upper() in CONDITIONS)
        if begins and is_clear and depth == 0:
            yield group
            group = []
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        group.append(token)
        end = token.end + 1
    if group:
        yield group


def _end_of_line(gap: str) -> int:
    """How much of what lies between two statements belongs to the line of the first, and to its end."""
    place = semicolon = 0
    while place < len(gap):
        comment = COMMENT.match(gap, place)
        if comment:
            place = comment.end()
        elif gap[place] == "\n" and (semicolon or not gap[place:].lstrip().startswith(";")):
            return place
        else:
            place += 1
            semicolon = semicolon or place * (gap[place - 1] == ";")
    return semicolon
