"""Runs in groups: how many were proved, how long they took, how they compare with the reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from benchmarks.pages.grids import Grid
from benchmarks.solvers.contestants import REFERENCE
from benchmarks.solvers.journal import Run
from benchmarks.solvers.quantiles import Time, duration, quantile

Group = tuple[Any, ...]
Grouping = Callable[[Run], Group]


@dataclass(frozen=True)
class Summary:
    """The runs of one contestant in one group.

    Attributes
    ----------
    group : tuple
        Of the grouping.
    solver : str
    runs, proved, errors : int
    median, p95, worst : Time
        Runs without proof count at their limit, and these times are then lower bounds.
    ratio : float or None
        The median over that of the reference; None where there is no reference.
    ratio_bound : bool
        Whether `ratio` is a lower bound.
    disagreement : float or None
        Largest relative difference to the value of the reference where both have a proof.
    processor : float or None
        Median processor time in seconds, of the runs of which it is known; stopped runs count with what they used.
    processor_ratio : float or None
        That over the one of the reference.
    shortfall : float or None
        Largest relative difference by which a value without proof stays below the proven one of the reference.
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
    ratio_bound: bool
    disagreement: float | None
    shortfall: float | None
    processor: float | None
    processor_ratio: float | None


def summarise(runs: Iterable[Run], group: Grouping) -> list[Summary]:
    """A summary for each group and contestant, in the order in which they come; groups sorted."""
    groups: dict[Group, dict[str, list[Run]]] = {}
    for run in runs:
        groups.setdefault(group(run), {}).setdefault(run.solver, []).append(run)
    return [
        _summary(key, solver, found, solvers.get(REFERENCE, []))
        for key, solvers in sorted(groups.items())
        for solver, found in sorted(solvers.items(), key=lambda item: _rank(item[0]))
    ]


def _rank(solver: str) -> tuple[int, str]:
    """The reference first, the paper's program last."""
    return (0 if solver == REFERENCE else 2 if solver.startswith("paper") else 1, solver)


def _summary(group: Group, solver: str, runs: Sequence[Run], reference: Sequence[Run]) -> Summary:
    times = counted(runs)
    middle = quantile(times, 0.5)
    paired = _paired(runs, reference)
    ratio = middle.seconds / quantile(counted(reference), 0.5).seconds if reference else None
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
        ratio=ratio,
        ratio_bound=middle.censored,
        disagreement=largest(relative_difference(run, other) for run, other in paired if run.proved and other.proved),
        shortfall=largest(_shortfall(run, other) for run, other in paired if not run.proved and other.proved),
        processor=processor,
        processor_ratio=processor / compared if processor is not None and compared else None,
    )


def _processor(runs: Iterable[Run]) -> float | None:
    known = [run.processor_seconds for run in runs if run.processor_seconds is not None]
    return median(known) if known else None


def counted(runs: Iterable[Run]) -> list[Time]:
    """Times of runs as they count."""
    return [Time(run.counted_seconds, run.censored) for run in runs]


def relative_difference(run: Run, other: Run) -> float:
    """``|v - w| / |w|`` of two proven values; 0 where both are infeasible, ``inf`` where one is."""
    if run.status != other.status:
        return math.inf
    return 0.0 if run.status == "infeasible" else abs(run.value - other.value) / max(abs(other.value), 1e-12)


def value_difference(run: Run, other: Run) -> float:
    """``|v - w| / |w|`` of the values of two runs, proved or not; ``inf`` where just one has a set."""
    if run.value == other.value:
        return 0.0
    return abs(run.value - other.value) / max(abs(other.value), 1e-12)


def limits(runs: Iterable[Run]) -> str:
    """The time limits of runs, for a note."""
    return ", ".join(f"{limit:g} s" for limit in sorted({run.limit for run in runs})) or "no run"


def largest(numbers: Iterable[float]) -> float | None:
    """The largest, or None of none."""
    return max(numbers, default=None)


def pairs(runs: Sequence[Run]) -> list[tuple[Run, Run]]:
    """Each run beside that of the reference on the same case."""
    return _paired(runs, [run for run in runs if run.solver == REFERENCE])


def _paired(runs: Sequence[Run], reference: Sequence[Run]) -> list[tuple[Run, Run]]:
    by_case = {run.case: run for run in reference}
    return [(run, by_case[run.case]) for run in runs if run.case in by_case]


def _shortfall(run: Run, other: Run) -> float:
    """By how much a value is below the best one; ``inf`` without a set, 0 where there is none to be found."""
    if other.status == "infeasible":
        return 0.0
    return (other.value - run.value) / max(abs(other.value), 1e-12)


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
    if ratio is None:
        return ""
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"


class Column(NamedTuple):
    """A column of a table of summaries: its title and its text; a column without any text is left out."""

    title: str
    cell: Callable[[Summary], str]


COLUMNS = (
    Column("solver", lambda summary: summary.solver),
    Column("runs", lambda summary: str(summary.runs)),
    Column("proved", lambda summary: f"{summary.proved}" + (f" ({summary.errors} errors)" if summary.errors else "")),
    Column("median", lambda summary: str(summary.median)),
    Column("p95", lambda summary: str(summary.p95)),
    Column("worst", lambda summary: str(summary.worst)),
    Column("x exact", lambda summary: ("> " if summary.ratio_bound else "") + _times(summary.ratio)),
    Column("CPU", lambda summary: "" if summary.processor is None else duration(summary.processor)),
    Column("x exact, CPU", lambda summary: _times(summary.processor_ratio)),
    Column("largest disagreement", lambda summary: small(summary.disagreement)),
    Column("largest shortfall", lambda summary: share(summary.shortfall)),
)


def summary_grid(title: str, names: Sequence[str], summaries: Sequence[Summary], note: str = "") -> Grid:
    """A row for each summary; `names` are those of the parts of its group."""
    parts = [part for part in COLUMNS if any(part.cell(summary) for summary in summaries)]
    rows = [(*map(str, summary.group), *(part.cell(summary) for part in parts)) for summary in summaries]
    return Grid(title, (*names, *(part.title for part in parts)), rows, note)
