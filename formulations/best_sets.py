"""The best sets in order: after each, the remaining sets are split into parts, each a problem of the same kind."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from heapq import heappop, heappush
from time import perf_counter
from typing import NamedTuple, TypeAlias

from formulations.columns import ColumnProblem
from formulations.instance import Instance
from formulations.solution import Solution, Status

Problem: TypeAlias = Instance | ColumnProblem


class Part(NamedTuple):
    """Sets that share some tables and lack some others, with the best of them; parts compare by what comes next.

    Attributes
    ----------
    rank : tuple
        The negative bound; then whether the best set lacks a proof; then the set, so that no tie is left to chance.
    serial : int
        Number of the part in order of creation.
    instance : Instance or ColumnProblem
        The sets, by its ``require`` and ``exclude``.
    solution : Solution
        The best of them, as far as the solver knows.
    """

    rank: tuple[float, bool, tuple[int, ...]]
    serial: int
    instance: Problem
    solution: Solution


def best_sets(
    instance: Problem, number: int, solve_part: Callable[[Problem], Solution], deadline: float = math.inf
) -> list[Solution]:
    """Return the best different sets, in order, by the partition of Lawler (1972).

    Let S = {i_1, ..., i_K} be the best set. Every other one lacks some of its tables; let i_j be the first that it
    lacks: part j requires i_1, ..., i_(j-1) and excludes i_j. So the K parts are disjoint and leave out S alone. The
    best set of all parts is the next one, and its own part is split in the same way.

    At most 1 + (N - 1) K calls of `solve_part` for N sets, a heap of as many parts, and no copy of any array.

    Parameters
    ----------
    instance : Instance or ColumnProblem
        The problem.
    number : int
        How many sets, at least 1.
    solve_part : callable
        An exact solver: the best set of an instance that differs from the first in ``require`` and ``exclude``.
    deadline : float
        Time of `perf_counter` from which on no further part is solved; the first is solved in any case.

    Returns
    -------
    list of Solution
        At most `number`, by value, descending. Each is ``optimal`` among the sets that do not come before it, but where
        a limit was reached the last one is ``feasible`` or ``unknown``, with a bound on all sets that are left. The
        seconds of each count from the start to its proof.

    References
    ----------
    E. L. Lawler, "A procedure for computing the K best solutions to discrete optimization problems and its application
    to the shortest path problem", Management Science 18(7), 1972. For assignments: K. G. Murty, "An algorithm for
    ranking all the assignments in order of increasing cost", Operations Research 16(3), 1968.
    """
    start = perf_counter()
    ranked: list[Solution] = []
    parts: list[Part] = []
    pending = [instance.restricted(instance.require, instance.exclude)]
    serial = 0
    while len(ranked) < number:
        for sets in pending:
            if ranked and perf_counter() >= deadline:
                return [*ranked, _first_unproved(ranked[-1], ranked[-1].value, parts, perf_counter() - start)]
            serial += 1
            solution = solve_part(sets)
            if solution.status is not Status.INFEASIBLE:
                rank = (-solution.bound, solution.status is not Status.OPTIMAL, solution.items)
                heappush(parts, Part(rank, serial, sets, solution))
        if not parts:
            break
        best, seconds = parts[0].solution, perf_counter() - start
        if best.status is not Status.OPTIMAL:
            ranked.append(_first_unproved(best, best.bound, parts, seconds))
            break
        pending = _rest(heappop(parts).instance, best)
        ranked.append(replace(best, seconds=seconds))
    # A solver may take one of two sets for the better one that differ by rounding; what lacks a proof stays last.
    return sorted(ranked, key=lambda solution: (solution.status is not Status.OPTIMAL, -solution.value))


def _rest(instance: Problem, best: Solution) -> list[Problem]:
    """Return the parts of all sets but the best one; those without any set by their numbers are left out."""
    parts: list[Problem] = []
    require = instance.require
    if instance.n - len(instance.exclude) > instance.size:
        for table in _by_joins(best, require):
            parts.append(instance.restricted(require, tuple(sorted((*instance.exclude, table)))))
            require = tuple(sorted((*require, table)))
    return parts


def _by_joins(solution: Solution, require: tuple[int, ...]) -> list[int]:
    """Return the tables that are not required, each after one that it joins with, where there is one.

    Any order gives a partition. In this one the required tables of a part are as connected as they can be, which spares
    the solvers the search for tables that connect them.
    """
    joined = {(edge.left, edge.right) for edge in solution.edges}
    joined |= {(right, left) for left, right in joined}
    before = list(require)
    order = []
    left = [table for table in solution.items if table not in require]
    while left:
        table = next((table for table in left if any((table, other) in joined for other in before)), left[0])
        left.remove(table)
        order.append(table)
        before.append(table)
    return order


def _first_unproved(like: Solution, bound: float, parts: list[Part], seconds: float) -> Solution:
    """Return the best set that is known in any of the parts, with a bound on all of them."""
    known = [part.solution for part in parts if part.solution.items]
    if not known:
        return replace(
            like,
            items=(),
            ids=(),
            value=-math.inf,
            bound=bound,
            gap=math.inf,
            status=Status.UNKNOWN,
            edges=(),
            seconds=seconds,
            connected=False,
            components=(),
        )
    best = min(known, key=lambda solution: (-solution.value, solution.items))
    bound = max(bound, best.value)
    gap = (bound - best.value) / max(abs(best.value), 1e-12)
    return replace(best, bound=bound, gap=gap, status=Status.FEASIBLE, seconds=seconds)
