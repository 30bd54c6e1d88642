"""What joins by names alone in an index: the references that names tell between tables whose rows nobody knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from joinability.families import KINDS
from joinability.scores.named_keys import NamedTable, named_references

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from jar.arrays import IntArray
    from joinability import JoinEvidence, Table


def joins_by_name(
    tables: Sequence[Table], databases: IntArray, first_column: IntArray, evidence: JoinEvidence
) -> csr_array:
    """The chance of each join by name between columns of one database of whose values nothing is known, shape (C, C).

    Parameters
    ----------
    tables : n tables
    databases : array (n,)
        The number of the database of each.
    first_column : array (n + 1,)
        Where the columns of each begin.
    evidence : JoinEvidence
        Of the C columns.

    Returns
    -------
    csr_array (C, C) of float
        Symmetric.
    """
    from scipy.sparse import coo_array

    size, silent = len(evidence), evidence.traits.silent
    kinds = np.where(evidence.traits.kind == KINDS.index("other"), -1, evidence.traits.kind)
    owner = np.repeat(np.arange(len(tables)), np.diff(first_column))
    asked = np.unique(owner[silent])
    sides: list[tuple[int, int]] = []
    chances: list[float] = []
    for database in np.unique(databases[asked]):
        places = asked[databases[asked] == database].tolist()
        named = [
            NamedTable(
                tables[place].name,
                tables[place].column_names,
                kinds[first_column[place] : first_column[place + 1]].tolist(),
                tables[place].primary_key,
            )
            for place in places
        ]
        for one in named_references(named):
            child, parent = (int(first_column[places[table]]) + column for table, column in (one.child, one.parent))
            if silent[child] and silent[parent]:
                sides += [(child, parent), (parent, child)]
                chances += [one.chance] * 2
    left, right = np.array(sides, dtype=np.int64).reshape(-1, 2).T
    matrix = coo_array((np.array(chances), (left, right)), shape=(size, size)).tocsr()
    return matrix
