"""Greedy selection (interim)."""

from __future__ import annotations

import math

from formulations.instance import Instance
from formulations.objective import JarObjective
from formulations.solution import Outcome, Status
from formulations.solvers.enumerate import simple_bound


def greedy_set(instance: Instance, objective: JarObjective) -> tuple[int, ...]:
    """Add the table of the largest value until the set is full."""
    best: tuple[int, ...] = ()
    best_value = -math.inf
    for first in range(instance.n) if objective.connect == "require" and not instance.require else [-1]:
        chosen = list(instance.require) + ([first] if first >= 0 and first not in instance.exclude else [])
        while len(chosen) < instance.size:
            options = [i for i in range(instance.n) if i not in chosen and i not in instance.exclude]
            chosen.append(max(options, key=lambda i: (objective.value(instance, [*chosen, i]), -i)))
        value = objective.value(instance, chosen)
        if value > best_value:
            best, best_value = tuple(sorted(chosen)), value
    return best


def solve(instance: Instance, objective: JarObjective, time_limit: float | None) -> Outcome:
    """Return the greedy set with a simple bound."""
    items = greedy_set(instance, objective)
    return Outcome(items, simple_bound(instance, objective), Status.FEASIBLE if items else Status.UNKNOWN)
