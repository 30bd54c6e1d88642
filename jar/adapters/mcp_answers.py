"""What the tools of the server for agents answer with."""

from __future__ import annotations

from collections.abc import Iterable

from jar.adapters.frameworks import from_extra
from jar.answers.join import Join
from jar.answers.selection import Selection
from jar.answers.sql_context import stands_for
from joinability import JoinEdge

with from_extra("mcp"):
    from pydantic import BaseModel


class FoundJoin(BaseModel):
    """A condition "db.table.column = db.table.column", and how sure the join is, from 0 (hardly a join) to 1."""

    condition: str
    score: float


class FoundTables(BaseModel):
    """Tables, the joins between them, whether these connect all of them, the probability that these are all that the
    question needs, where that was asked for, and what was not as asked."""

    tables: list[str]
    joins: list[FoundJoin]
    connected: bool = True
    confidence: float | None = None
    notes: list[str] = []


class FoundSql(BaseModel):
    """CREATE TABLE statements and join conditions, and what was not as asked."""

    sql: str
    notes: list[str]


def told_joins(joins: Iterable[Join | JoinEdge]) -> list[FoundJoin]:
    """Joins as an answer tells them."""
    return [FoundJoin(condition=join.condition, score=round(join.score, 3)) for join in joins]


def told_tables(found: Selection, *, sized: bool) -> FoundTables:
    """A selection as an answer tells it; with its confidence where the question said how many tables there are."""
    return FoundTables(
        tables=list(found.tables),
        joins=told_joins((*found.joins, *found.more_joins)),
        connected=found.connected,
        confidence=found.confidence if sized else None,
        notes=[*found.notes, *(f"{table} {stands_for(members)}" for table, members in found.families.items())],
    )
