"""The tables of weights and of figures in the documentation, written from the data file and from a measurement."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from joinability.scores.features import FEATURES
from joinability.scores.weights import KNOWLEDGE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "joinability.md"
WEIGHTS = ("<!-- weights: written by `python -m benchmarks joins fit` -->", "<!-- /weights -->")
FIGURES = ("<!-- figures: written by `python -m benchmarks joins measure` -->", "<!-- /figures -->")
SCORE_NAMES = {
    "paper": "the paper's score",
    "paper, containment": "the same with containment",
    "default": "the default",
    "default, uncut": "the default, uncut",
}
"""The scores in `measure_joins`, and what the page calls them."""


def weights_table(fitted: Mapping[str, Any]) -> str:
    """The weights of each feature in each state of knowledge, as a Markdown table."""
    weights = fitted["weights"]
    lines = [
        f"| feature | {' | '.join(KNOWLEDGE)} | what it says |",
        f"| --- | {' | '.join('---:' for _ in KNOWLEDGE)} | --- |",
    ]
    for name, meaning in [("intercept", ""), *((feature.name, feature.meaning) for feature in FEATURES.values())]:
        cells = [f"{weights[state][name]:.2f}" if weights[state][name] else "" for state in KNOWLEDGE]
        lines.append(f"| `{name}` | {' | '.join(cells)} | {meaning} |")
    return "\n".join(lines)


def figures_tables(figures: Mapping[str, Any]) -> str:
    """How well each score finds declared keys, and what is left from a score on, as two Markdown tables."""
    parts = ("all", "dev")
    heads = [f"{head}, {part}" for head in ("best pair", "top columns / tables") for part in ("all", "development")]
    lines = [f"| | {' | '.join(heads)} |", "| --- | ---: | ---: | ---: | ---: |"]
    for name, shown in SCORE_NAMES.items():
        found = [figures["scores"][name][part] for part in parts]
        best = [f"{100 * one['best_pair']:.1f} %" for one in found]
        top = [f"{_share(one['top_columns'])} / {_share(one['top_tables'])}" for one in found]
        lines.append(f"| {shown} | {' | '.join(best + top)} |")
    heads = [f"{head}, {part}" for part in ("all", "development") for head in ("edges", "precision", "recall")]
    lines += ["", f"| score from | {' | '.join(heads)} |", "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name, found in figures["graph"].items():
        cells = [
            f"{found[part]['edges']:,} | {_share(found[part]['precision'])} | {_share(found[part]['recall'])}"
            for part in parts
        ]
        lines.append(f"| {name.removeprefix('from ')} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def between(page: str, marks: tuple[str, str], text: str) -> str:
    """The page with the text between its two marks.

    Raises
    ------
    ValueError
        When the page has no such marks.
    """
    start, end = marks
    before, found, rest = page.partition(start)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"the page has no text between {start} and {end}")
    return f"{before}{start}\n{text}\n{end}{after}"


def write_page(fitted: Mapping[str, Any], path: Path = PAGE) -> None:
    """Bring the table of weights on the page up to date."""
    path.write_text(between(path.read_text("utf-8"), WEIGHTS, weights_table(fitted)), encoding="utf-8")


def write_figures_tables(figures: Mapping[str, Any], path: Path = PAGE) -> None:
    """Bring the figures on the page up to date."""
    path.write_text(between(path.read_text("utf-8"), FIGURES, figures_tables(figures)), encoding="utf-8")
