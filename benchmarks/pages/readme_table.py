"""The figures of the page as data, and the README's table that is written from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.data.refusal import RefusalError
from benchmarks.pages.measured import Group, system_name
from benchmarks.pages.reference import published

DATA = Path("figures") / "benchmarks.json"
"""Where the figures are, beside the page."""

MARKS = ("<!-- quality: written by `python -m benchmarks report --readme README.md` -->", "<!-- /quality -->")
DATASETS = {"spider": "Spider", "bird": "BIRD"}
METRICS = ("F1@2", "F1@5")
README_ROWS = (
    ("MiniLM ranking", "dense"),
    ("JAR-F (paper's join score), given sub-queries", "jar-f+given"),
    ("JAR-F, built-in decomposition", "jar-f"),
    ("JAR-G (declared keys), given sub-queries", "jar-g+given"),
    ("`Reranker(index)` as it comes", "jar"),
    ("no system can exceed", "oracle"),
)
"""Rows of the README's table and the systems that they show."""

Figures = Mapping[str, Any]


class MissingFigureError(RefusalError, KeyError):
    """A figure that the README shows and that was not measured in full."""


def figures(groups: Sequence[Group], about: Mapping[str, Any]) -> dict[str, Any]:
    """The metrics of every result, as JSON types, with what made them: "commit", "command" and "date"."""
    tasks: dict[str, dict[str, Any]] = {}
    for group in groups:
        tasks.setdefault(group.task.name, {})[group.dataset] = {
            "questions": group.questions,
            "limit": group.limit,
            "systems": {system_name(result): result["metrics"] for result in group.results},
        }
    return {**about, "tasks": tasks}


def readme_table(measured: Figures) -> str:
    """The README's table of quality."""
    tables = {name: _full(measured, name) for name in DATASETS}
    counts = " | ".join(f"{DATASETS[name]} ({tables[name]['questions']:,})" for name in DATASETS)
    lines = [f"| | {counts} |", f"| --- {'| --- ' * len(DATASETS)}|"]
    for label, system in README_ROWS:
        lines.append(f"| {label} | {' | '.join(_cell(tables[name], name, system) for name in DATASETS)} |")
    paper = {name: [row for row in published("tables", name) if row.source == "JAR"] for name in DATASETS}
    cells = [" / ".join(f"{row.metrics['F1@2']:.1f}" for row in rows) for rows in paper.values()]
    lines.append(f"| published: JAR-F / JAR-G at 2 (with another retriever) | {' | '.join(cells)} |")
    return "\n".join(lines)


def _full(measured: Figures, dataset: str) -> Figures:
    table: Figures = measured["tasks"].get("tables", {}).get(dataset, {"limit": "not run"})
    if table["limit"] is not None:
        raise MissingFigureError(
            f"the README shows figures of all questions of {dataset}, and these are of a part (limit "
            f"{table['limit']}): run `python -m benchmarks run --task tables` without --limit"
        )
    return table


def _cell(table: Figures, dataset: str, system: str) -> str:
    if system not in table["systems"]:
        raise MissingFigureError(
            f"the README shows {system!r} on {dataset}, which was not measured: "
            f"run `python -m benchmarks run --task tables --systems {system}`"
        )
    return " / ".join(f"{table['systems'][system][metric]:.1f}" for metric in METRICS)

