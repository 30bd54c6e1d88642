"""Tables with their columns, read from the notations that language models answer with: JSON, brackets, lists.

Each reader yields pairs (table, column); the column is empty where a table stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from jar.imagined.markup import read_json
from jar.imagined.names import clean_name, column_name, is_table, table_name, without_label, without_marker

Pairs: TypeAlias = "Iterator[tuple[str, str]]"

MOST_LINES = 400
"""Lines of a listing that are read."""

LONGEST_TABLE = 3_000
"""Characters between the brackets of one table that are read."""

_TABLE_KEYS = ("table", "table_name", "name", "entity")
_COLUMN_KEYS = ("columns", "fields", "attributes", "properties", "column", "column_name", "field")
_WRAPPERS = frozenset("tables schema schemas database databases result answer entities".split())
_FAILURES = frozenset("error message detail code status type".split())

_CREATE = re.compile(r"(?is)\bcreate\s+(?:\w+\s+){0,3}(?:table|view)\s+(?:if\s+not\s+exists\s+)?(?P<name>.*)")
_LAST_WORD = re.compile(r"[`\"*]{0,3}[\w$.-]{1,80}[`\"*]{0,3}\Z")
_MARK = re.compile(r"""(?<!\w)"[^"\n]{0,80}"|`[^`\n]{0,80}`|(?<!\w)'[^'\n]{0,80}'|[(),;\n]""")
_NEXT = re.compile(r"(?i)\s*create\s|\s*(?:[-*•]\s+|\d{1,3}[.)]\s*)?[*`\"]{0,3}(?P<name>[\w$]+)[*`\"]{0,3}\(")

_LABEL = re.compile(r"(?i)[*_`\s]{0,20}(?:columns?|fields?|attributes?)[*_`\s]{0,20}:(?P<columns>.*)")
_TABLE_HEAD = re.compile(r"(?:table|relation|entity)(?: name)?")
_COLUMN_HEAD = re.compile(r"(?:columns?|fields?|attributes?|name)(?: names?)?")
_PAIR = re.compile(r"""(?P<table>[^:=>|,"]{1,60}?)(?::|=>|->|→|\s[-–—]\s)(?P<columns>.*)""")
_DOTTED = re.compile(r"(?:^|\.)[`\"]?(?P<table>\w[\w$ -]{0,60})[`\"]?\.[`\"]?(?P<column>\w[\w$ -]{0,60})[`\"]?\Z")


def read_notation(text: str) -> Pairs:
    """Pairs of a text in any notation; none where it is the message of a server that failed.

    Examples
    --------
    >>> list(read_notation("1. client(id, name VARCHAR(20))\\n2. loan: amount\\n- card.type"))
    [('client', 'id'), ('client', 'name'), ('loan', 'amount'), ('card', 'type')]
    """
    documents = [] if _CREATE.search(text) else read_json(text)
    pairs = [pair for document in documents for pair in read_document(document)]
    if pairs or any(map(_is_failure, documents)):
        yield from pairs
    else:
        yield from _read_brackets(text)


def _is_failure(node: Any) -> bool:
    """Whether a document says what went wrong, as servers do: ``{"error": {...}}``, ``{"detail": "not found"}``."""
    if not isinstance(node, dict) or not node:
        return False
    texts = all(isinstance(value, str) for value in node.values())
    return isinstance(node.get("error"), (str, dict)) or (texts and _FAILURES.issuperset(node))


def read_document(node: Any) -> Pairs:
    """Pairs of a JSON document.

    Understood are ``{"client": ["id", "name"]}``, ``{"client": {"id": "INT"}}``, ``{"tables": [{"name": "client",
    "columns": [{"name": "id"}]}]}``, ``{"table": "client", "column": "id"}``, and lists of these or of texts.
    """
    if isinstance(node, str):
        yield from _read_brackets(node)
    elif isinstance(node, list):
        for entry in node:
            yield from read_document(entry)
    elif isinstance(node, dict) and not _is_failure(node):
        entries = {key.lower(): value for key, value in node.items()}
        name = next((entries[key] for key in _TABLE_KEYS if isinstance(entries.get(key), str)), "")
        columns = next((entries[key] for key in _COLUMN_KEYS if key in entries), None)
        if columns is not None:
            yield from _table(table_name(name), _columns(columns))
            return
        for key, value in node.items():
            if key.lower() in _WRAPPERS and not isinstance(value, str):
                yield from read_document(value)
            else:
                yield from _table(table_name(key), _columns(value))


def _columns(node: Any) -> list[str]:
    """Names of columns in a JSON value: "id, name", a list of texts or objects, or an object with a key for each."""
    if isinstance(node, dict):
        inner = next((node[key] for key in node if key.lower() in _COLUMN_KEYS), None)
        return [column_name(key) for key in node] if inner is None else _columns(inner)
    if not isinstance(node, list):
        return [column_name(part) for part in node.split(",")] if isinstance(node, str) else []
    texts: list[str] = []
    for entry in node:
        values: list[Any] = [entry]
        if isinstance(entry, dict):
            values = [*(entry.get(key) for key in ("name", *_COLUMN_KEYS)), *list(entry)[:1]]
        elif isinstance(entry, list):  # a column and its type
            values = entry[:1]
        texts += [value for value in values if isinstance(value, str)][:1]
    return [column_name(text) for text in texts]


def _table(name: str, columns: list[str]) -> Pairs:
    if name:
        yield from ((name, column) for column in [column for column in columns if column] or [""])


