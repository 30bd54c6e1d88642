"""How long a question over columns takes, its vectors at hand: ``python -m benchmarks.columns.column_speed``.

The questions of BIRD, with the schemas that come with them, under the objective of CRUSH: once with as many candidates
as it takes by default, once with all columns and the key links between them. Of each question the steps are timed one
after the other, the solvers in turn.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

import click
import numpy as np
from rich.console import Console

from benchmarks.columns.bird_questions import bird_setting, write_document
from benchmarks.commands.options import DATA, EMBEDDER, OUTPUT
from benchmarks.data.layout import data_root
from benchmarks.pages.grids import Grid
from benchmarks.runs.evaluation import Options
from benchmarks.runs.provenance import load_average
from benchmarks.systems.column_problems import SEARCHES, ColumnSearch, column_instance, column_pool, read_given
from benchmarks.systems.rows import Setting
from formulations import solve, warm_up

AIM = 2.0
"""Milliseconds that a solver shall take at most, in the median."""


@dataclass(frozen=True)
class Row:
    """A step of the questions; `key_links` are those between columns of different tables, the median of the questions.

    The step is "candidates" (cosines, similarities and joins of the columns), "instance", or the name of a solver,
    whose time is that of `formulations.solve`, with its certificate.
    """

    candidates: int
    questions: int
    key_links: float
    step: str
    median_ms: float
    slowest_ms: float


def measure(setting: Setting, search: ColumnSearch, budget: int, solvers: Sequence[str]) -> list[Row]:
    """Rows of each step over the questions of a setting."""
    seconds: dict[str, list[float]] = {step: [] for step in ("candidates", "instance", *solvers)}
    links = []
    probings = read_given(setting, context=search.context)
    warm_up(search.objective)
    for place, probing in enumerate([probings[0], *probings]):
        clock = [time.perf_counter()]
        pool = column_pool(setting, search, probing)
        clock.append(time.perf_counter())
        instance = column_instance(pool, search, budget)
        clock.append(time.perf_counter())
        for solver in solvers:
            solve(instance, search.objective, solver)
            clock.append(time.perf_counter())
        if place:  # the first question comes twice, for what only happens once
            links.append(int(np.count_nonzero(np.triu(instance.weights))))
            for measured, step in zip(seconds.values(), np.diff(clock).tolist(), strict=True):
                measured.append(step)
    return [
        Row(search.candidates, len(measured), median(links), step, 1e3 * median(measured), 1e3 * max(measured))
        for step, measured in seconds.items()
    ]


def rows_grid(rows: Sequence[Row], title: str) -> Grid:
    """A table of all rows."""
    header = ("candidates", "key links", "step", "median ms", "slowest ms", "at most")
    cells = [
        (
            str(row.candidates),
            f"{row.key_links:g}",
            row.step,
            f"{row.median_ms:.2f}",
            f"{row.slowest_ms:.1f}",
            "" if row.step in ("candidates", "instance") else f"{AIM:g} ms",
        )
        for row in rows
    ]
    return Grid(title, header, cells)


@click.command()
@DATA
@OUTPUT
@click.option("--questions", type=click.IntRange(1), default=171, show_default=True, help="Evenly spaced.")
@click.option("--solvers", default="sweep,greedy", show_default=True)
@click.option("--budget", type=click.IntRange(1), default=100, show_default=True)
@EMBEDDER
def main(data: str | None, output: Path, questions: int, solvers: str, budget: int, embedder: str) -> None:
    """Times of the steps of a question over columns: a table here, and DIR/columns/speed.json."""
    load = load_average()
    options = Options(data_root(data), output, limit=questions, embedder=embedder)
    setting, cache = bird_setting(options)
    search = SEARCHES["crush-paper"]
    rows = []
    for count in (search.candidates, len(setting.index.contents.column_names)):
        rows += measure(setting, replace(search, candidates=count), budget, solvers.split(","))
    cache.save()
    document = {"budget": budget, "load_before": load, "rows": [asdict(row) for row in rows]}
    write_document(options, "speed.json", document)
    rows_grid(rows, f"crush-paper, budget {budget}, BIRD, load before: {load}").show(Console(width=110))


if __name__ == "__main__":
    main()
