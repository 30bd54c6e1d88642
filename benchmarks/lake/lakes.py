"""Lakes of growing size, each indexed in a process of its own: a line of JSON for each, and a table."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.lake.generation import make_lake
from benchmarks.pages.grids import Grid
from benchmarks.runs.provenance import load_average, provenance

FOLDER = "lake"
Figures = dict[str, Any]


def measure_lakes(
    sizes: Iterable[int], output: Path, memory_limit: str, seed: int, report: Callable[[str], None], *, keep: bool
) -> list[Figures]:
    """Make and index a lake for each number of values, and write ``lake/results.jsonl`` as it goes.

    Sizes are distinct values of columns, about. The memory limit is that of DuckDB; the process takes more, for Python,
    Arrow and the reading of files. With `keep` the lakes and the databases stay; they take 6 and 10 bytes for a value.
    The figures of a lake are what `index_lake` tells, with the seconds of making it.
    """
    folder = output / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    lakes = []
    for size in sizes:
        lake, database = folder / f"{size:.0e}", folder / f"{size:.0e}.duckdb"
        shutil.rmtree(lake, ignore_errors=True)
        database.unlink(missing_ok=True)
        report(f"{size:,} values: making the lake")
        started = time.perf_counter()
        pd.DataFrame(make_lake(lake / "tables", size, seed)).to_csv(lake / "planted.csv", index=False)
        making = time.perf_counter() - started
        report(f"{size:,} values: indexing it, with {memory_limit} for DuckDB")
        command = [sys.executable, "-m", "benchmarks.lake.indexing", str(lake), str(database), memory_limit]
        load = load_average()
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        figures = {"asked": size, "making_seconds": making, "load_before": load, **json.loads(done.stdout)}
        figures["provenance"] = provenance()
        with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(figures) + "\n")
        lakes.append(figures)
        if not keep:
            shutil.rmtree(lake)
            database.unlink()
    return lakes


def lakes_grid(lakes: Iterable[Figures]) -> Grid:
    """A line for each lake."""
    header = ("columns", "values", "profiles", "overlaps", "s per million", "peak memory", "pairs", "codes", "ids")
    rows = [
        (
            f"{lake['columns']:,}",
            f"{lake['values']:,}",
            f"{lake['profile_seconds']:.0f} s",
            f"{lake['overlap_seconds']:.1f} s",
            f"{lake['seconds'] / lake['values'] * 1e6:.2f}",
            f"{lake['peak_bytes'] / 2**30:.2f} GB",
            f"{lake['pairs']:,}",
            f"{100 * lake['found']['code']:.1f} %",
            f"{100 * lake['found']['surrogate']:.1f} %",
        )
        for lake in lakes
    ]
    return Grid("Lakes: profiles and overlaps of all pairs", header, rows)
