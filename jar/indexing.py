"""Build or refresh an index file: what changed is profiled, joined and embedded; the rest stays as it is.

The work happens in ``<path>.partial``, committed table group by table group, and replaces ``<path>`` in one step at the
end. So an interrupted run leaves the previous index as it was, and the next run goes on from the partial file.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from jar.embedding import can_load_by_name
from jar.errors import IndexFormatError
from jar.index_file import FORMAT, SCHEMA, check_is_index, open_index, read_meta, write_meta
from jar.progress import Stage, progress_bars
from jar.texts import column_text, schema_text, table_text

if TYPE_CHECKING:
    import duckdb

    from jar.embedding import Embedder
    from joinability import Catalog, Table
    from joinability.store import EvidenceStore

GROUP = 48
"""Tables that are profiled and committed together: an interrupted run repeats at most these."""

EMBED_BATCH = 256
"""Texts that are embedded and committed together."""


@dataclass(frozen=True)
class Changes:
    """What a catalog asks of an index: tables to add, ids of stored tables to drop, number of tables that stay."""

    added: tuple[Table, ...]
    stale: tuple[int, ...]
    kept: int


def build_index_file(
    catalog: Catalog,
    path: Path,
    embedder: Embedder,
    *,
    score: str,
    progress: bool | None = None,
    memory_limit: str = "1GB",
) -> Changes:
    """Bring the index at `path` in line with `catalog`, all or nothing.

    Parameters
    ----------
    catalog : Catalog
        The tables that the index shall hold; stored tables that are not in it are dropped.
    path : Path
        The index file; made where there is none. Whatever happens, it is either the old or the new index.
    embedder : Embedder
        Where it is not the one of the stored index, all texts are embedded anew.
    score : str
        Name of the join score that rankings use.
    memory_limit : str
        Bound on the engine's memory, in DuckDB's notation; it spills to disk beyond.

    Raises
    ------
    IndexFormatError
        When `path` exists and is not an index of this version; it is left untouched.
    """
    fingerprints = {table.id: table.fingerprint() for table in catalog.tables}
    if path.exists() and _is_current(catalog, fingerprints, path, embedder, score):
        return Changes((), (), len(catalog))
    partial = _resume_or_copy(path)
    with (
        progress_bars(progress) as stage,
        open_index(partial, write=True, memory_limit=memory_limit) as connection,
    ):
        changes = _refresh(connection, catalog, fingerprints, embedder, score, stage)
        connection.execute("CHECKPOINT")
    os.replace(partial, path)
    return changes


def _is_current(catalog: Catalog, fingerprints: Mapping[str, str], path: Path, embedder: Embedder, score: str) -> bool:
    with open_index(path) as connection:
        meta = read_meta(connection)
        stored = _stored_fingerprints(connection)
        failures = connection.execute("SELECT count(*) FROM failures").fetchone()
    if not can_load_by_name(embedder.name):
        return False  # two callables may share a name and not their vectors
    same_settings = (meta.get("embedder"), meta.get("score"), meta.get("complete")) == (embedder.name, score, "yes")
    clean = failures == (0,) and not catalog.failures
    return same_settings and clean and {table: print_ for table, (_, print_) in stored.items()} == fingerprints


def _resume_or_copy(path: Path) -> Path:
    """The file to work in: what an interrupted run left, else a copy of the index, else a new file."""
    partial = path.with_name(path.name + ".partial")
    if path.exists():
        with open_index(path):
            pass
    if partial.exists():
        try:
            check_is_index(partial)
            with open_index(partial, write=True):
                return partial
        except IndexFormatError:
            discard(partial)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        shutil.copyfile(path, partial)
    return partial


def discard(path: Path) -> None:
    """Delete an index file and the log beside it, where they exist."""
    for leftover in (path, path.with_name(path.name + ".wal")):
        leftover.unlink(missing_ok=True)


def _refresh(
    connection: duckdb.DuckDBPyConnection,
    catalog: Catalog,
    fingerprints: Mapping[str, str],
    embedder: Embedder,
    score: str,
    stage: Stage,
) -> Changes:
    from joinability.store import EvidenceStore

    store = EvidenceStore(connection)
    has_all_overlaps = _prepare(connection, store)
    changes = _compare(connection, catalog, fingerprints)
    _drop(connection, store, changes.stale)
    first_new_column = _next_ids(connection)[1]
    failures = list(catalog.failures) + _add_tables(connection, store, changes.added, fingerprints, stage)
    advance = stage("overlaps", 1)
    connection.execute("BEGIN")
    store.update_overlaps(_columns_from(connection, first_new_column) if has_all_overlaps else None)
    connection.execute("COMMIT")
    advance(1)
    dimension = _embed(connection, embedder, stage)
    connection.execute("DELETE FROM failures")
    if failures:
        connection.executemany("INSERT INTO failures VALUES (?, ?)", [list(failure) for failure in failures])
    write_meta(
        connection,
        {
            "embedder": embedder.name,
            "dimension": str(dimension),
            "score": score,
            "complete": "yes",
            "written": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        },
    )
    return changes


def _prepare(connection: duckdb.DuckDBPyConnection, store: EvidenceStore) -> bool:
    """Make the tables where there are none; returns whether the overlaps of the stored columns are all counted."""
    connection.execute("BEGIN")
    connection.execute(SCHEMA)
    store.create()
    complete = read_meta(connection).get("complete") == "yes"
    write_meta(connection, {"format": FORMAT, "complete": "no"})
    connection.execute("COMMIT")
    return complete


def _stored_fingerprints(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[int, str]]:
    rows = connection.execute("SELECT id, table_id, fingerprint FROM catalog_tables").fetchall()
    return {str(name): (int(number), str(fingerprint)) for name, number, fingerprint in rows}


def _compare(connection: duckdb.DuckDBPyConnection, catalog: Catalog, fingerprints: Mapping[str, str]) -> Changes:
    stored = _stored_fingerprints(connection)
    unchanged = {name for name, (_, fingerprint) in stored.items() if fingerprints.get(name) == fingerprint}
    return Changes(
        added=tuple(table for table in catalog.tables if table.id not in unchanged),
        stale=tuple(number for name, (number, _) in stored.items() if name not in unchanged),
        kept=len(unchanged),
    )


def _drop(connection: duckdb.DuckDBPyConnection, store: EvidenceStore, stale: Sequence[int]) -> None:
    if not stale:
        return
    connection.execute("BEGIN")
    rows = connection.execute(
        "SELECT column_id FROM catalog_columns WHERE list_contains(?, table_id)", [list(stale)]
    ).fetchall()
    store.remove_columns([int(row[0]) for row in rows])
    connection.execute("DELETE FROM catalog_columns WHERE list_contains(?, table_id)", [list(stale)])
    connection.execute("DELETE FROM catalog_tables WHERE list_contains(?, table_id)", [list(stale)])
    connection.execute("COMMIT")


def _add_tables(
    connection: duckdb.DuckDBPyConnection,
    store: EvidenceStore,
    tables: Sequence[Table],
    fingerprints: Mapping[str, str],
    stage: Stage,
) -> list[tuple[str, str]]:
    """Profile and store tables, a group to a transaction; returns (table id, cause) of those that failed."""
    failures: list[tuple[str, str]] = []
    advance = stage("tables", len(tables))
    for group in _groups(tables):
        connection.execute("BEGIN")
        next_table, next_column = _next_ids(connection)
        numbered = []
        for table in group:
            numbered.append((next_table, next_column, table))
            next_table += 1
            next_column += len(table.columns)
        failed = dict(store.add_tables([(table, first) for _, first, table in numbered]))
        failures += failed.items()
        _insert_catalog_rows(connection, [entry for entry in numbered if entry[2].id not in failed], fingerprints)
        connection.execute("COMMIT")
        advance(len(group))
    return failures


def _groups(tables: Sequence[Table]) -> Iterator[Sequence[Table]]:
    for start in range(0, len(tables), GROUP):
        yield tables[start : start + GROUP]


def _next_ids(connection: duckdb.DuckDBPyConnection) -> tuple[int, int]:
    row = connection.execute(
        "SELECT (SELECT coalesce(max(table_id), -1) + 1 FROM catalog_tables), "
        "(SELECT coalesce(max(column_id), -1) + 1 FROM catalog_columns)"
    ).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])


def _columns_from(connection: duckdb.DuckDBPyConnection, first: int) -> list[int]:
    rows = connection.execute("SELECT column_id FROM catalog_columns WHERE column_id >= ?", [first]).fetchall()
    return [int(row[0]) for row in rows]


def _insert_catalog_rows(
    connection: duckdb.DuckDBPyConnection,
    numbered: Sequence[tuple[int, int, Table]],
    fingerprints: Mapping[str, str],
) -> None:
    tables = [
        [
            number, table.id, table.database, table.name, table.description, json.dumps(table.primary_key),
            json.dumps([[key.columns, key.target, key.target_columns] for key in table.foreign_keys]),
            fingerprints[table.id], table_text(table),
        ]
        for number, _, table in numbered
    ]  # fmt: skip
    columns = [
        [
            first + position, number, position, column.name, column.type, column.family, column.description,
            column.natural_name, column_text(table, column), schema_text(table, column),
        ]
        for number, first, table in numbered
        for position, column in enumerate(table.columns)
    ]  # fmt: skip
    _insert(connection, "catalog_tables", tables)
    _insert(connection, "catalog_columns", columns)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence[object]]) -> None:
    """Insert rows through an Arrow table: a prepared statement for each row would take most of the time of a build."""
    import pyarrow as pa

    if not rows:
        return
    names = [description[0] for description in connection.execute(f'SELECT * FROM "{table}" LIMIT 0').description or []]
    batch = pa.table({name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)})
    connection.register("batch", batch)
    connection.execute(f'INSERT INTO "{table}" SELECT * FROM batch')
    connection.unregister("batch")


def _embed(connection: duckdb.DuckDBPyConnection, embedder: Embedder, stage: Stage) -> int:
    """Embed the texts that have no vector yet, and drop the vectors that no text needs; returns the dimension."""
    import pyarrow as pa

    if read_meta(connection).get("embedder") != embedder.name or not can_load_by_name(embedder.name):
        connection.execute("BEGIN")
        connection.execute("DROP TABLE IF EXISTS embeddings")
        dimension = embedder(["dimension"]).shape[1]
        connection.execute(f"CREATE TABLE embeddings (text VARCHAR NOT NULL, vector FLOAT[{dimension}] NOT NULL)")
        write_meta(connection, {"embedder": embedder.name, "dimension": str(dimension)})
        connection.execute("COMMIT")
    dimension = int(read_meta(connection)["dimension"])
    needed = (
        "SELECT text FROM catalog_tables UNION SELECT text FROM catalog_columns "
        "UNION SELECT schema_text FROM catalog_columns"
    )
    connection.execute(f"DELETE FROM embeddings WHERE text NOT IN ({needed})")
    missing = [
        str(row[0])
        for row in connection.execute(f"({needed}) EXCEPT SELECT text FROM embeddings ORDER BY 1").fetchall()
    ]
    advance = stage("embeddings", len(missing))
    # Texts of like length share a batch: padding is most of what a batch of mixed lengths computes.
    missing.sort(key=len)
    for start in range(0, len(missing), EMBED_BATCH):
        texts = missing[start : start + EMBED_BATCH]
        vectors = pa.FixedSizeListArray.from_arrays(pa.array(embedder(texts).ravel()), dimension)
        connection.register("batch", pa.table({"text": texts, "vector": vectors}))
        connection.execute("INSERT INTO embeddings SELECT text, vector FROM batch")
        connection.unregister("batch")
        advance(len(texts))
    return dimension
