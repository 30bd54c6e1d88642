"""``python -m benchmarks growth``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from benchmarks.commands.options import OUTPUT, Measuring, clock, console
from benchmarks.speed.growing_indexes import SIZES, growth_grid, measure_growth


@click.command("growth", cls=Measuring)
@OUTPUT
@click.option("--smoke", is_flag=True, help="A tenth of the tables.")
def growth(output: Path, smoke: bool) -> None:
    """Measure time, memory and file size against the number of tables and columns: a table here, DIR/growth.json."""
    sizes = [(kind, tables // 10 if smoke else tables, columns) for kind, tables, columns in SIZES]
    found = measure_growth(sizes, clock())
    output.mkdir(parents=True, exist_ok=True)
    (output / "growth.json").write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    growth_grid(found).show(console())
    click.echo(growth_grid(found).markdown())
