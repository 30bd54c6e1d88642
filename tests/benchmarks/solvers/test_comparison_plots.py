"""Plots show what the runs say: curves are read back from the axes and compared with numbers by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.plots import styles
from benchmarks.plots.performance_profile import plot_performance_profile
from benchmarks.solvers.races import Run
from benchmarks.solvers.solver_page import proof_times

pytest.importorskip("matplotlib", reason="plots are an extra")

RUN = Run(
    study="paper", dataset="d", kind="paper", label="q1", n=20, k=5, solver="exact", exact=True, limit=10.0,
    seconds=0.001, status="optimal", value=4.0, gap=0.0,
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


def test_figures_are_small_files(tmp_path: Path) -> None:
    """Under 100 KB each, the same bytes each time."""
    runs = [replace(run, label=f"q{n}", n=10 + n, seconds=run.seconds * (1 + n)) for n in range(60) for run in RUNS]
    drawn = (plot_performance_profile(proof_times(runs)) for _ in range(2))
    one, same = (styles.save(axes, tmp_path / f"{place}.png") for place, axes in enumerate(drawn))
    assert one.stat().st_size < 100_000
    assert one.read_bytes() == same.read_bytes()


def test_without_matplotlib_there_is_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that installs what is missing."""
    monkeypatch.setattr(styles.importlib.util, "find_spec", lambda name: None)
    assert "jar-rerank[benchmark]" in str(styles.missing())


def test_no_runs_no_curves() -> None:
    """An empty plot is a plot."""
    with np.errstate(all="raise"):
        assert not plot_performance_profile({}).get_lines()
