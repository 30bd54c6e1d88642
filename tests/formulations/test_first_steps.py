"""What a newcomer to the mathematics alone tries: no objective, equality, copies, the errors by name."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from formulations import Instance, JarObjective, SolverRefusalError, solve, solve_many


def instance(**changes: Any) -> Instance:
    given: dict[str, Any] = {
        "relevance": [0.9, 0.5, 0.4], "coverage": [[0.1, 0.2, -np.inf]],
        "compatibility": [[0, 0, 0.8], [0, 0, 0.1], [0.8, 0.1, 0]], "size": 2, "ids": ["a", "b", "c"],
    }  # fmt: skip
    return Instance(**{**given, **changes})


def test_an_instance_is_solved_without_an_objective() -> None:
    """By that of the paper's form with its defaults."""
    one, other = solve(instance()), solve(instance(), JarObjective())
    assert (one.items, one.value, one.edges) == (other.items, other.value, other.edges)
    assert solve(instance(), solutions=2)[0].items == one.items


def test_equal_data_are_equal_instances() -> None:
    """However they were made; every field counts, and equal ones have one hash."""
    one = instance()
    same = [
        instance(), copy.deepcopy(one), pickle.loads(pickle.dumps(one)), Instance.from_dict(one.to_dict()),
        one.replace(size=2), instance(relevance=np.array([0.9, 0.5, 0.4], dtype=np.float64)),
    ]  # fmt: skip
    for other in same:
        assert one == other
        assert hash(one) == hash(other)
    different = [
        {"relevance": [0.9, 0.5, 0.3]}, {"coverage": [[0.1, 0.2, 0]]}, {"coverage": []}, {"size": 1},
        {"compatibility": [[0, 0, 0.8], [0, 0, 0], [0.8, 0, 0]]}, {"ids": ["a", "b", "d"]}, {"require": [0]},
        {"exclude": [0]}, {"forbid_joins": [(0, 2)]}, {"groups": ["t", "t", "u"]},
    ]  # fmt: skip
    for changes in different:
        assert one != instance(**changes)
    assert one != "an instance"
    assert len({one, *same}) == 1


def test_a_refusal_is_caught_by_its_name() -> None:
    """It is among the names of the package."""
    with pytest.raises(SolverRefusalError):
        solve(instance(), JarObjective(connect="require"), "sweep")
    assert len(solve_many([instance(), instance()], JarObjective())) == 2
