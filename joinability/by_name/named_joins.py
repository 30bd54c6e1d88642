"""References between columns of many databases that names alone suggest, where nobody knows the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from joinability.attributes import cached_property
from joinability.by_name.key_names import NamedKeys
from joinability.by_name.table_names import TableNames
from joinability.sparse.sparse_rows import SparseRows

if TYPE_CHECKING:
    from joinability.arrays import Flags, Indices, Vectors

MOST_SHARED = 100
"""Tables with a column of one name, beyond which more make no difference."""


class Heads(NamedTuple):
    """Numbers of the names of C columns, of the names of their tables, and of their databases, (C,) arrays.

    All that tell who made a row or changed it have one number. Copies of a table in other schemas have its name.
    """

    number: Indices
    title: Indices
    database: Indices


@dataclass(frozen=True, eq=False)
class NamedJoins:
    """References between C columns that names alone suggest, and what else names say of each column.

    Attributes
    ----------
    chance : SparseRows (C, C) of float32
        Entry (k, l): the chance that column k refers to column l, by the kind of name.
    kinds : mapping of (int, int) to str
        The kind of each pair left < right, of `NAME_KINDS` of `joinability.by_name.name_kinds`.
    is_key : (C,) array of bool
        By its name the key of its table, the column that leads it, or a number of what the table holds beside its key.
    begins : (C,) array of bool
        Of whose values nothing is known, and the first column of its table that not nearly all tables of the database
        have.
    shared : (C,) array of float32
        Half the decimal logarithm of the number of names of tables of its database with a column of that name,
        `MOST_SHARED` at most; of a key those alone count of which such a column is the key.
    spread : (C,) array of float32
        Of columns of whose values nothing is known, the decimal logarithm of half the number of names of tables of its
        database with a column of that name, keys or not, `MOST_SHARED` of them at most; 0 of one or two, and of columns
        of whose values something is known.
    """

    chance: SparseRows
    kinds: Mapping[tuple[int, int], str]
    is_key: Flags
    begins: Flags
    shared: Vectors
    spread: Vectors

    @classmethod
    def none(cls, size: int) -> NamedJoins:
        """Nothing of any column."""
        nobody, nowhere = np.zeros(0, dtype=np.int64), np.zeros(size, dtype=np.bool_)
        never = np.zeros(size, dtype=np.float32)
        return cls(SparseRows.of(nobody, nobody, never[:0], size), {}, nowhere, nowhere, never, never)

    @cached_property
    def either(self) -> SparseRows:
        """The chances of both directions, added up: symmetric."""
        return self.chance.with_transposed()

    def kind(self, left: int, right: int) -> str:
        """The kind of a pair; "" where names suggest no reference."""
        return self.kinds.get((min(left, right), max(left, right)), "")


def joins_by_name(
    databases: Iterable[Sequence[tuple[Indices, TableNames]]], silent: Flags, free: Flags, heads: Heads
) -> NamedJoins:
    """The references by name between columns of one database, of which nothing is known of the values of one at least.

    Parameters
    ----------
    databases : iterable of sequences of (array, TableNames)
        The tables of each, and the columns of each of these.
    silent : (C,) array of bool
        The columns of whose values nothing is known.
    free : (C,) array of bool
        Those that may refer to others: that have no declared key.
    heads : Heads
        Of the C columns.
    """
    chance_of: dict[tuple[int, int], float] = {}
    likeliest: dict[tuple[int, int], tuple[float, str]] = {}
    is_key, begins = np.zeros((2, len(silent)), dtype=np.bool_)
    for tables in databases:
        columns = [of_table for of_table, _ in tables]
        keys = NamedKeys([table for _, table in tables])
        for place, column in (*keys.columns(), *keys.own_numbers):
            is_key[columns[place][column]] = True
        for place, column in keys.first_columns():
            begins[columns[place][column]] = silent[columns[place][column]]
        for reference in keys.references():
            child, parent = (int(columns[place][column]) for place, column in (reference.child, reference.parent))
            if free[child] and (silent[child] or silent[parent]):
                chance_of[child, parent] = max(reference.chance, chance_of.get((child, parent), 0.0))
                pair = min(child, parent), max(child, parent)
                likeliest[pair] = max((reference.chance, reference.kind), likeliest.get(pair, (0.0, "")))
    kinds = {pair: kind for pair, (_, kind) in likeliest.items()}
    ends, values = np.array(list(chance_of), dtype=np.int64).reshape(-1, 2), list(chance_of.values())
    chance = SparseRows.of(ends[:, 0], ends[:, 1], np.array(values, dtype=np.float32), len(silent))
    spread = np.where(silent, np.maximum(2 * _shares(heads) - np.log10(2), 0), 0).astype(np.float32)
    return NamedJoins(chance, kinds, is_key, begins, shares(heads, is_key), spread)


def shares(heads: Heads, is_key: Flags) -> Vectors:
    """As `NamedJoins.shared` has it, for C columns of which some are keys by their names."""
    shared, keys = _shares(heads), np.flatnonzero(is_key)
    shared[keys] = _shares(Heads(*(array[keys] for array in heads)))
    return shared


def _shares(heads: Heads) -> Vectors:
    """Half the decimal logarithm of how many names of tables of its database have a column of its name."""
    if not len(heads.number):
        return np.zeros(0, dtype=np.float32)
    _, name = np.unique(np.stack([heads.database, heads.number]), axis=1, return_inverse=True)
    name = name.ravel()
    once = np.unique(np.stack([name, heads.title]), axis=1)[0]
    count = np.minimum(np.bincount(once), MOST_SHARED)[name]
    return np.asarray(np.log10(count) / 2, dtype=np.float32)
