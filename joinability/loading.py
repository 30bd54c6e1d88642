"""From the tables of the store to arrays in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from joinability.evidence import JoinEvidence
from joinability.families import FAMILIES
from joinability.names import header, incidence, stem, trigrams, words

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

_PROFILES = """
SELECT column_id, table_id, database, table_name, name, coalesce(natural_name, name) AS label, position, family, is_key,
    row_count IS NOT NULL AS has_rows, coalesce(row_count, 0) AS rows, null_count AS nulls, distinct_count AS distinct,
    uniqueness, value_count AS values, estimated, coalesce(integer_share, 0) AS integer_share,
    lowest, highest, coalesce(mean_length, 0) AS mean_length
FROM profiles ORDER BY column_id
"""

_KEYS = """
SELECT key.column_id AS left_id, target.column_id AS right_id, key.key_size AS entry
FROM declared_keys AS key
JOIN profiles AS target ON target.table_id = key.target_table AND target.name = key.target_column
"""

_OVERLAPS = "SELECT left_id, right_id, intersection AS entry FROM column_overlaps"


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
    rows = {name: _plain(values)[order] for name, values in profiles.items()}
    position = np.full(known.max(initial=-1) + 1, -1, dtype=np.int64)
    position[ids] = np.arange(len(ids))
    databases, tables, labels, table_ids, names, families = (
        rows.pop(name).tolist() for name in ("database", "table_name", "label", "table_id", "name", "family")
    )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(table_ids))}
    table_of = dict(zip(table_ids, tables, strict=True))
    named = incidence([map(stem, words(name)) for name in [*labels, *table_of.values()]])
    return JoinEvidence(
        table=np.array([numbers[name] for name in table_ids], dtype=np.int64),
        table_names=tuple(numbers),
        name=tuple(names),
        family=np.array([FAMILIES.index(family) for family in families], dtype=np.int8),
        intersections=_matrix(connection, _OVERLAPS, position, both=True),
        declared=_matrix(connection, _KEYS, position, both=False),
        tokens=incidence([words(" ".join(parts)) for parts in zip(databases, tables, labels, strict=True)]),
        headers=incidence([trigrams(header(*named)) for named in zip(labels, tables, strict=True)]),
        words=named[: len(labels)],
        table_words=named[len(labels) :],
        **rows,
    )


def _plain(values: Any) -> NDArray[Any]:
    """A result of DuckDB without its mask: NaN where it is NULL."""
    return values.filled(np.nan) if isinstance(values, np.ma.MaskedArray) and values.mask.any() else np.asarray(values)


def _matrix(connection: duckdb.DuckDBPyConnection, query: str, position: NDArray[np.int64], *, both: bool) -> csr_array:
    """Sparse matrix of a query for (left_id, right_id, entry); `both` sets the entry in both directions."""
    from scipy.sparse import coo_array

    found = connection.execute(query).fetchnumpy()
    size = int(np.count_nonzero(position >= 0))
    left, right = position[found["left_id"]], position[found["right_id"]]
    wanted = (left >= 0) & (right >= 0)
    left, right, entry = left[wanted], right[wanted], np.asarray(found["entry"])[wanted].astype(np.int32)
    if both:
        left, right = np.concatenate([left, right]), np.concatenate([right, left])
        entry = np.concatenate([entry, entry])
    matrix = coo_array((entry, (left, right)), shape=(size, size)).tocsr()
    matrix.sort_indices()
    return matrix
