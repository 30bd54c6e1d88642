"""Runs in groups: how many were proved, how long they took, how they compare with the reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from statistics import median
from typing import Any

from benchmarks.pages.grids import Grid
from benchmarks.solvers.contestants import REFERENCE
from benchmarks.solvers.races import Run

Group = tuple[Any, ...]


@dataclass(frozen=True, order=True)
class Time:
    """Seconds; with `censored` a lower bound, since the run was stopped at its limit."""

    seconds: float
    censored: bool = False

    def __str__(self) -> str:
        return f"{'> ' if self.censored else ''}{duration(self.seconds)}"


def quantile(times: Sequence[Time], share: float) -> Time:
    """The smallest time that at least this share of the runs does not exceed (the nearest rank, an observed time).

    The time of a stopped run is a lower bound. A quantile at or above the shortest stopped run is one, too: had that
    run gone on, it might have ended after the quantile.
    """
    ordered = sorted(times)
    chosen = ordered[max(0, math.ceil(share * len(ordered) - 1e-9) - 1)]
    shortest = min((time.seconds for time in times if time.censored), default=math.inf)
    return Time(chosen.seconds, chosen.seconds >= shortest)


def duration(seconds: float) -> str:
    """Seconds in the unit that a reader wants, with three digits."""
    if not math.isfinite(seconds):
        return "-"
    unit, size = ("s", 1.0) if seconds >= 1.0 else ("ms", 1e-3) if seconds >= 1e-3 else ("µs", 1e-6)
    number = seconds / size
    digits = 0 if number == 0 else min(2, max(0, 2 - math.floor(math.log10(number))))
    return f"{number:,.{digits}f} {unit}"


@dataclass(frozen=True)
class Summary:
    """The runs of one contestant in one group.

    Runs without proof count at their limit; `ratio` is a median over that of the reference. `disagreement` is the
    largest relative difference to the value of the reference where both have a proof, `shortfall` that by which a value
    without proof stays below a proven one. Processor times are those of the runs of which they are known.
    """

    group: Group
    solver: str
    runs: int
    proved: int
    errors: int
    median: Time
    p95: Time
    worst: Time
    ratio: float | None
    disagreement: float | None
    shortfall: float | None
    processor: float | None
    processor_ratio: float | None


def summarise(runs: Iterable[Run], group: Callable[[Run], Group]) -> list[Summary]:
    """A summary for each group and contestant; groups sorted, the reference first, the paper's program last."""
    groups: dict[Group, dict[str, list[Run]]] = {}
    for run in runs:
        groups.setdefault(group(run), {}).setdefault(run.solver, []).append(run)

    def rank(solver: str) -> tuple[int, str]:
        return (0 if solver == REFERENCE else 2 if solver.startswith("paper") else 1, solver)

    return [
        _summary(key, solver, solvers[solver], solvers.get(REFERENCE, []))
        for key, solvers in sorted(groups.items())
        for solver in sorted(solvers, key=rank)
    ]


def _summary(group: Group, solver: str, runs: Sequence[Run], reference: Sequence[Run]) -> Summary:
    times = counted(runs)
    middle = quantile(times, 0.5)
    paired = pairs(runs, reference)
    proved = [(run, other) for run, other in paired if run.proved and other.proved]
    unproved = [(run, other) for run, other in paired if not run.proved and other.proved]
    processor, compared = _processor(runs), _processor(reference)
    return Summary(
        group=group,
        solver=solver,
        runs=len(runs),
        proved=sum(run.proved for run in runs),
        errors=sum(run.status == "error" for run in runs),
        median=middle,
        p95=quantile(times, 0.95),
        worst=quantile(times, 1.0),
        ratio=middle.seconds / quantile(counted(reference), 0.5).seconds if reference else None,
        disagreement=max(starmap(_difference, proved), default=None),
        shortfall=max(starmap(_shortfall, unproved), default=None),
        processor=processor,
        processor_ratio=processor / compared if processor is not None and compared else None,
    )


def _processor(runs: Iterable[Run]) -> float | None:
    known = [run.processor_seconds for run in runs if run.processor_seconds is not None]
    return median(known) if known else None


def counted(runs: Iterable[Run]) -> list[Time]:
    """Times of runs as they count."""
    return [Time(run.counted_seconds, run.censored) for run in runs]


def pairs(runs: Sequence[Run], reference: Iterable[Run]) -> list[tuple[Run, Run]]:
    """Each run beside that of the reference on the same case."""
    by_case = {run.case: run for run in reference if run.solver == REFERENCE}
    return [(run, by_case[run.case]) for run in runs if run.case in by_case]


def value_difference(run: Run, other: Run) -> float:
    """``|v - w| / |w|`` of the values of two runs, proved or not; ``inf`` where just one has a set."""
    return 0.0 if run.value == other.value else abs(run.value - other.value) / max(abs(other.value), 1e-12)


def _difference(run: Run, other: Run) -> float:
    """That of two proven values; 0 where both are infeasible, ``inf`` where one is."""
    if run.status != other.status:
        return math.inf
    return 0.0 if run.status == "infeasible" else value_difference(run, other)


def _shortfall(run: Run, other: Run) -> float:
    """By how much a value is below the best one; ``inf`` without a set, 0 where there is none to be found."""
    return 0.0 if other.status == "infeasible" else (other.value - run.value) / max(abs(other.value), 1e-12)


def limits(runs: Iterable[Run]) -> str:
    """The time limits of runs, for a note."""
    return ", ".join(f"{limit:g} s" for limit in sorted({run.limit for run in runs})) or "no run"


def small(number: float | None) -> str:
    """A relative difference with its order of magnitude; empty where there is none."""
    if number is None:
        return ""
    return "0" if number == 0 else "one is infeasible" if math.isinf(number) else f"{number:.0e}"


def share(number: float | None, digits: int = 2) -> str:
    """A share in percent; empty where there is none."""
    if number is None:
        return ""
    return "no set" if math.isinf(number) else f"{100 * number:.{digits}f} %"


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"


COLUMNS: dict[str, Callable[[Summary], str]] = {
    "solver": lambda summary: summary.solver,
    "runs": lambda summary: str(summary.runs),
    "proved": lambda summary: f"{summary.proved}" + (f" ({summary.errors} errors)" if summary.errors else ""),
    "median": lambda summary: str(summary.median),
    "p95": lambda summary: str(summary.p95),
    "worst": lambda summary: str(summary.worst),
    "x exact": lambda summary: ("> " if summary.median.censored else "") + _times(summary.ratio),
    "CPU": lambda summary: "" if summary.processor is None else duration(summary.processor),
    "x exact, CPU": lambda summary: _times(summary.processor_ratio),
    "largest disagreement": lambda summary: small(summary.disagreement),
    "largest shortfall": lambda summary: share(summary.shortfall),
}
"""Titles of the columns of a table and their cells; a column without any text is left out."""


def summary_grid(title: str, names: Sequence[str], summaries: Sequence[Summary], note: str = "") -> Grid:
    """A row for each summary; `names` are those of the parts of its group."""
    shown = {name: cell for name, cell in COLUMNS.items() if any(cell(summary) for summary in summaries)}
    rows = [(*map(str, summary.group), *(cell(summary) for cell in shown.values())) for summary in summaries]
    return Grid(title, (*names, *shown), rows, note)
