"""The index as pandas data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jar.evidence import join_score
from jar.query import table_positions
from joinability import edges

if TYPE_CHECKING:
    import pandas as pd

    from jar.contents import IndexContents


def tables_frame(contents: IndexContents) -> pd.DataFrame:
    """A row for each table: id, database, name, columns, rows, primary_key, description."""
    import pandas as pd

    first = contents.first_column[:-1]
    rows = [
        int(contents.evidence.rows[start]) if table.columns else 0
        for table, start in zip(contents.tables, first, strict=True)
    ]
    return pd.DataFrame(
        {
            "id": [table.id for table in contents.tables],
            "database": [table.database for table in contents.tables],
            "name": [table.name for table in contents.tables],
            "columns": [len(table.columns) for table in contents.tables],
            "rows": rows,
            "primary_key": [", ".join(table.primary_key) for table in contents.tables],
            "description": [table.description for table in contents.tables],
        }
    )


def joins_frame(contents: IndexContents, score: str, min_score: float, table: str | None) -> pd.DataFrame:
    """Column pairs that there is evidence on, best score first, each with its evidence.

    Raises
    ------
    QueryError
        When the index has no such table.
    """
    import pandas as pd

    tables = None
    if table is not None:
        table_positions(contents, [table])
        tables = [number for number, name in enumerate(contents.evidence.table_names) if name == table]
    found = edges(contents.evidence, join_score(score), min_score, vectors=contents.schema_vectors, tables=tables)
    return pd.DataFrame(found.columns())
