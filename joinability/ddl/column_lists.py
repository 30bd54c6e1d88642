"""Tables and keys by the outline of a statement alone, whatever else it says that no parser knows.

A list of columns is alike in all dialects: parts between commas, of which each is a name and a type, or begins with
the word of a constraint. What follows the type (defaults, storage, collations) does not matter here, nor what follows
the list.
"""

from __future__ import annotations

from collections.abc import Sequence

from joinability.ddl.drafts import Draft, Name
from joinability.ddl.remarks import column_remark, end_of_first_line, list_bounds
from joinability.ddl.scripts import COMMENT, Statement
from joinability.ddl.statement_parts import Part, altered_name, is_text, name_at, parts_between, step
from joinability.errors import CatalogError
from joinability.schema import Column

AFTER_TYPE = frozenset(
    "NOT NULL DEFAULT PRIMARY UNIQUE REFERENCES CHECK CONSTRAINT COLLATE COMMENT GENERATED AS IDENTITY AUTO_INCREMENT "
    "AUTOINCREMENT ENABLE DISABLE ON CHARSET ENCODE INVISIBLE VISIBLE SPARSE ROWGUIDCOL VIRTUAL STORED PERSISTED "
    "KEY FORMAT OPTIONS SORTKEY DISTKEY MASKED SRID CODEC TTL STORAGE COMPRESSION ALWAYS ENCRYPT HIDDEN FOREIGN".split()
)
"""Words that end the type of a column."""
INDEXES = frozenset(("KEY", "INDEX", "FULLTEXT", "SPATIAL", "UNIQUE"))
"""Words that begin an index within the list of columns; a column may have such a name, too."""


def listed_table(statement: Statement) -> Draft:
    """The table that a statement creates, by its list of columns.

    Raises
    ------
    CatalogError
        When it has none.
    """
    opening, closing = list_bounds(statement)
    table = Part(statement, 0, opening)
    start = table.place("TABLE")
    if start is None or closing == opening or statement.tokens[closing].text != ")":
        raise CatalogError("a table without a list of columns")
    name, _ = name_at(table, start + (4 if table.words[start + 1 : start + 4] == ["IF", "NOT", "EXISTS"] else 1))
    draft = Draft(*name, [], description=_said(Part(statement, closing + 1, len(statement.tokens))))
    for part in parts_between(statement, opening + 1, closing):
        _take(part, draft)
    if not draft.columns:
        raise CatalogError("a table without columns")
    return draft


def is_of_type(statement: Statement) -> bool:
    """Whether a statement creates a table whose columns are those of a type: CREATE TABLE name OF type."""
    words = Part(statement, 0, len(statement.tokens))
    start = words.place("TABLE")
    return start is not None and words.words[name_at(words, start + 1)[1] :][:1] == ["OF"]


def listed_keys(statement: Statement) -> Draft | None:
    """The keys that a statement adds to a table; None where it adds none."""
    whole, name, end = altered_name(statement)
    draft = Draft(*name, [])
    last = len(statement.tokens)
    if whole.words[end : end + 2] == ["ADD", "("]:  # as Oracle has it
        end, last = end + 2, last - (whole.words[-1] == ")")
    for part in parts_between(statement, end, last):
        _take_keys(part, draft)
    return draft if draft.primary_key or draft.references else None


def listed_changes(statement: Statement) -> tuple[Name, list[Column], list[str]] | None:
    """The table that ALTER TABLE changes, with the columns that ADD (...) adds and those that DROP (...) takes away, as
    Oracle has it; None where it says neither."""
    whole, name, end = altered_name(statement)
    if whole.words[end : end + 2] == ["DROP", "("]:
        return name, [], whole.names(end + 1)
    if whole.words[end : end + 2] != ["ADD", "("]:
        return None
    parts = parts_between(statement, end + 2, len(statement.tokens) - (whole.words[-1] == ")"))
    return name, [_column(part) for part in parts if not _is_constraint(part) and len(part.tokens) > 1], []


