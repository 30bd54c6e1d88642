"""Pictures by matplotlib, compared as images with those that somebody has looked at.

``python -m tests.jar.pictures.test_pictures`` draws the baselines anew: look at them before they are committed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jar import Index, JarError, QueryError, Reranker
from jar.pictures import plot_join_graph, plot_reliability, plot_selection
from tests.jar.pictures.image_difference import difference
from tests.jar.pictures.made_answers import made_fit, made_graph, made_selection

matplotlib = pytest.importorskip("matplotlib", reason="pictures need matplotlib, an extra")
matplotlib.use("Agg")
pyplot = pytest.importorskip("matplotlib.pyplot")

BASELINES = Path(__file__).with_name("baselines")
DOTS, COLOURS = 40, 32
TOLERANCE = 2.0
"""Root of the mean square of the differences, of 255: below it are edges of letters, above it anything that moved."""

PICTURES: dict[str, Callable[[], Any]] = {
    "selection-3": lambda: plot_selection(made_selection(3)),
    "selection-30": lambda: plot_selection(made_selection(30, parts=2)),
    "join-graph-3": lambda: plot_join_graph(made_graph(3)),
    "join-graph-30": lambda: plot_join_graph(made_graph(30), "t0", depth=2),
    "reliability": lambda: plot_reliability(made_fit()),
}


def drawn(name: str, folder: Path) -> Path:
    """A picture as a file, with matplotlib's own settings and fonts."""
    with pyplot.style.context("default"):
        return saved(PICTURES[name](), folder / f"{name}.png")


def saved(ax: Any, path: Path) -> Path:
    """Write a picture, in few colours so that it is small."""
    from PIL import Image

    ax.figure.savefig(path, dpi=DOTS, metadata={"Software": None})
    Image.open(path).convert("RGB").quantize(COLOURS).save(path, optimize=True)
    pyplot.close(ax.figure)
    return path


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_looks_as_it_did(name: str, tmp_path: Path) -> None:
    """Three tables and thirty, a join graph of three and of thirty, and a fit."""
    assert difference(BASELINES / f"{name}.png", drawn(name, tmp_path), tmp_path) < TOLERANCE


def test_the_comparison_sees_a_column_that_is_called_otherwise(tmp_path: Path) -> None:
    """The tolerance is below the change of a few words."""
    with pyplot.style.context("default"):
        other = saved(plot_selection(made_selection(3, prefix="bank.chair")), tmp_path / "other.png")
    assert difference(BASELINES / "selection-3.png", other, tmp_path) > TOLERANCE


def test_pictures_go_on_the_axes_that_they_are_given(tmp_path: Path) -> None:
    """The same axes come back, twice the same picture is drawn, and no figure is made beside them."""
    from matplotlib.figure import Figure

    plots: list[tuple[Any, Any]] = [
        (plot_selection, made_selection(3)),
        (plot_join_graph, made_graph(4)),
        (plot_reliability, made_fit()),
    ]
    before = pyplot.get_fignums()
    for plot, what in plots:
        paths = []
        for number in range(2):
            ax = Figure(figsize=(8, 5)).subplots()
            assert plot(what, ax=ax) is ax
            paths.append(saved(ax, tmp_path / f"{plot.__name__}-{number}.png"))
        assert paths[0].read_bytes() == paths[1].read_bytes()
    assert pyplot.get_fignums() == before


def test_a_real_answer_and_its_index_are_drawn(lake_index: Index, tmp_path: Path) -> None:
    """What was chosen, what was left out, and what joins, by the names of the sample lake."""
    result = Reranker(lake_index).rank("Which clients have loans?", k=3)
    assert result.left_out
    assert not {rest.table for rest in result.left_out} & set(result.tables)
    assert saved(plot_selection(result), tmp_path / "answer.png").stat().st_size > 2_000
    ax = plot_join_graph(lake_index, around="card", depth=2)
    saved(ax, tmp_path / "graph.png")


def test_dollars_are_no_mathematics(tmp_path: Path) -> None:
    """Names with what TeX, or matplotlib, would read are drawn as they stand."""
    name = r"a$x^{2$ \$ \frac{"  # no mathematics that can be read: it would be an error
    pictures = [
        saved(plot_selection(made_selection(2, prefix=prefix)), tmp_path / f"{number}.png").read_bytes()
        for number, prefix in enumerate((name, name.replace("$", "")))
    ]
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize(
    ("plot", "message"),
    [
        (lambda: plot_join_graph(made_graph(200)), "too many for a picture"),
        (lambda: plot_join_graph(made_graph(3), "t0", depth=0), "depth is 0"),
        (lambda: plot_join_graph(made_graph(3), min_score=2), "min_score is 2"),
        (lambda: plot_reliability(type(made_fit())(1, 1, (), (), 1.0)), "no reliability"),
    ],
)
def test_what_cannot_be_drawn_is_refused(plot: Callable[[], Any], message: str) -> None:
    """With what to do."""
    with pytest.raises(QueryError, match=message):
        plot()


@pytest.mark.parametrize("name", PICTURES)
def test_without_matplotlib_the_install_line_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture fails with an import error."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(JarError, match=r'pip install "jar-rerank\[pictures\]"'):
        PICTURES[name]()


if __name__ == "__main__":
    for name in PICTURES:
        drawn(name, BASELINES)
