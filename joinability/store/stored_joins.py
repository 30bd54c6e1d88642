"""What is known of joins as it is stored when tables are indexed, so that no question waits for it.

It is optional: where a file has none, or one that follows from other rules, all of it is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from joinability.by_name.named_joins import NamedJoins
from joinability.scores.known_scores import KnownScores
from joinability.sparse.sparse_rows import SparseRows
from joinability.spelling.read_names import NamesInWords
from joinability.store.rules import rules_fingerprint

if TYPE_CHECKING:
    import duckdb

    from joinability.arrays import Flags, Indices
    from joinability.evidence.evidence import JoinEvidence

NOTE = "joins"
"""Name of the note that says by which rules the joins of the file were found, and to which build they belong."""
FORMS = {
    "join_scores": "left_id INTEGER, right_id INTEGER, score FLOAT",
    "scored_databases": "database VARCHAR, inside BOOLEAN, across BOOLEAN",
    "named_joins": "child_id INTEGER, parent_id INTEGER, chance FLOAT, kind VARCHAR",
    "named_columns": "column_id INTEGER, is_key BOOLEAN, begins BOOLEAN, shared FLOAT, spread FLOAT",
    "unjoined_columns": "column_id INTEGER",
    "names_in_words": "column_id INTEGER, name VARCHAR, table_name VARCHAR",
}


class StoredJoins(NamedTuple):
    """Scores of joins, the references that names alone suggest, and which columns may join (`Traits.may_join`)."""

    scores: KnownScores
    named: NamedJoins
    may_join: Flags

    @classmethod
    def of(cls, evidence: JoinEvidence) -> StoredJoins:
        """Those of an evidence: this takes the time that questions save."""
        return cls(KnownScores.of(evidence), evidence.named, evidence.may_join)


def write_joins(
    connection: duckdb.DuckDBPyConnection,
    joins: StoredJoins,
    evidence: JoinEvidence,
    column_ids: Sequence[int],
    titles: Sequence[str],
) -> None:
    """Write the joins of the columns of the evidence and their names in words, in place of what was there.

    Parameters
    ----------
    titles : T names
        Of the tables in words; those of the evidence may be of families.
    column_ids : sequence of int
        The number of each column in the file.
    """
    import pyarrow as pa

    (known, named, may_join), ids = joins, np.asarray(column_ids, dtype=np.int32)
    child, parent = named.chance.nonzero()
    kinds = [named.kind(*pair) for pair in zip(child.tolist(), parent.tolist(), strict=True)]
    some = np.flatnonzero(named.is_key | named.begins | (named.shared > 0) | (named.spread > 0))
    rows: dict[str, dict[str, Any]] = {
        "join_scores": {"left": ids[known.scores.rows], "right": ids[known.scores.indices], "score": known.scores.data},
        "scored_databases": {"name": _databases(evidence), "inside": known.inside, "across": known.across},
        "named_joins": {
            "child": ids[child],
            "parent": ids[parent],
            "chance": named.chance.data,
            "kind": pa.array(kinds, pa.string()),
        },
        "named_columns": {
            "column": ids[some],
            "is_key": named.is_key[some],
            "begins": named.begins[some],
            "shared": named.shared[some],
            "spread": named.spread[some],
        },
        "unjoined_columns": {"column": ids[~may_join]},
        "names_in_words": _names_in_words(evidence, column_ids, titles),
    }
    for table, form in FORMS.items():
        connection.execute(f"CREATE OR REPLACE TABLE {table} ({form})")
        connection.register("new_rows", pa.table(rows[table]))
        connection.execute(f"INSERT INTO {table} SELECT * FROM new_rows")
        connection.unregister("new_rows")


def _names_in_words(evidence: JoinEvidence, column_ids: Sequence[int], titles: Sequence[str]) -> dict[str, Any]:
    """The columns whose names in words, or those of their tables, are not their names."""
    import pyarrow as pa

    named = zip(evidence.table_names, evidence.forms.databases, titles, strict=True)
    is_read = np.array([name[len(database) + 1 :] != title for name, database, title in named], dtype=np.bool_)
    names = zip(evidence.name, evidence.read, evidence.table.tolist(), strict=True)
    places = [place for place, (name, read, table) in enumerate(names) if name != read or is_read[table]]
    return {
        "column": np.asarray(column_ids, dtype=np.int32)[places],
        "name": pa.array([evidence.read[place] for place in places], pa.string()),
        "table": pa.array([titles[evidence.table[place]] for place in places], pa.string()),
    }


def read_in_words(
    connection: duckdb.DuckDBPyConnection, meta: Mapping[str, str], column_ids: Sequence[int]
) -> NamesInWords | None:
    """The names in words of the columns of a file and of their tables; None where the file has none by today's rules.

    Parameters
    ----------
    meta, column_ids
        As in `read_joins`.
    """
    if not joins_are_current(meta):
        return None
    place = {int(column): place for place, column in enumerate(column_ids)}
    rows = connection.execute("SELECT * FROM names_in_words").fetchall()
    return {place[column]: (name, title) for column, name, title in rows if column in place}


def joins_note(build: str) -> dict[str, str]:
    """The note that marks stored joins as valid: it names the scoring rules and the index build they were computed for.
    """
    return {NOTE: f"{rules_fingerprint()}:{build}"}


def joins_are_current(meta: Mapping[str, str]) -> bool:
    """Whether the notes of a file say that its joins follow from today's rules and belong to its build."""
    return NOTE in meta and meta[NOTE] == joins_note(meta.get("build", ""))[NOTE]


