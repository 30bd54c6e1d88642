"""``python -m benchmarks lake`` and ``python -m benchmarks overlaps``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from benchmarks.commands.options import DATA, OUTPUT, NameList, clock, console
from benchmarks.data.layout import data_root
from benchmarks.lake.lakes import lakes_grid, measure_lakes
from benchmarks.lake.pair_queries import measure_overlaps
from benchmarks.plots.styles import missing, save
from benchmarks.plots.time_against_values import plot_time_against_values


@click.command("lake")
@click.option("--values", type=NameList(), default="1e6,1e7,1e8", show_default=True, help="Distinct ones, of columns.")
@click.option("--memory-limit", default="1GB", show_default=True, help="Of DuckDB.")
@click.option("--seed", default=0, show_default=True)
@click.option("--keep", is_flag=True, help="Leave the lakes and their databases in DIR/lake.")
@OUTPUT
def lake(values: list[str], memory_limit: str, seed: int, keep: bool, output: Path) -> None:
    """Make lakes with planted joins and index them in bounded memory: a table here, DIR/lake/results.jsonl, a plot."""
    report = clock()
    lakes = measure_lakes([int(float(size)) for size in values], output, memory_limit, seed, report, keep=keep)
    if (cause := missing()) is not None:
        report(cause)
    else:
        report(f"drawn: {save(plot_time_against_values(lakes), output / 'lake' / 'lake.svg')}")
    lakes_grid(lakes).show(console())


@click.command("overlaps")
@DATA
def overlaps(data: str | None) -> None:
    """Measure profiles and overlaps of all pairs of Spider's columns, and one query for each pair: JSON here."""
    print(json.dumps(measure_overlaps(data_root(data) / "spider" / "databases"), indent=2))
