"""What a search proves: the bound that it leaves, and the outcome of a set under it."""

from __future__ import annotations

import math
from time import perf_counter

from formulations.kernels.nodes import DEPTH, DROPPED, SCALE, VALUE, Search
from formulations.scale import rounding
from formulations.solution import NO_SET, Outcome, Status
from formulations.validation import IntArray

NO_LIMIT = 2**62
"""More nodes, steps or operations than any search takes."""


def deadline_after(time_limit: float | None) -> float:
    """Return the time of `perf_counter` at which to stop."""
    return math.inf if time_limit is None else perf_counter() + time_limit


def upper_bound(state: Search) -> float:
    """Return the largest value that any set can have: the incumbent's, or a bound of what was not searched."""
    depth = int(state.counters[DEPTH])
    open_bound = state.bounds[:depth].max() if depth else -math.inf
    return float(max(state.values[VALUE], state.values[DROPPED], open_bound))


def certified(items: IntArray, value: float, state: Search) -> Outcome:
    """Return a set with the strongest status that the search proves for it."""
    bound = upper_bound(state)
    if value == -math.inf:
        return NO_SET if bound == -math.inf else Outcome((), value, bound, Status.UNKNOWN)
    status = Status.OPTIMAL if bound <= value + rounding(float(state.values[SCALE]), value) else Status.FEASIBLE
    return Outcome(tuple(sorted(items.tolist())), value, bound, status)
