"""The page of the pictures: its examples run, its figures are those that the script draws."""

from __future__ import annotations

import doctest
import runpy
from pathlib import Path

import pytest

from tests.jar.pictures.image_difference import difference

pytest.importorskip("matplotlib", reason="pictures need matplotlib, an extra").use("Agg")
pyplot = pytest.importorskip("matplotlib.pyplot")
DOCS = Path(__file__).parents[3] / "docs"
NEAR = 8.0
"""Root of the mean square of the differences, of 255: scores differ in their last digit from machine to machine."""


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures are written where the page says."""
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(DOCS / "pictures.md"), module_relative=False)
    pyplot.close("all")
    assert result.attempted > 8
    assert result.failed == 0
    assert (tmp_path / "answer.png").stat().st_size > 10_000
    assert (tmp_path / "answer.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_figures_of_the_page_are_those_that_the_script_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer and the join graph of the sample lake; the fit needs data that are not part of the project."""
    pytest.importorskip("onnxruntime", reason="the figures are of MiniLM, an extra")
    monkeypatch.delenv("JAR_DATA", raising=False)
    with pyplot.style.context("default"):
        runpy.run_path(str(DOCS / "figures" / "draw_pictures.py"))["main"](tmp_path)
    pyplot.close("all")
    drawn = sorted(tmp_path.glob("*.png"))
    assert [path.name for path in drawn] == ["picture-join-graph.png", "picture-selection.png"]
    for path in drawn:
        assert difference(DOCS / "figures" / path.name, path, tmp_path) < NEAR
