"""DuckDB as an engine that holds tables: a database file, or a connection of the caller."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joinability.credentials import without_credentials
from joinability.engines.engine import StoredTable
from joinability.errors import SourceError, first_line
from joinability.paths import file_state, full_path, shown

if TYPE_CHECKING:
    import duckdb
    import pyarrow

_COLUMNS = """
SELECT c.schema_name, c.table_name, c.column_name, c.data_type, c.comment, t.comment
FROM duckdb_columns() AS c JOIN duckdb_tables() AS t USING (table_oid)
WHERE c.database_name = current_database() AND t.database_name = current_database()
    AND list_contains(?, c.schema_name) AND NOT t.temporary
ORDER BY t.schema_name, t.table_oid, c.column_index
"""
_KEYS = """
SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
FROM duckdb_constraints()
WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
"""


class Duck:
    """A DuckDB file, opened read-only for each question, or a connection of the caller, of which cursors are made.

    An open file could not be written by others, so it is closed after each question.

    Parameters
    ----------
    source : str, Path or duckdb.DuckDBPyConnection
        A URL such as ``duckdb:///shop.duckdb`` (relative) or ``duckdb:////data/shop.duckdb`` (absolute), or a path.
    """

    dialect = "duckdb"

    def __init__(self, source: str | Path | duckdb.DuckDBPyConnection) -> None:
        import duckdb

        self._path: Path | None = None
        if isinstance(source, Path):
            self._path, called, named = source, shown(source), ""
            if called != str(source):
                raise SourceError(called, "DuckDB opens no path that is not UTF-8; give it another name")
        elif isinstance(source, str):
            named = source.removeprefix("duckdb:").removeprefix("///")
            if named.startswith("md:"):
                raise SourceError("duckdb", "MotherDuck is read through a connection: duckdb.connect, and give that")
            # as the name of the file that it may be some other time; other programs put tokens behind it
            called = "duckdb:///" + re.sub("^.*@", "***@", re.split("[?#;]", str(Path(named)))[0])
            self._path = full_path(named)
            if not self._path.is_file():
                raise SourceError(called, "no such file")
        else:
            self._given, called, named = source, "duckdb", ""
        try:
            with self._cursor() as cursor:
                row = cursor.execute("SELECT current_database(), current_schema()").fetchone()
        except duckdb.Error as error:
            raise SourceError(called, self.cause(error)) from None
        assert row is not None
        self.database, self.default_schema = map(str, row)
        self.name = called if isinstance(source, Path) else f"duckdb:///{Path(named or self.database)}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        import duckdb

        with self._given.cursor() if self._path is None else duckdb.connect(str(self._path), read_only=True) as cursor:
            yield cursor

    def schemas(self) -> list[str]:
        """The schemas that have tables, the default one first."""
        with self._cursor() as cursor:
            rows = cursor.execute(
                "SELECT DISTINCT schema_name FROM duckdb_tables() "
                "WHERE database_name = current_database() AND NOT temporary ORDER BY 1"
            ).fetchall()
        return sorted((str(name) for (name,) in rows), key=lambda name: name != self.default_schema)

    def tables(self, schemas: Sequence[str] | None) -> tuple[list[StoredTable], list[tuple[str, str]]]:
        """The tables of the given schemas, or of the default one; views and temporary tables are left out."""
        wanted = list(schemas) if schemas else [self.default_schema]
        columns: dict[tuple[str, str], list[tuple[str, str, str | None]]] = {}
        comments: dict[tuple[str, str], str | None] = {}
        with self._cursor() as cursor:
            described = cursor.execute(_COLUMNS, [wanted]).fetchall()
            keys = cursor.execute(_KEYS).fetchall()
        for schema, table, name, type_, comment, about in described:
            columns.setdefault((schema, table), []).append((name, type_, comment))
            comments[schema, table] = about
        primary: dict[tuple[str, str], tuple[str, ...]] = {}
        foreign: dict[tuple[str, str], list[tuple[tuple[str, ...], str, str, tuple[str, ...]]]] = {}
        for schema, table, type_, names, target, target_names in keys:
            if type_ == "PRIMARY KEY":
                primary[schema, table] = tuple(names)
            else:
                foreign.setdefault((schema, table), []).append((tuple(names), schema, target, tuple(target_names)))
        return [
            StoredTable(*key, tuple(of_table), primary.get(key, ()), tuple(foreign.get(key, ())), comments[key])
            for key, of_table in columns.items()
        ], []

    def select(self, query: str, schema: pyarrow.Schema) -> pyarrow.Table:
        """The answer to a query, with the columns of `schema`."""
        with self._cursor() as cursor:
            return cursor.sql(query).to_arrow_table().cast(schema)

    def rows(self, query: str, size: int) -> Iterator[list[Sequence[Any]]]:
        """The answer to a query, at most `size` rows at a time, column by column."""
        with self._cursor() as cursor:
            answer = cursor.execute(query)
            while rows := answer.fetchmany(size):
                yield list(zip(*rows, strict=True))

    def state(self, schema: str, table: str) -> str | None:
        """Size and time of change of the file; None for a connection of the caller."""
        return None if self._path is None else file_state(self._path)

    def cause(self, error: Exception) -> str:
        """The first line of what DuckDB says, with stars for what it repeats of the secrets of a connection."""
        return without_credentials(first_line(error))
