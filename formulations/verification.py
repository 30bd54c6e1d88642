"""An independent check of a solution: plain loops over plain lists, and no code of any solver or objective.

It is what makes an answer trustworthy: no solution leaves `formulations.solve` unless its items satisfy every
constraint and its value, recomputed here from the definition, is the value that it reports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.errors import SolverError
from formulations.solution import JoinEdge, Solution, Status

if TYPE_CHECKING:
    from formulations.instance import Instance
    from formulations.objective import JarObjective

TOLERANCE = 1e-7
"""Largest difference, relative to the value, that passes for rounding."""


def verify(instance: Instance, objective: JarObjective, solution: Solution) -> None:
    """Check a solution against the definition of the problem.

    Takes O(K^2 log K + m K log(m K)) time.

    Raises
    ------
    SolverError
        When the set breaks a constraint, or its value, edges, components, bound or gap are not what they should be.
    """
    if not solution.items:
        if solution.status not in (Status.INFEASIBLE, Status.UNKNOWN):
            raise SolverError(f"status {solution.status} without any items")
        return
    if solution.status not in (Status.OPTIMAL, Status.FEASIBLE):
        raise SolverError(f"status {solution.status} with {len(solution.items)} items")
    _check_set(instance, solution)
    joins, components = spanning_forest(instance, solution.items)
    _check_joins(instance, objective, solution, joins, components)
    value = _relevance(instance, objective, solution.items) + _cover(instance, objective, solution.items)
    if objective.connect != "ignore":
        value += sum(objective.join * weight + objective.link for _, _, weight in joins)
    _check_numbers(solution, value)


def spanning_forest(
    instance: Instance, items: tuple[int, ...]
) -> tuple[tuple[JoinEdge, ...], tuple[tuple[int, ...], ...]]:
    """Return a maximum spanning forest of the items in the join graph, and its components (Kruskal, plain lists)."""
    weights = instance.weights[list(items)][:, list(items)].tolist()
    pairs = [
        (-weight, items[a], items[b])
        for a, row in enumerate(weights)
        for b, weight in enumerate(row[:a])
        if weight > 0.0
    ]
    pairs.sort()
    members = {item: [item] for item in items}
    joins = []
    for negative, i, j in pairs:
        if members[i] is not members[j]:
            joins.append(JoinEdge(min(i, j), max(i, j), -negative))
            merged = members[i] + members[j]
            for item in merged:
                members[item] = merged
            if len(joins) == len(items) - 1:
                break
    components = sorted({tuple(sorted(group)) for group in members.values()})
    return tuple(joins), tuple(components)


def _relevance(instance: Instance, objective: JarObjective, items: tuple[int, ...]) -> float:
    return objective.coarse * sum(map(float, instance.relevance[list(items)].tolist()))


def _cover(instance: Instance, objective: JarObjective, items: tuple[int, ...]) -> float:
    """Return Cover(S): the largest positive gains of all matches, the first of each sub-query with its bonus."""
    gains: list[float] = []
    for row in instance.coverage[:, list(items)].tolist():
        matches = [objective.fine * score for score in row if score > float("-inf")]
        if matches:
            matches.sort()
            matches[-1] += objective.coverage
            gains += [gain for gain in matches if gain > 0.0]
    gains.sort(reverse=True)
    return sum(gains[: objective.matches_allowed(instance.m)])


def _check_set(instance: Instance, solution: Solution) -> None:
    items = solution.items
    chosen = set(items)
    if list(items) != sorted(chosen) or not 0 <= items[0] <= items[-1] < len(instance.ids):
        raise SolverError(f"items {items} are not different tables in ascending order")
    if len(items) != instance.size:
        raise SolverError(f"{len(items)} items where {instance.size} are asked for")
    if not chosen.issuperset(instance.require):
        raise SolverError(f"required tables are missing: {sorted(set(instance.require) - chosen)}")
    if not chosen.isdisjoint(instance.exclude):
        raise SolverError(f"excluded tables are selected: {sorted(chosen.intersection(instance.exclude))}")
    if solution.ids != tuple([instance.ids[item] for item in items]):
        raise SolverError(f"ids {solution.ids} are not those of the items {items}")


def _check_joins(
    instance: Instance,
    objective: JarObjective,
    solution: Solution,
    joins: tuple[JoinEdge, ...],
    components: tuple[tuple[int, ...], ...],
) -> None:
    if solution.components != components or solution.connected != (len(components) == 1):
        raise SolverError(f"components {solution.components} are not {components}")
    if objective.connect == "require" and len(components) > 1:
        raise SolverError(f"the tables are not connected: {components}")
    if len(solution.edges) != len(joins):
        raise SolverError(f"{len(solution.edges)} joins where a spanning forest has {len(joins)}")
    for left, right, weight in solution.edges:
        if weight <= 0.0 or instance.weights[left, right] != weight:
            raise SolverError(f"join ({left}, {right}) has compatibility {instance.weights[left, right]}, not {weight}")
    if not _close(sum(edge[2] for edge in solution.edges), sum(edge[2] for edge in joins)):
        raise SolverError("the joins are not a spanning forest of maximum weight")


def _check_numbers(solution: Solution, value: float) -> None:
    if not _close(solution.value, value):
        raise SolverError(f"the value is {value!r}, not {solution.value!r}")
    if solution.bound < solution.value:
        raise SolverError(f"the bound {solution.bound!r} is below the value {solution.value!r}")
    if solution.status is Status.OPTIMAL and not _close(solution.bound, solution.value):
        raise SolverError(f"optimal, but the bound {solution.bound!r} is above the value {solution.value!r}")
    if solution.gap < 0.0:
        raise SolverError(f"the gap {solution.gap!r} is negative")


def _close(left: float, right: float) -> bool:
    return abs(left - right) <= TOLERANCE * max(1.0, abs(left), abs(right))
