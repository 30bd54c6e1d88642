"""Performance profiles.

E. D. Dolan and J. J. More, "Benchmarking optimization software with performance profiles", Mathematical Programming
91(2), 2002, equations (2.1) and (2.2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Times = Mapping[str, Sequence[float]]
FloatArray = npt.NDArray[np.float64]


def performance_ratios(times: Times) -> dict[str, FloatArray]:
    """For each solver s and problem p, t_ps / min_s t_ps: how many times the best time it took (2.1).

    Parameters
    ----------
    times : mapping
        Seconds of each solver on the same problems in the same order; ``inf`` where it did not solve the problem.

    Returns
    -------
    dict of arrays of shape (problems,)
        At least 1; ``inf`` where the solver did not solve the problem.
    """
    if not times:
        return {}
    table = np.array(list(times.values()), dtype=float)
    best = table.min(axis=0)
    ratios = np.full_like(table, math.inf)
    np.divide(table, best, out=ratios, where=np.isfinite(table))
    return dict(zip(times, ratios, strict=True))


def performance_profile(times: Times, factors: Sequence[float]) -> dict[str, FloatArray]:
    """For each solver, the share of the problems that it solves within a factor of the best time: rho_s(tau) (2.2).

    The share at factor 1 says how often a solver is the fastest, the limit how often it solves the problem at all.

    Parameters
    ----------
    times : mapping
        As for `performance_ratios`.
    factors : list of float
        tau, at least 1 and finite.

    Returns
    -------
    dict of arrays of shape (factors,)
        From 0 to 1, not decreasing.
    """
    taus = np.asarray(factors, dtype=float)
    return {
        name: np.searchsorted(np.sort(ratios), taus, side="right") / max(1, len(ratios))
        for name, ratios in performance_ratios(times).items()
    }
