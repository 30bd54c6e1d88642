"""How the certificates of the same instances tighten with the time limit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from benchmarks.plots.styles import axes_or_new, finish, style
from benchmarks.solvers.journal import Run

LEAST_PERCENT, MOST_PERCENT = 1e-3, 100.0
"""Gaps are drawn between these: no gap at the lower edge, no answer at the upper one."""


def plot_gap_over_time(runs: Iterable[Run], ax: Any = None, *, share: float = 0.9) -> Any:
    """The gap that the answers of each solver have on a share of the instances, against the time limit.

    Parameters
    ----------
    runs : iterable of Run
        The same cases with several limits.
    ax : matplotlib axes, optional
    share : float
        Which quantile of the gaps is drawn, beside the median.

    Returns
    -------
    matplotlib axes
    """
    ax = axes_or_new(ax)
    for solver, gaps in gaps_by_limit(runs).items():
        limits = sorted(gaps)
        for part, line in ((0.5, "-"), (share, "--")):
            heights = [np.quantile(gaps[limit], part, method="inverted_cdf") for limit in limits]
            shown = np.clip(100.0 * np.array(heights), LEAST_PERCENT, MOST_PERCENT)
            label = f"{solver}, {'median' if part == 0.5 else f'{100 * part:.0f} %'}"
            ax.plot(limits, shown, line, label=label, **style(solver))
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(LEAST_PERCENT / 2, 2 * MOST_PERCENT)
    title = f"Gap over time (at the lower edge: none; at the upper edge: {MOST_PERCENT:g} % or no answer)"
    return finish(ax, title, "time limit, s", "gap of the certificate, %")


def gaps_by_limit(runs: Iterable[Run]) -> dict[str, dict[float, list[float]]]:
    """Gaps by solver and time limit."""
    found: dict[str, dict[float, list[float]]] = {}
    for run in runs:
        found.setdefault(run.solver, {}).setdefault(run.limit, []).append(run.gap)
    return found
