"""``python -m benchmarks report``."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.commands.options import OutputPath
from benchmarks.joins.joinability_page import joins_part
from benchmarks.pages.benchmarks_page import write_report
from benchmarks.solvers.solver_page import race_part

_folder = click.Path(path_type=Path, file_okay=False)
_present = click.Path(path_type=Path, dir_okay=False, exists=True, writable=True)


@click.command("report")
@click.option("--output", type=_folder, default=Path("build/benchmarks"), show_default=True, help="What `run` wrote.")
@click.option("--page", type=OutputPath(folder=False), default=Path("docs/benchmarks.md"), show_default=True)
@click.option("--readme", type=_present, help="A README whose table of quality is written anew.")
def report(output: Path, page: Path, readme: Path | None) -> None:
    """Write the page of everything in DIR: tables beside published figures, plots; measures nothing."""
    parts = (joins_part(output), race_part(output, page.parent / "figures"))
    others = [part for part in parts if part is not None]
    groups = write_report(output, page, readme, lambda message: click.echo(message, err=True), others)
    click.echo(f"{page}: {', '.join(f'{group.task.name} on {group.dataset}' for group in groups)}", err=True)
