"""``python -m benchmarks instances``."""

from __future__ import annotations

from pathlib import Path

import click

import benchmarks
from benchmarks.commands.options import DATA, OUTPUT, OutputPath, clock
from benchmarks.data.layout import data_root
from benchmarks.runs.evaluation import Options
from benchmarks.solvers.written_instances import write_instances

INSTANCES = Path(benchmarks.__file__).parent / "instances"


@click.command("instances")
@DATA
@OUTPUT
@click.option("--folder", type=OutputPath(folder=True), default=INSTANCES, help="Where they are written.")
def instances(data: str | None, output: Path, folder: Path) -> None:
    """Write real instances of Spider and BIRD for research on solvers, as instance JSON."""
    paths = write_instances(Options(data_root(data), output), folder, clock())
    print(f"{len(paths)} instances, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB")
