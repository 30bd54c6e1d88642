"""What comments around a CREATE TABLE say of the table, without headers, banners, and what dump programs write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from joinability.ddl.scripts import COMMENT, Statement

EDGES = re.compile(r"^\s*(?:[-=*#~_+/|<>]{2,}|\*)?\s*|\s*[-=*#~_+/|<>]{2,}\s*$")
"""Lines that people draw around a text."""
HEADING = re.compile(r"^\s*\w.*?\s[-=*#~_+/]{4,}\s*$")
"""A text with a line drawn behind it: the title of a part of the script."""
TO_DO = re.compile(r"^(?:TODO|FIXME|XXX|HACK)\b")
"""A line for those who work on the script."""
DUMPED = re.compile(
    r"Name: .*; Type: |TOC entry \d|Script Date: |Dump(?:ing)? (?:structure|data|completed)|^Drop table$"
    r"|^(?:MySQL|MariaDB|PostgreSQL|phpMyAdmin)\b.*\b(?:dump|SQL)\b|^Host: .*\bDatabase: "
    r"|^Server version|^Dumped (?:from|by)",
    re.IGNORECASE,
)
"""Lines by which dump programs introduce a statement."""
STATEMENT = re.compile(r"^(?:CREATE|ALTER|DROP|TRUNCATE|INSERT|DELETE|SELECT|GRANT|SET|USE)\b.*;$", re.IGNORECASE)
"""A statement that is commented out."""
COLUMN = re.compile(
    r"^\W?\w+\W?\s+(?:\w*INT(?:EGER)?|SERIAL|N?(?:VAR)?CHAR2?|\w*TEXT|REAL|FLOAT|DOUBLE|NUMERIC|DECIMAL|NUMBER|BOOL(?:EAN)?"
    r"|DATE|DATETIME|TIME|TIMESTAMP\w*|BLOB|BYTEA|JSONB?|UUID)\b(?:\s*\([^)]*\))?"
    r"(?:\s*,$|\s+(?:NOT\s+NULL|DEFAULT|PRIMARY\s+KEY|REFERENCES|UNIQUE|CHECK)\b)",
    re.IGNORECASE,
)
"""A column that is commented out."""
PLAIN = frozenset(
    "table tables structure for of the a create createtable ddl definition object model entity add new".split()
)
"""Words that say nothing beside the name of the table: "Table structure for table x", "Create model x"."""

BEGINNING = 4
"""Letters by which a word of a comment is taken for one of a name."""


@dataclass(frozen=True)
class Remark:
    """A comment above a CREATE TABLE, which may be about the table or about more.

    Attributes
    ----------
    text : str
    is_near : bool
        Whether no blank line comes between, and it is not drawn as the title of a part.
    may_be_header : bool
        Whether the script begins with it, and it has no word of the name of the table.
    """

    text: str
    is_near: bool
    may_be_header: bool


def remark_above(statement: Statement, name: str, schema: str) -> Remark | None:
    """The last paragraph of the comments above the statement that creates the table of a name."""
    paragraph: list[str] = []
    end = 0
    for match in COMMENT.finditer(statement.above):
        if _is_blank_line(statement.above[end : match.start()]):
            paragraph = []
        paragraph.append(match.group())
        end = match.end()
    text = _said(paragraph, f"{schema} {name}")
    is_near = not (_is_blank_line(statement.above[end:]) or _is_heading(paragraph))
    return Remark(text, is_near, statement.is_first and not _names(text, name)) if text else None


def settled(remarks: Sequence[Remark | None]) -> list[str | None]:
    """What the comments above all tables of a script say of each.

    What may be a header is one where no other table has a comment above it. A comment that a blank line separates, or
    with a line drawn behind its words, is the title of a part, unless most tables have such a comment.
    """
    apart = sum(1 for remark in remarks if remark and not remark.is_near)
    is_habit = apart > 1 and 2 * apart > len(remarks)
    kept = [remark if remark and (remark.is_near or is_habit) else None for remark in remarks]
    has_header = len(remarks) > 1 and len([remark for remark in kept if remark]) == 1
    return [remark.text if remark and not (remark.may_be_header and has_header) else None for remark in kept]


def remark_beside(statement: Statement, name: str, schema: str) -> str | None:
    """What comments between the words of a CREATE TABLE, at its opening bracket and after its closing one say."""
    opening, closing = list_bounds(statement)
    gaps = [statement.gap(place) for place in range(1, opening + 1)]
    if opening + 1 < len(statement.tokens):
        gaps.append(statement.gap(opening + 1)[: end_of_first_line(statement.gap(opening + 1))])
    depth = 0
    for place in range(closing + 1, len(statement.tokens)):
        if depth == 0:
            gaps.append(statement.gap(place))
        depth += {"(": 1, ")": -1}.get(statement.tokens[place].text, 0)
    comments = [match.group() for gap in (*gaps, statement.beside) for match in COMMENT.finditer(gap)]
    return _said(comments, f"{schema} {name}")


def list_bounds(statement: Statement) -> tuple[int, int]:
    """Places of the brackets around the list of columns; both are the last token where there is none."""
    from sqlglot import TokenType

    depth, opening = 0, len(statement.tokens) - 1
    for place, token in enumerate(statement.tokens):
        if token.token_type == TokenType.L_PAREN:
            depth += 1
            opening = min(opening, place)
        elif token.token_type == TokenType.R_PAREN:
            depth -= 1
            if depth == 0:
                return opening, place
    return opening, len(statement.tokens) - 1


def end_of_first_line(gap: str) -> int:
    """Where the line of the token before a gap ends, after its comments; 0 where the next token is in that line."""
    place = 0
    while place < len(gap):
        comment = COMMENT.match(gap, place)
        if comment:
            place = comment.end()
        elif gap[place] == "\n":
            return place
        else:
            place += 1
    return 0


def comment_text(comments: Iterable[str]) -> str | None:
    """The text of comments without their marks; what is meant for a program, such as ``/*!40101 ... */``, is none."""
    inner = [comment[2:] if comment[:1] != "#" else comment[1:] for comment in comments]
    texts = [text.removesuffix("*/").strip() for text in inner if not text.startswith(("!", "+"))]
    return " ".join(text for text in texts if text) or None


def column_remark(comments: Iterable[str]) -> str | None:
    """What comments say of a column, without drawn lines and columns that are commented out."""
    return " ".join(line for line in _lines(comments) if not COLUMN.match(line)) or None


def _is_heading(comments: Iterable[str]) -> bool:
    """Whether each line of comments that has words has a line drawn behind them."""
    lines = [line for comment in comments for line in (comment_text([comment]) or "").splitlines() if _words(line)]
    return bool(lines) and all(map(HEADING.search, lines))


def _is_blank_line(gap: str) -> bool:
    return gap.count("\n") > 1


def _said(comments: Sequence[str], name: str) -> str | None:
    lines = list(_lines(comments))
    if any(DUMPED.search(line) for line in lines):
        return None
    known = set(_words(name))
    kept = [line for line in lines if not (STATEMENT.match(line) or TO_DO.match(line) or _is_title(line, known))]
    return " ".join(kept) or None


def _lines(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        for line in (comment_text([comment]) or "").splitlines():
            if text := EDGES.sub("", line):
                yield text


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _names(text: str, name: str) -> bool:
    """Whether a word of a text begins as one of the name does, as "customers" and "cust_orders" do."""
    beginnings = {word[:BEGINNING] for word in _words(name) if len(word) >= BEGINNING}
    return any(word[:BEGINNING] in beginnings for word in _words(text))


def _is_title(line: str, name: set[str]) -> bool:
    """Whether a line has no words but the name of the table and what any table could be called, or no words at all."""
    words = set(_words(line))
    return words <= name | PLAIN and (not words or bool(words & PLAIN))
