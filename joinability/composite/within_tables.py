"""References to rows of the same table: a manager is an employee, a region lies in another; told by names, by declared
keys, and by the values that both columns have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from joinability.by_name.key_names import NamedKeys
from joinability.composite.stored_keys import SCHEMA, CompositeKey, keep_composites, reference_within, renumbered
from joinability.evidence.traits import INTEGERS, KEY_UNIQUENESS, NAMED_AFTER
from joinability.families import KINDS
from joinability.scores.inclusion import best_telling
from joinability.sparse.sparse_entries import entries_at

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from joinability.arrays import Indices
    from joinability.evidence.profiles import ColumnEvidence

COUNT = """
SELECT child, parent, count(*) AS compared, count(found.hash) AS common
FROM asked
JOIN column_values AS own ON own.column_id = child AND own.hash <= bound
LEFT JOIN column_values AS found ON found.column_id = parent AND found.hash = own.hash
GROUP BY ALL
"""
"""The values of a child that are compared with those of a parent, and those of them that it has; of columns that are
known by sketches those of least hash."""
MOST_KEYS, MOST_CHILDREN = 3, 100
"""Keys of a table, and other columns, that are compared where names say nothing: the first ones."""
OF_ANOTHER = 0.5
"""Share of the values of a column that the key of another table has, from which it may refer to that."""
TYPED = "SELECT DISTINCT child[1] FROM composite_keys WHERE type_column IS NOT NULL"
"""The keys of polymorphic references, whose types say which rows are meant."""
CONTAINED, FEWEST = 0.8, 3
"""Least share of the values of a child, and least number, that the key has, where names say too little."""
CONTAINED_NUMBERS, FEWEST_KEYS = 0.9, 10
"""The same share of plain numbers where names say nothing, and the least number of the key's values."""
FORGET_WITHIN = "DELETE FROM composite_keys WHERE len(child) = 1 AND type_column IS NULL"


def find_within_tables(
    connection: duckdb.DuckDBPyConnection, evidence: ColumnEvidence, column_ids: Sequence[int]
) -> None:
    """Look for references to rows of the same table, and keep them in `composite_keys` in place of those found before.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Of a store whose values are there.
    evidence : ColumnEvidence
    column_ids : sequence of int
        The id of each of its columns.
    """
    connection.execute(SCHEMA)
    connection.execute(FORGET_WITHIN)
    typed = {column for (column,) in connection.execute(TYPED).fetchall()}
    named = references_within_tables(evidence)
    told = {key.child for key in named}
    unnamed = {key for key in references_by_values(evidence) if key.child not in told}
    found = {
        key: is_told
        for key, is_told in (named | dict.fromkeys(sorted(unnamed, key=str), False)).items()
        if key.declared or column_ids[key.child[0]] not in typed
    }
    counts = _counts(connection, [renumbered(key, column_ids) for key in found if _is_known(evidence, key)])
    kept = []
    for key, is_told in found.items():
        stored = renumbered(key, column_ids)
        compared, common = counts.get((stored.child[0], stored.parent[0]), (0, 0))
        is_plain = key in unnamed and evidence.integer_share[key.parent[0]] > INTEGERS
        contained = CONTAINED_NUMBERS if is_plain and not evidence.zero_filled[key.parent[0]] else CONTAINED
        if is_told or common >= max(FEWEST, contained * compared):
            kept.append(replace(stored, compared=compared, common=common))
    keep_composites(connection, kept)


def references_within_tables(evidence: ColumnEvidence) -> dict[CompositeKey, bool]:
    """The references to rows of the same table that are declared, or that names suggest for columns without a declared
    key, uncounted; their columns are positions in the evidence. Each with whether this tells it, else the values have
    to."""
    children, parents = evidence.declared.nonzero()
    alone = entries_at(evidence.declared, children, parents) == 1  # and no part of a key of several columns
    own = alone & (evidence.table[children] == evidence.table[parents])
    declared = set(zip(children[own].tolist(), parents[own].tolist(), strict=True))
    told = dict.fromkeys(declared, True)
    refers = np.diff(evidence.declared.indptr) > 0
    for tables in evidence.names_of_databases(np.arange(len(evidence.table_names))):
        columns = [of_table for of_table, _ in tables]
        for reference in NamedKeys([names for _, names in tables]).own_references():
            child, parent = (int(columns[table][place]) for table, place in (reference.child, reference.parent))
            if not refers[child]:
                told[child, parent] = reference.is_told
    return {reference_within(evidence, *pair, declared=pair in declared): told[pair] for pair in sorted(told)}


