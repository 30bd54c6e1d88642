"""Run studies, show them, and keep what each found with everything that a reader needs to repeat it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import pandas as pd
from rich.console import Console
from rich.text import Text

from benchmarks.data.datasets import check_datasets
from benchmarks.runs.evaluation import Options, Report
from benchmarks.runs.provenance import load_average, provenance
from benchmarks.runs.results import BrokenResultsError
from benchmarks.solvers.bench import FULL, SMOKE, Bench, Findings
from benchmarks.solvers.races import read_runs
from benchmarks.solvers.studies import custom
from benchmarks.solvers.study_rows import STUDIES, chosen_studies


@dataclass(frozen=True)
class Study:
    """A study that has been made.

    `command` is what made it; `full` says whether its checks count; `provenance` has versions, commit, machine, date,
    the load before and after, and the seconds that it took.
    """

    name: str
    findings: Findings
    command: str
    full: bool
    provenance: dict[str, Any]


def run_solvers(
    options: Options,
    report: Report,
    console: Console,
    command: str,
    *,
    studies: Sequence[str] = (),
    race: custom.Race | None = None,
    changes: dict[str, Any] | None = None,
    smoke: bool = False,
) -> list[Study]:
    """Make the studies, or the race that the caller describes, and show each.

    `command` is what the user typed. No studies mean all, or the race alone where there is one. `changes` are fields of
    `Plan`: targets are judged only where such a plan still covers the full one.
    """
    names = chosen_studies(studies)
    plan = replace(SMOKE if smoke else FULL, **(changes or {}))
    covers = plan.questions >= FULL.questions and plan.datasets == FULL.datasets and plan.limit >= FULL.limit
    bench = Bench(options, replace(plan, full=plan.full and covers), report)
    check_datasets(plan.datasets)
    measures = {name: STUDIES[name].measure for name in names} if studies or race is None else {}
    if race is not None:
        measures = {custom.NAME: race.measure} | measures
    made = []
    for name, measure in measures.items():
        made.append(_make_study(bench, name, measure, command))
        write_study(bench.folder, made[-1])
        print_study(made[-1], console)
    report(f"a line for each run: {bench.folder / 'runs.csv'}")
    return made


def _make_study(bench: Bench, name: str, measure: Callable[[Bench], Findings], command: str) -> Study:
    bench.report(f"{name}: starts")
    load, start = load_average(), monotonic()
    findings = measure(bench)
    seconds = round(monotonic() - start)
    about = provenance() | {"load": [load, load_average()], "seconds": seconds, "embedder": bench.options.embedder}
    return Study(name, findings, command, bench.plan.full, about)


def print_study(study: Study, console: Console) -> None:
    """Show the table of a study, and of a full one its targets."""
    study.findings.grid.show(console, f"{study.name}: {study.findings.grid.title}")
    for check in study.findings.checks:
        if study.full:
            verdict = Text("met   ", style="green") if check.met else Text("missed", style="red")
            console.print(verdict + Text(f"  {check.target}: {check.measured}"))
        else:
            console.print(Text(f"{check.target}: {check.measured} (not a full run, not judged)", style="dim"))
    load, cores = study.provenance["load"][0], study.provenance["machine"]["cores"]
    if load is not None and load > cores / 2:
        console.print(f"The machine was busy (load {load:g} on {cores} cores): compare by ratios.")


def write_study(folder: Path, study: Study) -> None:
    """Write ``NAME.json``, and ``runs.csv`` with the runs of all studies; the runs themselves are there already."""
    about = {"command": study.command, "full": study.full, "provenance": study.provenance}
    (folder / f"{study.name}.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    runs = [run for path in sorted((folder / "runs").glob("*.jsonl")) for run in read_runs(path)]
    frame = pd.DataFrame(runs)
    frame.assign(proved=[run.proved for run in runs]).to_csv(folder / "runs.csv", index=False)


def read_study(folder: Path, name: str) -> Study | None:
    """A study that was written; None where there is none of that name.

    Its table and its checks are made anew from the runs, so that they are those of the code that reads them.

    Raises
    ------
    BrokenResultsError
        When its files are not those of this version.
    """
    path = folder / f"{name}.json"
    if not path.exists():
        return None
    runs = read_runs(folder / "runs" / f"{name}.jsonl")
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        findings = (custom if name == custom.NAME else STUDIES[name]).tell(runs)
        return Study(name, findings, about["command"], about["full"], about["provenance"])
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenResultsError(
            f"{path}: not a study of this version ({error!r}); remove the file, and `solvers` makes it again"
        ) from error
