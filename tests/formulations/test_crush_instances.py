"""Proves that an instance over columns keeps its tables through JSON, and that its solutions are checked."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from crush_problems import crush_instances, crush_objectives
from hypothesis import given, settings

from formulations import CrushObjective, Instance, SolverError, Status, load_problem, solve, verify
from formulations.kernels.columns.problem import problem_arrays
from formulations.objectives.crush import group_numbers

KEYS = np.zeros((4, 4))
KEYS[1, 2] = KEYS[2, 1] = 0.5
INSTANCE = Instance(
    np.zeros(4), [[0.5, 0.25, 0.75, 0.1]], KEYS, 3, ["a.x", "a.y", "b.x", "c.x"], groups=["a", "a", "b", "c"]
)
OBJECTIVE = CrushObjective(gamma=1.0)
SOLUTION = solve(INSTANCE, OBJECTIVE)


@settings(max_examples=60, deadline=None)
@given(crush_instances(), crush_objectives())
def test_json_keeps_everything(instance: Instance, objective: CrushObjective) -> None:
    """Instance and objective come back from text as they were; without groups there is no such key."""
    text = instance.to_json(objective=objective)
    again, stored = load_problem(text)
    assert stored == objective
    assert again.to_dict() == instance.to_dict()
    assert again.groups == instance.groups
    assert ("groups" in json.loads(text)) is (instance.groups is not None)


def test_groups_are_labels() -> None:
    """Strings or whole numbers of any type, kept as they are; numbered in the order of appearance."""
    instance = Instance([0.0] * 4, [], np.zeros((4, 4)), 1, groups=["b", np.int64(7), "b", "7"])
    assert instance.groups == ("b", 7, "b", "7")
    assert group_numbers(instance).tolist() == [0, 1, 0, 2]
    assert group_numbers(instance.replace(groups=None)).tolist() == [0, 1, 2, 3]
    assert instance.replace(size=2).groups == instance.groups


def test_key_links_are_found_in_both_directions() -> None:
    """Those across tables only, by their column; the arrays are what the compiled solvers see."""
    keys = np.zeros((5, 5))
    for left, right in ((0, 1), (1, 2), (3, 4), (1, 4)):
        keys[left, right] = keys[right, left] = 1.0
    instance = Instance(np.zeros(5), [], keys, 2, forbid_joins=[(1, 4)], groups=[0, 0, 1, 1, 2])
    problem = problem_arrays(instance, OBJECTIVE)
    assert problem.key_start.tolist() == [0, 0, 1, 2, 3, 4]
    assert problem.key_column.tolist() == [2, 1, 4, 3]
    assert problem.tables == 3


def test_a_solution_tells_links_and_components() -> None:
    """Columns 0 and 1 are of one table, and a key links 1 and 2: one component, one edge."""
    assert SOLUTION.items == (0, 1, 2)
    assert SOLUTION.edges == ((1, 2, 0.5),)
    assert SOLUTION.components == ((0, 1, 2),)
    assert SOLUTION.connected
    apart = solve(INSTANCE.replace(require=["c.x"], exclude=["a.y"]), OBJECTIVE)
    assert (apart.components, apart.connected) == (((0,), (2,), (3,)), False)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"items": (0, 1, 3)}, "components"),
        ({"value": SOLUTION.value + 0.01, "bound": SOLUTION.value + 0.01}, "the value is"),
        ({"bound": SOLUTION.value + 0.01}, "optimal, but the bound"),
        ({"edges": ()}, "the joins"),
        ({"edges": ((0, 2, 0.5),)}, "the joins"),
        ({"components": ((0, 1), (2,)), "connected": False}, "components"),
        ({"connected": False}, "components"),
        ({"status": Status.INFEASIBLE}, "status infeasible with 3 items"),
    ],
)
def test_a_solution_that_is_not_what_it_says_is_refused(changes: dict[str, Any], complaint: str) -> None:
    """Each number, link and component is compared with the independent evaluation."""
    verify(INSTANCE, OBJECTIVE, SOLUTION)
    with pytest.raises(SolverError, match=complaint):
        verify(INSTANCE, OBJECTIVE, replace(SOLUTION, **changes))


def test_what_has_no_definition_is_not_verified() -> None:
    """An objective of somebody else's has no evaluation here, and is refused by name."""

    class Other(CrushObjective):
        """Looks like the objective, and is one: subclasses are evaluated as what they extend."""

    assert solve(INSTANCE, Other(gamma=1.0)).items == SOLUTION.items
    with pytest.raises(SolverError, match="dict can not be verified; use JarObjective or CrushObjective"):
        verify(INSTANCE, {}, SOLUTION)  # type: ignore[arg-type]
