"""``python -m benchmarks run``: rankings of tables and columns, joins, solvers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from benchmarks.commands.joins import run_measure
from benchmarks.commands.options import (
    CANDIDATES,
    DATA,
    EMBEDDER,
    LIMIT,
    OUTPUT,
    Measuring,
    NameList,
    clock,
    console,
    shown_command,
)  # fmt: skip
from benchmarks.data.datasets import DATASETS
from benchmarks.data.layout import MissingDataError, data_root
from benchmarks.pages.measured import Measured
from benchmarks.pages.result_grids import section_grids
from benchmarks.runs.evaluation import Options, Report
from benchmarks.runs.evaluation import run as run_systems
from benchmarks.runs.significance import write_significance
from benchmarks.runs.smoke import SMOKE_SYSTEMS, check_smoke
from benchmarks.runs.tasks import TASKS
from benchmarks.solvers.comparison import run_solvers
from benchmarks.solvers.studies.custom import Race
from benchmarks.systems.rows import DECOMPOSITIONS
from benchmarks.systems.table_systems import SYSTEMS
from formulations.registry import solver_row
from jar.text.embedding import EMBEDDERS, load_embedder

ALL = "all"
RACE = Race("exact,local,greedy,mip:highs,mip:cbc,cpsat")
"""The solvers that ``run --task solvers`` compares; ``python -m benchmarks solvers`` makes all studies."""
RACE_QUESTIONS, SMOKE_RACE_QUESTIONS = 30, 2
"""Of each data set."""
SMOKE_QUESTIONS = 40


class SmokeError(Exception):
    """A smoke run whose files or figures are not as they have to be; the message has a line for each."""


@dataclass(frozen=True)
class Request:
    """What the caller asks for; without data sets or systems it is those of the task.

    The files and figures of a smoke run are checked.
    """

    options: Options
    datasets: Sequence[str] = ()
    systems: Sequence[str] = ()
    smoke: bool = False


def run_ranking(name: str, request: Request, report: Report, terminal: Console) -> None:
    """Run the systems of a task of `benchmarks.runs.tasks.TASKS` on its data sets, and compare them."""
    task, options = TASKS[name], request.options
    datasets = request.datasets or (task.smoke if request.smoke else task.datasets)
    systems = request.systems or (SMOKE_SYSTEMS[name] if request.smoke else task.systems)
    results = run_systems(task, datasets, systems, options, report)
    write_significance(options.output, report)
    for group in Measured(options.output).groups_of(results):
        quality, *others = section_grids(group)
        quality.show(terminal, f"{name}: {group.dataset}, {group.questions} questions")
        for grid in others:
            grid.show(terminal, f"{name}: {group.dataset}, {grid.title or group.task.main}")
    if request.smoke and (failures := check_smoke(options.output, results)):
        raise SmokeError("\n".join(failures))


def run_joins(request: Request, report: Report, terminal: Console) -> None:
    """Measure the join scores on declared keys, unless ``joins.json`` has the figures of this data and code."""
    options = request.options
    run_measure(options.root, options.output, options.embedder, report, terminal, ablated=False, fresh=options.fresh)


def run_race(request: Request, report: Report, terminal: Console) -> None:
    """Race the solvers on the same instances."""
    few = SMOKE_RACE_QUESTIONS if request.smoke else RACE_QUESTIONS
    changes: dict[str, Any] = {"questions": min(few, request.options.limit or few)}
    if request.datasets:
        changes["datasets"] = tuple(request.datasets)
    run_solvers(request.options, report, terminal, shown_command(), race=RACE, changes=changes, smoke=request.smoke)


RUNNERS: dict[str, Callable[[Request, Report, Console], None]] = {
    **{name: partial(run_ranking, name) for name in TASKS},
    "joins": run_joins,
    "solvers": run_race,
}
"""The tasks by name, in the order in which they run where all are asked for."""


@click.command("run", cls=Measuring)
@click.option("--task", type=click.Choice([*RUNNERS, ALL]), default="tables", show_default=True)
@DATA
@click.option("--datasets", type=NameList(), default=(), help=f"Of {', '.join(DATASETS)}, or beir:PATH.")
@click.option("--systems", type=NameList(), default=(), help=f"Of {', '.join(SYSTEMS)}; also +given, +solver=greedy.")
@OUTPUT
@LIMIT
@click.option("--decomposition", type=click.Choice(DECOMPOSITIONS), default="default", show_default=True)
@click.option("--names", type=click.Choice(["original", "natural"]), default="original", show_default=True)
@EMBEDDER
@click.option("--solver", default="exact", show_default=True)
@CANDIDATES
@click.option("--fresh", is_flag=True, help="Make results again that are in DIR already.")
@click.option("--smoke", is_flag=True, help=f"A slice of {SMOKE_QUESTIONS} questions; checks what it leaves.")
def run(
    task: str, data: str | None, datasets: list[str], systems: list[str], smoke: bool, **settings: Any
) -> None:
    """Run systems on data sets, or measure joins or solvers: tables here, files in DIR.

    Rankings leave a line of DIR/results.jsonl for each task, data set and system, a folder of DIR/answers with the
    answers to all questions, and DIR/significance.csv. What DIR has of the same data, settings and code is not made
    again, so that a run that was stopped goes on where it was. An option goes to the tasks that take it.
    """
    solver_row(settings["solver"])
    embedder = settings["embedder"]
    if not (embedder in EMBEDDERS or "/" in embedder or Path(embedder).exists()):
        load_embedder(embedder)  # its error lists the known ones
    if smoke and settings["limit"] is None:
        settings["limit"] = SMOKE_QUESTIONS
    request = Request(Options(root=data_root(data), **settings), datasets, systems, smoke)
    _run_all(list(RUNNERS) if task == ALL else [task], request, clock())


def _run_all(tasks: Sequence[str], request: Request, report: Report) -> None:
    """Run tasks one after the other; of several, one that lacks its data does not stop the others."""
    failures, missing = [], []
    for place, name in enumerate(tasks, start=1):
        if len(tasks) > 1:
            report(f"task {place} of {len(tasks)}: {name}")
        try:
            RUNNERS[name](request, report, console(180))
        except SmokeError as error:
            failures.append(str(error))
        except MissingDataError as error:
            if len(tasks) == 1:
                raise
            missing.append(f"{name}: {error}")
    problems = [*(["this is not as it has to be:", *failures] if failures else []), *missing]
    if problems:
        raise click.ClickException("\n".join(problems))
