"""Default scores of joins as they are stored: what a question asks of them need not be computed then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from joinability.scores.known_scores import KnownScores, score_edition, upper_matrix

if TYPE_CHECKING:
    import duckdb

    from joinability.evidence.evidence import JoinEvidence

KEY = "scores"
"""Key of the note that says which scores the file has, and to which build they belong."""


def write_scores(
    connection: duckdb.DuckDBPyConnection, evidence: JoinEvidence, column_ids: Sequence[int]
) -> None:
    """Write the scores of the columns of the evidence, in place of what was there.

    Parameters
    ----------
    column_ids : sequence of int
        The number of each column in the file.
    """
    import pyarrow as pa

    known, ids = KnownScores.of(evidence), np.asarray(column_ids, dtype=np.int32)
    left = np.repeat(np.arange(len(ids)), np.diff(known.scores.indptr))
    rows = {"left_id": ids[left], "right_id": ids[known.scores.indices], "score": known.scores.data}
    names = _databases(evidence)
    marks = {"database": list(names), "inside": known.inside, "across": known.across}
    for table, form, told in (
        ("join_scores", "left_id INTEGER NOT NULL, right_id INTEGER NOT NULL, score FLOAT NOT NULL", rows),
        ("scored_databases", "database VARCHAR NOT NULL, inside BOOLEAN NOT NULL, across BOOLEAN NOT NULL", marks),
    ):
        connection.execute(f"CREATE OR REPLACE TABLE {table} ({form})")
        connection.register("told", pa.table(told))
        connection.execute(f"INSERT INTO {table} SELECT * FROM told")
        connection.unregister("told")


def scores_note(build: str) -> dict[str, str]:
    """What the file says of the scores that were written for a build: another build, or other rules, has others."""
    return {KEY: f"{score_edition()}:{build}"}


def read_scores(
    connection: duckdb.DuckDBPyConnection, meta: Mapping[str, str], evidence: JoinEvidence, column_ids: Sequence[int]
) -> KnownScores | None:
    """The scores of the columns of the evidence; None where the file has none that follow from today's rules.

    Parameters
    ----------
    meta : mapping
        The notes of the file.
    column_ids : sequence of int
        The number of each column in the file.
    """
    if KEY not in meta or meta[KEY] != scores_note(meta.get("build", ""))[KEY]:
        return None
    ids = np.asarray(column_ids, dtype=np.int64)
    place = np.zeros(int(ids.max(initial=-1)) + 1, dtype=np.int64)
    place[ids] = np.arange(len(ids))
    rows = connection.execute("SELECT left_id, right_id, score FROM join_scores").fetchnumpy()
    left, right = (place[np.asarray(rows[side])] for side in ("left_id", "right_id"))
    marks = {str(name): told for name, *told in connection.execute("SELECT * FROM scored_databases").fetchall()}
    inside, across = np.array([marks[name] for name in _databases(evidence)], dtype=np.bool_).reshape(-1, 2).T
    scores = upper_matrix(np.minimum(left, right), np.maximum(left, right), np.asarray(rows["score"]), len(ids))
    return KnownScores(scores, evidence.database[evidence.table], inside, across)


def _databases(evidence: JoinEvidence) -> tuple[str, ...]:
    """The names of the databases, by their numbers."""
    names = dict(zip(evidence.database.tolist(), evidence.forms.databases, strict=True))
    return tuple(names[number] for number in range(len(names)))
