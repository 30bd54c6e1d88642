"""What is known of joins as it is stored when tables are indexed, so that no question waits for it.

It is optional: where a file has none, or one that follows from other rules, all of it is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from joinability.by_name.named_joins import NamedJoins, NamedPairs, named_joins_of
from joinability.evidence.sparse_entries import entries_of
from joinability.rules import rules_fingerprint
from joinability.scores.known_scores import KnownScores, upper_matrix

if TYPE_CHECKING:
    import duckdb

    from joinability.arrays import Indices
    from joinability.evidence.evidence import JoinEvidence

KEY = "joins"
"""Key of the note that says by which rules the joins of the file were found, and to which build they belong."""
FORMS = {
    "join_scores": "left_id INTEGER NOT NULL, right_id INTEGER NOT NULL, score FLOAT NOT NULL",
    "scored_databases": "database VARCHAR NOT NULL, inside BOOLEAN NOT NULL, across BOOLEAN NOT NULL",
    "named_joins": "left_id INTEGER NOT NULL, right_id INTEGER NOT NULL, chance DOUBLE NOT NULL, kind VARCHAR NOT NULL",
}


class StoredJoins(NamedTuple):
    """Scores of joins, and what joins by names alone."""

    scores: KnownScores
    named: NamedJoins


def write_joins(
    connection: duckdb.DuckDBPyConnection, joins: StoredJoins, evidence: JoinEvidence, column_ids: Sequence[int]
) -> None:
    """Write the joins of the columns of the evidence, in place of what was there.

    Parameters
    ----------
    column_ids : sequence of int
        The number of each column in the file.
    """
    import pyarrow as pa

    (known, named), ids = joins, np.asarray(column_ids, dtype=np.int32)
    left = np.repeat(np.arange(len(ids)), np.diff(known.scores.indptr))
    once = NamedPairs(*entries_of(named.chance, np.arange(len(ids)))).once()
    kinds = [named.kind(*pair) for pair in zip(once.left.tolist(), once.right.tolist(), strict=True)]
    told: dict[str, dict[str, Any]] = {
        "join_scores": {"left": ids[left], "right": ids[known.scores.indices], "score": known.scores.data},
        "scored_databases": {"name": _databases(evidence), "inside": known.inside, "across": known.across},
        "named_joins": {
            "left": ids[once.left],
            "right": ids[once.right],
            "chance": once.chance,
            "kind": pa.array(kinds, pa.string()),
        },
    }
    for table, form in FORMS.items():
        connection.execute(f"CREATE OR REPLACE TABLE {table} ({form})")
        connection.register("told", pa.table(told[table]))
        connection.execute(f"INSERT INTO {table} SELECT * FROM told")
        connection.unregister("told")


def joins_note(build: str) -> dict[str, str]:
    """What the file says of the joins that were written for a build: another build, or other rules, has others."""
    return {KEY: f"{rules_fingerprint()}:{build}"}


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
    if KEY not in meta or meta[KEY] != joins_note(meta.get("build", ""))[KEY]:
        return None
    ids = np.asarray(column_ids, dtype=np.int64)
    place = np.zeros(int(ids.max(initial=-1)) + 1, dtype=np.int64)
    place[ids] = np.arange(len(ids))
    left, right, score = _pairs(connection, place, "join_scores", "score")
    marks = {str(name): told for name, *told in connection.execute("SELECT * FROM scored_databases").fetchall()}
    inside, across = np.array([marks[name] for name in _databases(evidence)], dtype=np.bool_).reshape(-1, 2).T
    scores = upper_matrix(left, right, np.asarray(score), len(ids))
    left, right, chance = _pairs(connection, place, "named_joins", "chance")
    kinds = [str(kind) for (kind,) in connection.execute("SELECT kind FROM named_joins").fetchall()]
    pairs, told = zip(left.tolist(), right.tolist(), strict=True), zip(chance.tolist(), kinds, strict=True)
    named = dict(zip(pairs, told, strict=True))
    return StoredJoins(
        KnownScores(scores, evidence.database[evidence.table], inside, across), named_joins_of(named, len(ids))
    )


def _pairs(
    connection: duckdb.DuckDBPyConnection, place: Indices, table: str, entry: str
) -> tuple[Indices, Indices, Any]:
    """The pairs of a table, left < right, and the entry of each."""
    rows = connection.execute(f"SELECT left_id, right_id, {entry} FROM {table}").fetchnumpy()
    left, right = (place[np.asarray(rows[side])] for side in ("left_id", "right_id"))
    return np.minimum(left, right), np.maximum(left, right), np.asarray(rows[entry])


def _databases(evidence: JoinEvidence) -> list[str]:
    """The names of the databases, by their numbers."""
    names = dict(zip(evidence.database.tolist(), evidence.forms.databases, strict=True))
    return [names[number] for number in range(len(names))]
