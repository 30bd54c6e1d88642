"""What an answer is worth, and how long it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.plots.styles import axes_or_new, finish, system_style


class Latency(NamedTuple):
    """A system: its quality in percent, and milliseconds of the median and of the 95th percentile."""

    system: str
    quality: float
    median: float
    slow: float


def plot_quality_against_latency(
    systems: Sequence[Latency], ax: Any = None, *, bounds: Mapping[str, float] | None = None, metric: str = "F1@2"
) -> Any:
    """Quality against the median time of an answer, with a bar to the 95th percentile.

    Parameters
    ----------
    systems : sequence of Latency
    ax : matplotlib axes, optional
    bounds : mapping, optional
        Quality of what has no time for each question, as lines: the baseline, the best possible.
    metric : str

    Returns
    -------
    matplotlib axes
    """
    ax = axes_or_new(ax)
    for place, row in enumerate(systems):
        shown = system_style(place, row.system) | {"linestyle": ""}
        bar = [[0.0], [max(0.0, row.slow - row.median)]]
        ax.errorbar([row.median], [row.quality], xerr=bar, label=row.system, capsize=2, elinewidth=0.8, **shown)
    for name, quality in (bounds or {}).items():
        ax.axhline(quality, color="#888888", linewidth=0.9, linestyle="--" if name == "oracle" else ":", label=name)
    ax.set_xscale("log")
    ax.margins(x=0.25)
    title = f"{metric} against the time of an answer without its embedding (median, bar to p95)"
    return finish(ax, title, "milliseconds", f"{metric}, %")
