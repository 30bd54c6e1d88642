"""The texts of an index: written for all its tables together, as what a name means depends on its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jar.index.stored_tables import read_samples, read_tables
from jar.lookalikes.sharded import Families
from jar.text.spelled_names import spell
from jar.text.table_words import write_words
from jar.text.texts import column_text, name_text, schema_text, table_text

if TYPE_CHECKING:
    import duckdb

ADD_COLUMNS = "".join(
    f"ALTER TABLE catalog_tables ADD COLUMN IF NOT EXISTS {name} VARCHAR;" for name in ("name_text", "schema_name")
)
"""For files of versions that did not have them."""


def write_texts(connection: duckdb.DuckDBPyConnection, values: int = 0) -> None:
    """Write the texts of all stored tables and columns, with up to so many sample values of each column.

    Tables of one family share the texts of its first.
    """
    tables, _, column_ids = read_tables(connection)
    numbers = [int(row[0]) for row in connection.execute("SELECT table_id FROM catalog_tables ORDER BY 1").fetchall()]
    spelled = spell(tables)
    connection.execute("BEGIN")
    write_words(connection, numbers, spelled)
    for first, members in Families.of(tables).members.items():
        for member in members:
            spelled[member] = spelled[first]
    named = [(number, table_text(table), name_text(table)) for number, table in zip(numbers, spelled, strict=True)]
    samples = read_samples(connection, values) if values else {}
    of_columns = (
        (column_text(spoken, place, samples.get(f"{table.id}.{column.name}", ())), schema_text(spoken.table, column))
        for table, spoken in zip(tables, spelled, strict=True)
        for place, column in enumerate(spoken.table.columns)
    )
    texts = [(number, *pair) for number, pair in zip(column_ids, of_columns, strict=True)]
    connection.execute(ADD_COLUMNS)
    _update(connection, "catalog_tables", ("table_id", "text", "name_text"), named)
    _update(connection, "catalog_columns", ("column_id", "text", "schema_text"), texts)
    connection.execute("COMMIT")


def _update(
    connection: duckdb.DuckDBPyConnection, table: str, names: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Set the columns of rows by the first one, their number, where they differ."""
    import pyarrow as pa

    if not rows:
        return
    number, *texts = names
    connection.register(
        "told", pa.table({name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)})
    )
    changes = ", ".join(f"{name} = told.{name}" for name in texts)
    differ = " OR ".join(f'"{table}".{name} IS DISTINCT FROM told.{name}' for name in texts)
    connection.execute(
        f'UPDATE "{table}" SET {changes} FROM told WHERE "{table}".{number} = told.{number} AND ({differ})'
    )
    connection.unregister("told")
