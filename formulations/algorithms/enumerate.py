"""Every set, one after the other: slow, short, and what the other solvers are measured against."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice
from time import perf_counter

import numpy as np
import numpy.typing as npt

from formulations.algorithms.option import Option
from formulations.errors import SolverError
from formulations.forests import Sets, spanning_forests
from formulations.instance import Instance
from formulations.kernels.columns.problem import check_similarities
from formulations.kernels.tables.connecting import any_connected_set
from formulations.objectives.crush import CrushObjective, soft_maximum
from formulations.objectives.jar import JarObjective
from formulations.objectives.protocol import Objective
from formulations.solution import NO_SET, Outcome, Status
from formulations.validation import Array

SETS_LIMIT = 5_000_000
"""More sets than this are refused."""

BATCH = 2_000
"""Sets that are evaluated at once, and between two looks at the clock."""

OPTIONS = {"sets_limit": Option((SETS_LIMIT,), least=1)}


def solve(
    instance: Instance, objective: Objective, time_limit: float | None, *, sets_limit: int = SETS_LIMIT
) -> Outcome:
    """Evaluate every set of ``instance.size`` items and return the first best one.

    C(n, K) evaluations: of tables 0.1 s for 5 of 20, 2 s for 10 of 20.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. At the time limit the bound is that of `simple_bound`, or for columns of
        `CrushObjective.upper_bound`.
    sets_limit : int
        Refuse an instance with more sets than this.

    Raises
    ------
    SolverError
        When there are more than `sets_limit` sets.
    """
    start = perf_counter()
    values_of = _evaluation(instance, objective)
    free = [i for i in range(instance.n) if i not in {*instance.require, *instance.exclude}]
    number = math.comb(len(free), instance.size - len(instance.require))
    if number > sets_limit:
        raise SolverError(f"enumerate would try {number} sets, more than {sets_limit}; use the solver 'exact'")
    best, best_value = (), -math.inf
    for sets in batches(instance, free):
        values = values_of(sets)
        k = int(values.argmax())
        if values[k] > best_value:
            best, best_value = tuple(sorted(sets[k].tolist())), float(values[k])
        if time_limit is not None and perf_counter() - start > time_limit:
            return interrupted(instance, objective, best, best_value)
    return Outcome(best, best_value, best_value, Status.OPTIMAL) if best else NO_SET


def _evaluation(instance: Instance, objective: Objective) -> Callable[[Sets], Array]:
    """Return the function from sets to their values."""
    if isinstance(objective, CrushObjective):
        check_similarities(instance)
        return partial(column_set_values, instance, objective, objective.links(instance))
    assert isinstance(objective, JarObjective)
    return partial(set_values, instance, objective)


def batches(instance: Instance, free: list[int]) -> Iterator[Sets]:
    """Yield all sets in lexicographic order, as arrays of at most `BATCH` rows of K tables."""
    missing = instance.size - len(instance.require)
    rows = combinations(free, missing)
    while batch := list(islice(rows, BATCH)):
        chosen = np.array(batch, dtype=np.int64).reshape(len(batch), missing)
        required = np.tile(np.array(instance.require, dtype=np.int64), (len(batch), 1))
        yield np.hstack([required, chosen])


def set_values(instance: Instance, objective: JarObjective, sets: Sets) -> Array:
    """Return the value of each set of tables, ``-inf`` for one that must be connected and is not."""
    values: Array = objective.coarse * instance.relevance[sets].sum(axis=1)
    return values + _covers(instance, objective, sets) + _forests(instance, objective, sets)


def column_set_values(
    instance: Instance, objective: CrushObjective, links: npt.NDArray[np.bool_], sets: Sets
) -> Array:
    """Return the value of each set of columns (equations 3 to 6), with `links` of shape (n, n) from the objective."""
    covered = soft_maximum(instance.coverage[:, sets], objective.sharpness).sum(axis=0)
    neighbours = links[sets[:, :, None], sets[:, None, :]].sum(axis=2)
    linked = objective.link_values(instance.size)[neighbours].sum(axis=1)
    values: Array = covered + objective.connectivity * linked
    return values


def _covers(instance: Instance, objective: JarObjective, sets: Sets) -> Array:
    """Return Cover(S) of each set: all gains of its matches side by side, the largest of them summed."""
    gains = np.sort(objective.match_scores(instance)[:, sets], axis=2)
    gains[:, :, -1] += objective.coverage
    flat = np.sort(gains.transpose(1, 0, 2).reshape(len(sets), -1).clip(min=0.0), axis=1)[:, ::-1]
    covers: Array = flat[:, : objective.matches_allowed(instance.m)].sum(axis=1)
    return covers


def _forests(instance: Instance, objective: JarObjective, sets: Sets) -> Array:
    """Return what the maximum spanning forest of each set earns, ``-inf`` where it must be connected and is not."""
    total, joins = spanning_forests(objective.join_weights(instance), sets)
    return np.where(joins < instance.size - 1, -np.inf, total) if objective.connect == "require" else total


def interrupted(instance: Instance, objective: Objective, best: tuple[int, ...], best_value: float) -> Outcome:
    """Return the best set so far with a bound, or any feasible set where none was seen in time."""
    if isinstance(objective, CrushObjective):
        return Outcome(best, best_value, max(best_value, objective.upper_bound(instance)), Status.FEASIBLE)
    assert isinstance(objective, JarObjective)
    if not best:
        joined = instance.weights > 0.0
        joined[list(instance.exclude)] = joined[:, list(instance.exclude)] = False
        best, impossible = any_connected_set(joined, instance.require, instance.size, perf_counter())
        if impossible:
            return NO_SET
        if best:
            best_value = float(set_values(instance, objective, np.array([best]))[0])
    bound = max(simple_bound(instance, objective), best_value)
    return Outcome(best, best_value, bound, Status.FEASIBLE if best else Status.UNKNOWN)


def simple_bound(instance: Instance, objective: JarObjective) -> float:
    """Return an upper bound on every set: each table with all its matches and its best join, and every bonus."""
    matches = objective.match_scores(instance).clip(min=0.0).sum(axis=0)
    joins = objective.join_weights(instance).max(axis=1).clip(min=0.0)
    gains = objective.coarse * instance.relevance + matches + joins
    gains[list(instance.exclude)] = -np.inf
    best = np.sort(gains)[len(gains) - instance.size :]
    return float(best.sum()) + objective.coverage * instance.m
