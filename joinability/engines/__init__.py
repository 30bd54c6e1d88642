"""Engines that hold tables themselves: databases and Spark, asked for profiles, sketches and counts, not for rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from joinability.errors import SourceError

if TYPE_CHECKING:
    from joinability.engines.engine import Engine


DUCKDB_PREFIXES = ("duckdb:", "md:")
"""How URLs of DuckDB and MotherDuck may begin, which need no `://`."""


def is_url(text: str) -> bool:
    """Whether a text is the URL of a database rather than a path."""
    return "://" in text or text.startswith(DUCKDB_PREFIXES)


def engine_of(source: Any) -> Engine:
    """The engine behind a URL, a connection or a session.

    Raises
    ------
    SourceError
        When there is none, it does not answer, or its driver is not installed. No message holds credentials.
    """
    module = type(source).__module__.partition(".")[0].lstrip("_")
    if module == "duckdb" or (isinstance(source, str) and source.startswith(DUCKDB_PREFIXES)):
        from joinability.engines.duck import Duck

        return Duck(source)
    if module == "pyspark":
        from joinability.engines.spark import Spark

        return Spark(source)
    try:
        import sqlalchemy  # noqa: F401  (is it there?)
    except ModuleNotFoundError as error:
        if error.name != "sqlalchemy":
            raise
        raise SourceError(
            "database", "SQLAlchemy is missing; install it: pip install 'jar-rerank[postgres]' or 'jar-rerank[mysql]'"
        ) from None
    from joinability.engines.relational import Relational

    return Relational(source)
