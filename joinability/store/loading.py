"""From the tables of the store to arrays in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.evidence.evidence import JoinEvidence
from joinability.evidence.name_forms import NameForms
from joinability.families import FAMILIES, declared_length
from joinability.sparse.mirrored_rows import MirroredRows
from joinability.sparse.sparse_rows import SparseRows
from joinability.spelling.read_names import NamesInWords, read_names

if TYPE_CHECKING:
    import duckdb

    from joinability.arrays import AnyArray, Indices

_PROFILES = """
SELECT column_id, min(column_id) OVER (PARTITION BY table_id) AS first_id, name, type,
    coalesce(natural_name, name) AS label, position, list_position(?, family) - 1 AS family, is_key,
    coalesce(row_count, 0) AS rows, null_count AS nulls, distinct_count AS distinct,
    uniqueness, value_count AS values, estimated, lowest, highest, coalesce(mean_length, 0) AS mean_length,
    coalesce(numeric_share, 0) AS numeric_share, coalesce(integer_share, 0) AS integer_share,
    coalesce(time_share, 0) AS time_share, coalesce(padded_share, 0) AS padded_share,
    coalesce(regexp_matches(minimum, '^0[0-9]+$'), false) AS zero_filled
FROM profiles ORDER BY column_id
"""

_TABLES = """
SELECT min(column_id) AS first_id, table_id, any_value(table_name), any_value(database) FROM profiles GROUP BY table_id
"""

_KEYS = """
SELECT key.column_id AS left_id, target.column_id AS right_id, key.key_size AS entry
FROM declared_keys AS key
JOIN profiles AS target ON target.table_id = key.target_table AND target.name = key.target_column
"""

_OVERLAPS = "SELECT left_id, right_id, intersection AS entry FROM column_overlaps"

_ROWS = "SELECT child_id AS left_id, parent_id AS right_id, row_count AS entry FROM overlap_rows"

_ERRORS = "SELECT left_id, right_id, standard_error AS entry FROM overlap_errors"


def load_evidence(
    connection: duckdb.DuckDBPyConnection, column_ids: Sequence[int] | None, read: NamesInWords | None = None
) -> JoinEvidence:
    """Read the evidence of the given columns (all by default), in their order.

    Parameters
    ----------
    read : mapping, optional
        The names of columns and of their tables in words, by the place of the column, where these say more than the
        names; by default they are read anew.

    Raises
    ------
    KeyError
        When a column is not in the store.
    """
    profiles = connection.execute(_PROFILES, [list(FAMILIES)]).fetchnumpy()
    known = np.asarray(profiles.pop("column_id"))
    ids = known if column_ids is None else np.asarray(column_ids, dtype=np.int64)
    absent = ids[~np.isin(ids, known)]
    if len(absent):
        raise KeyError(f"column {absent[0]} is not in the store")
    order = np.searchsorted(known, ids)
    rows: dict[str, Any] = {name: _plain(values)[order] for name, values in profiles.items()}
    position = np.full(known.max(initial=-1) + 1, -1, dtype=np.int32)
    position[ids] = np.arange(len(ids))
    names, labels = (rows.pop(name).tolist() for name in ("name", "label"))
    first, starts, table = np.unique(rows.pop("first_id"), return_index=True, return_inverse=True)
    by_first = {row[0]: row[1:] for row in connection.execute(_TABLES).fetchall()}
    order = np.argsort(starts)  # tables are numbered as they come
    table = np.argsort(order)[table].astype(np.int64)
    titles = [by_first[number] for number in first[order].tolist()]
    databases = [database for _, _, database in titles]
    evidence = JoinEvidence(
        table=table,
        table_names=tuple(id_ for id_, _, _ in titles),
        database=np.unique(databases, return_inverse=True)[1].astype(np.int64),
        name=tuple(names),
        family=rows.pop("family").astype(np.int8),
        declared_length=np.fromiter(map(declared_length, rows.pop("type")), dtype=np.int32, count=len(ids)),
        intersections=_matrix(connection, _OVERLAPS, position, both=True),
        intersection_errors=_matrix(connection, _ERRORS, position, both=True, kind=np.float64),
        row_overlaps=_matrix(connection, _rows_query(connection), position, both=False, kind=np.int64),
        declared=_matrix(connection, _KEYS, position, both=False),
        forms=NameForms(labels, [title for _, title, _ in titles], databases, table),
        **rows,
    )
    return _in_words(evidence, _read(evidence) if read is None else read)


def _in_words(evidence: JoinEvidence, read: NamesInWords) -> JoinEvidence:
    """The evidence with the names in words.

    Parameters
    ----------
    read : mapping
        The names of columns and of their tables in words, by column, where these say more than the names.
    """
    if not read:
        return evidence
    labels, titles, names = list(evidence.forms.labels), list(evidence.forms.titles), list(evidence.name)
    for column, (name, title) in read.items():
        titles[evidence.table[column]] = title
        labels[column] = name if labels[column] == names[column] else labels[column]
        names[column] = name
    written = evidence.forms.labels, evidence.forms.titles
    forms = replace(evidence.forms, labels=labels, titles=titles, written=written)
    return replace(evidence, in_words=tuple(names), forms=forms)


def _read(evidence: JoinEvidence) -> NamesInWords:
    """The names of columns and tables in words, by column, where these say more than the names."""
    titles, read = evidence.forms.titles, dict[int, tuple[str, str]]()
    columns = np.split(np.argsort(evidence.table, kind="stable"), _starts(evidence.table))
    for database in range(evidence.database.max(initial=-1) + 1):
        tables = np.flatnonzero(evidence.database == database).tolist()
        of_tables = [[evidence.name[column] for column in columns[table].tolist()] for table in tables]
        of_titles, of_columns = read_names([titles[table] for table in tables], of_tables)
        for table, title, words in zip(tables, of_titles, of_columns, strict=True):
            for column, name in zip(columns[table].tolist(), words, strict=True):
                if (name, title) != (evidence.name[column], titles[table]):
                    read[column] = name, title
    return read


def _starts(table: Indices) -> Indices:
    """Where the columns of each table but the first begin, ordered by table."""
    return np.cumsum(np.bincount(table))[:-1]


def _rows_query(connection: duckdb.DuckDBPyConnection) -> str:
    """Stores of earlier versions, which may be open for reading alone, count no rows."""
    counted = connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'overlap_rows'").fetchone()
    return _ROWS if counted else f"{_OVERLAPS} WHERE false"


def _plain(values: Any) -> AnyArray:
    """A result of DuckDB as a plain array, with NaN for NULL."""
    return values.filled(np.nan) if isinstance(values, np.ma.MaskedArray) and values.mask.any() else np.asarray(values)


def _matrix(
    connection: duckdb.DuckDBPyConnection, query: str, position: Indices, *, both: bool, kind: type = np.int32
) -> SparseRows:
    """Sparse matrix of a query for (left_id, right_id, entry); `both` sets the entry in both directions."""
    rows = connection.execute(query).fetchnumpy()
    size = int(np.count_nonzero(position >= 0))
    left, right = (np.ma.getdata(rows.pop(side)) for side in ("left_id", "right_id"))
    entry: AnyArray = np.ma.getdata(rows.pop("entry")).astype(kind, copy=False)
    if not np.array_equal(position, np.arange(len(position))):
        left, right = position[left], position[right]
        wanted = (left >= 0) & (right >= 0)
        if not wanted.all():
            left, right, entry = left[wanted], right[wanted], entry[wanted]
    return MirroredRows(left, right, entry, size) if both else SparseRows.of(left, right, entry, size)
