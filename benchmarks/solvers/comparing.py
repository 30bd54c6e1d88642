"""Run studies, and keep what each found with everything that a reader needs to repeat it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks.pages.grids import Grid
from benchmarks.runs.provenance import load_average, provenance
from benchmarks.runs.results import BrokenResultsError
from benchmarks.solvers.bench import Bench, Check, Findings
from benchmarks.solvers.journal import Run, read_runs, write_csv, write_runs
from benchmarks.solvers.study_rows import STUDIES


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


def compare(
    bench: Bench,
    studies: Sequence[tuple[str, Callable[[Bench], Findings]]],
    command: str,
    show: Callable[[Study], None],
) -> list[Study]:
    """Make studies one by one; each is shown and written when it is done.

    Parameters
    ----------
    studies : list of (name, function)
    command : str
        What the user typed.
    show : callable
        Gets each study as soon as it is there.
    """
    made = []
    for name, measure in studies:
        bench.report(f"{name}: starts")
        load, start = load_average(), monotonic()
        findings = measure(bench)
        about = provenance() | {
            "load": [load, load_average()],
            "seconds": round(monotonic() - start),
            "embedder": bench.options.embedder,
        }
        study = Study(name, findings, command, bench.plan.full, about)
        write_study(bench.folder, study)
        show(study)
        made.append(study)
    return made


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

    Tables and checks of runs are made anew, so that they are those of the code that reads them.

    Raises
    ------
    BrokenResultsError
        When its files are not those of this version.
    """
    path = folder / f"{name}.json"
    if not path.exists():
        return None
    runs = read_runs(folder / "runs" / f"{name}.jsonl")
    tell = STUDIES[name].tell if name in STUDIES else None
    told = tell(runs) if tell and runs else None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        findings = _as_written(data, runs) if told is None else told
        return Study(name, findings, data["command"], data["full"], data["provenance"])
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenResultsError(
            f"{path}: not a study of this version ({error!r}); remove the file, and `solvers` makes it again"
        ) from error


def _as_written(data: dict[str, Any], runs: Sequence[Run]) -> Findings:
    grids = [
        Grid(grid["title"], tuple(grid["header"]), [tuple(row) for row in grid["rows"]], grid["note"])
        for grid in data["grids"]
    ]
    return Findings(grids, [Check(**check) for check in data["checks"]], runs or ())


def all_runs(folder: Path) -> list[Run]:
    """The runs of every study of a folder."""
    return [run for path in sorted((folder / "runs").glob("*.jsonl")) for run in read_runs(path)]
