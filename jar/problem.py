"""From candidates to the column-level problem that the formulation layer reduces and solves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from formulations import ColumnProblem
from jar.errors import QueryError
from jar.relevance import schema_similarity

if TYPE_CHECKING:
    from jar.contents import IndexContents
    from jar.evidence import JoinScore
    from jar.query import Limits

Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def build_problem(
    contents: IndexContents,
    tables: IntArray,
    columns: IntArray,
    coarse: Array,
    fine: Array,
    k: int,
    limits: Limits,
    score: JoinScore,
) -> ColumnProblem:
    """Assemble relevance and joinability of the candidates by array operations.

    Parameters
    ----------
    tables, columns : arrays (n,), (C,)
        Positions of the candidates and of their columns, table by table.
    coarse, fine : arrays (n,), (m, C)
    k : int
        Tables to choose; at most n are.

    Returns
    -------
    ColumnProblem
        Items in the order of `tables`.

    Raises
    ------
    QueryError
        When no candidate is left, or more tables are required than shall be chosen.
    """
    if len(tables) == 0:
        raise QueryError(
            "no candidates are left: the index or the list of candidates is empty, or everything is excluded"
        )
    size = min(k, len(tables))
    if len(limits.require) > size:
        raise QueryError(f"{len(limits.require)} tables are required, but only {size} shall be chosen: raise k")
    evidence = contents.evidence.block(columns)
    joinability = score(evidence, schema_similarity(contents, columns))
    owner = np.repeat(np.arange(len(tables)), np.diff(contents.first_column)[tables])
    _forbid(joinability, columns, tables[owner], limits)
    place = {int(table): item for item, table in enumerate(tables)}
    return ColumnProblem(
        relevance=coarse,
        fine=fine,
        owner=owner,
        joinability=joinability,
        size=size,
        ids=[contents.tables[table].id for table in tables],
        require=[place[table] for table in limits.require],
    )


def _forbid(joinability: Array, columns: IntArray, owner: IntArray, limits: Limits) -> None:
    """Take vetoed pairs of columns and of tables out of the joinability, in place."""
    for left, right in limits.forbid_columns:
        pair = np.ix_(columns == left, columns == right)
        joinability[pair] = 0.0
        joinability.T[pair] = 0.0
    for left, right in limits.forbid_tables:
        pair = np.ix_(owner == left, owner == right)
        joinability[pair] = 0.0
        joinability.T[pair] = 0.0
