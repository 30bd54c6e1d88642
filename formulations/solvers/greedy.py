"""Greedy: add the table that raises the value most, until the set is full."""

from __future__ import annotations

from formulations.instance import Instance
from formulations.objective import JarObjective
from formulations.solution import NO_SET, Outcome
from formulations.solvers.session import certified, deadline_after, search, starting_set


def solve(instance: Instance, objective: JarObjective, time_limit: float | None) -> Outcome:
    """Return the greedy set, with the bound of the root of `exact`.

    The set starts from the required tables, and where it must be connected it grows along joins only, inside a
    component that is large enough. O(K n) evaluations of a set, and at most 60 steps for the bound. There is no
    guarantee on the value, but the gap is always known; status ``optimal`` says that the bound proves the set.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. The limit cuts the work on the bound short.
    """
    deadline = deadline_after(time_limit)
    start = starting_set(instance, objective)
    if start is None:
        return NO_SET
    return certified(start.items, start.value, search(start, deadline, node_limit=1))
