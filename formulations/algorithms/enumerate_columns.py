"""Every set of B columns, one after the other: slow, short, and what the other solvers are measured against."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np
import numpy.typing as npt

from formulations.algorithms.enumerate import SETS_LIMIT, Sets, batches
from formulations.algorithms.option import Option, takes_crush
from formulations.errors import SolverError
from formulations.instance import Instance
from formulations.kernels.columns.problem import check_similarities
from formulations.objectives.crush import CrushObjective, soft_maximum
from formulations.solution import Outcome, Status
from formulations.validation import FloatArray

supports = takes_crush
OPTIONS = {"sets_limit": Option((SETS_LIMIT,), least=1)}


def solve(
    instance: Instance, objective: CrushObjective, time_limit: float | None, *, sets_limit: int = SETS_LIMIT
) -> Outcome:
    """Evaluate every set of ``instance.size`` columns and return the first best one.

    Parameters
    ----------
    instance, objective, time_limit
        As for `formulations.solve`. At the time limit the bound is `CrushObjective.upper_bound`.
    sets_limit : int
        Refuse an instance with more sets than this.

    Raises
    ------
    SolverError
        When there are more than `sets_limit` sets.
    """
    start = perf_counter()
    check_similarities(instance)
    free = [i for i in range(instance.n) if i not in {*instance.require, *instance.exclude}]
    number = math.comb(len(free), instance.size - len(instance.require))
    if number > sets_limit:
        raise SolverError(f"enumerate would try {number} sets, more than {sets_limit}; use the solver 'exact'")
    links = objective.links(instance)
    best: tuple[int, ...] = ()
    best_value = -math.inf
    for sets in batches(instance, free):
        values = set_values(instance, objective, links, sets)
        k = int(values.argmax())
        if values[k] > best_value or not best:
            best, best_value = tuple(sorted(sets[k].tolist())), float(values[k])
        if time_limit is not None and perf_counter() - start > time_limit:
            bound = max(best_value, objective.upper_bound(instance))
            return Outcome(best, best_value, bound, Status.FEASIBLE)
    return Outcome(best, best_value, best_value, Status.OPTIMAL)


def set_values(instance: Instance, objective: CrushObjective, links: npt.NDArray[np.bool_], sets: Sets) -> FloatArray:
    """Return the value of each set (equations 3 to 6), with `links` of shape (n, n) from the objective."""
    covered = soft_maximum(instance.coverage[:, sets], objective.sharpness).sum(axis=0)
    neighbours = links[sets[:, :, None], sets[:, None, :]].sum(axis=2)
    linked = objective.link_values(instance.size)[neighbours].sum(axis=1)
    values: FloatArray = covered + objective.connectivity * linked
    return values
