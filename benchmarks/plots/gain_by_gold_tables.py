"""For which questions the choice of a set pays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.plots.styles import axes_or_new, finish, system_style


def plot_gain_by_gold_tables(
    gains: Mapping[str, Mapping[str, float]], ax: Any = None, *, baseline: str = "dense", metric: str = "F1@2"
) -> Any:
    """Difference to the baseline, for each number of gold tables: bars side by side.

    Parameters
    ----------
    gains : mapping
        Percentage points by number of gold tables, by system; the groups of all systems are the same.
    ax : matplotlib axes, optional
    baseline, metric : str

    Returns
    -------
    matplotlib axes
    """
    ax = axes_or_new(ax)
    groups = list(dict.fromkeys(group for by_group in gains.values() for group in by_group))
    width = 0.8 / max(1, len(gains))
    for place, (system, by_group) in enumerate(gains.items()):
        left = [spot - 0.4 + width * (place + 0.5) for spot in range(len(groups))]
        heights = [by_group.get(group, 0.0) for group in groups]
        ax.bar(left, heights, width, label=system, color=system_style(place, system)["color"])
    ax.axhline(0.0, color="#555555", linewidth=0.8)
    ax.set_xticks(range(len(groups)), groups)
    title = f"{metric}: gain on {baseline} by the number of gold tables"
    return finish(ax, title, "gold tables", "percentage points")
