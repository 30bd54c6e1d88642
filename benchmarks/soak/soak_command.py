"""``python -m benchmarks soak``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from benchmarks.commands.options import OUTPUT, Measuring, OutputPath, clock, console
from benchmarks.soak.soak_figures import soak_grids, write_soak_tables
from benchmarks.soak.soak_run import soak

SHOWN = 3
"""Errors that are printed; the file has all."""
SMOKE_MINUTES = 0.1


@click.command("soak", cls=Measuring)
@OUTPUT
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=30.0, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=8, show_default=True, help="Readers.")
@click.option("--embedder", default="distilled", show_default=True)
@click.option("--smoke", is_flag=True, help=f"For {60 * SMOKE_MINUTES:g} seconds.")
@click.option("--page", type=OutputPath(folder=False), help="A page with marks for these tables.")
def soak_command(
    output: Path, minutes: float, threads: int, embedder: str, smoke: bool, page: Path | None
) -> None:
    """Ask from many threads while the index is refreshed: times, memory, errors here, and DIR/soak.json.

    Ends with status 1 where there was any error.
    """
    figures = soak(SMOKE_MINUTES if smoke else minutes, threads, embedder, clock())
    output.mkdir(parents=True, exist_ok=True)
    (output / "soak.json").write_text(json.dumps(figures.to_dict(), indent=1) + "\n", "utf-8")
    for grid in soak_grids(figures):
        grid.show(console())
    for error in figures.errors[:SHOWN]:
        click.echo(error, err=True)
    if page is not None:
        write_soak_tables(page, figures)
    sys.exit(1 if figures.errors else 0)
