"""A server of the Model Context Protocol: an agent asks for tables and joins and reads no other schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, wraps
from typing import Any

from jar.adapters.frameworks import from_extra
from jar.adapters.items import EXPECTED_ERRORS, LazyReranker, Source
from jar.answers.join import Join
from joinability import JoinEdge

with from_extra("mcp"):
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
    from pydantic import BaseModel

NEIGHBOURS, PATHS = 20, 3
"""Joins of a table, and ways between two tables, that an answer holds at most: a model has to read it."""
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class FoundJoin(BaseModel):
    """A condition "db.table.column = db.table.column", and how sure the join is, from 0 (hardly a join) to 1."""

    condition: str
    score: float


class FoundTables(BaseModel):
    """Tables, the joins between them, and what was not as asked."""

    tables: list[str]
    joins: list[FoundJoin]
    notes: list[str] = []


def serve(index: Source) -> MCPServer:
    """A server with four tools over an index, which is loaded when one is first called; `run()` it for an agent."""
    server, lazy = MCPServer("jar", instructions="Find the tables of a question, then join them."), LazyReranker(index)
    graph = cache(lambda: lazy.index.join_graph())

    def find_tables(question: str, k: int = 5) -> FoundTables:
        """Choose the k tables that together answer a question, best first, with the joins and the tables between."""
        found = lazy.reranker.rank(question, k)
        return FoundTables(tables=list(found.tables), joins=_told(found.joins), notes=list(found.notes))

    def joins_of(table: str) -> list[FoundJoin]:
        """The best join of a table "database.table" with each of its neighbours, surest first."""
        return _told(lazy.index.join_graph(table=table).neighbours(table)[:NEIGHBOURS])

    def join_path(a: str, b: str) -> list[FoundTables]:
        """The best ways to join two tables "database.table", by way of others where needed; empty if there is none."""
        return [FoundTables(tables=list(path.tables), joins=_told(path.edges)) for path in graph().paths(a, b, PATHS)]

    def sql_context(question: str, k: int = 5) -> str:
        """CREATE TABLE statements of the k tables that answer a question together, and their join conditions."""
        return lazy.reranker.rank(question, k).to_sql_context()

    for tool in (find_tables, joins_of, join_path, sql_context):
        server.add_tool(_with_tool_errors(tool), annotations=READS)
    return server


def _told(joins: Iterable[Join | JoinEdge]) -> list[FoundJoin]:
    return [FoundJoin(condition=join.condition, score=round(join.score, 3)) for join in joins]


def _with_tool_errors(tool: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(tool)
    def told(**arguments: Any) -> Any:
        try:
            return tool(**arguments)
        except EXPECTED_ERRORS as error:
            raise ToolError(str(error)) from error

    return told
