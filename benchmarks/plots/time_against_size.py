"""How time grows with the number of tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from benchmarks.plots.styles import axes_or_new, finish, solver_style


class Spread(NamedTuple):
    """Seconds at the median and at the 95th percentile, and whether the median is only a lower bound."""

    median: float
    slow: float
    censored: bool


def plot_time_against_size(times: Mapping[str, Mapping[int, Spread]], ax: Any = None) -> Any:
    """Median time of each solver against the number of tables, and a bar up to the 95th percentile.

    A hollow marker is a lower bound: half of the runs or more ended at their limit.

    Parameters
    ----------
    times : mapping
        By solver and number of tables.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    ax = axes_or_new(ax)
    for solver, by_size in times.items():
        sizes = sorted(by_size)
        medians = [by_size[n].median for n in sizes]
        bars = [by_size[n].slow - by_size[n].median for n in sizes]
        style = solver_style(solver)
        ax.errorbar(sizes, medians, yerr=[[0.0] * len(sizes), bars], label=solver, capsize=2, elinewidth=0.8, **style)
        bounds = [(n, by_size[n].median) for n in sizes if by_size[n].censored]
        if bounds:
            hollow = {"marker": style["marker"], "markersize": 6, "linestyle": "", "zorder": 3}
            ax.plot(*zip(*bounds, strict=True), markerfacecolor="white", markeredgecolor=style["color"], **hollow)
    ax.set_xscale("log")
    ax.set_yscale("log")
    title = "Time against the number of tables (median, bar to p95; hollow: at the limit)"
    return finish(ax, title, "tables", "seconds")
