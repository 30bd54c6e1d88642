"""An independent evaluation of a set of columns: plain loops, and no code of any solver or of the objective.

`formulations.checks.verification` compares it with what a solver says.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from formulations.solution import JoinEdge

if TYPE_CHECKING:
    from formulations.instance import Instance
    from formulations.objectives.crush import CrushObjective

Components = tuple[tuple[int, ...], ...]


def crush_evaluation(
    instance: Instance, objective: CrushObjective, items: tuple[int, ...]
) -> tuple[float, tuple[JoinEdge, ...], Components]:
    """Measure a set of columns by the definition of the objective; O(m |R| + |R|^2).

    Returns
    -------
    value, edges, components
        O1 + connectivity * O2 (equations 3 to 6); the key links between the columns, the strongest first; the groups of
        columns that tables and key links connect.
    """
    keys = _keys(instance, items)
    tables: dict[str | int, list[int]] = {}
    for a, item in enumerate(items):
        # Without groups, each column is a table of its own.
        tables.setdefault(item if instance.groups is None else instance.groups[item], []).append(a)
    group = [0] * len(items)
    neighbours = [0] * len(items)
    for number, columns in enumerate(tables.values()):
        for a in columns:
            group[a] = number
            neighbours[a] = len(columns) - 1
    across = [(a, b) for a, b, _ in keys if group[a] != group[b]]
    for a, b in across:
        neighbours[a] += 1
        neighbours[b] += 1
    value = sum([_soft_maximum(row, objective.sharpness) for row in instance.coverage[:, list(items)].tolist()])
    value += objective.connectivity * _links_value(objective, neighbours)
    keys.sort(key=lambda key: (-key[2], key[0], key[1]))
    edges = tuple([JoinEdge(items[a], items[b], weight) for a, b, weight in keys])
    return value, edges, _components(items, group, across)


def _links_value(objective: CrushObjective, neighbours: list[int]) -> float:
    """Return O2 (equation 5) for columns with so many neighbours each: gamma for each of these, 0 for the others."""
    size, gamma, sharpness = len(neighbours), objective.gamma, objective.sharpness
    if sharpness == 0.0:
        return sum([gamma for number in neighbours if number])
    # Without neighbours, none is above 0; with one, the largest of all exponents is gamma's.
    other = math.exp(-gamma / sharpness)
    worth = {
        number: gamma + sharpness * math.log(number + (size - number) * other) if number else sharpness * math.log(size)
        for number in set(neighbours)
    }
    return sum([worth[number] for number in neighbours])


def _components(items: tuple[int, ...], group: list[int], across: list[tuple[int, int]]) -> Components:
    """Return the columns by their group, where links across groups make two of them one."""
    for a, b in across:
        old, new = group[b], group[a]
        if old != new:
            group = [new if number == old else number for number in group]
    members: dict[int, list[int]] = {}
    for item, number in zip(items, group, strict=True):
        members.setdefault(number, []).append(item)
    return tuple(sorted([tuple(component) for component in members.values()]))


def _keys(instance: Instance, items: tuple[int, ...]) -> list[tuple[int, int, float]]:
    """Return the positions and the weight of each key link among the columns, ascending."""
    weights = instance.weights[np.ix_(items, items)]
    pairs = zip(*[ends.tolist() for ends in np.nonzero(weights)], strict=True)
    return [(a, b, float(weights[a, b])) for a, b in pairs if a < b]


def _soft_maximum(values: list[float], sharpness: float) -> float:
    """Return ``t log sum_i exp(x_i / t)`` (equation 3); the maximum for t = 0."""
    largest = max(values)
    if sharpness == 0.0:
        return largest
    return largest + sharpness * math.log(sum(map(math.exp, [(value - largest) / sharpness for value in values])))