def read_joins(
    connection: duckdb.DuckDBPyConnection, meta: Mapping[str, str], evidence: JoinEvidence, column_ids: Sequence[int]
) -> StoredJoins | None:
    """The joins of the columns of the evidence; None where the file has none that follow from today's rules.

    Parameters
    ----------
    meta : mapping
        The notes of the file.
    column_ids : sequence of int
        The number of each column in the file.
    """
    if not joins_are_current(meta):
        return None
    ids = np.asarray(column_ids, dtype=np.int64)
    place = np.zeros(int(ids.max(initial=-1)) + 1, dtype=np.int64)
    place[ids] = np.arange(len(ids))
    left, right, score = _entries(connection, place, "join_scores")
    marks = {str(name): known for name, *known in connection.execute("SELECT * FROM scored_databases").fetchall()}
    inside, across = np.array([marks[name] for name in _databases(evidence)], dtype=np.bool_).reshape(-1, 2).T
    scores = SparseRows.of(np.minimum(left, right), np.maximum(left, right), score, len(ids))
    known = KnownScores(scores, evidence.column_database, inside, across)
    may_join = np.ones(len(ids), dtype=np.bool_)
    may_join[_entries(connection, place, "unjoined_columns")[0]] = False
    return StoredJoins(known, _read_named(connection, place, len(ids)), may_join)


def _read_named(connection: duckdb.DuckDBPyConnection, place: Indices, size: int) -> NamedJoins:
    """The references that names alone suggest, by the places of the numbers of the C columns."""
    child, parent, chance, kinds = _entries(connection, place, "named_joins")
    pairs = zip(np.minimum(child, parent).tolist(), np.maximum(child, parent).tolist(), strict=True)
    column, is_key, begins, shared, spread = _entries(connection, place, "named_columns")
    keys, first = np.zeros((2, size), dtype=np.bool_)
    often, everywhere = np.zeros((2, size), dtype=np.float32)
    keys[column], first[column], often[column], everywhere[column] = is_key, begins, shared, spread
    kind_of = dict(zip(pairs, map(str, kinds), strict=True))
    return NamedJoins(SparseRows.of(child, parent, chance, size), kind_of, keys, first, often, everywhere)


def _entries(connection: duckdb.DuckDBPyConnection, place: Indices, table: str) -> list[Any]:
    """The columns of a table as arrays, those of numbers of columns as places of these."""
    columns = connection.execute(f"SELECT * FROM {table}").fetchnumpy()
    return [place[np.asarray(row)] if name.endswith("_id") else np.asarray(row) for name, row in columns.items()]


def _databases(evidence: JoinEvidence) -> list[str]:
    """The names of the databases, by their numbers."""
    names = dict(zip(evidence.database.tolist(), evidence.forms.databases, strict=True))
    return [names[number] for number in range(len(names))]
