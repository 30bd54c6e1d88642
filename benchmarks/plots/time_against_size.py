"""How time grows with the number of tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmarks.plots.styles import axes_or_new, finish, style
from benchmarks.solvers.journal import Run
from benchmarks.solvers.quantiles import quantile
from benchmarks.solvers.summaries import counted


def plot_time_against_size(runs: Iterable[Run], ax: Any = None) -> Any:
    """Median time of each solver against the number of tables, and a bar up to the 95th percentile.

    A hollow marker is a lower bound: half of the runs or more ended at their limit.

    Parameters
    ----------
    runs : iterable of Run
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    ax = axes_or_new(ax)
    groups: dict[str, dict[int, list[Run]]] = {}
    for run in runs:
        groups.setdefault(run.solver, {}).setdefault(run.n, []).append(run)
    for solver, by_size in groups.items():
        sizes = sorted(by_size)
        middle = [quantile(counted(by_size[n]), 0.5) for n in sizes]
        upper = [quantile(counted(by_size[n]), 0.95) for n in sizes]
        heights = [time.seconds for time in middle]
        rest = [high.seconds - time.seconds for high, time in zip(upper, middle, strict=True)]
        look = style(solver)
        ax.errorbar(sizes, heights, yerr=[[0.0] * len(sizes), rest], label=solver, capsize=2, elinewidth=0.8, **look)
        bounds = [(n, time.seconds) for n, time in zip(sizes, middle, strict=True) if time.censored]
        if bounds:
            hollow = {"marker": look["marker"], "markersize": 6, "linestyle": "", "zorder": 3}
            ax.plot(*zip(*bounds, strict=True), markerfacecolor="white", markeredgecolor=look["color"], **hollow)
    ax.set_xscale("log")
    ax.set_yscale("log")
    title = "Time against the number of tables (median, bar to p95; hollow: at the limit)"
    return finish(ax, title, "tables", "seconds")
