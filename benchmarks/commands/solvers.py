"""The command ``python -m benchmarks solvers``."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click
from rich.console import Console

from benchmarks.data.datasets import check_datasets
from benchmarks.runs.evaluation import Options, Report
from benchmarks.solvers.bench import Bench, Findings
from benchmarks.solvers.comparing import Study, compare
from benchmarks.solvers.figures import draw_figures, missing
from benchmarks.solvers.plans import FULL, SMOKE, Plan
from benchmarks.solvers.studies.custom import NAME, Race
from benchmarks.solvers.study_rows import chosen_studies
from benchmarks.solvers.terminal import print_study

Measures = list[tuple[str, Callable[[Bench], Findings]]]


class IntegerList(click.ParamType[Any]):
    """Positive integers with commas."""

    name = "numbers"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        """The numbers of a text."""
        try:
            numbers = tuple(int(part) for part in str(value).split(",")) if isinstance(value, str) else tuple(value)
        except ValueError:
            numbers = (0,)
        if min(numbers) < 1:
            self.fail(f"{value!r} is no list of positive integers such as 2,5,10", param, ctx)
        return numbers


def run_solvers(
    options: Options,
    report: Report,
    console: Console,
    *,
    studies: list[str],
    race: dict[str, Any],
    changes: dict[str, Any],
    smoke: bool,
) -> list[Study]:
    """Make the studies, or the race that the caller describes; show each, and draw its figures.

    Parameters
    ----------
    studies : list of str
        Names; none for all, or for the race alone where there is one.
    race : dict
        Fields of `Race` that the caller set.
    changes : dict
        Fields of `Plan` that the caller set: such a plan is not full.
    smoke : bool
    """
    rows = chosen_studies(studies)
    plan = replace(SMOKE if smoke else FULL, **changes)
    plan = replace(plan, full=plan.full and _covers(plan, FULL))
    check_datasets(plan.datasets)
    measures: Measures = [(row.name, row.measure) for row in rows] if studies or not race else []
    if race:
        measures.insert(0, (NAME, Race(**race).measure))
    bench = Bench(options, plan, report)
    made = compare(bench, measures, shown_command(), lambda study: print_study(study, console))
    if (cause := missing()) is not None:
        report(cause)
    for drawn in draw_figures(made, bench.folder / "figures").values():
        for caption, path in drawn:
            report(f"{caption}: {path}")
    report(f"a line for each run: {bench.folder / 'runs.csv'}")
    return made


def _covers(plan: Plan, full: Plan) -> bool:
    """Whether a changed plan measures at least what the targets are about."""
    return plan.questions >= full.questions and plan.datasets == full.datasets and plan.limit >= full.limit


def shown_command() -> str:
    """What the user typed, without the paths of this machine."""
    words = iter(sys.argv[1:])
    kept: list[str] = []
    for word in words:
        if word in ("--output", "--data", "--report"):
            next(words, None)
        elif not word.startswith(("--output=", "--data=", "--report=")):
            kept.append(word)
    return shlex.join(["python", "-m", "benchmarks", *kept])
