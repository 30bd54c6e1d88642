"""Proves that a solution prints well and turns into JSON, also where there is none."""

from __future__ import annotations

import json

import numpy as np

from formulations import Instance, JarObjective, Status, solve

IDS = ["client", "card", "loan"]
JOINS = np.array([[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
OBJECTIVE = JarObjective(1.0, 1.0, 1.0, 1.0)


def test_a_status_is_its_word() -> None:
    """In text and in JSON a status is a plain word, on every Python."""
    assert str(Status.OPTIMAL) == f"{Status.OPTIMAL}" == "optimal" == Status.OPTIMAL
    assert json.dumps(Status.UNKNOWN) == '"unknown"'


def test_a_solution_reads_component_by_component() -> None:
    """The text has status, value and bound, then each component with its joins."""
    solution = solve(Instance([0.5, 0.25, 1.0], [], JOINS, 3, IDS), OBJECTIVE)
    head, *rest = str(solution).splitlines()
    assert head.startswith("optimal: 3 selected, value 2.25, bound 2.25, gap 0.00% (exact, ")
    assert rest == ["  client, card", "    client -- card  0.500", "  loan"]


def test_a_solution_is_json() -> None:
    """`to_dict` has every field, as JSON types."""
    solution = solve(Instance([0.5, 0.25, 1.0], [], JOINS, 2, IDS), OBJECTIVE)
    data = json.loads(json.dumps(solution.to_dict(), allow_nan=False))
    assert data | {"seconds": 0.0} == {
        "items": [0, 2],
        "ids": ["client", "loan"],
        "value": 1.5,
        "bound": 1.5,
        "gap": 0.0,
        "status": "optimal",
        "edges": [],
        "connected": False,
        "components": [[0], [2]],
        "solver": "exact",
        "seconds": 0.0,
    }


def test_no_solution_is_json_too() -> None:
    """Minus infinity becomes null."""
    solution = solve(Instance([1.0, 1.0, 1.0], [], JOINS, 3), JarObjective(connect="require"))
    data = json.loads(json.dumps(solution.to_dict(), allow_nan=False))
    assert (data["status"], data["items"], data["value"], data["bound"]) == ("infeasible", [], None, None)
    assert str(solution).startswith("infeasible: 0 selected")
