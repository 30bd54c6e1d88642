"""The table of weights in the documentation, written from the data file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from joinability.features import FEATURES
from joinability.weights import KNOWLEDGE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "joinability.md"
START, END = "<!-- weights: written by `python -m benchmarks joins fit` -->", "<!-- /weights -->"


def weights_table(fitted: Mapping[str, Any]) -> str:
    """The weights of each feature in each state of knowledge, as a Markdown table."""
    weights = fitted["weights"]
    lines = [
        f"| feature | {' | '.join(KNOWLEDGE)} | what it says |",
        f"| --- | {' | '.join('---:' for _ in KNOWLEDGE)} | --- |",
    ]
    for name, meaning in {"intercept": "", **FEATURES}.items():
        cells = [f"{weights[state][name]:.2f}" if weights[state][name] else "" for state in KNOWLEDGE]
        lines.append(f"| `{name}` | {' | '.join(cells)} | {meaning} |")
    return "\n".join(lines)


def with_weights(page: str, fitted: Mapping[str, Any]) -> str:
    """The text of the page with the table between its marks."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{weights_table(fitted)}\n{END}{after}"


def write_page(fitted: Mapping[str, Any], path: Path = PAGE) -> None:
    """Bring the table of the page up to date."""
    path.write_text(with_weights(path.read_text("utf-8"), fitted), encoding="utf-8")