def _read_brackets(text: str) -> Pairs:
    """Pairs of ``client(id, name)`` and CREATE TABLE anywhere in a text; what stands between is read line by line."""
    text = re.sub(r"\n\s{0,40}\(", " (", text)
    position = 0
    for bracket in re.finditer(r"\(", text):
        if bracket.start() < position:
            continue
        begin, name, ddl = _name_before(text, position, bracket.start())
        if not name:
            continue  # prose
        end, items = _body(text[: bracket.end() + LONGEST_TABLE], bracket.end(), blank_line_ends=not ddl)
        columns = [column for item in items if (column := column_name(item, ddl=ddl))]
        columns = [re.sub(rf"(?i)\A{re.escape(name)}\.", "", column) for column in columns]
        typed = columns and text[bracket.start() - 1] == " " and not any(map(is_table, columns))
        if typed or not (is_table(name) or len(columns) > 1):
            continue  # "gender (text)" or "count(id)"
        if columns or not any(re.search(r"\w", item) for item in items):
            yield from _read_lines(text[position:begin])
            yield from _table(name, columns)
            position = end
    yield from _read_lines(text[position:])


def _name_before(text: str, floor: int, bracket: int) -> tuple[int, str, bool]:
    """Where the name before a bracket starts, the name, and whether CREATE TABLE precedes it.

    The name is all that follows the last line break, comma or bracket, or the last word where that reads like prose.
    """
    line = max(floor, text.rfind("\n", floor, bracket) + 1, bracket - 160)
    begin = max(line, *(text.rfind(mark, line, bracket) + 1 for mark in ",;)|:"))
    segment = text[begin:bracket]
    create = _CREATE.search(segment)
    if create:
        return begin, table_name(create["name"]), True
    word = _LAST_WORD.search(segment)
    return begin, table_name(without_marker(segment)) or clean_name(word.group() if word else ""), False


def _body(text: str, start: int, *, blank_line_ends: bool) -> tuple[int, list[str]]:
    """Where a bracket closes, and what stands between its commas; an open one ends where the next table starts."""
    depth, items, item = 1, list[str](), start
    for mark in _MARK.finditer(text, start):
        sign, position = mark.group(), mark.start()
        following = _NEXT.match(text, mark.end()) if sign == "\n" else None
        ends = sign == "\n" and blank_line_ends and text[mark.end() : mark.end() + 1] == "\n"
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0 or ends or (following and is_table(following["name"] or "")):
            return mark.end(), [*items, text[item:position]]
        if depth == 1 and sign in {",", ";"}:
            items.append(text[item:position])
            item = mark.end()
    return len(text), [*items, text[item:]]


@dataclass
class _Table:
    """A table of a listing, how the line with its name looks, and the columns that were read so far."""

    name: str = ""
    kind: str = ""
    indent: int = -1
    columns: list[str] = field(default_factory=list)


def _read_lines(text: str) -> Pairs:
    """Pairs of "client: id, name", of "client.id", of headings with bullets, and of Markdown tables.

    Examples
    --------
    >>> list(_read_lines("### client\\n- id\\n- name: how they are called\\n\\nloan: amount, date"))
    [('client', 'id'), ('client', 'name'), ('loan', 'amount'), ('loan', 'date')]
    """
    tables, heads = [_Table()], list[str]()
    for line in text.splitlines()[:MOST_LINES]:
        if line.count("|") > 1:
            heads = _read_row(line, heads, tables)
            continue
        heads = []
        kind, indent, rest = _layout(line)
        label, last = _LABEL.match(rest), tables[-1]
        dotted = [_DOTTED.search(part.strip()) for part in rest.split(",")]
        if label:
            last.columns += _names(label["columns"])
        elif all(dotted):
            tables += [_Table(match["table"].strip(), kind, indent, [match["column"]]) for match in dotted if match]
        elif last.name and kind in {"bullet", "number"} and (indent > last.indent or kind != last.kind):
            last.columns.append(column_name(rest))
        else:
            pair = _PAIR.match(rest)
            name = table_name(pair["table"] if pair else rest)
            alone = len(rest.split()) <= 2 and not rest.endswith((".", "!", "?"))
            if name and (pair or kind or alone):
                tables.append(_Table(name, kind, indent, _names(pair["columns"]) if pair else []))
    for table in tables:
        yield from _table(table.name, table.columns)


def _layout(line: str) -> tuple[str, int, str]:
    """What introduces a line ("heading", "number", "bullet" or nothing), its indentation, and what it says."""
    start = line.strip()
    rest = without_marker(start.lstrip("#"))
    if start.startswith("#") or (start.startswith("**") and start.rstrip(":").endswith("**")):
        return "heading", -1, without_label(rest)
    kind = "" if rest == start else "number" if start[0].isdigit() else "bullet"
    return kind, len(line) - len(line.lstrip()), without_label(rest)


def _names(text: str) -> list[str]:
    """Columns of an enumeration; none where it reads like a sentence."""
    parts = re.split(r"[,;]|\band\b|<br\s*/?>", text.strip(" []{}()."))
    sentence = any(len(part.split()) > 4 for part in parts) or (len(parts) == 1 and len(text.split()) > 2)
    return [] if sentence else [column_name(part) for part in parts]


def _read_row(line: str, heads: list[str], tables: list[_Table]) -> list[str]:
    """Read a row of a Markdown table that lists columns, with or without their tables; return its heads."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if not heads:
        return [clean_name(cell).lower() for cell in cells]
    if re.search(r"\w", line):
        tables += [
            _Table(name)
            for head, cell in zip(heads, cells, strict=False)
            if _TABLE_HEAD.fullmatch(head) and (name := table_name(cell))
        ]
        named = [cell for head, cell in zip(heads, cells, strict=False) if _COLUMN_HEAD.fullmatch(head)]
        tables[-1].columns += _names(named[0]) if named else []
    return heads