def _take(part: Part, draft: Draft) -> None:
    """Add what a part of the list says: a key or a column."""
    if not _is_constraint(part):
        draft.columns.append(_column(part))
        keyed = part.place("PRIMARY KEY", "PRIMARY")
        if keyed is not None:
            draft.primary_key.append(part.tokens[0].text)
        place = part.place("REFERENCES")
        if place is not None:
            draft.references.append(([part.tokens[0].text], *_referred(part, place)))
    else:
        _take_keys(part, draft)


def _take_keys(part: Part, draft: Draft) -> None:
    primary, foreign = part.place("PRIMARY KEY", "PRIMARY"), part.place("FOREIGN KEY", "FOREIGN")
    if foreign is not None and (place := part.place("REFERENCES")) is not None:
        draft.references.append((part.names(foreign), *_referred(part, place)))
    elif primary is not None:
        draft.primary_key += part.names(primary)


def _referred(part: Part, place: int) -> tuple[Name, list[str]]:
    name, end = name_at(part, place + 1)
    return name, part.names(end) if part.words[end : end + 1] == ["("] else []


def _is_constraint(part: Part) -> bool:
    """Whether a part of the list is a key, an index or a check, and no column of such a name."""
    first, *others = part.words
    second = others[0] if others else ""
    if first in ("PRIMARY KEY", "FOREIGN KEY", "CONSTRAINT", "LIKE", "PRIMARY", "FOREIGN") and others:
        return True
    if first in ("CHECK", "EXCLUDE", "UNIQUE", "PERIOD", "SUPPLEMENTAL", "INDEX", "KEY") and second in (
        *("(", "USING", "FOR", "LOG", "CLUSTERED", "NONCLUSTERED", "KEY", "INDEX"),
    ):
        return True
    bracket = part.place("(")
    if first not in INDEXES or bracket is None:
        return False
    between = [word for word in part.until("(", "USING") if word not in INDEXES]
    inside = part.words[bracket + 1 : bracket + 2]  # a length, a text or the name of a column
    is_named = bool(inside) and not inside[0].isdigit() and inside[0] not in ("MAX", "*")
    return is_named and len(between) <= 1 and not is_text(part.tokens[bracket + 1])


def _column(part: Part) -> Column:
    words = part.words
    end = 1
    depth = 0
    while end < len(words) and (depth or not _ends_type(words, end)):
        depth += step(words[end])
        end += 1
    return Column(part.tokens[0].text, _type(part, end), description=_said(part, after=1) or _comment(part))


def _said(part: Part, *, after: int = 0) -> str | None:
    """The text of COMMENT 'text' or COMMENT = 'text'."""
    place = part.place("COMMENT", after=after)
    texts = [] if place is None else [token for token in part.tokens[place + 1 : place + 3] if is_text(token)]
    return texts[0].text if texts else None


def _ends_type(words: Sequence[str], place: int) -> bool:
    word, *following = [*words[place : place + 2], ""]
    if word in ("CHARACTER", "CHAR"):  # both a type and CHARACTER SET
        return following[0] == "SET"
    return word.split(" ")[0] in AFTER_TYPE or (word == "WITH" and following[0] not in ("TIME", "LOCAL", "TIMEZONE"))


def _type(part: Part, end: int) -> str:
    """The type as it is written, without quotes and brackets around its words, in upper case outside of texts."""
    script, text, last = part.statement.script, "", 0
    for place, token in enumerate(part.tokens[1:end], start=1):
        raw = script[token.start : token.end + 1]
        is_text = raw.endswith("'")
        blank = " " if place > 1 and token.start > last and text[-1:] != "(" else ""
        text += blank + (raw if is_text else token.text.upper())
        last = token.end + 1
    return text.replace(" (", "(").replace(" ,", ",")


def _comment(part: Part) -> str | None:
    """The comments of a column: above it, in its lines, and behind the comma that follows it."""
    statement, start, end = part.statement, part.start, part.start + len(part.tokens)
    before = statement.gap(start)
    gaps = [before[end_of_first_line(before) :]]
    gaps += [statement.gap(place) for place in range(start + 1, end + 1)]
    if statement.tokens[end].text == ",":
        gaps.append(statement.gap(end + 1)[: end_of_first_line(statement.gap(end + 1))])
    return column_remark(match.group() for gap in gaps for match in COMMENT.finditer(gap))
