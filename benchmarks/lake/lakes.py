"""Lakes of growing size, each indexed in a process of its own: a line of JSON for each, a table, a plot."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.lake.generation import make_lake, written
from benchmarks.runs.provenance import load_average, provenance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import Console

FOLDER = "lake"
Figures = dict[str, Any]


def measure_lakes(
    sizes: Iterable[int], output: Path, memory_limit: str, seed: int, report: Callable[[str], None], *, keep: bool
) -> list[Figures]:
    """Make and index a lake for each number of values, and write ``lake/results.jsonl`` as it goes.

    Parameters
    ----------
    sizes : iterable of int
        Distinct values of columns, about.
    output : Path
    memory_limit : str
        Of DuckDB; the process takes more, for Python, Arrow and the reading of files.
    seed : int
    report : callable
        Told what is going on.
    keep : bool
        Leave the lakes and the databases where they are; they take 6 and 10 bytes for a value.

    Returns
    -------
    list of dict
        Seconds of each stage, peak memory, planted joins found: what `index_lake` tells, with the seconds of making.
    """
    folder = output / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    told = []
    for size in sizes:
        lake, database = folder / f"{size:.0e}", folder / f"{size:.0e}.duckdb"
        shutil.rmtree(lake, ignore_errors=True)
        database.unlink(missing_ok=True)
        report(f"{size:,} values: making the lake")
        started = time.perf_counter()
        written(make_lake(lake / "tables", size, seed), lake / "planted.csv")
        making = time.perf_counter() - started
        report(f"{size:,} values: indexing it, with {memory_limit} for DuckDB")
        command = [sys.executable, "-m", "benchmarks.lake.indexing", str(lake), str(database), memory_limit]
        load = load_average()
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        figures = {"asked": size, "making_seconds": making, "load_before": load, **json.loads(done.stdout)}
        figures["provenance"] = provenance()
        with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(figures) + "\n")
        told.append(figures)
        if not keep:
            shutil.rmtree(lake)
            database.unlink()
    return told


def print_lakes(told: Iterable[Figures], console: Console) -> None:
    """A line for each lake."""
    from rich.table import Table

    table = Table(title="Lakes: profiles and overlaps of all pairs")
    for name in ("columns", "values", "profiles", "overlaps", "s per million", "peak memory", "pairs", "codes", "ids"):
        table.add_column(name, justify="right")
    for row in told:
        table.add_row(
            f"{row['columns']:,}",
            f"{row['values']:,}",
            f"{row['profile_seconds']:.0f} s",
            f"{row['overlap_seconds']:.1f} s",
            f"{row['seconds'] / row['values'] * 1e6:.2f}",
            f"{row['peak_bytes'] / 2**30:.2f} GB",
            f"{row['pairs']:,}",
            f"{100 * row['found']['code']:.1f} %",
            f"{100 * row['found']['surrogate']:.1f} %",
        )
    console.print(table)


def plot_lakes(told: list[Figures], ax: Axes | None = None) -> Axes:
    """CPU time over the number of values, on logarithmic axes, with a line of slope one through the first lake."""
    import matplotlib.pyplot as plt

    axes = plt.subplots(figsize=(5, 4))[1] if ax is None else ax
    values = [row["values"] for row in told]
    for label, stage in (("all", ""), ("profiles", "profile_"), ("overlaps", "overlap_")):
        axes.plot(values, [row[f"{stage}cpu_seconds"] for row in told], marker="o", label=label)
    first = told[0]["cpu_seconds"] / values[0]
    axes.plot(values, [first * value for value in values], linestyle=":", color="grey", label="linear")
    axes.set(xscale="log", yscale="log", xlabel="distinct values of columns", ylabel="CPU seconds")
    axes.legend()
    return axes


def save_plot(told: list[Figures], path: Path) -> None:
    """Write the plot to a file."""
    plot_lakes(told).figure.savefig(path, bbox_inches="tight")  # type: ignore[union-attr]
