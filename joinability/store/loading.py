"""From the tables of the store to arrays in memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.evidence.evidence import JoinEvidence
from joinability.families import FAMILIES
from joinability.names import endings, header_words, incidence, name_words, prefix_free, spelled_out, stem, trigrams

if TYPE_CHECKING:
    import duckdb
    from scipy.sparse import csr_array

    from joinability.arrays import AnyArray, Indices

_PROFILES = """
SELECT column_id, table_id, database, table_name, name, coalesce(natural_name, name) AS label, position, family, is_key,
    row_count IS NOT NULL AS has_rows, coalesce(row_count, 0) AS rows, null_count AS nulls, distinct_count AS distinct,
    uniqueness, value_count AS values, estimated, lowest, highest, coalesce(mean_length, 0) AS mean_length,
    coalesce(numeric_share, 0) AS numeric_share, coalesce(integer_share, 0) AS integer_share,
    coalesce(time_share, 0) AS time_share, coalesce(padded_share, 0) AS padded_share
FROM profiles ORDER BY column_id
"""

_KEYS = """
SELECT key.column_id AS left_id, target.column_id AS right_id, key.key_size AS entry
FROM declared_keys AS key
JOIN profiles AS target ON target.table_id = key.target_table AND target.name = key.target_column
"""

_OVERLAPS = "SELECT left_id, right_id, intersection AS entry FROM column_overlaps"

_ERRORS = "SELECT left_id, right_id, standard_error AS entry FROM overlap_errors"


def load_evidence(connection: duckdb.DuckDBPyConnection, column_ids: Sequence[int] | None) -> JoinEvidence:
    """Read the evidence of the given columns (all by default), in their order.

    Raises
    ------
    KeyError
        When a column is not in the store.
    """
    profiles = connection.execute(_PROFILES).fetchnumpy()
    known = np.asarray(profiles.pop("column_id"))
    ids = known if column_ids is None else np.asarray(column_ids, dtype=np.int64)
    absent = ids[~np.isin(ids, known)]
    if len(absent):
        raise KeyError(f"column {absent[0]} is not in the store")
    order = np.searchsorted(known, ids)
    rows: dict[str, Any] = {name: _plain(values)[order] for name, values in profiles.items()}
    position = np.full(known.max(initial=-1) + 1, -1, dtype=np.int32)
    position[ids] = np.arange(len(ids))
    databases, tables, labels, table_ids, names, families = (
        rows.pop(name).tolist() for name in ("database", "table_name", "label", "table_id", "name", "family")
    )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(table_ids))}
    database_of = dict(zip(table_ids, databases, strict=True))
    return JoinEvidence(
        table=np.array([numbers[name] for name in table_ids], dtype=np.int64),
        table_names=tuple(numbers),
        database=np.unique(list(database_of.values()), return_inverse=True)[1].astype(np.int64),
        name=tuple(names),
        family=np.array([FAMILIES.index(family) for family in families], dtype=np.int8),
        intersections=_matrix(connection, _OVERLAPS, position, both=True),
        intersection_errors=_matrix(connection, _ERRORS, position, both=True, kind=np.float64),
        declared=_matrix(connection, _KEYS, position, both=False),
        tokens=incidence([name_words(" ".join(parts)) for parts in zip(databases, tables, labels, strict=True)]),
        **_names(labels, table_ids, tables),
        **rows,
    )


def _names(labels: list[str], table_ids: list[str], tables: list[str]) -> dict[str, Any]:
    """What `JoinEvidence` holds of the names of columns, each with the id and the name of its table."""
    table_of = dict(zip(table_ids, tables, strict=True))
    known = [list(map(stem, name_words(name))) for name in table_of.values()]
    bare = _prefix_free(labels, table_ids)
    meanings = incidence([*spelled_out(map(name_words, bare), chain.from_iterable(known)), *known])
    forms = _header_forms(labels, tables)
    return {
        **forms,
        **{f"bare_{name}": form for name, form in (forms if bare == labels else _header_forms(bare, tables)).items()},
        "words": meanings[: len(labels)],
        "table_words": meanings[len(labels) :],
    }


def _prefix_free(labels: list[str], table_ids: list[str]) -> list[str]:
    """Names of columns, each without the prefix that those of its table share."""
    members: dict[str, list[int]] = {}
    for place, table in enumerate(table_ids):
        members.setdefault(table, []).append(place)
    bare = list(labels)
    for places in members.values():
        for place, name in zip(places, prefix_free([labels[place] for place in places]), strict=True):
            bare[place] = name
    return bare


def _header_forms(labels: list[str], tables: list[str]) -> dict[str, Any]:
    """Trigrams, numbers and endings of the names of columns, a generic one with that of its table."""
    qualified = [header_words(*names) for names in zip(labels, tables, strict=True)]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(qualified))}
    return {
        "headers": incidence([trigrams("".join(name)) for name in qualified]),
        "name_number": np.array([numbers[name] for name in qualified], dtype=np.int64),
        "name_endings": _square(endings(list(numbers))),
    }


def _square(rows: list[list[int]]) -> csr_array:
    """Square binary matrix with these columns in its rows."""
    from scipy.sparse import csr_array

    starts = np.cumsum([0, *map(len, rows)])
    indices = np.fromiter(chain.from_iterable(map(sorted, rows)), dtype=np.int64, count=starts[-1])
    return csr_array((np.ones(len(indices), dtype=np.float32), indices, starts), shape=(len(rows), len(rows)))


def _plain(values: Any) -> AnyArray:
    """A result of DuckDB as a plain array, with NaN for NULL."""
    return values.filled(np.nan) if isinstance(values, np.ma.MaskedArray) and values.mask.any() else np.asarray(values)


def _matrix(
    connection: duckdb.DuckDBPyConnection, query: str, position: Indices, *, both: bool, kind: type = np.int32
) -> csr_array:
    """Sparse matrix of a query for (left_id, right_id, entry); `both` sets the entry in both directions."""
    from scipy.sparse import coo_array, csr_array

    rows = connection.execute(query).fetchnumpy()
    size = int(np.count_nonzero(position >= 0))
    left, right = (position[np.ma.getdata(rows.pop(side))] for side in ("left_id", "right_id"))
    entry: AnyArray = np.ma.getdata(rows.pop("entry")).astype(kind, copy=False)
    wanted = (left >= 0) & (right >= 0)
    if not wanted.all():
        left, right, entry = left[wanted], right[wanted], entry[wanted]
    if not both:
        matrix = coo_array((entry, (left, right)), shape=(size, size)).tocsr()
        matrix.sort_indices()
        return matrix
    upper = coo_array((entry, (np.minimum(left, right), np.maximum(left, right))), shape=(size, size))
    upper.has_canonical_format = True  # each pair is there once: nothing to sort and to sum
    # From rows to columns and back again is a counting sort; to sort each row would take several times as long.
    sorted_upper = upper.tocsc().tocsr()
    del rows, left, right, wanted, upper
    return csr_array(sorted_upper + sorted_upper.T.tocsr())
