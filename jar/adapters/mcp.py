"""A server of the Model Context Protocol: an agent asks for tables and joins and reads no other schema."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from importlib.metadata import version
from typing import Annotated, Any, Literal, TypeAlias

from jar.adapters.frameworks import from_extra
from jar.adapters.items import EXPECTED_ERRORS, LazyReranker, Source
from jar.adapters.mcp_answers import FoundJoin, FoundSql, FoundTables, told_joins, told_tables
from jar.index.frames import join_graph
from jar.tables.sibling_joins import best_joins
from joinability import CatalogError

with from_extra("mcp"):
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
    from pydantic import Field

TABLES, NEIGHBOURS, PATHS = 50, 20, 3
"""Tables, joins of a table, and ways between two that an answer holds at most: a model has to read it."""
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
Count: TypeAlias = Annotated[int, Field(ge=1, le=TABLES)] | Literal["auto"]
"""A number of tables, or as many as the question needs."""
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]


def serve(index: Source) -> MCPServer:
    """A server with four tools over an index file, which is loaded by the first call, and again where it changed."""
    server = MCPServer("jar", version=version("jar-rerank"), instructions="Find a question's tables, then join them.")
    lazy = LazyReranker(index, follow=True)
    graph_of = lru_cache(1)(lambda contents, score, least: join_graph(contents, score, least))

    def find_tables(question: str, k: Count = 5) -> FoundTables:
        """Choose the k tables that together answer a question, best first, with the joins and the tables between.

        With k "auto" they are as many as the question needs, and confidence is the probability that these are all.
        """
        return told_tables(lazy.reranker.rank(question, k), sized=k == "auto")

    def joins_of(table: str, min_score: Share = 0.2) -> list[FoundJoin]:
        """The best join of a table "database.table" with each of its neighbours, surest first."""
        return told_joins(best_joins(lazy.index, table, min_score)[:NEIGHBOURS])

    def join_path(a: str, b: str, min_score: Share = 0.2) -> list[FoundTables]:
        """The best ways to join two tables "database.table", by way of others where needed; empty if there is none."""
        opened = lazy.index  # its contents are others after a pin or a veto
        paths = graph_of(opened.contents, opened.score, min_score).paths(a, b, PATHS)
        return [FoundTables(tables=list(path.tables), joins=told_joins(path.edges)) for path in paths]

    def sql_context(question: str, k: Count = 5, max_tokens: int | None = None, dialect: str | None = None) -> FoundSql:
        """CREATE TABLE statements of the k tables ("auto": as many as needed) that answer a question, and their joins.

        In a dialect: sqlite, postgres, mysql, snowflake, bigquery, duckdb, tsql or oracle; within max_tokens, about.
        """
        found = lazy.reranker.rank(question, k)
        return FoundSql(sql=found.to_sql_context(dialect, max_tokens=max_tokens), notes=list(found.notes))

    for tool in (find_tables, joins_of, join_path, sql_context):
        server.add_tool(_with_tool_errors(tool), annotations=READS)
    return server


def _with_tool_errors(tool: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(tool)
    def told(**arguments: Any) -> Any:
        try:
            return tool(**arguments)
        except CatalogError as error:
            raise ToolError(f"{error}; find_tables(question) tells the names of tables") from error
        except EXPECTED_ERRORS as error:
            raise ToolError(str(error)) from error

    return told
