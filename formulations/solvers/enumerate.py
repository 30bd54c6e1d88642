"""Every set of K tables, one after the other: slow, short, and what the other solvers are measured against."""

from __future__ import annotations

import math
from itertools import combinations
from time import perf_counter

from formulations.errors import SolverError
from formulations.instance import Instance
from formulations.objective import JarObjective
from formulations.solution import Outcome, Status

SETS_LIMIT = 5_000_000
"""More sets than this are refused: they would take hours."""


def solve(
    instance: Instance, objective: JarObjective, time_limit: float | None, *, sets_limit: int = SETS_LIMIT
) -> Outcome:
    """Evaluate every set of ``instance.size`` tables with `JarObjective.value` and return the first best one.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. At the time limit the bound is that of `formulations.bounds.simple_bound`.
    sets_limit : int
        Refuse an instance with more sets than this.

    Raises
    ------
    SolverError
        When there are more than `sets_limit` sets.
    """
    free = [i for i in range(instance.n) if i not in {*instance.require, *instance.exclude}]
    missing = instance.size - len(instance.require)
    count = math.comb(len(free), missing)
    if count > sets_limit:
        raise SolverError(f"enumerate would try {count} sets, more than {sets_limit}; use the solver 'exact'")
    deadline = math.inf if time_limit is None else perf_counter() + time_limit
    best: tuple[int, ...] = ()
    best_value = -math.inf
    for chosen in combinations(free, missing):
        items = tuple(sorted(instance.require + chosen))
        value = objective.value(instance, items)
        if value > best_value:
            best, best_value = items, value
        if best and perf_counter() > deadline:
            return Outcome(best, simple_bound(instance, objective), Status.FEASIBLE)
    return Outcome(best, best_value, Status.OPTIMAL if best else Status.INFEASIBLE)


def simple_bound(instance: Instance, objective: JarObjective) -> float:
    """Return an upper bound on every set: the K best sums of coarse relevance, matches and best join of a table."""
    scores = objective.match_scores(instance)
    joins = objective.join_weights(instance).max(axis=1, initial=0.0)
    gains = objective.coarse * instance.relevance + scores.clip(min=0.0).sum(axis=0) + joins
    gains[list(instance.exclude)] = -math.inf
    best = sorted(map(float, gains.tolist()), reverse=True)[: instance.size]
    return sum(best) + objective.coverage * instance.m
