"""The performance profile of Dolan and More."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from benchmarks.plots.styles import axes_or_new, finish, style
from benchmarks.solvers.journal import Run
from benchmarks.solvers.profiles import performance_profile, performance_ratios

FACTORS = 200


def plot_performance_profile(runs: Iterable[Run], ax: Any = None) -> Any:
    """The share of the instances that each solver proves within a factor of the fastest proof.

    Parameters
    ----------
    runs : iterable of Run
        Of solvers on the same cases; a case that a solver has no run of counts as not proved by it.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    ax = axes_or_new(ax)
    times = proof_times(runs)
    ratios = [ratio for row in performance_ratios(times).values() for ratio in row.tolist()]
    largest = max((ratio for ratio in ratios if math.isfinite(ratio)), default=1.0)
    factors = np.geomspace(1.0, max(10.0, 2.0 * largest), FACTORS)
    for solver, shares in performance_profile(times, factors.tolist()).items():
        look = style(solver) | {"marker": ""}
        ax.plot(factors, shares, drawstyle="steps-post", label=solver, **look)
    ax.set_xscale("log")
    ax.set_ylim(-0.02, 1.02)
    return finish(ax, "Performance profile", "factor of the fastest proof", "share of the instances proved")


def proof_times(runs: Iterable[Run]) -> dict[str, list[float]]:
    """Seconds to the proof by solver, over all cases in one order; ``inf`` where there is no proof."""
    found: dict[str, dict[tuple[Any, ...], float]] = {}
    for run in runs:
        found.setdefault(run.solver, {})[run.case] = run.seconds if run.proved else math.inf
    cases = sorted({case for times in found.values() for case in times})
    return {solver: [times.get(case, math.inf) for case in cases] for solver, times in found.items()}
