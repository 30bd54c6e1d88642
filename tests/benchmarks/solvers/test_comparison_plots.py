"""Plots show what the runs say: curves are read back from the axes and compared with numbers by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.plots.gap_over_time import LEAST_PERCENT, MOST_PERCENT, plot_gap_over_time
from benchmarks.plots.performance_profile import plot_performance_profile
from benchmarks.plots.time_against_size import plot_time_against_size
from benchmarks.solvers import figures
from benchmarks.solvers.bench import Findings
from benchmarks.solvers.comparing import Study
from benchmarks.solvers.figures import draw_figures
from benchmarks.solvers.journal import Run

pytest.importorskip("matplotlib", reason="plots are an extra")

RUN = Run(
    key="0", study="paper", dataset="d", kind="paper", label="q1", n=20, m=2, k=5, solver="exact", exact=True,
    limit=10.0, seconds=0.001, first_seconds=0.001, repeats=5, status="optimal", value=4.0, bound=4.0, gap=0.0,
)  # fmt: skip
SLOW = replace(RUN, solver="mip:highs", seconds=0.1)
STOPPED = replace(SLOW, label="q2", seconds=10.2, status="feasible", gap=0.5)
RUNS = [RUN, replace(RUN, label="q2"), SLOW, STOPPED]


def line(ax: Any, label: str) -> tuple[list[float], list[float]]:
    """Coordinates of the curve of a label."""
    (found,) = [drawn for drawn in ax.get_lines() if drawn.get_label() == label]
    return [float(x) for x in found.get_xdata()], [float(y) for y in found.get_ydata()]


def test_the_profile_shows_shares() -> None:
    """The fastest solver starts at 1; the other one starts at 0 and reaches its half at factor 100, never more."""
    ax = plot_performance_profile(RUNS)
    factors, shares = line(ax, "exact")
    assert factors[0] == 1.0
    assert set(shares) == {1.0}
    factors, shares = line(ax, "mip:highs")
    assert [share for factor, share in zip(factors, shares, strict=True) if factor < 100] == [0.0] * sum(
        factor < 100 for factor in factors
    )
    assert shares[-1] == 0.5


def test_the_gap_falls_with_the_limit() -> None:
    """The median gap at each limit, in percent, within the edges of the plot."""
    runs = [replace(STOPPED, limit=limit, gap=gap) for limit, gap in ((0.1, math.inf), (1.0, 0.25), (10.0, 0.0))]
    ax = plot_gap_over_time(runs)
    assert line(ax, "mip:highs, median") == ([0.1, 1.0, 10.0], [MOST_PERCENT, 25.0, LEAST_PERCENT])


def test_time_grows_with_size() -> None:
    """The median at each number of tables; one that is a lower bound has a hollow marker."""
    ax = plot_time_against_size([SLOW, replace(STOPPED, n=40), RUN])
    drawn = [container for container in ax.containers if container.get_label() == "mip:highs"]
    assert [float(y) for y in drawn[0].lines[0].get_ydata()] == [0.1, 10.0]
    hollow = [found for found in ax.get_lines() if found.get_markerfacecolor() == "white"]
    assert [(float(found.get_xdata()[0]), float(found.get_ydata()[0])) for found in hollow] == [(40.0, 10.0)]


@pytest.mark.parametrize("plot", [plot_performance_profile, plot_gap_over_time, plot_time_against_size])
def test_plots_draw_on_the_axes_they_are_given(plot: Any) -> None:
    """The same axes come back, with a legend and labels, and runs of no solver break nothing."""
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    assert plot(RUNS, ax) is ax
    assert ax.get_legend() is not None
    assert ax.get_xlabel()
    assert ax.get_ylabel()


def test_figures_are_small_files(tmp_path: Path) -> None:
    """Each study with runs has its figures, under 100 KB each, the same bytes each time."""
    runs = [replace(run, label=f"q{n}", n=10 + n, seconds=run.seconds * (1 + n)) for n in range(60) for run in RUNS]
    studies = [
        Study(name, Findings([], [], runs), "", True, {}) for name in ("paper", "agreement", "growth", "anytime")
    ]
    drawn = draw_figures([*studies, Study("scale", Findings([]), "", True, {})], tmp_path / "one")
    again = draw_figures(studies, tmp_path / "two")
    assert set(drawn) == {study.name for study in studies}
    for name, found in drawn.items():
        for (_, path), (_, same) in zip(found, again[name], strict=True):
            assert path.stat().st_size < 100_000
            assert path.read_bytes() == same.read_bytes()


def test_without_matplotlib_there_is_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No figure, no failure, and the line that installs what is missing."""
    monkeypatch.setattr(figures.importlib.util, "find_spec", lambda name: None)
    assert "jar-rerank[benchmark]" in str(figures.missing())
    assert draw_figures([Study("paper", Findings([], [], RUNS), "", True, {})], tmp_path) == {}


def test_no_runs_no_curves() -> None:
    """An empty plot is a plot."""
    with np.errstate(all="raise"):
        assert not plot_performance_profile([]).get_lines()
