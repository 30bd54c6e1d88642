"""Names of tables and columns, without the types, constraints, quotes and list markers around them."""

from __future__ import annotations

import re

from jar.text.stop_words import STOP_WORDS

LONGEST_NAME = 80
"""Characters of a name; what is longer is prose."""
MOST_WORDS = 5
"""Words of a name; "Free Meal Count (Ages 5-17)" has five."""

_TYPES = (
    "int integer bigint smallint tinyint serial float decimal numeric varchar nvarchar char string str bool boolean "
    "datetime timestamp blob json uuid primary foreign unique not null references auto_increment pk fk"
).split()
_WORDS_AND_TYPES = "date time year text number real double character binary money".split()
_FUNCTIONS = "count sum avg min max in values and or on where having cast round lower upper using over".split()
_NO_TABLES = frozenset([*_TYPES, *_WORDS_AND_TYPES, *_FUNCTIONS, "check", "constraint", "key", "default"])
_NO_COLUMN = re.compile(
    r"(?i)(?:primary|foreign|unique)\s+key|constraint\s|(?:check|unique|index|key)\s*\w*\s*\(|references\s"
)
_QUOTED = re.compile(r"""(["`'])(?P<name>(?:(?!\1).){1,80})\1|\[(?P<bracketed>[^\]]{1,80})\]""")
_MARKER = re.compile(r"\s*(?:[-*+•–—]\s+|\(?\d{1,3}[.)]\s*(?!\d)|\(?[a-z][.)](?:\s+|\Z))")
_END = re.compile(
    r"[:=(\[<{]|\s[-–—]+>?\s|->|→|\s(?:#|//)"
    rf"|\s(?:(?i:{'|'.join(_TYPES)})|{'|'.join(word.upper() for word in _WORDS_AND_TYPES)})\b"
)
_LABEL = re.compile(r"(?i)[\s*#`]{0,20}(?:table|relation|entity)(?:\s+name)?\s*\d*\s*[:.\-–]?\s+(?=\S)")
_PROSE = STOP_WORDS | frozenset(
    "schema schemas table tables sql query answer question note explanation example output database databases column "
    "columns field fields attributes etc null none true false might need needed required based following sure minimal "
    "create select insert relational ok okay yes no sorry hello thanks certainly unfortunately".split()
)


def without_marker(line: str) -> str:
    """A line without the number or bullet of its list.

    Examples
    --------
    >>> without_marker("  2. Loans(amount)"), without_marker("- 2nd name")
    ('Loans(amount)', '2nd name')
    """
    marker = _MARKER.match(line)
    return (line[marker.end() :] if marker else line).strip()


def without_label(text: str) -> str:
    """A text without "Table:", "Table 2:" or "Entity" before the name."""
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


def clean_name(name: str) -> str:
    """A name without the marks around it; empty where it is too long to be a name."""
    stripped = " ".join(name.split()).strip("\"'`*.,;:-–—#[]{}<>|…_/ ")
    usable = len(stripped) <= LONGEST_NAME and len(stripped.split()) <= MOST_WORDS and re.search(r"\w", stripped)
    return stripped if usable else ""


def column_name(item: str, *, ddl: bool = False) -> str:
    """The name in a column's definition; empty where there is none (a constraint, an ellipsis, prose).

    Parameters
    ----------
    item : str
        Such as "client_id INT PRIMARY KEY", "birth date", "name: the client's name" or "`FRPM Count (K-12)` REAL".
    ddl : bool
        In SQL only the first word is the name.

    Examples
    --------
    >>> column_name("client_id INT PRIMARY KEY"), column_name("birth date"), column_name("FOREIGN KEY (id)")
    ('client_id', 'birth date', '')
    """
    plain = without_marker(" ".join(item.split()))
    if _NO_COLUMN.match(plain):
        return ""
    quoted = _QUOTED.match(plain.lstrip("*"))
    if quoted:
        return clean_name(quoted["name"] or quoted["bracketed"])
    name = _END.split(plain, maxsplit=1)[0]
    return clean_name(name.partition(" ")[0] if ddl else name)


def table_name(text: str) -> str:
    """The name of a table, without its schema or quotes; empty where the text reads like prose.

    Examples
    --------
    >>> table_name("**Table: client**"), table_name('main."order items"'), table_name("Here is the schema")
    ('client', 'order items', '')
    """
    name = clean_name(re.sub(r"[`\"\[\]*]", "", without_label(text)))
    name = re.sub(r"(?i)\s+table$", "", name)
    schema, _, table = name.rpartition(".")
    name = table.strip() if table.strip() and " " not in schema else name
    words = [word.strip(",.!?'") for word in name.lower().split()]
    return "" if len(words) > 4 or not _PROSE.isdisjoint(words) else name


def is_table(name: str) -> bool:
    """Whether a word before a bracket may name a table, and not a type, a constraint or a function of SQL."""
    return name.lower() not in _NO_TABLES
