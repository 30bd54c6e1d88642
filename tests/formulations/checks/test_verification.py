"""Proves that verification accepts what is right, and rejects a solution as soon as one thing about it is not."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from formulation_oracles import cover_by_matchings, join_by_forests, value_by_definition
from formulation_problems import instances, objectives
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations import Instance, JarObjective, JoinEdge, SolverError, Status, solve, verify
from formulations.checks.verification import evaluate


@settings(max_examples=150, deadline=None)
@given(instances(most=5), objectives(), st.data())
def test_the_evaluation_is_the_definition(instance: Instance, objective: JarObjective, data: st.DataObject) -> None:
    """Value, forest and components of any set, connected or not, are those of the brute force."""
    items = tuple(sorted(data.draw(st.lists(st.integers(0, instance.n - 1), unique=True, min_size=1, max_size=4))))
    value, edges, components = evaluate(instance, objective, items)
    if objective.connect == "require" and len(components) > 1:
        assert join_by_forests(instance, objective, items) == -math.inf
    else:
        assert value == pytest.approx(value_by_definition(instance, objective, items), abs=1e-9)
    assert len(edges) == len(items) - len(components)
    assert sorted(item for component in components for item in component) == list(items)


INSTANCE = Instance(
    [0.9, 0.8, 0.7, 0.6, 0.5],
    [[0.3, 0.4, 0.1, 0.2, 0.5]],
    np.array(
        [
            [0.0, 0.6, 0.5, 0.0, 0.0],
            [0.6, 0.0, 0.4, 0.0, 0.0],
            [0.5, 0.4, 0.0, 0.3, 0.0],
            [0.0, 0.0, 0.3, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0],
        ]
    ),
    3,
    ids=["a", "b", "c", "d", "e"],
    require=["b"],
    exclude=["d"],
)
OBJECTIVE = JarObjective(connect="require")
SOLUTION = solve(INSTANCE, OBJECTIVE)


def test_a_right_solution_is_accepted() -> None:
    """The solution that the tampering starts from verifies."""
    assert SOLUTION.items == (0, 1, 2)
    verify(INSTANCE, OBJECTIVE, SOLUTION)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"items": (0, 1, 1)}, "not different tables"),
        ({"items": (1, 0, 2)}, "not different tables in ascending order"),
        ({"items": (0, 1, 7)}, "not different tables"),
        ({"items": (-1, 0, 1)}, "not different tables"),
        ({"items": (0, 1)}, "2 items where 3 are asked for"),
        ({"items": (0, 2, 4)}, r"required tables are missing: \[1\]"),
        ({"items": (0, 1, 3)}, r"excluded tables are selected: \[3\]"),
        ({"items": (0, 1, 4)}, "not connected"),
        ({"items": ()}, "status optimal with 0 items"),
        ({"status": Status.INFEASIBLE}, "status infeasible with 3 items"),
        ({"status": Status.UNKNOWN}, "status unknown with 3 items"),
        ({"ids": ("a", "b", "d")}, "ids"),
        ({"value": SOLUTION.value + 0.01}, "the value is"),
        ({"value": math.nan}, "the value is"),
        ({"bound": SOLUTION.value - 0.01}, "do not hold"),
        ({"bound": math.nan}, "do not hold"),
        ({"bound": SOLUTION.value + 0.01}, "optimal, but the bound"),
        ({"gap": -0.1}, "do not hold"),
        ({"gap": 0.1}, "the gap is 0.0, not 0.1"),
        ({"status": Status.FEASIBLE, "bound": SOLUTION.value + 1.0}, "the gap is"),
        ({"connected": False}, "components"),
        ({"components": ((0, 1), (2,))}, "components"),
        ({"edges": SOLUTION.edges[:1]}, "not a spanning forest"),
        ({"edges": (JoinEdge(0, 1, 0.6), JoinEdge(1, 2, 0.4))}, "not a spanning forest of maximum weight"),
        ({"edges": (JoinEdge(0, 1, 0.5), JoinEdge(1, 2, 0.6))}, r"join \(0, 1\) weighs 0.6, not 0.5"),
        ({"edges": (JoinEdge(1, 0, 0.6), JoinEdge(0, 2, 0.5))}, r"join \(1, 0\) is not one of two selected tables"),
        ({"edges": (JoinEdge(0, 1, 0.6), JoinEdge(3, 4, 0.5))}, r"join \(3, 4\) is not one of two selected tables"),
        ({"edges": (JoinEdge(0, 1, 0.6), JoinEdge(0, 9, 0.5))}, r"join \(0, 9\) is not one of two selected tables"),
    ],
)
def test_a_tampered_solution_is_rejected(changes: dict[str, Any], complaint: str) -> None:
    """Each wrong field alone is enough, and the message says which."""
    with pytest.raises(SolverError, match=complaint):
        verify(INSTANCE, OBJECTIVE, replace(SOLUTION, **changes))


def test_joins_that_close_a_cycle_are_rejected() -> None:
    """A join that is listed twice weighs as much as two, but it spans nothing."""
    joins = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    instance = Instance([1.0, 1.0, 1.0], [], joins, 3)
    solution = solve(instance, OBJECTIVE)
    assert solution.edges == (JoinEdge(0, 1, 1.0), JoinEdge(1, 2, 1.0))
    with pytest.raises(SolverError, match=r"join \(0, 1\) closes a cycle"):
        verify(instance, OBJECTIVE, replace(solution, edges=(JoinEdge(0, 1, 1.0), JoinEdge(0, 1, 1.0))))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"value": 1.0}, "infeasible with value 1.0"),
        ({"gap": 1.0}, "gap 1.0"),
        ({"bound": 1.0}, "infeasible with the bound 1.0"),
        ({"status": Status.UNKNOWN}, "unknown with value -inf and gap 0.0"),
        ({"status": Status.OPTIMAL}, "status optimal with 0 items"),
        ({"ids": ("a",)}, "has tables, joins or components"),
        ({"edges": (JoinEdge(0, 1, 0.6),)}, "has tables, joins or components"),
        ({"connected": True}, "has tables, joins or components"),
    ],
)
def test_nothing_found_is_nothing_reported(changes: dict[str, Any], complaint: str) -> None:
    """A solution without items has no value, no joins, and a bound only where nothing is proven."""
    instance = INSTANCE.replace(require=["b", "e"])
    solution = solve(instance, OBJECTIVE)
    verify(instance, OBJECTIVE, solution)
    verify(instance, OBJECTIVE, replace(solution, status=Status.UNKNOWN, bound=math.inf, gap=math.inf))
    with pytest.raises(SolverError, match=complaint):
        verify(instance, OBJECTIVE, replace(solution, **changes))


def test_forbidden_joins_do_not_count() -> None:
    """A solution of the instance with a join does not verify for the one without."""
    with pytest.raises(SolverError, match="the joins are not"):
        verify(INSTANCE.replace(forbid_joins=[("a", "b")]), OBJECTIVE, SOLUTION)


@settings(max_examples=60, deadline=None)
@given(instances(most=4), objectives(connect="ignore"))
def test_where_joins_are_ignored_they_earn_nothing(instance: Instance, objective: JarObjective) -> None:
    """The value is coarse relevance and cover; the forest is still reported."""
    items = tuple(range(instance.n))
    evaluation = evaluate(instance, objective, items)
    expected = objective.coarse * instance.relevance.sum() + cover_by_matchings(instance, objective, items)
    assert evaluation.value == pytest.approx(expected, abs=1e-9)
