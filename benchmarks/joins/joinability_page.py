"""Weights and figures of the join scores in the terminal, on the page on joinability and on that of the benchmarks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.joins.truth import PARTS
from benchmarks.pages.grids import Grid
from benchmarks.pages.markdown import Part, between
from benchmarks.runs.results import BrokenResultsError
from joinability.scores.features import FEATURES
from joinability.scores.weights import KNOWLEDGE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "joinability.md"
WEIGHTS = ("<!-- weights: written by `python -m benchmarks joins fit` -->", "<!-- /weights -->")
SETS = ("<!-- schemas: written by `python -m benchmarks joins measure` -->", "<!-- /schemas -->")
FIGURES = ("<!-- figures: written by `python -m benchmarks joins measure` -->", "<!-- /figures -->")
SHOWN = {
    "best_pair": "best pair",
    "top_columns": "top, columns",
    "top_tables": "top, tables",
    "edges": "edges",
    "precision": "precision",
    "recall": "recall",
}
"""Figures of a score, and what tables call them."""
SET_FIGURES = {
    "best_pair": "best pair",
    "best_pair_mean": "mean over databases",
    "top_columns": "R-precision",
    "precision": "precision",
    "recall": "recall",
}
JOIN_PARTS = {"all": "all databases", "dev": "development databases"}
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
        cells = [f"{value:.2f}" if (value := weights[state].get(name)) else "" for state in KNOWLEDGE]
        lines.append(f"| `{name}` | {' | '.join(cells)} | {meaning} |")
    return "\n".join(lines)


def figures_tables(figures: Mapping[str, Any]) -> str:
    """How well each score finds declared keys, and what is left from a score on, as two Markdown tables."""
    parts = ("all", "dev")
    heads = [f"{head}, {part}" for head in ("best pair", "top columns / tables") for part in ("all", "development")]
    lines = [f"| | {' | '.join(heads)} |", "| --- | ---: | ---: | ---: | ---: |"]
    for name, shown in SCORE_NAMES.items():
        of_parts = [figures["scores"][name][part] for part in parts]
        best = [f"{100 * findings['best_pair']:.1f} %" for findings in of_parts]
        top = [f"{_share(findings['top_columns'])} / {_share(findings['top_tables'])}" for findings in of_parts]
        lines.append(f"| {shown} | {' | '.join(best + top)} |")
    heads = [f"{head}, {part}" for part in ("all", "development") for head in ("edges", "precision", "recall")]
    lines += ["", f"| score from | {' | '.join(heads)} |", "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name, by_part in figures["graph"].items():
        cells = [
            f"{by_part[part]['edges']:,} | {_share(by_part[part]['precision'])} | {_share(by_part[part]['recall'])}"
            for part in parts
        ]
        lines.append(f"| {name.removeprefix('from ')} | {' | '.join(cells)} |")
    return "\n".join(lines)


def sets_tables(figures: Mapping[str, Any]) -> str:
    """How well the default and names alone find keys in each data set, and what its scores mean there."""
    names = {"default": "the default", "name equality": "equal names", "header similarity": "alike names"}
    heads = [f"{head}, {name}" for head in ("best pair", "R") for name in names.values()]
    lines = [
        f"| | {' | '.join(heads)} | precision at .5 | recall at .5 |",
        f"| --- | {' | '.join('---:' for _ in (*heads, 'precision', 'recall'))} |",
    ]
    for label, scores in figures["sets"].items():
        best = [
            f"{100 * scores[name]['best_pair']:.1f} % ({100 * scores[name]['best_pair_mean']:.1f})" for name in names
        ]
        cells = [*best, *(_share(scores[name]["top_columns"]) for name in names)]
        likely = [_share(scores["default"][name]) for name in ("precision", "recall")]
        lines.append(f"| {label} | {' | '.join(cells + likely)} |")
    bins = [row for calibration in figures["set_calibration"].values() for row in calibration["bins"]]
    limits = sorted({(row["low"], row["high"]) for row in bins})
    lines += ["", f"| scores | {' | '.join(f'{low:g} to {high:g}' for low, high in limits)} |"]
    lines += [f"| --- | {' | '.join('---:' for _ in limits)} |"]
    for label, calibration in figures["set_calibration"].items():
        shares = {
            (row["low"], row["high"]): f"{_share(row['declared'])} ({row['pairs']})" for row in calibration["bins"]
        }
        lines.append(f"| {label} | {' | '.join(shares.get(limit, '') for limit in limits)} |")
    return "\n".join(lines)


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def write_weights_table(fitted: Mapping[str, Any]) -> None:
    """Bring the table of weights on the page up to date."""
    PAGE.write_text(between(PAGE.read_text("utf-8"), WEIGHTS, weights_table(fitted)), encoding="utf-8")


def write_figures_tables(figures: Mapping[str, Any]) -> None:
    """Bring the figures on the page up to date."""
    text = between(PAGE.read_text("utf-8"), FIGURES, figures_tables(figures))
    PAGE.write_text(between(text, SETS, sets_tables(figures)), encoding="utf-8")


def joins_part(output: Path) -> Part | None:
    """What the page of the benchmarks shows of ``joins.json``; None where joins were not measured.

    Raises
    ------
    BrokenResultsError
        When the file is not one of this version.
    """
    path = output / "joins.json"
    if not path.exists():
        return None
    try:
        figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        title = "Joins: declared keys of Spider, hidden from the scores"
        command = "python -m benchmarks run --task joins"
        return Part(title, [_percent_grid(figures)], (), command, str(figures["commit"]), figures["date"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenResultsError(
            f"{path}: not figures of this version ({error!r}); remove the file, and `run --task joins` makes it again"
        ) from error


def _percent_grid(figures: Mapping[str, Any]) -> Grid:
    """Each join score on the declared keys of Spider, in percent."""
    rows = [
        (
            f"`{name}`",
            f"{label} ({parts[part]['databases']})",
            *(f"{parts[part][key]:,}" if key == "edges" else f"{100 * parts[part][key]:.1f}" for key in SHOWN),
        )
        for name, parts in figures["scores"].items()
        for part, label in JOIN_PARTS.items()
    ]
    note = (
        "Best pair: linked pairs of tables whose best pair of columns is the declared one. Top: precision among as "
        "many pairs as there are keys. Precision and recall: of the edges, pairs with a positive score."
    )
    return Grid("", ("score", "databases", *SHOWN.values()), rows, note)


def show_figures(figures: Mapping[str, Any], console: Console) -> None:
    """Print a table for each group of figures, four digits each."""
    for title, scores in (
        ("declared keys of Spider", figures["scores"]),
        ("default score as a graph", figures["graph"]),
        ("default score, uncut, by what is known of the contents", figures["knowledge"]),
    ):
        rows = [
            (
                name,
                f"{part} ({parts[part]['databases']})",
                *(str(parts[part][key]) if key == "edges" else f"{parts[part][key]:.4f}" for key in SHOWN),
            )
            for name, parts in scores.items()
            for part in ("all", *PARTS)
        ]
        Grid(title, ("", "databases", *SHOWN.values()), rows).show(console)
    rows = [
        (label, name, *(f"{findings[key]:.4f}" for key in SET_FIGURES))
        for label, scores in figures["sets"].items()
        for name, findings in scores.items()
    ]
    title = "beside names alone; precision and recall from 0.5"
    Grid(title, ("data set", "score", *SET_FIGURES.values()), rows).show(console)
    calibrated = figures["calibration"] | figures["set_calibration"]
    for part, calibration in calibrated.items():
        rows = [
            (f"{row['low']:g}-{row['high']:g}", str(row["pairs"]), f"{row['score']:.3f}", f"{row['declared']:.3f}")
            for row in calibration["bins"]
        ]
        title = f"calibration, {part}: error {calibration['error']:.4f}"
        Grid(title, ("score", "pairs", "mean score", "share of keys"), rows).show(console)
    if "ablation" in figures:
        keys = list(SHOWN)[:3]
        rows = [
            (row["label"], f"{row['loss']:.5f}", *(f"{row[key]:.4f}" for key in keys)) for row in figures["ablation"]
        ]
        heads = ("", "loss", *(SHOWN[key] for key in keys))
        Grid("cross-validated on the training databases", heads, rows).show(console)
