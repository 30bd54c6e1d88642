"""Profiles and overlaps of one lake, in a process of its own whose peak memory is measured: JSON on standard output."""

from __future__ import annotations

import csv
import json
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.data.stored_evidence import numbered_tables

FOUND = 0.9
"""A planted join is found if its columns are known to share this part of the values that they do share."""


def index_lake(folder: Path, database: Path, memory_limit: str) -> dict[str, Any]:
    """Read all tables of a lake, count overlaps, look for what was planted.

    Parameters
    ----------
    folder : Path
        With the Parquet files and ``planted.csv``.
    database : Path
        The DuckDB file to make.
    memory_limit : str
        Of DuckDB.

    Returns
    -------
    dict
        Seconds and CPU seconds of each stage, peak resident memory in bytes, values, pairs, and the share of planted
        joins found.
    """
    import duckdb

    from joinability import Catalog, EvidenceStore

    started, cpu = time.perf_counter(), time.process_time()
    catalog = Catalog.from_files(folder / "tables")
    connection = duckdb.connect(str(database))
    store = EvidenceStore(connection, memory_limit=memory_limit)
    store.create()
    numbered = list(numbered_tables(catalog))
    listed = time.perf_counter()
    failures = store.add_tables(numbered)
    profiled, profile_cpu = time.perf_counter(), time.process_time()
    counted = store.update_overlaps()
    done, all_cpu = time.perf_counter(), time.process_time()
    figures = {
        "tables": len(catalog),
        "columns": len(catalog.columns),
        "values": counted.values,
        "failures": len(failures),
        "method": counted.method,
        "counted": counted.counted,
        "estimated": counted.estimated,
        "common": counted.common,
        "list_seconds": listed - started,
        "profile_seconds": profiled - listed,
        "overlap_seconds": done - profiled,
        "seconds": done - started,
        "profile_cpu_seconds": profile_cpu - cpu,
        "overlap_cpu_seconds": all_cpu - profile_cpu,
        "cpu_seconds": all_cpu - cpu,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        "memory_limit": memory_limit,
    }
    figures |= _found(connection, folder / "planted.csv")
    connection.close()
    return figures | {"database_bytes": database.stat().st_size}


def _found(connection: Any, planted: Path) -> dict[str, Any]:
    """Of each kind of planted join the number, and the share that is there with its containment."""
    columns: dict[str, tuple[int, int]] = {
        f"{table}.{name}": (column, distinct)
        for table, name, column, distinct in connection.execute(
            "SELECT table_id, name, column_id, distinct_count FROM profiles"
        ).fetchall()
    }
    with planted.open(encoding="utf-8", newline="") as file:
        joins = list(csv.DictReader(file))
    pairs = [(columns[join["child"]], columns[join["parent"]][0]) for join in joins]
    wanted = [(min(child, parent), max(child, parent)) for (child, _), parent in pairs]
    connection.execute("CREATE TEMP TABLE wanted (left_id INTEGER, right_id INTEGER)")
    connection.execute(
        "INSERT INTO wanted SELECT unnest($lefts), unnest($rights)",
        {"lefts": [left for left, _ in wanted], "rights": [right for _, right in wanted]},
    )
    there = {
        (left, right): common
        for left, right, common in connection.execute(
            "SELECT * FROM column_overlaps SEMI JOIN wanted USING (left_id, right_id)"
        ).fetchall()
    }
    total, hits = Counter[str](), Counter[str]()
    for join, pair, ((_, distinct), _) in zip(joins, wanted, pairs, strict=True):
        total[join["kind"]] += 1
        expected = float(join["containment"]) * distinct
        hits[join["kind"]] += there.get(pair, 0) >= FOUND * expected
    (overlaps,) = connection.execute("SELECT count(*) FROM column_overlaps").fetchone()
    return {
        "pairs": overlaps,
        "planted": dict(total),
        "found": {kind: hits[kind] / number for kind, number in total.items()},
    }


if __name__ == "__main__":
    print(json.dumps(index_lake(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])))
