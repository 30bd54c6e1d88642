"""``python -m benchmarks errors``: which stage loses the questions that a system does not answer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from benchmarks.commands.paths import OutputFile, OutputFolder, some_names
from benchmarks.data.datasets import DATASETS
from benchmarks.data.layout import data_root
from benchmarks.losses.analysis import Analysed, analyse, size_name
from benchmarks.losses.losses import Size
from benchmarks.losses.losses_page import counts_grid, write_page
from benchmarks.runs.evaluation import Options
from benchmarks.runs.provenance import provenance


class SizeList(click.ParamType[list[Size]]):
    """Sizes with commas between them: "gold", or whole numbers from 1."""

    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[Size]:
        """The sizes; None for "gold"."""
        if isinstance(value, list):
            return value
        sizes: list[Size] = []
        for part in value.split(","):
            if part.strip() == "gold":
                sizes.append(None)
            elif part.strip().isdecimal() and int(part) > 0:
                sizes.append(int(part))
            else:
                self.fail(f'{part!r} is neither "gold" nor a whole number from 1', param, ctx)
        return sizes


@click.command("errors")
@click.option("--data", help="Folder with spider/ and bird/; else JAR_DATA, else ../shared/data.")
@click.option(
    "--datasets",
    default="spider,bird",
    show_default=True,
    callback=some_names,
    help=f"Of {', '.join(DATASETS)}.",
)
@click.option(
    "--system", "systems", default="jar,jar-f", show_default=True, help="Of jar, jar-f, jar-g, jar-d; also +given."
)
@click.option("--sizes", type=SizeList(), default="gold,2,5", show_default=True, help="Numbers of tables to choose.")
@click.option("--worst", type=click.IntRange(1), default=10, show_default=True, help="Questions in full on the page.")
@click.option("--page", type=OutputFile(), help="Write a Markdown page.")
@click.option("--output", type=OutputFolder(), default=Path("build/benchmarks"), show_default=True)
@click.option("--limit", type=click.IntRange(1), help="At most so many questions, evenly spaced.")
@click.option("--embedder", default="minilm", show_default=True)
@click.option("--candidates", type=click.IntRange(1), default=20, show_default=True)
def errors(
    data: str | None,
    datasets: str,
    systems: str,
    sizes: list[Size],
    worst: int,
    page: Path | None,
    **options: Any,
) -> None:
    """Find which stage loses each question: tables here, DIR/errors/*.csv with every lost question, and a page."""
    told = Options(data_root(data), **options)
    found = analyse(_names(datasets), _names(systems), sizes, told, lambda message: click.echo(message, err=True))
    console = Console(width=None if sys.stdout.isatty() else 140)
    for part in found:
        console.print(_title(part), counts_grid(part).markdown(), "", sep="\n", markup=False)
    if page is not None:
        given = {
            "datasets": datasets,
            "system": systems,
            "sizes": ",".join("gold" if size is None else str(size) for size in sizes),
            "worst": worst,
            "embedder": told.embedder,
            "candidates": told.candidates,
            "limit": told.limit,
        }
        write_page(page, found, provenance(), command_line(given, page), worst)


def command_line(options: dict[str, Any], page: Path) -> str:
    """The command that makes the page again, with the options that decide what is on it."""
    given = " ".join(f"--{name} {value}" for name, value in options.items() if value is not None)
    return f"python -m benchmarks errors {given} --page {page.as_posix()}"


def _title(part: Analysed) -> str:
    sizes = ", ".join(map(size_name, part.losses))
    return f"{part.dataset}, {part.system}: {len(next(iter(part.losses.values())))} questions at {sizes}"


def _names(option: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in option.split(",") if name.strip()))
