"""Evidence on sharded tables, which are one table to a join: each has that of the rows of all of them.

Of twelve tables `orders_202301`, ..., `orders_202312` each has a twelfth of the orders that payments refer to, and no
reference holds that is measured against one of them. So the values of all members of a family are counted together when
tables are stored (`count_shards`), and stand in place of what is known of each member (`with_shards`): it scores as one
table with the rows of all does.

A column that is unique in each member stays a key where members share its values: `stock_2023` and `stock_2024` list
the same articles, and a join takes one of the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.sparse.sparse_rows import SparseRows
from joinability.statements import sql
from joinability.store.overlaps import LEAST_COUNTED, OverlapLimits

if TYPE_CHECKING:
    import duckdb

    from joinability.arrays import AnyArray, Array, Flags, Indices
    from joinability.evidence.evidence import JoinEvidence

BY_CHANCE = 5
"""Pairs of rows of one member with one value that random draws would have, from which on a column that has none is
unique on purpose: by chance it would be so in one of e^5 cases."""

SHARDS = "shards"
"""Name of the note that says of which build the counts of sharded tables are."""

_DIGITS = re.compile(r"\d+")


class _Families(NamedTuple):
    """The columns of sharded tables, as places in the evidence.

    Attributes
    ----------
    columns, firsts : (s,) arrays of int
        The members of g columns of families, one group after the other; and the first member of the group of each.
    starts : (g,) array of int
        Where each group begins.
    distinct : (g,) array of int
        Distinct values of all members.
    is_uniform : (g,) array of bool
        Whether all members have the same values.
    """

    columns: Indices
    firsts: Indices
    starts: Indices
    distinct: Indices
    is_uniform: Flags

    def spread(self, of_groups: AnyArray) -> AnyArray:
        """What is told of the group of each column, shape (s,)."""
        return np.repeat(of_groups, np.diff(self.starts, append=len(self.columns)))

    def differing(self) -> tuple[Indices, Indices]:
        """The columns, and the firsts, of the groups whose members have not all the same values.

        Members with the same values have the same pairs, which stay as they are.
        """
        differs = ~self.spread(self.is_uniform)
        return self.columns[differs], self.firsts[differs]


class _Overlaps(NamedTuple):
    """What p pairs of columns have in common, of which one at least is the first member of its group.

    Attributes
    ----------
    left, right : (p,) arrays of int
        Places in the evidence.
    common, error : (p,) arrays of float
        Common values and their standard error.
    left_rows, right_rows : (p,) arrays of int
        Rows of the left and of the right column that have a common value; 0 where they were not counted.
    """

    left: Indices
    right: Indices
    common: Array
    error: Array
    left_rows: Indices
    right_rows: Indices


def shards_are_current(meta: Mapping[str, str]) -> bool:
    """Whether the counts of sharded tables are of the build that wrote the index."""
    return meta.get(SHARDS) == meta.get("build", "")


def count_shards(
    connection: duckdb.DuckDBPyConnection, groups: Iterable[Sequence[int]], work: int = OverlapLimits().work
) -> None:
    """Count what the columns of sharded tables have in common with others, in place of what was counted before.

    Parameters
    ----------
    groups : iterable of column ids
        The columns that are one column of a family, that of its first table first. A group is left out unless the
        values of all its members are known.
    work : int
        Values that are looked up at most; for the other pairs what the members have in common is added up.
    """
    import pyarrow as pa

    pairs = [(column, group[0]) for group in groups for column in group]
    columns, firsts = (pa.array([pair[side] for pair in pairs], pa.int32()) for side in (0, 1))
    connection.execute("CREATE OR REPLACE TABLE sharded_columns (column_id INTEGER, first_id INTEGER)")
    connection.register("shards", pa.table({"column_id": columns, "first_id": firsts}))
    connection.execute("INSERT INTO sharded_columns FROM shards")
    connection.unregister("shards")
    if not pairs:
        connection.execute(sql("no_shards"))
        return
    for statement in sql("shards").split(";\n")[:-1]:
        connection.execute(statement, {"work": work} if "$work" in statement else None)


def with_shards(
    evidence: JoinEvidence, connection: duckdb.DuckDBPyConnection, column_ids: Sequence[int]
) -> JoinEvidence:
    """The evidence in which each sharded table has that of its family; the same one where no tables are sharded.

    Parameters
    ----------
    column_ids : sequence of int
        The number of each column in the store, of which `count_shards` was the last to know.
    """
    place = np.full(max(column_ids, default=-1) + 1, -1, dtype=np.int64)
    place[np.asarray(column_ids, dtype=np.int64)] = np.arange(len(column_ids))
    families = _read_families(connection, place)
    if not len(families.columns):
        return evidence
    standing = np.arange(len(evidence.table_names))
    standing[evidence.table[families.columns]] = evidence.table[families.firsts]
    sharded = np.isin(standing, evidence.table[families.firsts])
    forms = evidence.forms
    titles = [_family_title(title) if one else title for title, one in zip(forms.titles, sharded, strict=True)]
    together = replace(
        evidence,
        **_profiles(evidence, families),
        forms=replace(forms, titles=titles),
        standing=standing,
    )
    return replace(together, **_matrices(evidence, together, families, _read_overlaps(connection, place)))


def _family_title(title: str) -> str:
    """The name of a family, that of its tables without numbers; one without a letter stays."""
    return _DIGITS.sub("", title) if any(map(str.isalpha, title)) else title


def _read_families(connection: duckdb.DuckDBPyConnection, place: Indices) -> _Families:
    told = {name for name, *_ in connection.execute("SELECT * FROM sharded_profiles LIMIT 0").description or ()}
    is_uniform = "is_uniform" if "is_uniform" in told else "false"  # earlier versions counted all pairs of families
    stored = connection.execute(
        f"SELECT sharded_columns.column_id, first_id, distinct_count, {is_uniform} FROM sharded_columns"
        " JOIN sharded_profiles ON sharded_profiles.column_id = first_id"
    ).fetchnumpy()
    columns, firsts, distinct, uniform = (np.ma.getdata(values).astype(np.int64) for values in stored.values())
    columns, firsts = place[columns], place[firsts]
    order = np.lexsort((columns, firsts))
    columns, firsts = columns[order], firsts[order]
    starts = np.flatnonzero(np.diff(firsts, prepend=-1))
    return _Families(columns, firsts, starts, distinct[order][starts], uniform[order][starts] > 0)


def _read_overlaps(connection: duckdb.DuckDBPyConnection, place: Indices) -> _Overlaps:
    names = "left_id, right_id, intersection, standard_error, left_rows, right_rows"
    stored = connection.execute(f"SELECT {names} FROM sharded_overlaps").fetchnumpy()
    left, right, *told = map(np.ma.getdata, stored.values())
    return _Overlaps(place[left], place[right], *told)


def _profiles(evidence: JoinEvidence, families: _Families) -> dict[str, Any]:
    """The profiles of all columns, those of families with the rows of all their members, by the names of the evidence.
    """
    columns, starts, distinct = families.columns, families.starts, families.distinct
    filled = evidence.rows - evidence.nulls

    def total(quantity: AnyArray) -> AnyArray:
        return np.asarray(np.add.reduceat(quantity[columns], starts))

    rows = total(evidence.rows)
    least = np.minimum.reduceat(np.where(evidence.rows > 0, evidence.uniqueness, 1.0)[columns], starts)
    expected = total(filled * (filled - 1) / 2) / np.maximum(distinct, 1)
    listed_again = (distinct < total(evidence.distinct)) & (least >= KEY_UNIQUENESS) & (expected >= BY_CHANCE)
    unique = np.where(rows > 0, distinct / np.maximum(rows, 1), least)
    group = families.spread(np.arange(len(starts)))
    fullest = columns[np.lexsort((-filled[columns], group))[starts]]
    told: dict[str, AnyArray] = {
        "family": evidence.family[fullest],
        "rows": rows,
        "nulls": total(evidence.nulls),
        "distinct": distinct,
        "values": distinct,
        "uniqueness": np.where(listed_again, least, unique),
        "lowest": np.fmin.reduceat(evidence.lowest[columns], starts),
        "highest": np.fmax.reduceat(evidence.highest[columns], starts),
        "is_key": np.logical_and.reduceat(evidence.is_key[columns], starts),
    }
    for name in ("numeric_share", "integer_share", "time_share", "mean_length", "padded_share"):
        told[name] = total(getattr(evidence, name) * filled) / np.maximum(total(filled), 1)
    whole = {name: getattr(evidence, name).copy() for name in told}
    for name, quantity in told.items():
        whole[name][columns] = quantity[group]
    return whole


def _matrices(
    evidence: JoinEvidence, together: JoinEvidence, families: _Families, overlaps: _Overlaps
) -> dict[str, Any]:
    """The matrices of pairs with what families have in common with other columns, by the names of the evidence.

    Two members of one family keep the shares that they have of each other's values, as far as the larger of them tells;
    members that all have the same values keep the shares of their rows.
    """
    size, table = len(evidence), together.standing_tables[evidence.table]
    sharded = np.zeros(size, dtype=np.bool_)
    sharded[families.differing()[0]] = True
    one, other, pair = _spread(evidence, sharded, families, overlaps)
    left, right = np.concatenate([one, other]), np.concatenate([other, one])
    pair = np.concatenate([pair, pair])
    forth = np.arange(len(left)) < len(one)

    rows_alone, rows_together = (np.maximum(of.rows - of.nulls, 1) for of in (evidence, together))

    def replaced(matrix: SparseRows, values: AnyArray, *, of_rows: bool = False) -> SparseRows:
        is_touched = np.diff(matrix.indptr)[sharded].any() or sharded[matrix.indices].any() or values.any()
        if not is_touched and not (of_rows and matrix.nnz):
            return matrix
        row, column = matrix.nonzero()
        siblings = sharded[row] & sharded[column] & (table[row] == table[column])
        alone = ~sharded[row] & ~sharded[column]
        kept = np.flatnonzero(alone if of_rows else alone | siblings)
        row, column, entry = row[kept], column[kept], matrix.data[kept].astype(np.float64)
        larger, largest = (
            np.maximum(np.maximum(of.values[row], of.values[column]), 1) for of in (evidence, together)
        )
        entry = np.where(siblings[kept], entry * largest / larger, entry)
        entry = entry * rows_together[row] / rows_alone[row] if of_rows else entry
        filled = np.flatnonzero(values)
        entries = np.concatenate([entry, values[filled]])
        places = np.concatenate([row, left[filled]]), np.concatenate([column, right[filled]])
        if np.issubdtype(matrix.data.dtype, np.integer):
            entries = np.maximum(np.round(entries), 1).astype(matrix.data.dtype)
        return SparseRows.of(*places, entries, size)

    common, rows = overlaps.common[pair], np.where(forth, overlaps.left_rows[pair], overlaps.right_rows[pair])
    rows = np.where(_are_told(together, left, right, common, rows), rows, 0)
    return {
        "intersections": replaced(evidence.intersections, common),
        "intersection_errors": replaced(evidence.intersection_errors, overlaps.error[pair]),
        "row_overlaps": replaced(evidence.row_overlaps, rows, of_rows=True),
    }


def _are_told(together: JoinEvidence, child: Indices, parent: Indices, common: Array, rows: Indices) -> Flags:
    """Which pairs are those whose rows the evidence tells: children of repeated values, of which a key has a part."""
    database, distinct = together.database[together.table], together.distinct[child]
    part = (common < distinct) & (common >= LEAST_COUNTED * distinct) & (rows > common)
    return np.asarray(part & (database[child] == database[parent]) & (together.uniqueness[parent] >= KEY_UNIQUENESS))


def _spread(
    evidence: JoinEvidence, sharded: Flags, families: _Families, overlaps: _Overlaps
) -> tuple[Indices, Indices, Indices]:
    """The pairs of columns that have the evidence of a pair of groups, and its number; each pair of columns once.

    For a group and a column of no family they are all members. Of two groups, whose members may be hundreds each, they
    are the first one of each with all of the other, and those that have values in common themselves: others are hardly
    asked for together.
    """
    size = len(evidence)
    first = np.arange(size)
    columns, firsts = families.differing()
    first[columns] = firsts
    order = np.argsort(first, kind="stable")
    starts = np.searchsorted(first[order], np.arange(size + 1))

    def beside(members_of: Indices, partners: Indices) -> tuple[Indices, Indices, Indices]:
        """The members of the groups of p columns, the partner of each, and its number."""
        lengths = starts[members_of + 1] - starts[members_of]
        number = np.repeat(np.arange(len(members_of)), lengths)
        within = np.arange(len(number)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return order[starts[members_of][number] + within], partners[number], number

    row, column = evidence.intersections.nonzero()
    both = np.flatnonzero(sharded[row] & sharded[column] & (row < column))
    row, column = row[both], column[both]
    keys = np.minimum(overlaps.left, overlaps.right) * size + np.maximum(overlaps.left, overlaps.right)
    sorter = np.argsort(keys)
    wanted = np.minimum(first[row], first[column]) * size + np.maximum(first[row], first[column])
    at = np.minimum(np.searchsorted(keys, wanted, sorter=sorter), max(len(keys) - 1, 0))
    found = np.flatnonzero(keys[sorter[at]] == wanted) if len(keys) else np.zeros(0, dtype=np.int64)
    parts = [
        beside(overlaps.left, overlaps.right),
        beside(overlaps.right, overlaps.left),
        (row[found], column[found], sorter[at[found]]),
    ]
    one, other, pair = (np.concatenate(part) for part in zip(*parts, strict=True))
    swapped = (first[one] != overlaps.left[pair]) if len(pair) else np.zeros(0, dtype=np.bool_)
    one, other = np.where(swapped, other, one), np.where(swapped, one, other)
    _, once = np.unique(one * size + other, return_index=True)
    return one[once], other[once], pair[once]