def references_by_values(evidence: ColumnEvidence) -> Iterator[CompositeKey]:
    """The columns that may refer to the key of their own table whatever they are called, uncounted: few of its values
    stand elsewhere by chance, as it has texts, or numbers with leading zeros, or that begin later than they are many.

    The key of no other table has the values of such a column, which then refers to that, nor is it named after one.
    """
    traits, text = evidence.traits, KINDS.index("text")
    numbers = (traits.kind == KINDS.index("number")) & (evidence.integer_share > INTEGERS)
    later = evidence.zero_filled | (~traits.counted & (evidence.lowest > evidence.distinct))
    keys = (evidence.key_uniqueness >= KEY_UNIQUENESS) & (evidence.distinct >= FEWEST_KEYS) & ~traits.called
    keys &= (numbers & later) | ((traits.kind == text) & (traits.identifies | traits.leads))
    children = (evidence.key_uniqueness < KEY_UNIQUENESS) & (evidence.distinct >= FEWEST) & ~traits.called
    children &= (traits.kind == text) | (numbers & (evidence.zero_filled | (traits.quantity == 0)))
    children &= ~evidence.silent & (np.diff(evidence.declared.indptr) == 0) & (traits.other_name < NAMED_AFTER)
    columns = _first_of_tables(evidence, np.flatnonzero(keys & ~evidence.silent), MOST_KEYS)
    of_own = columns[best_telling(evidence, columns, in_larger=True) < CONTAINED]
    some = _first_of_tables(evidence, np.flatnonzero(children), MOST_CHILDREN)
    some = some[np.isin(evidence.table[some], evidence.table[of_own])]
    some = some[best_telling(evidence, some) < OF_ANOTHER]
    for key in of_own.tolist():
        own = some[(evidence.table[some] == evidence.table[key]) & (traits.kind[some] == traits.kind[key])]
        for child in own.tolist():
            yield reference_within(evidence, child, key, declared=False)


def _first_of_tables(evidence: ColumnEvidence, columns: Indices, most: int) -> Indices:
    """Of some columns those that stand first in their tables, so many of each."""
    order = columns[np.lexsort((evidence.place[columns], evidence.table[columns]))]
    starts = np.flatnonzero(np.diff(evidence.table[order], prepend=-1))
    lengths = np.diff(np.append(starts, len(order)))
    return order[np.arange(len(order)) - np.repeat(starts, lengths) < most]


def _is_known(evidence: ColumnEvidence, key: CompositeKey) -> bool:
    """Whether something is known of the values of both columns."""
    return not evidence.silent[[*key.child, *key.parent]].any()


def _counts(
    connection: duckdb.DuckDBPyConnection, keys: Sequence[CompositeKey]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Of pairs of columns, by their ids: the values compared, and those in common."""
    import pyarrow as pa

    if not keys:
        return {}
    thresholds = dict(connection.execute("SELECT column_id, threshold FROM sketches").fetchall())
    bounds = [min(thresholds.get(column, 2**64 - 1) for column in (*key.child, *key.parent)) for key in keys]
    sides = {"child": [key.child[0] for key in keys], "parent": [key.parent[0] for key in keys]}
    schema = pa.schema([("child", pa.int32()), ("parent", pa.int32()), ("bound", pa.uint64())])
    rows = _count(connection, pa.table({**sides, "bound": bounds}, schema=schema))
    return {(child, parent): (compared, common) for child, parent, compared, common in rows}


def _count(connection: duckdb.DuckDBPyConnection, asked: pyarrow.Table) -> list[tuple[int, int, int, int]]:
    """DuckDB finds the Arrow table by name among the parameters."""
    return connection.execute(COUNT).fetchall()
