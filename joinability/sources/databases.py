"""Tables that an engine holds: the engine reads them, and only profiles, sketches and counts are fetched."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from joinability.cells import column_array
from joinability.engines.column_types import ColumnType, column_type
from joinability.engines.engine import Engine, StoredTable
from joinability.equality import AS_WRITTEN, Equality
from joinability.errors import CatalogError, NoTableError, SourceError
from joinability.lines import listed
from joinability.paths import shown
from joinability.schema import Column, ForeignKey, Table, in_warehouses

if TYPE_CHECKING:
    import pyarrow

COLUMNS = 32
"""Columns that one statement profiles."""
EVIDENCE = {"profiles", "column_values", "column_overlaps", "declared_keys"}
"""Tables by which an index of this package is known."""
NAMED = 20
"""Schemas that a note names."""


@dataclass(frozen=True)
class DatabaseSource:
    """The rows of one table of an engine.

    Attributes
    ----------
    engine : Engine
    table_id, schema, table : str
    columns : tuple of (str, ColumnType)
    """

    engine: Engine = field(repr=False)
    table_id: str
    schema: str
    table: str
    columns: tuple[tuple[str, ColumnType], ...]

    @property
    def path(self) -> str:
        """The name by which failures of the whole database are reported, without credentials."""
        return self.engine.name

    def batches(self, size: int) -> Iterator[list[pyarrow.Array]]:
        """Rows in batches of at most `size`. They serve to show a few rows; profiles are made by the engine."""
        from joinability.engines.pushdown import rows_statement

        statement = rows_statement(self.schema, self.table, self.columns, self.engine.dialect)
        try:
            for columns in self.engine.rows(statement, size):
                yield [column_array(values) for values in columns]
        except Exception as error:
            raise SourceError(self.table_id, self.engine.cause(error)) from None

    def fingerprint(self) -> str:
        """Where the table is, and its state as the engine has it; where it has none, never the same text twice."""
        try:
            state = self.engine.state(self.schema, self.table)
        except Exception:  # a user without the right to know
            state = None
        return f"{self.engine.name}|{self.schema}|{self.table}|{state or uuid.uuid4()}"

    def parts(self, first_id: int, kept: int, below: str, *, equality: Equality = AS_WRITTEN) -> pyarrow.Table:
        """The parts of the profiles of all columns (see `sql/parts.sql`), columns numbered from `first_id` on.

        Raises
        ------
        SourceError
            When the engine fails.
        """
        import pyarrow as pa

        from joinability.engines.pushdown import parts_statement

        numbered = self.numbered(first_id)
        schema = _parts_schema()
        parts = [schema.empty_table()]
        try:
            for start in range(0, len(numbered), COLUMNS):
                chosen = numbered[start : start + COLUMNS]
                statement = parts_statement(chosen, self.engine.dialect, kept, below, equality=equality)
                parts.append(self.engine.select(statement, schema))
        except Exception as error:
            raise SourceError(self.table_id, self.engine.cause(error)) from None
        return pa.concat_tables(parts)

    def numbered(self, first_id: int) -> list[tuple[int, str, str, str, ColumnType]]:
        """Number, schema, table, name and type of each column."""
        return [
            (first_id + position, self.schema, self.table, name, type_)
            for position, (name, type_) in enumerate(self.columns)
        ]

    def row_count(self) -> int:
        """Number of rows.

        Raises
        ------
        SourceError
            When the engine fails.
        """
        import pyarrow as pa

        from joinability.engines.pushdown import count_statement

        try:
            statement = count_statement(self.schema, self.table, self.engine.dialect)
            answer = self.engine.select(statement, pa.schema([("row_count", pa.int64())]))
        except Exception as error:
            raise SourceError(self.table_id, self.engine.cause(error)) from None
        return int(answer["row_count"][0].as_py())


def unread_schemas(engine: Engine) -> list[str]:
    """A note on the schemas of a database that are not read unless they are named; [] where there are none."""
    try:
        others = [name for name in engine.schemas() if name != engine.default_schema]
    except Exception:  # a user without the right to know
        others = []
    return [f"{engine.name}: schemas that are not read unless you name them: {listed(others, NAMED)}"] if others else []


def database_tables(
    engine: Engine, schemas: Sequence[str] | None, database: str | None
) -> tuple[list[Table], list[tuple[str, str]]]:
    """The tables of an engine, and (name, cause) of those that cannot be read.

    Ids are "<database>.<table>" in the default schema, "<database>.<schema>.<table>" in another.

    Raises
    ------
    SourceError
        When the engine does not answer.
    """
    named = database or engine.database
    try:
        stored, failures = engine.tables(schemas)
    except Exception as error:
        raise SourceError(engine.name, engine.cause(error)) from None
    filled = {table.schema for table in stored}
    failures += [(f"{named}.{schema}", "no tables in this schema") for schema in schemas or () if schema not in filled]
    tables = []
    for table in stored:
        try:
            tables.append(_table(engine, table, named))
        except CatalogError as error:
            failures.append((f"{table.schema}.{table.name}", str(error)))
    return in_warehouses(tables, [{table.database for table in tables}]), failures


def duckdb_tables(path: Path, database: str) -> tuple[list[Table], list[tuple[str, str]]]:
    """The tables of all schemas of a DuckDB file, which is opened for reading alone.

    Raises
    ------
    NoTableError
        When it is an index of evidence, which this package wrote.
    SourceError
        When it is no DuckDB file, or of a version that cannot be read.
    """
    from joinability.engines.duck import Duck

    engine = Duck(path)
    tables, failures = database_tables(engine, engine.schemas(), database)
    if {table.name for table in tables} >= EVIDENCE:
        raise NoTableError(shown(path), "it is an index itself")
    return tables, failures


def _table(engine: Engine, stored: StoredTable, database: str) -> Table:
    def database_of(schema: str) -> str:
        return database if schema in ("", engine.default_schema) else f"{database}.{schema}"

    owner = database_of(stored.schema)
    types = tuple((name, column_type(declared, engine.dialect)) for name, declared, _ in stored.columns)
    return Table(
        owner,
        stored.name,
        tuple(Column(name, type_, description=comment or None) for name, type_, comment in stored.columns),
        primary_key=stored.primary_key,
        foreign_keys=tuple(
            ForeignKey(columns, f"{database_of(schema)}.{target}", targets)
            for columns, schema, target, targets in stored.foreign_keys
        ),
        description=stored.comment or None,
        source=DatabaseSource(engine, f"{owner}.{stored.name}", stored.schema, stored.name, types),
        schema="" if owner == database else stored.schema,
    )


def _parts_schema() -> pyarrow.Schema:
    import pyarrow as pa

    counts = ["filled", "value_count", "numeric_count", "integer_count", "time_count", "padded_count"]
    return pa.schema(
        [("column_id", pa.int32()), ("hash", pa.string())]
        + [(name, pa.int64()) for name in counts]
        + [("lowest", pa.float64()), ("highest", pa.float64()), ("text_length", pa.int64())]
        + [("minimum", pa.string()), ("maximum", pa.string())]
    )
