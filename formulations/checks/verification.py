"""An independent check of a solution: plain loops over plain lists, and no code of any solver or objective.

It is what makes an answer trustworthy: no solution leaves `formulations.solve` unless its items satisfy every
constraint and its value, recomputed here from the definition, is the value that the solver reports.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from formulations.checks.crush_evaluation import crush_evaluation
from formulations.errors import SolverError
from formulations.objectives.crush import CrushObjective
from formulations.objectives.jar import JarObjective
from formulations.scale import close
from formulations.solution import JoinEdge, Outcome, Solution, Status

if TYPE_CHECKING:
    from formulations.instance import Instance
    from formulations.objectives.protocol import Objective


class Evaluation(NamedTuple):
    """A set of items, measured: its value, its joins, and the components that they connect.

    Of tables the joins are a maximum spanning forest, of columns (CRUSH) all key links.
    """

    value: float
    edges: tuple[JoinEdge, ...]
    components: tuple[tuple[int, ...], ...]


def evaluate(instance: Instance, objective: Objective, items: tuple[int, ...]) -> Evaluation:
    """Measure a set of items by the definition of the objective, connected or not.

    Takes O(K^2 log K + m K log(m K)) time.

    Raises
    ------
    SolverError
        For an objective that has no definition here.
    """
    if isinstance(objective, JarObjective):
        return _evaluate_tables(instance, objective, items)
    if isinstance(objective, CrushObjective):
        return Evaluation(*crush_evaluation(instance, objective, items))
    raise SolverError(f"{type(objective).__name__} can not be verified; use JarObjective or CrushObjective")


def _evaluate_tables(instance: Instance, objective: JarObjective, items: tuple[int, ...]) -> Evaluation:
    edges, components = _spanning_forest(instance, items)
    value = objective.coarse * sum(map(float, instance.relevance[list(items)].tolist()))
    value += _cover(instance, objective, items)
    if objective.connect != "ignore":
        value += sum([objective.join * weight + objective.link for _, _, weight in edges])
    return Evaluation(value, edges, components)


def verify(instance: Instance, objective: Objective, solution: Solution) -> None:
    """Check a solution against the definition of the problem.

    Raises
    ------
    SolverError
        When the set breaks a constraint, or its value, edges, components, bound or gap are not what they should be.
    """
    check_set(instance, solution.items, solution.status)
    if not solution.items:
        _check_nothing(solution)
        return
    evaluation = evaluate(instance, objective, solution.items)
    check_connected(objective, evaluation)
    _check_measures(instance, objective, solution, evaluation)
    if solution.ids != tuple([instance.ids[item] for item in solution.items]):
        raise SolverError(f"ids {solution.ids} are not those of the items {solution.items}")
    if isinstance(objective, JarObjective):
        _check_forest(instance, solution)
    elif solution.edges != evaluation.edges:
        raise SolverError(f"the joins {solution.edges} are not {evaluation.edges}")
    gap = (solution.bound - solution.value) / max(abs(solution.value), 1e-12)
    if solution.gap != gap and not close(solution.gap, gap):
        raise SolverError(f"the gap is {gap!r}, not {solution.gap!r}")


def _check_nothing(solution: Solution) -> None:
    """Raise `SolverError` unless a solution without items reports nothing else either."""
    infeasible = solution.status is Status.INFEASIBLE
    if solution.ids or solution.edges or solution.components or solution.connected:
        raise SolverError(f"status {solution.status}, but the solution has tables, joins or components")
    if solution.value != -math.inf or solution.gap != (0.0 if infeasible else math.inf):
        raise SolverError(f"status {solution.status} with value {solution.value!r} and gap {solution.gap!r}")
    if math.isnan(solution.bound) or (infeasible and solution.bound != -math.inf):
        raise SolverError(f"status {solution.status} with the bound {solution.bound!r}")


def _check_forest(instance: Instance, solution: Solution) -> None:
    """Raise `SolverError` unless the joins are joins of the instance between the items, without a cycle."""
    component = {item: item for item in solution.items}
    for left, right, weight in solution.edges:
        if not left < right or left not in component or right not in component:
            raise SolverError(f"join ({left}, {right}) is not one of two selected tables in ascending order")
        if instance.weights[left, right] != weight:
            raise SolverError(f"join ({left}, {right}) weighs {instance.weights[left, right]}, not {weight}")
        old, new = component[left], component[right]
        if old == new:
            raise SolverError(f"join ({left}, {right}) closes a cycle")
        component = {item: new if root == old else root for item, root in component.items()}


def check_set(instance: Instance, items: tuple[int, ...], status: Status) -> None:
    """Raise `SolverError` unless the items are a set of the right size, with and without the right tables."""
    if (status in (Status.INFEASIBLE, Status.UNKNOWN)) is bool(items):
        raise SolverError(f"status {status} with {len(items)} items")
    if not items:
        return
    chosen = set(items)
    if list(items) != sorted(chosen) or not 0 <= items[0] <= items[-1] < len(instance.ids):
        raise SolverError(f"items {items} are not different tables in ascending order")
    if len(items) != instance.size:
        raise SolverError(f"{len(items)} items where {instance.size} are asked for")
    if not chosen.issuperset(instance.require):
        raise SolverError(f"required tables are missing: {sorted(set(instance.require) - chosen)}")
    if not chosen.isdisjoint(instance.exclude):
        raise SolverError(f"excluded tables are selected: {sorted(chosen.intersection(instance.exclude))}")


def check_claim(
    instance: Instance, objective: Objective, solver: str, outcome: Outcome, evaluation: Evaluation
) -> None:
    """Raise `SolverError` unless what a solver claims of its set agrees with the evaluation of that set."""
    _, claim, bound, status, _ = outcome
    value, scale = evaluation.value, objective.scale(instance)
    if not close(claim, value, scale):
        raise SolverError(f"solver {solver!r} claims the value {claim!r} for a set that is worth {value!r}")
    if not bound >= value and not close(bound, value, scale):
        raise SolverError(f"solver {solver!r} claims the bound {bound!r}, which is below the value {value!r}")
    check_connected(objective, evaluation)
    if status is Status.OPTIMAL and not close(bound, value, scale):
        raise SolverError(f"optimal, but the bound {bound!r} is above the value {value!r}")


def check_connected(objective: Objective, evaluation: Evaluation) -> None:
    """Raise `SolverError` where the objective requires the joins to connect the tables, and they do not."""
    components = evaluation.components
    if isinstance(objective, JarObjective) and objective.connect == "require" and len(components) > 1:
        raise SolverError(f"the tables are not connected: {components}")


def _check_measures(
    instance: Instance, objective: Objective, solution: Solution, evaluation: Evaluation
) -> None:
    """Raise `SolverError` unless the numbers, joins and components of a solution are those of the evaluation."""
    value, edges, components = evaluation
    scale = objective.scale(instance)
    if solution.components != components or solution.connected != (len(components) == 1):
        raise SolverError(f"components {solution.components} are not {components}")
    if len(solution.edges) != len(edges) or not close(
        sum([edge[2] for edge in solution.edges]), sum([edge[2] for edge in edges])
    ):
        raise SolverError("the joins are not a spanning forest of maximum weight")
    if not close(solution.value, value, scale):
        raise SolverError(f"the value is {value!r}, not {solution.value!r}")
    if not solution.bound >= solution.value or not solution.gap >= 0.0:
        raise SolverError(f"bound {solution.bound!r} and gap {solution.gap!r} do not hold for {solution.value!r}")
    if solution.status is Status.OPTIMAL and not close(solution.bound, solution.value, scale):
        raise SolverError(f"optimal, but the bound {solution.bound!r} is above the value {solution.value!r}")


def _spanning_forest(
    instance: Instance, items: tuple[int, ...]
) -> tuple[tuple[JoinEdge, ...], tuple[tuple[int, ...], ...]]:
    """Return a maximum spanning forest of the items in the join graph, and its components (Kruskal)."""
    chosen = list(items)
    weights = instance.weights[chosen][:, chosen].tolist()
    pairs = [(-weight, a, b) for b, row in enumerate(weights) for a, weight in enumerate(row[:b]) if weight > 0.0]
    pairs.sort()
    group = [[position] for position in range(len(items))]
    edges: list[JoinEdge] = []
    for negative, a, b in pairs:
        small, large = group[a], group[b]
        if small is not large:
            edges.append(JoinEdge(items[a], items[b], -negative))
            if len(edges) == len(items) - 1:
                return tuple(edges), (items,)
            if len(small) > len(large):
                small, large = large, small
            large += small
            for position in small:
                group[position] = large
    different = {id(one): one for one in group}.values()
    return tuple(edges), tuple(sorted([tuple([items[position] for position in sorted(one)]) for one in different]))


def _cover(instance: Instance, objective: JarObjective, items: tuple[int, ...]) -> float:
    """Return Cover(S): the largest positive gains of all matches, the first of each sub-query with its bonus."""
    gains: list[float] = []
    for row in instance.coverage[:, list(items)].tolist():
        matches = sorted([objective.fine * score for score in row if score > float("-inf")])
        if matches:
            matches[-1] += objective.coverage
            gains += [gain for gain in matches if gain > 0.0]
    gains.sort(reverse=True)
    return sum(gains[: math.floor(objective.match_limit * instance.m + 1e-9)])
