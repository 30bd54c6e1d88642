"""Spark as an engine that holds tables: those of the catalog of a session, and its temporary views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from joinability.credentials import without_credentials
from joinability.engines.engine import StoredTable
from joinability.errors import first_line

if TYPE_CHECKING:
    import pyarrow


class Spark:
    """A Spark session of the caller.

    Temporary views count as tables, because files and data frames get their names in Spark as such views; other views
    do not. Spark keeps no keys and no record of changed rows.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
    """

    dialect = "spark"
    name = "spark"

    def __init__(self, session: Any) -> None:
        self._session = session
        self.default_schema = str(session.catalog.currentDatabase())
        self.database = self.default_schema

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.database}>"

    def schemas(self) -> list[str]:
        """The current database: the others are no parts of it."""
        return [self.default_schema]

    def tables(self, schemas: Sequence[str] | None) -> tuple[list[StoredTable], list[tuple[str, str]]]:
        """The tables of the given databases, or of the current one, and the temporary views of the session."""
        stored: dict[tuple[str, str], StoredTable] = {}
        failures: list[tuple[str, str]] = []
        for schema in schemas or [self.default_schema]:
            for listed in sorted(self._session.catalog.listTables(schema), key=lambda table: str(table.name)):
                if listed.tableType == "VIEW":
                    continue
                within = "" if listed.isTemporary else schema
                try:
                    columns = self._columns(within, listed.name)
                except Exception as error:  # a table whose files are gone
                    failures.append((f"{schema}.{listed.name}", self.cause(error)))
                else:
                    stored[within, listed.name] = StoredTable(within, listed.name, columns, comment=listed.description)
        return list(stored.values()), failures

    def _columns(self, schema: str, table: str) -> tuple[tuple[str, str, str | None], ...]:
        from joinability.engines.pushdown import rows_statement

        fields = self._session.sql(rows_statement(schema, table, (), self.dialect)).schema.fields
        return tuple((field.name, field.dataType.simpleString(), field.metadata.get("comment")) for field in fields)

    def select(self, query: str, schema: pyarrow.Schema) -> pyarrow.Table:
        """The answer to a query, with the columns of `schema`."""
        return self._session.sql(query).toArrow().cast(schema)

    def rows(self, query: str, size: int) -> Iterator[list[Sequence[Any]]]:
        """The answer to a query, at most `size` rows at a time, column by column."""
        rows: list[Any] = []
        for row in self._session.sql(query).toLocalIterator():
            rows.append(tuple(row))
            if len(rows) == size:
                yield list(zip(*rows, strict=True))
                rows = []
        if rows:
            yield list(zip(*rows, strict=True))

    def state(self, schema: str, table: str) -> str | None:
        """None: Spark keeps no record of changed rows."""
        return None

    def cause(self, error: Exception) -> str:
        """The first line of what Spark says, with stars for what it repeats of the secrets of a source."""
        return without_credentials(first_line(error))
