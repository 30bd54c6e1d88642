"""How large the numbers of a problem are, and what differences they explain: every tolerance is a share of that.

The *scale* of an instance under an objective is the largest positive number that the value of a set adds up. Numbers
below zero need none of their own: a set whose value is v, made of positive terms of P in all, has negative ones of
P - v, so the larger of the scale and |v| says how much can cancel.
"""

from __future__ import annotations

ROUNDING = 1e-9
"""Share that passes for rounding in floating point, with room for long sums and for steps that converge."""

ENGINE_ROUNDING = 1e-6
"""The same for native engines, which satisfy rows and integrality to about this much."""

ENGINE_SLACK = 1e-5
"""How far a native engine's bound may lie below a known set before the claim is called false rather than coarse."""

LARGEST_NUMBER = 1e100
"""Largest number, of either sign, in an instance or an objective: no product or sum of them overflows."""


def rounding(scale: float, *values: float) -> float:
    """Return the difference that passes for rounding between values at a scale."""
    return ROUNDING * max([scale, *map(abs, values)])


def close(left: float, right: float, scale: float = 0.0) -> bool:
    """Say whether two numbers differ by no more than rounding explains at a scale."""
    return left == right or abs(left - right) <= rounding(scale, left, right)
