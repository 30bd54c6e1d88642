"""Tables written line by line: headings with bullets, "table: column, column", "table.column", Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from jar.imagined.names import clean_name, column_name, table_name, without_marker

_HEADING = re.compile(r"\s*#{1,6}\s+(?P<rest>.*)")
_LABEL = re.compile(
    r"(?i)[*_`\s]*(?P<what>table|relation|entity|columns?|fields?|attributes?)(?:\s+names?)?\s*\d*"
    r"[*_`\s]*[:=][*_`\s]*(?P<rest>.*)"
)
# A name begins with no mark, lest the marks before it be tried in as many ways as there are of them.
_PAIR = re.compile(
    r"""[*_`"\s]*(?P<name>[^:=>|,*_`"\s][^:=>|,]{0,59}?)[*_`"\s]*(?::|=>|->|→|\s[-–—]\s)[*_`\s]*(?P<rest>.*)$"""
)
_DOTTED = re.compile(
    r"""^(?:[`"']?\w[\w$ -]{0,60}[`"']?\.)?"""
    r"""[`"']?(?P<table>\w[\w$ -]{0,60}?)[`"']?\.[`"']?(?P<column>\w[\w$ -]{0,60})[`"']?$"""
)
_RULE = re.compile(r"(?=[^-]*-)[\s|:+=-]*\Z")
_TABLE_HEADS = ("table", "relation", "entity", "table name")
_COLUMN_HEADS = (
    "column",
    "columns",
    "column name",
    "column names",
    "field",
    "fields",
    "attribute",
    "attributes",
    "field name",
)

MOST_LINES = 400
"""Lines that are read from one text."""


@dataclass
class _Open:
    """The table that the next lines may add columns to."""

    name: str = ""
    indent: int = -1
    kind: str = ""
    columns: list[str] = field(default_factory=list)

    def found(self) -> Iterator[tuple[str, str]]:
        """Its columns, or the table alone where none followed."""
        if self.name:
            yield from ((self.name, column) for column in self.columns or [""])


def read_listing(text: str) -> list[tuple[str, str]]:
    """Pairs (table, column) of a text without brackets; the column is empty where a table stands alone.

    Examples
    --------
    >>> read_listing("### client\\n- id\\n- name: how they are called\\n\\nloan: amount, date")
    [('client', 'id'), ('client', 'name'), ('loan', 'amount'), ('loan', 'date')]
    """
    found: list[tuple[str, str]] = []
    table = _Open()
    heads: list[str] = []
    for line in text.splitlines()[:MOST_LINES]:
        if line.count("|") >= 2 or (heads and "|" in line):
            heads = _read_row(line, heads, table, found)
            continue
        heads = []
        started = _read_line(line, table, found)
        if started is not None:
            found.extend(table.found())
            table = started
    found.extend(table.found())
    return found


def _read_line(line: str, table: _Open, found: list[tuple[str, str]]) -> _Open | None:
    """Read a line into the open table or into `found`; return the table that it opens, if it opens one."""
    kind, indent, rest = _layout(line)
    if not rest:
        return None
    label = _LABEL.match(rest)
    if label:
        if label["what"].lower() in ("table", "relation", "entity"):
            return _open(label["rest"], kind, indent) or _Open()
        table.columns += _names(label["rest"])
        return None
    dotted = [_DOTTED.match(part.strip()) for part in rest.split(",")]
    if dotted and all(dotted):
        found.extend((match["table"].strip(), match["column"].strip()) for match in dotted if match)
        return None
    below = bool(table.name) and bool(kind) and (indent > table.indent or kind != table.kind)
    if below and kind != "heading":
        table.columns += [name for name in [column_name(rest)] if name]
        return None
    return _open(rest, kind, indent)


def _layout(line: str) -> tuple[str, int, str]:
    """What introduces a line ("heading", "number", "bullet" or nothing), its indentation, and what it says."""
    indent = len(line) - len(line.lstrip())
    heading = _HEADING.match(line)
    if heading:
        return "heading", -1, heading["rest"].strip()
    rest = without_marker(line)
    if rest == line.strip():
        bold = rest.startswith("**") and rest.rstrip(":").endswith("**")
        return ("heading", -1, rest) if bold else ("", indent, rest)
    return ("number" if line.lstrip()[:1].isdigit() else "bullet"), indent, rest


def _open(rest: str, kind: str, indent: int) -> _Open | None:
    """The table that a line opens: "client", "client:", "client: id, name"; prose opens none."""
    pair = _PAIR.match(rest)
    name = table_name(pair["name"] if pair else rest)
    alone = len(rest.split()) <= 2 and not rest.endswith((".", "!", "?"))
    if not name or not (pair or kind or alone):
        return None
    opened = _Open(name, indent, kind)
    if pair:
        opened.columns += _names(pair["rest"])
    return opened


def _names(rest: str) -> list[str]:
    """Columns of an enumeration; none where it reads like a sentence."""
    parts = re.split(r"[,;]|\band\b", rest.strip().strip("[](){}").rstrip("."))
    names = [name for part in parts if (name := column_name(part))]
    sentence = any(len(part.split()) > 4 for part in parts) or (len(parts) == 1 and len(rest.split()) > 2)
    return [] if sentence else names


def _read_row(line: str, heads: list[str], table: _Open, found: list[tuple[str, str]]) -> list[str]:
    """Read a row of a Markdown table; return its heads, which say what the cells are.

    With a column "table" the rows name tables and columns; with one "column" they are columns of the open table;
    else the heads themselves are the columns of the open table, and the rows its data.
    """
    if _RULE.match(line):
        return heads
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if not heads:
        cells = [clean_name(cell) for cell in cells]
        lowered = [cell.lower() for cell in cells]
        if not {*lowered} & {*_TABLE_HEADS, *_COLUMN_HEADS} and table.name:
            table.columns += [cell for cell in cells if cell]
        return lowered
    tables = [cell for head, cell in zip(heads, cells, strict=False) if head in _TABLE_HEADS]
    columns = [cell for head, cell in zip(heads, cells, strict=False) if head in _COLUMN_HEADS or head == "name"]
    names = [name for cell in columns[:1] for part in re.split(r"[,;]|<br\s*/?>", cell) if (name := column_name(part))]
    if tables and (name := table_name(tables[0])):
        found.extend((name, column) for column in names or [""])
    elif table.name:
        table.columns += names
    return heads
