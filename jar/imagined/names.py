"""Names of tables and columns out of what surrounds them: types, constraints, quotes, comments, list markers."""

from __future__ import annotations

import re

from jar.text.decomposition import STOP_WORDS

LONGEST_NAME = 80
"""Characters of a name; longer ones are prose or garbage."""
MOST_WORDS = 5
"""Words of a name; "Free Meal Count (Ages 5-17)" has five."""
MOST_BLANKS = 40
"""Blanks in a row that are kept: the indentation of a list, and no more than patterns should have to step through."""

_BLANKS = re.compile(rf"[^\S\n]{{{MOST_BLANKS},}}")
_WIDE = str.maketrans("\uff08\uff09\uff0c\uff1b\uff1a", "(),;:")
_TYPES = frozenset(
    "int integer bigint smallint tinyint serial bigserial float double real decimal numeric number varchar varchar2 "
    "nvarchar char character nchar string str text clob blob bool boolean date datetime timestamp timestamptz time "
    "year json jsonb uuid enum bytea binary varbinary money".split()
)
_CERTAIN_TYPES = _TYPES - frozenset("date time year text number character string money real double binary char".split())
_CONSTRAINTS = frozenset(
    "primary foreign unique not null default references check constraint auto_increment pk fk key".split()
)
_ROW = re.compile(
    r"(?i)\s*(?:primary\s+key|foreign\s+key|constraint\s|check\s*\(|unique\s*\(|unique\s+key|references\s"
    r"|(?:index|key)\s*\w*\s*\(|partition\s+by)"
)
_FUNCTIONS = frozenset(
    "count sum avg min max in values and or on where having cast round lower upper using over".split()
)
_QUOTED = re.compile(r"""\s*(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|'([^']+)'|\*\*([^*]+)\*\*)""")
_MARKER = re.compile(r"\s*(?:[-*+•‣◦·–—]\s+|\(?\d{1,3}[.)]\s*(?!\d)|\(?[a-z][.)](?:\s+|\Z))")
_END = re.compile(r"\s*[:=(\[<{]|\s+[-–—]+>?\s|\s*(?:->|→|=>)|\s*\s(?:--|#|//)")
_WORD = re.compile(r"\w")
_OTHER_WORDS = frozenset(
    "schema schemas table tables sql query answer question note explanation example output database databases column "
    "columns field fields attributes etc null none true false might need needed required based following sure minimal "
    "create select insert relational hallucinated ok okay yes sorry hello thanks certainly unfortunately".split()
)


def plain_text(text: str) -> str:
    """A text without code fences, SQL comments, characters that are no text, and long runs of blanks in a line."""
    text = re.sub(r"\r\n?", "\n", text).replace("\x00", " ").replace("\ufeff", "").replace("\t", "    ")
    text = _BLANKS.sub(" " * MOST_BLANKS, text.translate(_WIDE)).replace("\\_", "_")
    text = re.sub(r"(?m)^[ ]*(?:```|~~~)[^\n]*$", "", text)
    text = re.sub(r"/\*.{0,2000}?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"(?m)^[ ]*//[^\n]*$", "", text)
    return re.sub(r"(?<![-|:\w])--(?![-|>])[^\n]*", "", text)


def without_marker(line: str) -> str:
    """A line without the number or bullet of its list.

    Examples
    --------
    >>> without_marker("  2. Loans(amount)"), without_marker("- 2nd name")
    ('Loans(amount)', '2nd name')
    """
    found = _MARKER.match(line)
    return (line[found.end() :] if found else line).strip()


def column_name(item: str, *, ddl: bool = False) -> str:
    """The name in a column definition, empty where there is none (a constraint, an ellipsis, prose).

    Parameters
    ----------
    item : str
        Such as "client_id INT PRIMARY KEY", "birth date", "name: the client's name" or "`FRPM Count (K-12)` REAL".
    ddl : bool
        In SQL the first word is the name; elsewhere names have blanks, and a type follows only where it is plain
        that it is one.

    Examples
    --------
    >>> column_name("client_id INT PRIMARY KEY"), column_name("birth date"), column_name("FOREIGN KEY (id)")
    ('client_id', 'birth date', '')
    """
    if _ROW.match(item):
        return ""
    quoted = _QUOTED.match(item)
    if quoted:
        return clean_name(next(group for group in quoted.groups() if group))
    plain = without_marker(item)
    end = _END.search(plain)
    words = (plain[: end.start()] if end else plain).split()
    if ddl:
        return clean_name(words[0] if words else "")
    for place, word in enumerate(words[1:], 1):
        bare = word.strip(".,;()").lower()
        if bare in _CERTAIN_TYPES or bare in _CONSTRAINTS - {"key"} or (word.isupper() and bare in _TYPES):
            return clean_name(" ".join(words[:place]))
    return clean_name(" ".join(words))


def clean_name(name: str) -> str:
    """A name without quotes and marks around it; empty where nothing is left, or where it is too long to be one."""
    stripped = " ".join(name.split()).strip("\"'`*.,;:-–—#[]{}<>|…_/ ").strip()
    usable = len(stripped) <= LONGEST_NAME and len(stripped.split()) <= MOST_WORDS and _WORD.search(stripped)
    return stripped if usable else ""


def table_name(text: str) -> str:
    """The name of a table, without its schema or quotes; empty where the text reads like prose.

    Examples
    --------
    >>> table_name("**Table: client**"), table_name('main."order items"'), table_name("Here is the schema")
    ('client', 'order items', '')
    """
    plain = re.sub(r"(?i)^[\s*#`]*(?:table|relation|entity)(?:\s+name)?\s*\d*\s*[:.\-–]?\s+(?=\S)", "", text)
    name = clean_name(re.sub(r"[`\"\[\]*]", "", plain))
    name = re.sub(r"(?i)\s+table$", "", name)
    head, dot, tail = name.rpartition(".")
    name = tail if dot and tail.strip() and " " not in head else name
    words = name.lower().split()
    prose = len(words) > 4 or any(word.strip(",.!?'") in STOP_WORDS | _OTHER_WORDS for word in words)
    return "" if prose and not (len(words) == 1 and words[0] in STOP_WORDS - _OTHER_WORDS) else name.strip()


def is_function(name: str) -> bool:
    """Whether a word in front of a bracket may be no table: a constraint, an SQL function or operator."""
    return name.strip("\"'`[]").lower() in _FUNCTIONS | _CONSTRAINTS


def is_type(name: str) -> bool:
    """Whether a word is the name of a type."""
    return name.strip("\"'`[]").lower() in _TYPES
