"""Local search: the greedy set, then exchanges of one table for another while that helps."""

from __future__ import annotations

import math
from time import perf_counter

from formulations.instance import Instance
from formulations.objective import JarObjective
from formulations.solution import NO_SET, Outcome
from formulations.solvers.entries import sweep
from formulations.solvers.session import Start, certified, deadline_after, search, starting_set


def solve(instance: Instance, objective: JarObjective, time_limit: float | None) -> Outcome:
    """Return a set that no exchange of one table improves, with the bound of the root of `exact`.

    A sweep takes O(K n) evaluations of a set; a few sweeps do. There is no guarantee on the value, but the gap is
    always known; status ``optimal`` says that the bound proves the set.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. At the limit the exchanges stop, and the work on the bound is cut short.
    """
    deadline = deadline_after(time_limit)
    start = starting_set(instance, objective)
    if start is None:
        return NO_SET
    if start.value > -math.inf:
        start = start._replace(value=exchanged(start, deadline))
    return certified(start.items, start.value, search(start, deadline, node_limit=1))


def exchanged(start: Start, deadline: float) -> float:
    """Improve ``start.items`` in place by sweeps of exchanges until one changes nothing; return the value."""
    fields = tuple(start.problem)
    value, before = start.value, -math.inf
    while value > before and perf_counter() < deadline:
        value, before = float(sweep(fields, start.fixed, start.items, value)), value
    return value
