"""The plot of examples by hardness."""

from __future__ import annotations

import pytest

from benchmarks.examples.example_study import ExampleStudy
from benchmarks.examples.examples_plot import plot_by_hardness
from benchmarks.examples.figures import ExampleFigures

pytest.importorskip("matplotlib", reason="plots need matplotlib")


def test_bars_are_the_figures_of_the_study() -> None:
    """A bar for each level of each retriever that the study has, as high as its share among five; lines are firsts."""
    figures = ExampleFigures(0, 0, 0, 0, {"easy": (30.0, 60.0), "extra": (10.0, 20.0)})
    measured = ExampleStudy(9, 5, 80.0, {"`StructureExamples`": figures, "other": figures}, {"easy": 3, "extra": 2})
    ax = plot_by_hardness(measured)
    assert [bar.get_height() for bar in ax.patches] == [60.0, 20.0]
    assert [line.get_ydata()[0] for line in ax.lines] == [30.0, 10.0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["easy (3)", "extra (2)"]
