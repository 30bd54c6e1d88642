"""The tasks by name: rankings of tables and columns, joins, solvers. Each shows its tables and writes its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rich.console import Console

from benchmarks.commands.joins import run_measure
from benchmarks.commands.solvers import run_solvers
from benchmarks.pages.printed import print_details, print_results
from benchmarks.runs.evaluation import Options, Report, check_names, run
from benchmarks.runs.parallel import make_results
from benchmarks.runs.significance import write_significance
from benchmarks.runs.smoke import SMOKE_SYSTEMS, check_smoke
from benchmarks.runs.tasks import TASKS

RACE = {"contestants": "exact,local,greedy,mip:highs,mip:cbc,cpsat", "sizes": (2, 5, 10), "candidates": 20}
"""The solvers that ``run --task solvers`` compares; ``python -m benchmarks solvers`` makes all studies."""
RACE_QUESTIONS, SMOKE_RACE_QUESTIONS = 30, 2
"""Of each data set."""

SMOKE_QUESTIONS = 40


class SmokeError(Exception):
    """A smoke run whose files or figures are not as they have to be; the message has a line for each."""


@dataclass(frozen=True)
class Request:
    """What the caller asks for.

    Attributes
    ----------
    options : Options
    datasets, systems : tuple of str
        Empty: those of the task.
    baseline : str or None
        The system that the others are compared with; None for that of the task.
    smoke : bool
        A slice, whose files and figures are checked.
    """

    options: Options
    datasets: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    baseline: str | None = None
    smoke: bool = False

    def of_task(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The data sets and the systems of a task."""
        task = TASKS[name]
        datasets = task.smoke if self.smoke else task.datasets
        systems = SMOKE_SYSTEMS.get(name, task.systems) if self.smoke else task.systems
        return self.datasets or datasets, self.systems or systems


def make_ahead(names: Sequence[str], request: Request, jobs: int, report: Report) -> None:
    """Make the results of several tasks, so many data sets at a time; the tasks then find them.

    Of the data sets the last come first, since they are the larger ones, and a data set's tasks share its index.
    """
    work: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for name in names:
        datasets, systems = request.of_task(name)
        for dataset in datasets:
            work.setdefault(dataset, []).append((name, systems))
    check_names(list(work), request.options)
    make_results(dict(reversed(work.items())), request.options, jobs, report)


Runner = Callable[[Request, Report, Console], None]


def run_ranking(name: str, request: Request, report: Report, console: Console) -> None:
    """Run the systems of a task of `benchmarks.runs.tasks.TASKS` on its data sets, and compare them.

    Raises
    ------
    SmokeError
        When a smoke run is not as it has to be.
    """
    options = request.options
    datasets, systems = request.of_task(name)
    results = run(TASKS[name], datasets, systems, options, report)
    baselines = {} if request.baseline is None else {name: request.baseline}
    significance = write_significance(options.output, report, baselines)
    print_results(results, console)
    print_details(results, significance, console)
    if request.smoke and (failures := check_smoke(options.output, results)):
        raise SmokeError("\n".join(failures))


def run_joins(request: Request, report: Report, console: Console) -> None:
    """Measure the join scores on declared keys, unless ``joins.json`` has the figures of this data and code."""
    options = request.options
    run_measure(options.root, options.output, options.embedder, report, console, ablated=False, fresh=options.fresh)


def run_race(request: Request, report: Report, console: Console) -> None:
    """Race the solvers on the same instances; what the journal has is not run again."""
    few = SMOKE_RACE_QUESTIONS if request.smoke else RACE_QUESTIONS
    questions = few if request.options.limit is None else min(few, request.options.limit)
    changes: dict[str, Any] = {"questions": questions}
    if request.datasets:
        changes["datasets"] = request.datasets
    run_solvers(request.options, report, console, studies=[], race=dict(RACE), changes=changes, smoke=request.smoke)


RUNNERS: dict[str, Runner] = {
    **{name: partial(run_ranking, name) for name in TASKS},
    "joins": run_joins,
    "solvers": run_race,
}
"""In the order in which they run where all are asked for."""
