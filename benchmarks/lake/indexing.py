"""Profiles and overlaps of one lake, in a process of its own whose peak memory is measured: JSON on standard output."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.data.stored_evidence import numbered_tables

FOUND = 0.9
"""A planted join is found if its columns are known to share this part of the values that they do share."""

PLANTED = """
WITH named AS (SELECT table_id || '.' || name AS id, column_id, distinct_count FROM profiles)
SELECT kind, count(*), avg((coalesce(intersection, 0) >= $least * containment * child.distinct_count)::INTEGER)
FROM read_csv($planted) AS planted
JOIN named AS child ON child.id = planted.child
JOIN named AS parent ON parent.id = planted.parent
LEFT JOIN column_overlaps ON left_id = least(child.column_id, parent.column_id)
    AND right_id = greatest(child.column_id, parent.column_id)
GROUP BY kind
"""


def index_lake(folder: Path, database: Path, memory_limit: str) -> dict[str, Any]:
    """Read all tables of a lake, with ``planted.csv`` beside them, count overlaps, look for what was planted.

    The figures are seconds and CPU seconds of each stage, peak resident memory in bytes, values, pairs, and the share
    of planted joins found. `database` is the DuckDB file to make, the memory limit that of DuckDB.
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
    kinds = connection.execute(PLANTED, {"planted": str(planted), "least": FOUND}).fetchall()
    (overlaps,) = connection.execute("SELECT count(*) FROM column_overlaps").fetchone()
    found = {kind: share for kind, _, share in kinds}
    return {"pairs": overlaps, "planted": {kind: number for kind, number, _ in kinds}, "found": found}


if __name__ == "__main__":
    print(json.dumps(index_lake(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])))
