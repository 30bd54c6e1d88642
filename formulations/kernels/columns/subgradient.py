"""Better prices: one step of Polyak length along the subgradient of the bound."""

from __future__ import annotations

import math

from formulations.kernels.columns.problem import Problem
from formulations.kernels.columns.relaxation import Prices, Relaxed, room
from formulations.kernels.compiled import kernel
from formulations.validation import Array

FLAT = 1e-12
"""A slope up to this is nothing but the rounding of what it adds up."""


@kernel
def descend(
    problem: Problem, prices: Prices, relaxed: Relaxed, tables: int, distance: float, slope: Array
) -> bool:
    """Move the prices towards a bound lower by `distance`, within their ranges; return False where none improves it.

    `slope` is room for m numbers. O(size m + keys).
    """
    level_slope(problem, prices.level, relaxed, slope)
    norm = 0.0
    for k in range(len(slope)):
        norm += slope[k] * slope[k]
    norm += move_shares(problem, prices.share, relaxed, tables, 0.0)
    if norm <= FLAT * FLAT:
        return False
    length = distance / norm
    for k in range(len(slope)):
        moved = prices.level[k] - length * slope[k]
        prices.level[k] = min(prices.highest[k], max(prices.lowest[k], moved))
    move_shares(problem, prices.share, relaxed, tables, length)
    return True


@kernel
def level_slope(problem: Problem, level: Array, relaxed: Relaxed, slope: Array) -> None:
    """Fill the slope of the bound by each v_k: one, less the slopes of psi over the relaxed set."""
    sharpness = problem.sharpness
    for k in range(len(slope)):
        slope[k] = 1.0
    for a in range(problem.size):
        d = relaxed.columns[relaxed.chosen[a]]
        for k in range(len(slope)):
            z = problem.similarity[d, k] - level[k]
            if z > 0.0:
                slope[k] -= 1.0
            elif sharpness > 0.0:
                slope[k] -= math.exp(z / sharpness)


@kernel
def move_shares(problem: Problem, share: Array, relaxed: Relaxed, tables: int, length: float) -> float:
    """Move the shares against the slope of the bound, by `length` times it; return the square of the slope's norm.

    The slope counts steps: what column d earns of one by itself, less 1 where the other end is in the relaxed set.
    So where only one end is in that set, the share moves to the end that is not.
    """
    norm = 0.0
    for t in range(tables):
        v = max(relaxed.selected[t], 1)
        for c in range(relaxed.first[t] + relaxed.taken[t], relaxed.first[t + 1]):
            if relaxed.step[c] == 0.0:
                continue
            earned = relaxed.member[c] * key_slope(problem.links, relaxed.linked[c], relaxed.step[c], v)
            d = relaxed.columns[c]
            for e in range(problem.key_start[d], problem.key_start[d + 1]):
                other = relaxed.position[problem.key_column[e]]
                if other < 0 or relaxed.forced[other] == 1:
                    continue
                slope = earned - relaxed.member[other]
                if (slope > 0.0 and share[e] > 0.0) or (slope < 0.0 and share[e] < 1.0):
                    norm += slope * slope
                    share[e] = min(1.0, max(0.0, share[e] - length * slope / relaxed.step[c]))
    return norm


@kernel
def key_slope(links: Array, linked: float, step: float, v: int) -> float:
    """Return by how much `key_worth` grows with `linked`: by nothing where there is no room for more."""
    if v >= len(links):
        return 0.0
    factor = min(1.0, (links[v] - links[v - 1]) / step)
    return factor if linked * factor <= room(links, v) else 0.0
