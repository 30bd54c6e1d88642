"""Plots show what the runs say: curves are read back from the axes and compared with numbers by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.plots import styles
from benchmarks.plots.performance_profile import plot_performance_profile
from benchmarks.solvers.figures import draw_figures, proof_times
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
    ax = plot_performance_profile(proof_times(RUNS))
    factors, shares = line(ax, "exact")
    assert factors[0] == 1.0
    assert set(shares) == {1.0}
    factors, shares = line(ax, "mip:highs")
    assert [share for factor, share in zip(factors, shares, strict=True) if factor < 100] == [0.0] * sum(
        factor < 100 for factor in factors
    )
    assert shares[-1] == 0.5


def test_the_profile_is_drawn_on_the_axes_it_is_given() -> None:
    """The same axes come back, with a legend and labels."""
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    assert plot_performance_profile(proof_times(RUNS), ax) is ax
    assert ax.get_legend() is not None
    assert ax.get_xlabel()
    assert ax.get_ylabel()


def test_figures_are_small_files(tmp_path: Path) -> None:
    """Each study with runs has its figures, under 100 KB each, the same bytes each time."""
    runs = [replace(run, label=f"q{n}", n=10 + n, seconds=run.seconds * (1 + n)) for n in range(60) for run in RUNS]
    for name in ("paper", "agreement", "race"):
        (_, path), (_, same) = (draw_figures(name, runs, tmp_path / folder)[0] for folder in ("one", "two"))
        assert path.stat().st_size < 100_000
        assert path.read_bytes() == same.read_bytes()
    assert draw_figures("scale", runs, tmp_path) == draw_figures("paper", [], tmp_path) == []


def test_without_matplotlib_there_is_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No figure, no failure, and the line that installs what is missing."""
    monkeypatch.setattr(styles.importlib.util, "find_spec", lambda name: None)
    assert "jar-rerank[benchmark]" in str(styles.missing())
    assert draw_figures("paper", RUNS, tmp_path) == []


def test_no_runs_no_curves() -> None:
    """An empty plot is a plot."""
    with np.errstate(all="raise"):
        assert not plot_performance_profile({}).get_lines()
