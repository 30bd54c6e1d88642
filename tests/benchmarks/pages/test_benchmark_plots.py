"""What the plots of results show, read from their axes."""

from __future__ import annotations

import pytest

from benchmarks.plots.result_plots import plot_gain_by_gold_tables, plot_quality_against_latency, plot_recall_against_k

pytest.importorskip("matplotlib", reason="plots are an extra")


def test_recall_is_a_line_for_each_system() -> None:
    """Points in the order of k, whatever order they come in."""
    ax = plot_recall_against_k({"jar": {5: 90.0, 2: 80.0}, "oracle": {2: 95.0, 5: 100.0}}, "recall")
    lines = {line.get_label(): line for line in ax.lines}
    assert lines["jar"].get_xydata().tolist() == [[2, 80], [5, 90]]
    assert lines["oracle"].get_linestyle() == "--"
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["2", "5"]


def test_latency_is_a_point_with_a_bar_and_bounds_are_lines() -> None:
    """The point is at the median, the bar ends at the 95th percentile, the baseline lies across."""
    ax = plot_quality_against_latency({"jar": (90.0, 3.0, 8.0)}, {"dense": 73.0, "oracle": 97.0}, "F1@2")
    (bar,) = ax.containers
    assert bar.lines[0].get_xydata().tolist() == [[3, 90]]
    assert bar.lines[2][0].get_segments()[0].tolist() == [[3, 90], [8, 90]]
    across = {line.get_label(): set(line.get_ydata()) for line in ax.lines if line.get_label() in ("dense", "oracle")}
    assert across == {"dense": {73.0}, "oracle": {97.0}}
    assert ax.get_xscale() == "log"


def test_gains_stand_side_by_side() -> None:
    """A bar for each system and group; losses go below the line."""
    ax = plot_gain_by_gold_tables({"jar": {"2": 10.0, "3": -4.0}, "jar-d": {"2": 5.0, "3": 1.0}}, "gain")
    heights = [[patch.get_height() for patch in bars] for bars in ax.containers]
    assert heights == [[10, -4], [5, 1]]
    lefts = sorted(patch.get_x() for bars in ax.containers for patch in bars)
    assert lefts == sorted(set(lefts))
