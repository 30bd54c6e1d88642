"""Gold tables from gold SQL."""

from __future__ import annotations

from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

DIALECT = "sqlite"
"""Of all gold queries, as sqlglot names it."""


class GoldError(ValueError):
    """A gold query that can not be read."""


@lru_cache(maxsize=20_000)
def gold_tables(sql: str, database: str) -> frozenset[str]:
    """Ids of the tables that a query reads, in any of its parts, case folded.

    Common table expressions and aliases are not tables. Names are resolved scope by scope, so that in ``WITH client AS
    (SELECT * FROM client) SELECT * FROM client`` the inner name is the table and the outer one is not.
    Several data sets have the same queries, so that what was found is remembered.

    Parameters
    ----------
    sql : str
    database : str
        The database that the query runs on.

    Returns
    -------
    frozenset of str
        "database.table".

    Raises
    ------
    GoldError
        When the query can not be parsed.
    """
    scopes = query_scopes(sql, database)
    sources = [source for scope in scopes for source in scope.sources.values()]
    return frozenset(f"{database}.{table.name}".casefold() for table in sources if isinstance(table, exp.Table))


def query_scopes(sql: str, database: str) -> list[Scope]:
    """The scopes of a gold query: its subqueries and common table expressions, and itself.

    Raises
    ------
    GoldError
        When the query can not be parsed.
    """
    try:
        return traverse_scope(sqlglot.parse_one(sql, read=DIALECT))
    except SqlglotError as error:
        raise GoldError(f"the gold query of a question on {database} can not be parsed: {sql!r} ({error})") from error
