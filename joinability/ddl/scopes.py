"""What the names of a dump belong to, which no schema qualifies: USE, and the search path of PostgreSQL."""

from __future__ import annotations

from joinability.ddl.drafts import Scope
from joinability.ddl.scripts import Statement
from joinability.ddl.statement_parts import Part, name_at

_NO_SCOPES = ("ROLE", "WAREHOUSE", "SECONDARY")
"""Words behind USE in statements of Snowflake that are about no tables."""
_BY_SETTING = (["SET", "SEARCH_PATH"], ["SET", "SCHEMA"], ["ALTER", "SESSION", "SET", "CURRENT_SCHEMA"])
_CATALOG = "pg_catalog"
"""The schema of PostgreSQL's own tables, where no script creates any."""


def named_scope(statement: Statement, dialect: str) -> Scope | None:
    """The scope that a statement enters; None for other statements."""
    whole = Part(statement, 0, min(len(statement.tokens), 12))
    words = whole.words
    if words[:1] == ["USE"] and words[1:2] and words[1] not in _NO_SCOPES:
        place = 2 if words[1] in ("DATABASE", "SCHEMA", "CATALOG") and len(words) > 2 else 1
        (qualifier, name), _ = name_at(whole, place)
        return Scope(f"{qualifier}.{name}".strip("."), has_schemas=dialect == "tsql" or words[1] == "DATABASE")
    for beginning in _BY_SETTING:
        if words[: len(beginning)] == beginning:
            place = len(beginning) + (words[len(beginning) : len(beginning) + 1] in (["="], ["TO"]))
            name = name_at(whole, place)[0][1] if len(words) > place else ""
            return Scope("" if name == _CATALOG else name)
    return None
