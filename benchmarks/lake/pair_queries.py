"""All pairs of Spider's columns: what profiles and overlaps take, and what one query for each pair would."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.data.stored_evidence import numbered_tables
from benchmarks.runs.provenance import load_average

PAIRS = 400
REPEATS = 5
SEED = 0
ONE_PAIR = (
    "SELECT count(*) FROM column_values AS a JOIN column_values AS b USING (hash)"
    " WHERE a.column_id = ? AND b.column_id = ?"
)


def measure_overlaps(databases: Path) -> dict[str, Any]:
    """Profiles of all databases from their files, overlaps of all pairs, and a sample of pairs, one query each.

    The queries run on the hashes that are in DuckDB already, in memory and one after the other: without that, each
    would have to read two tables. All pairs of columns of different tables count; the sample is uniform,
    and the time for all is extrapolated from its mean.
    """
    import duckdb

    from joinability import Catalog, EvidenceStore

    files = sorted(databases.rglob("*.sqlite"))
    load = load_average()
    started, cpu = time.perf_counter(), time.process_time()
    catalog = Catalog.from_sqlite(files)
    with duckdb.connect() as connection:
        store = EvidenceStore(connection)
        store.create()
        numbered = list(numbered_tables(catalog))
        store.add_tables(numbered)
        profiled, profiled_cpu = time.perf_counter(), time.process_time()
        seconds, cpu_seconds = zip(*(_timed(store.update_overlaps) for _ in range(REPEATS)), strict=True)
        owners = np.repeat(np.arange(len(catalog)), [len(table.columns) for table in catalog])
        sampled, pairs = _sampled_pairs(owners, np.random.default_rng(SEED))
        each, each_cpu = zip(
            *(_timed(lambda pair=pair: connection.execute(ONE_PAIR, pair).fetchone()) for pair in sampled), strict=True
        )
        (values,) = connection.execute("SELECT count(*) FROM column_values").fetchone() or (0,)
    return {
        "load_before": load,
        "databases": len(files),
        "columns": len(catalog.columns),
        "values": values,
        "pairs": pairs,
        "profile_seconds": profiled - started,
        "profile_cpu_seconds": profiled_cpu - cpu,
        "overlap_seconds": median(seconds),
        "overlap_cpu_seconds": median(cpu_seconds),
        "pair_seconds": float(np.mean(each)),
        "pair_cpu_seconds": float(np.mean(each_cpu)),
        "times_faster": float(np.mean(each)) * pairs / median(seconds),
    }


def _timed(act: Any) -> tuple[float, float]:
    started, cpu = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - started, time.process_time() - cpu


def _sampled_pairs(owners: Any, random: np.random.Generator) -> tuple[list[list[int]], int]:
    """A sample of the pairs of columns of different tables, and the number of all of them."""
    total = len(owners)
    counts = np.bincount(owners)
    pairs = (total**2 - int((counts**2).sum())) // 2
    sampled: list[list[int]] = []
    while len(sampled) < PAIRS:
        left, right = (int(column) for column in random.integers(total, size=2))
        if owners[left] != owners[right]:
            sampled.append([left, right])
    return sampled, pairs
