"""Overlaps of columns that are known by sketches: estimates, replaced by exact counts that an engine can make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from joinability.equality import AS_WRITTEN, Equality
from joinability.sketches import estimate
from joinability.statements import sql

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from joinability.engines.engine import Engine
    from joinability.sources.databases import DatabaseSource

    Sources = Mapping[int, tuple[DatabaseSource, int]]
    """Of each column the source of its table, and the id of the table's first column."""

MOST_PAIRS = 10_000
"""Pairs that engines are asked to count, those with the highest containment first."""
MOST_COLUMNS = 32
"""Most columns of one statement."""


def estimate_overlaps(connection: duckdb.DuckDBPyConnection, containment: float, *, is_full: bool) -> int:
    """Put estimates in place of the common values of sketches, with their standard errors in `overlap_errors`.

    Of the pairs of the columns in the temporary table `changed`, or of all.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    containment : float
        Pairs whose containment can not be as much, by their estimate and two standard errors, are dropped.
    is_full : bool

    Returns
    -------
    int
        How many pairs have an estimate.
    """
    import numpy as np
    import pyarrow as pa

    sketched = connection.execute(sql("sampled"), {"all": is_full}).fetchnumpy()
    names = ("common", "left_kept", "right_kept", "left_size", "right_size")
    estimated = estimate(*(np.asarray(sketched[name]) for name in names))
    least = np.minimum(sketched["left_size"], sketched["right_size"])
    may_be = estimated.intersection + 2 * estimated.intersection_error
    kept = (may_be >= containment * least) & (least > 0)
    sampled = pa.table({name: sketched[name] for name in ("left_id", "right_id")})
    estimates = pa.table(
        {
            "left_id": sketched["left_id"][kept],
            "right_id": sketched["right_id"][kept],
            "intersection": np.round(estimated.intersection[kept]).astype(np.int64),
            "standard_error": estimated.intersection_error[kept],
        }
    )
    _replace(connection, sampled, estimates)
    return int(kept.sum())


def verify_overlaps(
    connection: duckdb.DuckDBPyConnection, sources: Sources, *, equality: Equality = AS_WRITTEN
) -> list[tuple[str, str]]:
    """Replace estimates of common values by counts, for pairs of columns that one engine holds.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    sources : mapping
        The columns that an engine holds.
    equality : Equality
        Which values count as one.

    Returns
    -------
    list of (str, str)
        Name and cause of each engine that failed; the estimates of its pairs stay.
    """
    failures: dict[str, str] = {}
    pairs = connection.execute(
        "SELECT left_id, right_id FROM overlap_errors JOIN column_overlaps USING (left_id, right_id)"
        " JOIN profiles AS a ON a.column_id = left_id JOIN profiles AS b ON b.column_id = right_id"
        " ORDER BY intersection / least(a.value_count, b.value_count) DESC, left_id, right_id"
    ).fetchall()
    known = [pair for pair in pairs if pair[0] in sources and pair[1] in sources]
    askable = [(left, right) for left, right in known if _engine(sources, left) is _engine(sources, right)]
    for batch in _batches(sorted(askable[:MOST_PAIRS], key=lambda pair: (_engine(sources, pair[0]).name, pair))):
        engine = _engine(sources, batch[0][0])
        if engine.name in failures:
            continue
        try:
            _keep_counts(connection, batch, _counted(engine, batch, sources, equality))
        except Exception as error:  # whatever an engine raises: the estimates stay
            failures[engine.name] = engine.cause(error)
    _forget_empty(connection)
    return list(failures.items())


def _engine(sources: Sources, column_id: int) -> Engine:
    return sources[column_id][0].engine


def _batches(pairs: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Pairs whose columns one statement can take; the order of the pairs puts those of one column together."""
    batch: list[tuple[int, int]] = []
    columns: set[int] = set()
    for pair in pairs:
        if batch and len(columns | set(pair)) > MOST_COLUMNS:
            yield batch
            batch, columns = [], set()
        batch.append(pair)
        columns |= set(pair)
    if batch:
        yield batch


def _counted(
    engine: Engine, pairs: Sequence[tuple[int, int]], sources: Sources, equality: Equality
) -> dict[tuple[int, int], int]:
    import pyarrow as pa

    from joinability.engines.pushdown import verification_statement

    columns = []
    for column_id in sorted({column for pair in pairs for column in pair}):
        source, first = sources[column_id]
        columns.append(source.numbered(first)[column_id - first])
    names = ("left_id", "right_id", "intersection")
    schema = pa.schema([(name, pa.int64()) for name in names])
    statement = verification_statement(columns, pairs, engine.dialect, equality=equality)
    answer = engine.select(statement, schema)
    counts = zip(*(answer[name].to_pylist() for name in names), strict=True)
    return {(left, right): common for left, right, common in counts}


def _keep_counts(
    connection: duckdb.DuckDBPyConnection, pairs: Sequence[tuple[int, int]], counts: Mapping[tuple[int, int], int]
) -> None:
    """Put counts in place of estimates; a pair without a count has nothing in common."""
    import pyarrow as pa

    counted = pa.table(
        {
            "left_id": [left for left, _ in pairs],
            "right_id": [right for _, right in pairs],
            "intersection": [counts.get(pair, 0) for pair in pairs],
        }
    )
    _replace(connection, counted, counted)


def _replace(connection: duckdb.DuckDBPyConnection, replaced: pyarrow.Table, fresh: pyarrow.Table) -> None:
    """Replace the rows of some pairs by others; those with a standard error are estimates."""
    for table in ("column_overlaps", "overlap_errors"):
        connection.execute(
            f"DELETE FROM {table} WHERE (left_id, right_id) IN (SELECT (left_id, right_id) FROM replaced)"
        )
    connection.execute("INSERT INTO column_overlaps SELECT left_id, right_id, intersection FROM fresh")
    if "standard_error" in fresh.column_names:
        connection.execute(
            "INSERT INTO overlap_errors SELECT left_id, right_id, standard_error FROM fresh WHERE standard_error > 0"
        )


def _forget_empty(connection: duckdb.DuckDBPyConnection) -> None:
    """Delete pairs that, as their engine counted, have nothing in common."""
    connection.execute(
        "DELETE FROM overlap_errors WHERE (left_id, right_id) IN"
        " (SELECT (left_id, right_id) FROM column_overlaps WHERE intersection = 0)"
    )
    connection.execute("DELETE FROM column_overlaps WHERE intersection = 0")


def sources_of(tables: Sequence[tuple[Any, int]]) -> dict[int, tuple[DatabaseSource, int]]:
    """By column, the sources of the tables that an engine holds; each table comes with the id of its first column."""
    from joinability.sources.databases import DatabaseSource

    return {
        first + position: (table.source, first)
        for table, first in tables
        if isinstance(table.source, DatabaseSource) and table.statistics is None
        for position in range(len(table.columns))
    }
