"""Greedy, then swaps (interim)."""

from __future__ import annotations

from formulations.instance import Instance
from formulations.objective import JarObjective
from formulations.solution import Outcome, Status
from formulations.solvers.enumerate import simple_bound
from formulations.solvers.greedy import greedy_set


def solve(instance: Instance, objective: JarObjective, time_limit: float | None) -> Outcome:
    """Return a set that no exchange of one table improves, with a simple bound."""
    items = greedy_set(instance, objective)
    if not items:
        return Outcome(items, simple_bound(instance, objective), Status.UNKNOWN)
    best, improved = objective.value(instance, items), True
    while improved:
        improved = False
        for out in [i for i in items if i not in instance.require]:
            for new in [i for i in range(instance.n) if i not in items and i not in instance.exclude]:
                candidate = tuple(sorted({*items, new} - {out}))
                value = objective.value(instance, candidate)
                if value > best + 1e-9:
                    items, best, improved = candidate, value, True
                    break
            if improved:
                break
    return Outcome(items, simple_bound(instance, objective), Status.FEASIBLE)
