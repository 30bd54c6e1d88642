"""``python -m benchmarks report``."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.commands.paths import OutputFile, misplaced
from benchmarks.pages.benchmarks_page import write_report
from benchmarks.pages.measured import NoResultsError
from benchmarks.pages.readme_table import MissingFigureError, MissingMarksError

_folder = click.Path(path_type=Path, file_okay=False)
_there = click.Path(path_type=Path, dir_okay=False, exists=True, writable=True)


@click.command("report")
@click.option("--output", type=_folder, default=Path("build/benchmarks"), show_default=True, help="What `run` wrote.")
@click.option(
    "--page", type=OutputFile(), default=Path("docs/benchmarks.md"), show_default=True, help="The Markdown page."
)
@click.option("--readme", type=_there, help="A README whose table of quality is written anew.")
def report(output: Path, page: Path, readme: Path | None) -> None:
    """Write the page of everything in DIR: tables beside published figures, plots; measures nothing."""
    if cause := misplaced(output):
        raise click.UsageError(f"{cause}: remove it or give another folder")
    try:
        groups = write_report(output, page, readme, lambda message: click.echo(message, err=True))
    except (NoResultsError, MissingFigureError, MissingMarksError) as error:
        raise click.UsageError(str(error.args[0])) from error
    told = ", ".join(f"{group.task.name} on {group.dataset}" for group in groups)
    click.echo(f"{page}: {told}", err=True)
