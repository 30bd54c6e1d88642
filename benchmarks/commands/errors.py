"""``python -m benchmarks errors``: which stage loses the questions that a system does not answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from benchmarks.commands.options import (
    CANDIDATES,
    DATA,
    EMBEDDER,
    LIMIT,
    OUTPUT,
    Measuring,
    NameList,
    OutputPath,
    clock,
    console,
)  # fmt: skip
from benchmarks.data.layout import data_root
from benchmarks.losses.analysis import analyse, size_name
from benchmarks.losses.losses import Size
from benchmarks.losses.losses_page import counts_grid, errors_page
from benchmarks.pages.markdown import write_page
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


@click.command("errors", cls=Measuring)
@DATA
@click.option("--datasets", type=NameList(), default="spider,bird", show_default=True)
@click.option("--system", "systems", type=NameList(), default="jar,jar-f", show_default=True, help="Or jar-g, +given.")
@click.option("--sizes", type=SizeList(), default="gold,2,5", show_default=True, help="Numbers of tables to choose.")
@click.option("--worst", type=click.IntRange(1), default=10, show_default=True, help="Questions in full on the page.")
@click.option("--page", type=OutputPath(folder=False), help="Write a Markdown page.")
@OUTPUT
@LIMIT
@EMBEDDER
@CANDIDATES
def errors(
    data: str | None, datasets: list[str], systems: list[str], sizes: list[Size], worst: int, page: Path | None,
    **settings: Any,
) -> None:  # fmt: skip
    """Find which stage loses each question: tables here, DIR/errors/*.csv with every lost question, and a page."""
    options = Options(data_root(data), **settings)
    analysed = analyse(datasets, systems, sizes, options, clock())
    for part in analysed:
        questions = len(next(iter(part.losses.values())))
        title = f"{part.dataset}, {part.system}: {questions} questions at {', '.join(map(size_name, part.losses))}"
        counts_grid(part).show(console(), title)
    if page is not None:
        shown = {
            "datasets": ",".join(datasets),
            "system": ",".join(systems),
            "sizes": ",".join("gold" if size is None else str(size) for size in sizes),
            "worst": worst,
            "embedder": options.embedder,
            "candidates": options.candidates,
            "limit": options.limit,
        }
        words = " ".join(f"--{name} {value}" for name, value in shown.items() if value is not None)
        command = f"python -m benchmarks errors {words} --page {page.as_posix()}"
        write_page(page, [errors_page(analysed, provenance(), command, worst)])
