"""The plots of a comparison: which study each is drawn from, and where it goes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.plots.performance_profile import plot_performance_profile
from benchmarks.plots.styles import missing, save
from benchmarks.plots.time_against_size import Spread, plot_time_against_size
from benchmarks.solvers.journal import Run
from benchmarks.solvers.quantiles import quantile
from benchmarks.solvers.summaries import counted


def proof_times(runs: Iterable[Run]) -> dict[str, list[float]]:
    """Seconds to the proof by solver, over all cases in one order; ``inf`` where there is no proof.

    A case that a solver has no run of counts as not proved by it.
    """
    by_solver: dict[str, dict[tuple[Any, ...], float]] = {}
    for run in runs:
        by_solver.setdefault(run.solver, {})[run.case] = run.seconds if run.proved else math.inf
    cases = sorted({case for times in by_solver.values() for case in times})
    return {solver: [times.get(case, math.inf) for case in cases] for solver, times in by_solver.items()}


def spreads(runs: Iterable[Run]) -> dict[str, dict[int, Spread]]:
    """Median and 95th percentile of the times by solver and number of tables."""
    groups: dict[str, dict[int, list[Run]]] = {}
    for run in runs:
        groups.setdefault(run.solver, {}).setdefault(run.n, []).append(run)
    return {solver: {n: _spread(group) for n, group in by_size.items()} for solver, by_size in groups.items()}


def _spread(runs: Sequence[Run]) -> Spread:
    median, slow = (quantile(counted(runs), part) for part in (0.5, 0.95))
    return Spread(median.seconds, slow.seconds, median.censored)


def _profile(runs: Sequence[Run]) -> Any:
    return plot_performance_profile(proof_times(runs))


@dataclass(frozen=True)
class Figure:
    """A row: a study, a name for the file, what it shows, and who draws it."""

    study: str
    name: str
    caption: str
    plot: Callable[[Sequence[Run]], Any]


FIGURES = (
    Figure("paper", "solvers-profile-paper", "Performance profile with the paper's program", _profile),
    Figure("agreement", "solvers-profile", "Performance profile over 20 candidates", _profile),
    Figure(
        "growth",
        "solvers-time",
        "Time against the number of tables",
        lambda runs: plot_time_against_size(spreads(runs)),
    ),
    Figure("race", "race-profile", "Performance profile", _profile),
)


def draw_figures(study: str, runs: Sequence[Run], folder: Path) -> list[tuple[str, Path]]:
    """Draw the figures of a study as PNG files: their captions and paths; none without runs or matplotlib."""
    if missing() is not None or not runs:
        return []
    return [
        (figure.caption, save(figure.plot(runs), folder / f"{figure.name}.png"))
        for figure in FIGURES
        if figure.study == study
    ]
