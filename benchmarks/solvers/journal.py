"""Runs: one contestant on one case. Kept as JSON lines, so that a stopped comparison goes on where it was."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from benchmarks.runs.fingerprints import source_fingerprint
from benchmarks.runs.provenance import provenance
from benchmarks.runs.results import BrokenResultsError
from benchmarks.solvers.cases import Case, content_digest
from benchmarks.solvers.contestants import Contestant

PROVED = ("optimal", "infeasible")


@dataclass(frozen=True)
class Run:
    """What one contestant did on one case.

    Attributes
    ----------
    key : str
        Hash of the study, the case, the contestant, the code of the solvers and the versions of the engines.
    study, dataset, kind, label : str
    n, m, k : int
        Tables, sub-queries, tables to choose.
    solver : str
        Label of the contestant.
    exact : bool
        Whether it can prove; a heuristic that stops has not run into its limit.
    limit : float
        Seconds that it had.
    seconds : float
        Wall-clock time of the call: what a user waits. The median of `repeats` calls where the first was quick.
    first_seconds : float
        The first of them.
    repeats : int
    status : str
        "optimal", "infeasible", "feasible", "unknown", or "error".
    value, bound : float
        ``-inf`` and ``inf`` where there is none.
    gap : float
        Of its own certificate: ``(bound - value) / |value|``; ``inf`` without an answer.
    error : str
        The message of the error.
    reduction_seconds : float or None
        What the reduction of the case took; no part of `seconds` but for solvers that take columns.
    processor_seconds : float or None
        Processor time of this process and the worker, the median of `repeats` calls; None where it is not known.
    """

    key: str
    study: str
    dataset: str
    kind: str
    label: str
    n: int
    m: int
    k: int
    solver: str
    exact: bool
    limit: float
    seconds: float
    first_seconds: float
    repeats: int
    status: str
    value: float
    bound: float
    gap: float
    error: str = ""
    reduction_seconds: float | None = None
    processor_seconds: float | None = None

    @property
    def proved(self) -> bool:
        """Whether the answer is proved best, or proved not to exist, within the limit.

        An engine that is stopped borrows the bound of the solver that it started from; that is no proof of its own.
        """
        return self.status in PROVED and self.seconds <= self.limit

    @property
    def censored(self) -> bool:
        """Whether it counts at its limit: it can prove, and did not."""
        return self.status == "error" or (self.exact and not self.proved)

    @property
    def counted_seconds(self) -> float:
        """The time that summaries count: that of the call, or the limit where there was no proof (a lower bound)."""
        return self.limit if self.censored else self.seconds

    @property
    def case(self) -> tuple[Any, ...]:
        """What runs of different contestants on one case have in common."""
        return (self.study, self.dataset, self.kind, self.label, self.n, self.k)


def run_key(study: str, case: Case, contestant: Contestant) -> str:
    """A run of the same key need not be made again."""
    digest = case.column_digest if contestant.row.columns else case.digest
    versions = {name: number for name, number in provenance()["versions"].items() if name != "jar-rerank"}
    what = [study, digest, contestant.solver, contestant.options, contestant.time_limit]
    return content_digest([], [*what, source_fingerprint("formulations"), versions])


class Journal:
    """The runs of an output folder, appended one by one.

    Parameters
    ----------
    path : Path
        The file; made with the first run. A last line that a kill cut off is dropped.

    Raises
    ------
    BrokenResultsError
        When another line is no run of this version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._runs: dict[str, Run] = {}
        if path.exists():
            text = path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]
            if whole != text:
                path.write_text(whole, encoding="utf-8")
            self._runs = {run.key: run for run in _decoded_lines(path, whole)}

    @property
    def runs(self) -> list[Run]:
        """All of them, in the order in which they were made."""
        return list(self._runs.values())

    def find(self, key: str) -> Run | None:
        """The run of a key, if it has been made."""
        return self._runs.get(key)

    def add(self, run: Run) -> None:
        """Keep a run: it is on disk when this returns."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(_encoded(run)) + "\n")
        self._runs[run.key] = run


def write_csv(path: Path, runs: Iterable[Run]) -> None:
    """A line for each run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        names = [field.name for field in fields(Run)]
        writer.writerow([*names, "proved", "censored"])
        for run in runs:
            writer.writerow([*(getattr(run, name) for name in names), run.proved, run.censored])


def write_runs(path: Path, runs: Iterable[Run]) -> None:
    """Runs as JSON lines, in place of those of the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(_encoded(run)) + "\n" for run in runs), encoding="utf-8")


def read_runs(path: Path) -> list[Run]:
    """The runs that `write_runs` wrote; none where there is no file.

    Raises
    ------
    BrokenResultsError
        When a line is no run of this version.
    """
    return _decoded_lines(path, path.read_text(encoding="utf-8")) if path.exists() else []


def _decoded_lines(path: Path, text: str) -> list[Run]:
    runs = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            runs.append(_decoded(line))
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenResultsError(
                f"{path}, line {number}: not a run of this version ({error!r}); remove it, or give another --output"
            ) from error
    return runs


def _encoded(run: Run) -> dict[str, Any]:
    """JSON has no infinity: null stands for it."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in asdict(run).items()
    }


def _decoded(line: str) -> Run:
    data = json.loads(line)
    nothing = {"value": -math.inf, "bound": -math.inf if data["status"] == "infeasible" else math.inf, "gap": math.inf}
    return Run(**data | {name: number for name, number in nothing.items() if data[name] is None})
