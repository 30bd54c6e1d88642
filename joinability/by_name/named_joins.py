"""What joins by names alone among many tables: the references that names tell where nobody knows the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.by_name.key_names import NamedTable, named_references
from joinability.families import FAMILIES, KINDS

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from joinability.arrays import Array, Flags, Indices
    from joinability.evidence.evidence import JoinEvidence
    from joinability.schema import Table


class NamedPairs(NamedTuple):
    """Pairs of columns of different tables of one database that join by their names, and the chance of each."""

    left: Indices
    right: Indices
    chance: Array

    def where(self, kept: Flags) -> NamedPairs:
        """Some of the pairs."""
        return NamedPairs(self.left[kept], self.right[kept], self.chance[kept])

    def once(self) -> NamedPairs:
        """Each pair once, with its columns in order."""
        ends = np.sort(np.stack(self[:2]), axis=0)
        pairs, first = np.unique(ends, axis=1, return_index=True)
        return NamedPairs(pairs[0], pairs[1], self.chance[first])


@dataclass(frozen=True, eq=False)
class NamedJoins:
    """What joins by names alone among C columns.

    Attributes
    ----------
    chance : csr_array (C, C) of float
        Symmetric.
    kinds : mapping of (int, int) to str
        The kind of each pair left < right, of `KINDS` of `joinability.by_name.key_names`.
    """

    chance: csr_array
    kinds: Mapping[tuple[int, int], str]

    def kind(self, left: int, right: int) -> str:
        """The kind of a pair; "" where names tell nothing of it."""
        return self.kinds.get((min(left, right), max(left, right)), "")


def joins_by_name(
    tables: Sequence[Table], databases: Indices, first_column: Indices, evidence: JoinEvidence
) -> NamedJoins:
    """The joins by name between columns of one database of whose values nothing is known.

    A column with a declared key refers to nothing else.

    Parameters
    ----------
    tables : n tables
    databases : array (n,)
        The number of the database of each.
    first_column : array (n + 1,)
        Where the columns of each begin.
    evidence : JoinEvidence
        Of the C columns.
    """
    size, silent = len(evidence), evidence.traits.silent
    free = np.diff(evidence.declared.indptr) == 0
    kinds = np.where(evidence.traits.kind == KINDS.index("other"), -1, evidence.traits.kind)
    kinds[evidence.family == FAMILIES.index("boolean")] = len(KINDS)
    owner = np.repeat(np.arange(len(tables)), np.diff(first_column))
    asked = np.unique(owner[silent])
    found: dict[tuple[int, int], tuple[float, str]] = {}
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
            if silent[child] and silent[parent] and free[child]:
                pair = min(child, parent), max(child, parent)
                found[pair] = max((one.chance, one.kind), found.get(pair, (0.0, "")))
    return named_joins_of(found, size)


def named_joins_of(found: Mapping[tuple[int, int], tuple[float, str]], size: int) -> NamedJoins:
    """The joins by name among C columns from the chance and the kind of each pair left < right."""
    from scipy.sparse import coo_array

    left, right = np.array(list(found), dtype=np.int64).reshape(-1, 2).T
    chances = np.array([chance for chance, _ in found.values()], dtype=np.float64)
    once = coo_array((chances, (left, right)), shape=(size, size)).tocsr()
    return NamedJoins((once + once.T).tocsr(), {pair: kind for pair, (_, kind) in found.items()})
