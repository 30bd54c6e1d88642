"""The index as pandas data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jar.evidence import evidence_columns, join_score
from jar.query import table_positions

if TYPE_CHECKING:
    import pandas as pd

    from jar.contents import IndexContents

IntArray = npt.NDArray[np.int64]


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
    """Column pairs that share values or are declared keys, best score first, each with its evidence.

    Raises
    ------
    QueryError
        When the index has no such table.
    """
    import pandas as pd

    left, right = _pairs_with_evidence(contents, table)
    pairs = contents.evidence.pairs(left, right)
    vectors = contents.schema_vectors
    scores = join_score(score)(pairs, np.einsum("pd,pd->p", vectors[left], vectors[right]))
    order = np.argsort(-scores, kind="stable")
    order = order[(scores[order] > 0) & (scores[order] >= min_score)]
    kept = contents.evidence.pairs(left[order], right[order])
    names = np.array(contents.column_names, dtype=object)
    evidence = evidence_columns(kept)
    return pd.DataFrame(
        {
            "left": names[left[order]],
            "right": names[right[order]],
            "score": scores[order],
            "declared": evidence.pop("declared"),
            **evidence,
        }
    )


def _pairs_with_evidence(contents: IndexContents, table: str | None) -> tuple[IntArray, IntArray]:
    """Pairs left < right of columns of different tables that have an entry among overlaps or declared keys."""
    from scipy.sparse import triu

    evidence = contents.evidence
    linked = triu(evidence.intersections + evidence.declared + evidence.declared.T, k=1).tocoo()
    left, right = linked.row.astype(np.int64), linked.col.astype(np.int64)
    wanted = contents.owner[left] != contents.owner[right]
    if table is not None:
        (position,) = table_positions(contents, [table])
        wanted &= (contents.owner[left] == position) | (contents.owner[right] == position)
    return left[wanted], right[wanted]
