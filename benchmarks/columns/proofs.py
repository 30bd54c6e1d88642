"""How good the solvers are on the objective over columns: ``python -m benchmarks.columns.proofs``.

Every solver answers the same questions of BIRD, with the schemas that come with them, at the same budgets, one after
the other on each question. The report says on how many each proves an optimum, in what time, and what the heuristics
lose against the optimum.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, median

import click
from rich.console import Console

from benchmarks.columns.bird_questions import bird_setting, write_document
from benchmarks.commands.options import DATA, EMBEDDER, OUTPUT
from benchmarks.data.layout import data_root
from benchmarks.pages.grids import Grid
from benchmarks.runs.evaluation import Options
from benchmarks.systems.column_problems import SEARCHES, ColumnSearch, column_instance, column_pool, read_given
from benchmarks.systems.rows import Setting
from formulations import CrushObjective, Instance, Status, solve, warm_up

CLOSE = 1e-7
"""Share of the optimum by which a value may differ and be the same."""


@dataclass(frozen=True)
class Answer:
    """What a solver reached on a question: the value of its set, whether that is proved to be the best, its time."""

    value: float
    proved: bool
    seconds: float


@dataclass(frozen=True)
class Row:
    """A solver at a budget; all but budget and times in percent of the questions, or of their optimum.

    `proved` within the time limit, times of `formulations.solve` with the instance at hand; `best` of those whose
    optimum is known. Gaps are by how much the value is below the optimum, relative to what the optimum is worth above
    the constant part of the objective; nan where no optimum is known.
    """

    solver: str
    budget: int
    questions: int
    proved: float
    median_ms: float
    slowest_ms: float
    best: float
    mean_gap: float
    largest_gap: float


def constant_part(instance: Instance, objective: CrushObjective) -> float:
    """What any set is worth whose columns are as similar as can be to nothing, and linked with nothing."""
    links = instance.size * objective.connectivity
    return (instance.m + links) * objective.sharpness * math.log(instance.size)


def race(
    instances: Sequence[Instance], objective: CrushObjective, solvers: Sequence[str], time_limit: float
) -> dict[str, list[Answer]]:
    """Answers of each solver to each instance, the solvers in turn."""
    answers: dict[str, list[Answer]] = {solver: [] for solver in solvers}
    for instance in instances:
        for solver in solvers:
            start = time.perf_counter()
            solution = solve(instance, objective, solver, time_limit=time_limit)
            seconds = time.perf_counter() - start
            answers[solver].append(Answer(solution.value, solution.status is Status.OPTIMAL, seconds))
    return answers


def summary(
    instances: Sequence[Instance], objective: CrushObjective, answers: dict[str, list[Answer]]
) -> Iterator[Row]:
    """A row for each solver. An optimum is known where any solver proved it."""
    optima = [
        max((answer.value for answer in together if answer.proved), default=math.nan)
        for together in zip(*answers.values(), strict=True)
    ]
    constants = [constant_part(instance, objective) for instance in instances]
    for solver, reached in answers.items():
        gaps = [
            (0.0 if optimum - answer.value <= CLOSE * abs(optimum) else (optimum - answer.value) / (optimum - constant))
            for answer, optimum, constant in zip(reached, optima, constants, strict=True)
            if not math.isnan(optimum)
        ]
        times = [1e3 * answer.seconds for answer in reached]
        yield Row(
            solver=solver,
            budget=instances[0].size,
            questions=len(reached),
            proved=100 * fmean(answer.proved for answer in reached),
            median_ms=median(times),
            slowest_ms=max(times),
            best=100 * fmean(gap == 0.0 for gap in gaps) if gaps else math.nan,
            mean_gap=100 * fmean(gaps) if gaps else math.nan,
            largest_gap=100 * max(gaps) if gaps else math.nan,
        )


def measure(
    setting: Setting, search: ColumnSearch, budgets: Sequence[int], solvers: Sequence[str], time_limit: float
) -> list[Row]:
    """Rows of each budget and solver over the questions of a setting."""
    pools = [column_pool(setting, search, probing) for probing in read_given(setting, context=search.context)]
    warm_up(search.objective)
    rows: list[Row] = []
    for budget in budgets:
        instances = [column_instance(pool, search, budget) for pool in pools]
        race(instances[:1], search.objective, solvers, time_limit)  # engines are started, the sweep is compiled
        rows += summary(instances, search.objective, race(instances, search.objective, solvers, time_limit))
    return rows


def rows_grid(rows: Sequence[Row], title: str) -> Grid:
    """A table of all rows."""
    header = ("B", "solver", "proved %", "median ms", "slowest ms", "best %", "mean gap %", "largest gap %")
    digits = (1, 2, 1, 1, 2, 2)
    cells = []
    for row in rows:
        figures = (row.proved, row.median_ms, row.slowest_ms, row.best, row.mean_gap, row.largest_gap)
        shown = (f"{figure:.{places}f}" for figure, places in zip(figures, digits, strict=True))
        cells.append((str(row.budget), row.solver, *shown))
    return Grid(title, header, cells)


@click.command()
@DATA
@OUTPUT
@click.option("--questions", type=click.IntRange(1), default=171, show_default=True, help="Evenly spaced.")
@click.option("--solvers", default="exact,greedy,local,sweep", show_default=True, help="With mip, cpsat, where there.")
@click.option("--budgets", default="3,5,10,20,30,50,80", show_default=True)
@click.option("--objective", type=click.Choice(list(SEARCHES)), default="crush-paper", show_default=True)
@click.option("--candidates", type=click.IntRange(1), help="100 for crush-paper and 200 for crush by default.")
@click.option("--sharpness", type=click.FloatRange(0), help="In place of the objective's.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), default=5.0, show_default=True)
@EMBEDDER
def main(
    data: str | None, output: Path, questions: int, solvers: str, budgets: str, objective: str, candidates: int | None,
    sharpness: float | None, time_limit: float, embedder: str,
) -> None:  # fmt: skip
    """Proofs, times and gaps of solvers on the objective over columns: a table here, and DIR/columns/proofs.json."""
    search = SEARCHES[objective]
    search = replace(
        search,
        candidates=candidates or search.candidates,
        objective=search.objective if sharpness is None else replace(search.objective, sharpness=sharpness),
    )
    options = Options(data_root(data), output, limit=questions, embedder=embedder)
    setting, cache = bird_setting(options)
    rows = measure(setting, search, [int(text) for text in budgets.split(",")], solvers.split(","), time_limit)
    cache.save()
    document = {"search": asdict(search), "time_limit": time_limit, "rows": [asdict(row) for row in rows]}
    write_document(options, "proofs.json", document)
    title = f"{objective}, sharpness {search.objective.sharpness:g}, {search.candidates} candidates, BIRD"
    rows_grid(rows, title).show(Console(width=110))


if __name__ == "__main__":
    main()
