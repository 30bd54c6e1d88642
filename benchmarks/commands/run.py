"""The command ``python -m benchmarks run``."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console

from benchmarks.commands.paths import OutputFolder, some_names
from benchmarks.commands.pipeline import RUNNERS, SMOKE_QUESTIONS, Request, SmokeError, make_ahead
from benchmarks.data.datasets import DATASETS
from benchmarks.data.layout import MissingDataError, data_root
from benchmarks.runs.evaluation import Options, Report
from benchmarks.runs.parallel import take_over_parts
from benchmarks.runs.tasks import TASKS
from benchmarks.systems import DECOMPOSITIONS, SYSTEMS, find_system
from formulations.registry import solver_row
from jar.text.embedding import EMBEDDERS, load_embedder

ALL = "all"
WIDTH = 180

ALWAYS = {"task", "data", "output"}
OF_ONE_TASK = ("datasets", "systems", "baseline")
OF_RANKINGS = ("limit", "decomposition", "names", "embedder", "solver", "candidates", "fresh", "jobs", "smoke")
OF_TABLES = {"solver", "candidates"}
"""What systems that choose columns do not take: their names say the solver, their objectives the candidates."""
TAKEN: dict[str, tuple[str, ...]] = {
    **{
        name: (*OF_ONE_TASK, *(option for option in OF_RANKINGS if task.unit == "tables" or option not in OF_TABLES))
        for name, task in TASKS.items()
    },
    "joins": ("embedder", "fresh"),
    "solvers": ("datasets", "limit", "names", "embedder", "smoke"),
    ALL: OF_RANKINGS,
}
"""The options of each task. With all tasks an option goes to those that take it."""


@click.command("run")
@click.option("--task", type=click.Choice([*RUNNERS, ALL]), default="tables", show_default=True)
@click.option("--data", help="Folder with spider/ and bird/; else JAR_DATA, else ../shared/data.")
@click.option(
    "--datasets",
    callback=some_names,
    help=f"Of {', '.join(DATASETS)}, or beir:PATH; by default those of the task.",
)
@click.option(
    "--systems",
    callback=some_names,
    help=f"Of {', '.join(SYSTEMS)}; also with +given, +score=default, +solver=greedy; by default those of the task.",
)
@click.option("--baseline", help="The system that the others are compared with; by default that of the task.")
@click.option("--output", type=OutputFolder(), default=Path("build/benchmarks"), show_default=True)
@click.option("--limit", type=click.IntRange(1), help="At most so many questions, evenly spaced.")
@click.option("--decomposition", type=click.Choice(DECOMPOSITIONS), default="default", show_default=True)
@click.option("--names", type=click.Choice(["original", "natural"]), default="original", show_default=True)
@click.option("--embedder", default="minilm", show_default=True)
@click.option("--solver", default="exact", show_default=True)
@click.option("--candidates", type=click.IntRange(1), default=20, show_default=True)
@click.option("--fresh", is_flag=True, help="Make results again that are in DIR already.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="So many data sets at a time.")
@click.option("--smoke", is_flag=True, help=f"A slice of {SMOKE_QUESTIONS} questions; checks what it leaves.")
def run_command(
    task: str,
    data: str | None,
    datasets: str | None,
    systems: str | None,
    baseline: str | None,
    smoke: bool,
    jobs: int,
    **options: object,
) -> None:
    """Run systems on data sets, or measure joins or solvers: tables here, files in DIR.

    Rankings leave a line of DIR/results.jsonl for each task, data set and system, a folder of DIR/answers with the
    answers to all questions, and DIR/significance.csv. What DIR has of the same data, settings and code is not made
    again, so that a run that was stopped goes on where it was.
    """
    check_options(task, click.get_current_context())
    if baseline:
        find_system(baseline, registry=TASKS[task].registry)
    if smoke and options["limit"] is None:
        options["limit"] = SMOKE_QUESTIONS
    given = Options(root=data_root(data), **options)  # type: ignore[arg-type]
    request = Request(given, _names(datasets), _names(systems), baseline, smoke)
    report, console = clock(), Console(width=None if sys.stdout.isatty() else WIDTH)
    chosen = list(RUNNERS) if task == ALL else [task]
    take_over_parts(given.output)
    if jobs > 1 and (rankings := [name for name in chosen if name in TASKS]):
        make_ahead(rankings, request, jobs, report)
        request = replace(request, options=replace(given, fresh=False))
    failures, missing = [], []
    for place, name in enumerate(chosen, start=1):
        if len(chosen) > 1:
            report(f"task {place} of {len(chosen)}: {name}")
        try:
            RUNNERS[name](request, report, console)
        except SmokeError as error:
            failures.append(str(error))
        except MissingDataError as error:
            if task != ALL:
                raise
            missing.append(f"{name}: {error}")
    told = [*(["this is not as it has to be:", *failures] if failures else []), *missing]
    if told:
        raise click.ClickException("\n".join(told))


def check_options(task: str, context: click.Context) -> None:
    """Refuse options that the caller gave and the task would not heed, and names that nothing has.

    Raises
    ------
    click.UsageError
    UnknownSolverError, EmbedderError
    """
    given = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if idle := [f"--{name}" for name in given if name not in ALWAYS and name not in TAKEN[task]]:
        raise click.UsageError(
            f"--task {task} does not take {', '.join(idle)}: it takes {', '.join(f'--{n}' for n in TAKEN[task])}"
        )
    solver_row(context.params["solver"])
    embedder = context.params["embedder"]
    if not (embedder in EMBEDDERS or "/" in embedder or Path(embedder).exists()):
        load_embedder(embedder)  # tells what there is


def clock() -> Report:
    """Messages on standard error with the seconds since now."""
    start = time.perf_counter()
    return lambda message: print(f"[{time.perf_counter() - start:6.1f} s] {message}", file=sys.stderr, flush=True)


def _names(option: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in (option or "").split(",") if name.strip()))
