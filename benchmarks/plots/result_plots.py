"""The plots of results: recall against k, quality against time, and for which questions the choice of a set pays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.plots.styles import finish, new_axes, system_style


def plot_recall_against_k(curves: Mapping[str, Mapping[int, float]], title: str) -> Any:
    """How much of the gold each system finds among k tables or columns: percent by size, by system."""
    ax = new_axes()
    sizes = sorted({size for curve in curves.values() for size in curve})
    for place, (system, curve) in enumerate(curves.items()):
        ks = sorted(curve)
        ax.plot(ks, [curve[size] for size in ks], label=system, **system_style(place, system))
    ax.set_xscale("log")
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()
    return finish(ax, title, "k", "recall, %")


def plot_quality_against_latency(
    systems: Mapping[str, tuple[float, float, float]], bounds: Mapping[str, float], metric: str
) -> Any:
    """Quality against the median time of an answer, with a bar to the 95th percentile.

    Systems have their quality in percent, and milliseconds of the median and of the 95th percentile. `bounds` are drawn
    as lines: the quality of what has no time for each question, the baseline and the best possible.
    """
    ax = new_axes()
    for place, (system, (quality, median, slow)) in enumerate(systems.items()):
        shown = system_style(place, system) | {"linestyle": ""}
        bar = [[0.0], [max(0.0, slow - median)]]
        ax.errorbar([median], [quality], xerr=bar, label=system, capsize=2, elinewidth=0.8, **shown)
    for name, quality in bounds.items():
        ax.axhline(quality, color="#888888", linewidth=0.9, linestyle="--" if name == "oracle" else ":", label=name)
    ax.set_xscale("log")
    ax.margins(x=0.25)
    title = f"{metric} against the time of an answer without its embedding (median, bar to p95)"
    return finish(ax, title, "milliseconds", f"{metric}, %")


def plot_gain_by_gold_tables(gains: Mapping[str, Mapping[str, float]], title: str) -> Any:
    """Difference to the baseline in percentage points, for each number of gold tables: the bars of systems abreast."""
    ax = new_axes()
    groups = list(dict.fromkeys(group for by_group in gains.values() for group in by_group))
    width = 0.8 / max(1, len(gains))
    for place, (system, by_group) in enumerate(gains.items()):
        left = [spot - 0.4 + width * (place + 0.5) for spot in range(len(groups))]
        heights = [by_group.get(group, 0.0) for group in groups]
        ax.bar(left, heights, width, label=system, color=system_style(place, system)["color"])
    ax.axhline(0.0, color="#555555", linewidth=0.8)
    ax.set_xticks(range(len(groups)), groups)
    return finish(ax, title, "gold tables", "percentage points")
