"""The plots of a comparison: which study each is drawn from, and where it goes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.plots.performance_profile import plot_performance_profile
from benchmarks.plots.styles import missing, save
from benchmarks.solvers.journal import Run


def proof_times(runs: Iterable[Run]) -> dict[str, list[float]]:
    """Seconds to the proof by solver, over all cases in one order; ``inf`` where there is no proof.

    A case that a solver has no run of counts as not proved by it.
    """
    by_solver: dict[str, dict[tuple[Any, ...], float]] = {}
    for run in runs:
        by_solver.setdefault(run.solver, {})[run.case] = run.seconds if run.proved else math.inf
    cases = sorted({case for times in by_solver.values() for case in times})
    return {solver: [times.get(case, math.inf) for case in cases] for solver, times in by_solver.items()}


class Figure(NamedTuple):
    """A row: a study, a name for the file, and what the performance profile of its runs is called."""

    study: str
    name: str
    caption: str


FIGURES = (
    Figure("paper", "solvers-profile-paper", "Performance profile with the paper's program"),
    Figure("agreement", "solvers-profile", "Performance profile over 20 candidates"),
    Figure("race", "race-profile", "Performance profile"),
)


def draw_figures(study: str, runs: Sequence[Run], folder: Path) -> list[tuple[str, Path]]:
    """Draw the figures of a study as PNG files: their captions and paths; none without runs or matplotlib."""
    if missing() is not None or not runs:
        return []
    return [
        (figure.caption, save(plot_performance_profile(proof_times(runs)), folder / f"{figure.name}.png"))
        for figure in FIGURES
        if figure.study == study
    ]
