"""Studies in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.pages.grids import Grid
from benchmarks.solvers.comparing import Study


def print_study(study: Study, console: Console) -> None:
    """The tables of a study, and of a full one its targets."""
    for grid in study.findings.grids:
        console.print(_table(study.name, grid))
        if grid.note:
            console.print(Text(grid.note, style="dim"))
    for check in study.findings.checks:
        if study.full:
            verdict = Text("met   ", style="green") if check.met else Text("missed", style="red")
            console.print(verdict + Text(f"  {check.target}: {check.measured}"))
        else:
            console.print(Text(f"{check.target}: {check.measured} (not a full run, not judged)", style="dim"))
    load, cores = study.provenance["load"][0], study.provenance["machine"]["cores"]
    if load is not None and load > cores / 2:
        console.print(f"The machine was busy (load {load:g} on {cores} cores): compare by ratios.")


def _table(name: str, grid: Grid) -> Table:
    table = Table(title=f"{name}: {grid.title}", title_justify="left")
    for column, title in enumerate(grid.header):
        table.add_column(title, justify="left" if grid.is_text(column) else "right", no_wrap=True)
    for row in grid.rows:
        table.add_row(*map(Text, row))
    return table
