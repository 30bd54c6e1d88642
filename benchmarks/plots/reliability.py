"""The reliability diagram of a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.plots.styles import finish, new_axes

PART_COLOURS = {"train": "#7fb3d5", "dev": "#c0392b", "all": "#1b6ca8"}


def plot_reliability(parts: Mapping[str, Sequence[Mapping[str, Any]]]) -> Any:
    """Share of declared keys against the mean score of each bin; the area of a mark grows with the pairs in it.

    Parts of the databases have bins, each with "score", "declared" and "pairs".
    """
    ax = new_axes()
    ax.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle="--")
    for part, bins in parts.items():
        scores, shares = [row["score"] for row in bins], [row["declared"] for row in bins]
        colour = PART_COLOURS.get(part, "#555555")
        ax.plot(scores, shares, color=colour, linewidth=1.2, label=part)
        ax.scatter(scores, shares, s=[4 + row["pairs"] ** 0.7 for row in bins], color=colour, alpha=0.7)
    return finish(ax, "Reliability of the default join score", "mean score", "share of declared keys")
