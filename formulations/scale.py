"""How large the numbers of a problem are, and what differences they explain: every tolerance is a share of that.

The *scale* of an instance under an objective is the largest positive term that occurs in the value of a set. Negative
terms need no scale: if the positive terms of a set add up to P and its value is v, its negative terms add up to P - v,
so the larger of the scale and |v| tells how much can cancel.
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
