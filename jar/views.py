"""The index as pandas data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
