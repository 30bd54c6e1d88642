"""Performance profiles.

E. D. Dolan and J. J. More, "Benchmarking optimization software with performance profiles", Mathematical Programming
91(2), 2002, equations (2.1) and (2.2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.plots.styles import finish, new_axes, solver_style

Times = Mapping[str, Sequence[float]]
"""Seconds of each solver on the same problems in the same order; ``inf`` where it did not solve the problem."""
Array = npt.NDArray[np.float64]
FACTORS = 200


def performance_ratios(times: Times) -> dict[str, Array]:
    """For each solver s and problem p, t_ps / min_s t_ps: how many times the best time it took (2.1).

    A ratio is at least 1, and ``inf`` where the solver did not solve the problem.
    """
    if not times:
        return {}
    table = np.array(list(times.values()), dtype=float)
    ratios = np.full_like(table, math.inf)
    np.divide(table, table.min(axis=0), out=ratios, where=np.isfinite(table))
    return dict(zip(times, ratios, strict=True))


def performance_profile(times: Times, factors: Sequence[float]) -> dict[str, Array]:
    """For each solver, the share of the problems that it solves within a factor of the best time: rho_s(tau) (2.2).

    The share at factor 1 says how often a solver is the fastest, the limit how often it solves the problem at all.
    """
    taus = np.asarray(factors, dtype=float)
    return {
        name: np.searchsorted(np.sort(ratios), taus, side="right") / max(1, len(ratios))
        for name, ratios in performance_ratios(times).items()
    }


def plot_performance_profile(times: Times) -> Any:
    """The share of the instances that each solver proves within a factor of the fastest proof."""
    ax = new_axes()
    ratios = [ratio for row in performance_ratios(times).values() for ratio in row.tolist()]
    largest = max((ratio for ratio in ratios if math.isfinite(ratio)), default=1.0)
    factors = np.geomspace(1.0, max(10.0, 2.0 * largest), FACTORS)
    for solver, shares in performance_profile(times, factors.tolist()).items():
        style = solver_style(solver) | {"marker": ""}
        ax.plot(factors, shares, drawstyle="steps-post", label=solver, **style)
    ax.set_xscale("log")
    ax.set_ylim(-0.02, 1.02)
    return finish(ax, "Performance profile", "factor of the fastest proof", "share of the instances proved")
