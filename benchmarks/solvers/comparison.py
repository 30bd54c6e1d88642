"""Run studies, show them, and keep what each found with everything that a reader needs to repeat it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from rich.console import Console
from rich.text import Text

from benchmarks.data.datasets import check_datasets
from benchmarks.plots.styles import missing
from benchmarks.runs.evaluation import Options, Report
from benchmarks.runs.provenance import load_average, provenance
from benchmarks.runs.results import BrokenResultsError
from benchmarks.solvers.bench import Bench, Findings
from benchmarks.solvers.figures import draw_figures
from benchmarks.solvers.journal import Run, read_runs, write_csv, write_runs
from benchmarks.solvers.plans import FULL, SMOKE
from benchmarks.solvers.studies.custom import NAME, Race
from benchmarks.solvers.studies.custom import tell as tell_race
from benchmarks.solvers.study_rows import STUDIES, chosen_studies


@dataclass(frozen=True)
class Study:
    """A study that has been made.

    Attributes
    ----------
    name : str
    findings : Findings
    command : str
        What made it.
    full : bool
        Whether its checks count.
    provenance : dict
        Versions, commit, machine and date, load before and after, seconds.
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
    race: Race | None = None,
    changes: dict[str, Any] | None = None,
    smoke: bool = False,
) -> list[Study]:
    """Make the studies, or the race that the caller describes; show each, and draw its figures.

    Parameters
    ----------
    command : str
        What the user typed.
    studies : list of str
        Names; none for all, or for the race alone where there is one.
    race : Race, optional
        What the caller describes.
    changes : dict, optional
        Fields of `Plan` that the caller sets: targets are judged only where such a plan still covers the full one.
    smoke : bool
    """
    rows = chosen_studies(studies)
    plan = replace(SMOKE if smoke else FULL, **(changes or {}))
    covers = plan.questions >= FULL.questions and plan.datasets == FULL.datasets and plan.limit >= FULL.limit
    plan = replace(plan, full=plan.full and covers)
    check_datasets(plan.datasets)
    measures = [(row.name, row.measure) for row in rows] if studies or race is None else []
    if race is not None:
        measures.insert(0, (NAME, race.measure))
    bench = Bench(options, plan, report)
    made = []
    for name, measure in measures:
        made.append(_make_study(bench, name, measure, command))
        write_study(bench.folder, made[-1])
        print_study(made[-1], console)
    if (cause := missing()) is not None:
        report(cause)
    for study in made:
        for caption, path in draw_figures(study.name, study.findings.runs, bench.folder / "figures"):
            report(f"{caption}: {path}")
    report(f"a line for each run: {bench.folder / 'runs.csv'}")
    return made


def _make_study(bench: Bench, name: str, measure: Callable[[Bench], Findings], command: str) -> Study:
    bench.report(f"{name}: starts")
    load, start = load_average(), monotonic()
    findings = measure(bench)
    about = provenance() | {
        "load": [load, load_average()],
        "seconds": round(monotonic() - start),
        "embedder": bench.options.embedder,
    }
    return Study(name, findings, command, bench.plan.full, about)


def print_study(study: Study, console: Console) -> None:
    """Show the tables of a study, and of a full one its targets."""
    for grid in study.findings.grids:
        grid.show(console, f"{study.name}: {grid.title}")
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
    """Write ``NAME.json``, ``NAME.jsonl`` with its runs, and ``runs.csv`` with the runs of all studies."""
    folder.mkdir(parents=True, exist_ok=True)
    write_runs(folder / "runs" / f"{study.name}.jsonl", study.findings.runs)
    data = {
        "name": study.name,
        "command": study.command,
        "full": study.full,
        "provenance": study.provenance,
        **study.findings.to_dict(),
    }
    partial = folder / f"{study.name}.partial"
    partial.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, folder / f"{study.name}.json")
    write_csv(folder / "runs.csv", all_runs(folder))


def read_study(folder: Path, name: str) -> Study | None:
    """A study that was written; None where there is none of that name.

    Its tables and checks are made anew from the runs, so that they are those of the code that reads them.

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
        data = json.loads(path.read_text(encoding="utf-8"))
        findings = tell_race(runs) if name == NAME else STUDIES[name].tell(runs)
        return Study(name, findings, data["command"], data["full"], data["provenance"])
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenResultsError(
            f"{path}: not a study of this version ({error!r}); remove the file, and `solvers` makes it again"
        ) from error


def all_runs(folder: Path) -> list[Run]:
    """The runs of every study of a folder."""
    return [run for path in sorted((folder / "runs").glob("*.jsonl")) for run in read_runs(path)]
