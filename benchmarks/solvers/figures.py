"""The figures of a comparison: which study each is drawn from, and where it goes."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.plots.gap_over_time import plot_gap_over_time
from benchmarks.plots.performance_profile import plot_performance_profile
from benchmarks.plots.time_against_size import plot_time_against_size
from benchmarks.solvers.comparing import Study
from benchmarks.solvers.journal import Run

INSTALL = 'pip install "jar-rerank[benchmark]"'
DOTS_PER_INCH = 110


@dataclass(frozen=True)
class Figure:
    """A row: a study, a name for the file, what it shows, and who draws it."""

    study: str
    name: str
    caption: str
    plot: Callable[[Iterable[Run]], Any]


FIGURES = (
    Figure("paper", "solvers-profile-paper", "Performance profile with the paper's program", plot_performance_profile),
    Figure("agreement", "solvers-profile", "Performance profile over 20 candidates", plot_performance_profile),
    Figure("growth", "solvers-time", "Time against the number of tables", plot_time_against_size),
    Figure("anytime", "solvers-gap", "Gap over time", plot_gap_over_time),
    Figure("race", "race-profile", "Performance profile", plot_performance_profile),
)


def missing() -> str | None:
    """Why no figure can be drawn, with the install line; None when it can."""
    if importlib.util.find_spec("matplotlib") is None:
        return f"no plots: they need matplotlib; install it with: {INSTALL}"
    return None


def draw_figures(studies: Sequence[Study], folder: Path) -> dict[str, list[tuple[str, Path]]]:
    """Draw the figures of the studies that are there, as PNG files.

    Parameters
    ----------
    studies : list of Study
    folder : Path
        Made where it is not there.

    Returns
    -------
    dict of str to list of (caption, path)
        By study; empty without matplotlib.
    """
    drawn: dict[str, list[tuple[str, Path]]] = {}
    if missing() is not None:
        return drawn
    folder.mkdir(parents=True, exist_ok=True)
    for figure in FIGURES:
        for study in studies:
            if study.name == figure.study and study.findings.runs:
                path = folder / f"{figure.name}.png"
                axes = figure.plot(study.findings.runs)
                axes.figure.savefig(path, dpi=DOTS_PER_INCH, metadata={"Software": None})
                drawn.setdefault(study.name, []).append((figure.caption, path))
    return drawn
