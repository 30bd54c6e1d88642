"""Races: all contestants on each case in turn, in an order that rotates, so that a slow moment of the machine hits all.

Each run is a line of JSON.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.runs.results import BrokenResultsError
from benchmarks.solvers.cases import Case
from benchmarks.solvers.contestants import Contestant
from formulations import SolverError

QUICK_SECONDS, REPEATS = 0.05, 5
"""A call that takes less is made so many times, and the median counts: one page fault would decide it otherwise."""
PROVED = ("optimal", "infeasible")
NOTHING = {"value": -math.inf, "gap": math.inf}
"""What null stands for: JSON has no infinity."""


@dataclass(frozen=True)
class Run:
    """What one contestant did on one case.

    `exact` says whether it can prove; a heuristic that stops has not run into its limit. `seconds` is the wall-clock
    time of the call, which a user waits, and `processor_seconds` that of this process and the worker, None where it is
    not known: both the median of several calls where the first was quick. `status` may also be "error". `gap` is that
    of its own certificate, (bound - value) / |value|.
    """

    study: str
    dataset: str
    kind: str
    label: str
    n: int
    k: int
    solver: str
    exact: bool
    limit: float
    seconds: float
    status: str
    value: float
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

    def to_json(self) -> str:
        """A line of a file."""
        row = asdict(self)
        return json.dumps({name: None if value in (-math.inf, math.inf) else value for name, value in row.items()})


def race(study: str, cases: Iterable[Case], contestants: Sequence[Contestant]) -> Iterator[Run]:
    """Run every contestant on every case; a worker that was started anew is warmed up before it runs."""
    warm: dict[Contestant, tuple[int, ...]] = {}
    for turn, case in enumerate(cases):
        first = turn % len(contestants)
        for contestant in (*contestants[first:], *contestants[:first]):
            if contestant not in warm or warm[contestant] != contestant.workers():
                contestant.warm_up()
                warm[contestant] = contestant.workers()
            yield make_run(study, case, contestant)


def make_run(study: str, case: Case, contestant: Contestant) -> Run:
    """Time one contestant on one case; an engine that fails is a run with an error."""
    times: list[float] = []
    used: list[float] = []
    solution, error = None, ""
    while not times or (times[0] < QUICK_SECONDS and len(times) < REPEATS and solution is not None):
        workers = contestant.workers()
        used_before, start = processor_seconds(workers), time.perf_counter()
        try:
            solution = contestant.answer(case)
        except SolverError as cause:
            error = str(cause)
        times.append(time.perf_counter() - start)
        used.append(processor_seconds(workers) - used_before if workers == contestant.workers() else math.nan)
    return Run(
        study=study,
        dataset=case.dataset,
        kind=case.kind,
        label=case.label,
        n=case.instance.n,
        k=case.instance.size,
        solver=contestant.label,
        exact=contestant.row.exact,
        limit=contestant.time_limit,
        seconds=float(np.median(times)),
        status="error" if solution is None else solution.status.value,
        value=-math.inf if solution is None else solution.value,
        gap=math.inf if solution is None else solution.gap,
        error=error,
        reduction_seconds=case.reduction_seconds,
        processor_seconds=None if np.isnan(used).any() else float(np.median(used)),
    )


def processor_seconds(workers: Sequence[int]) -> float:
    """Processor time of this process and of workers until now; nan where the system does not tell, or one has ended.

    Fields 14 and 15 of proc_pid_stat(5) are ticks; the name in field 2 may have blanks.
    """
    total = time.process_time()
    for pid in workers:
        try:
            numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return math.nan
        total += (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")
    return total


def read_runs(path: Path) -> list[Run]:
    """The runs of a file; none where there is no file."""
    names = {field.name for field in fields(Run)}
    runs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else (), start=1):
        try:
            row = {name: value for name, value in json.loads(line).items() if name in names}
            runs.append(Run(**row | {name: number for name, number in NOTHING.items() if row[name] is None}))
        except (ValueError, KeyError, TypeError) as cause:
            raise BrokenResultsError(
                f"{path}, line {number}: not a run of this version ({cause!r}); `solvers` makes the file again"
            ) from cause
    return runs
