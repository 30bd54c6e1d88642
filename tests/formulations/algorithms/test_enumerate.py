"""Proves that the oracle is one: its values are those of the definition, over all sets, within its limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from formulation_oracles import best_by_definition, value_by_definition
from formulation_problems import instances, objectives, random_problem
from hypothesis import given, settings

from formulations import Instance, JarObjective, SolverError, Status, solve
from formulations.algorithms import enumerate as enumeration


@settings(max_examples=100, deadline=None)
@given(instances(most=6), objectives())
def test_the_optimum_is_that_of_the_definition(instance: Instance, objective: JarObjective) -> None:
    """All sets are tried, and each is worth what brute force says."""
    assert solve(instance, objective, "enumerate").value == pytest.approx(best_by_definition(instance, objective))


@settings(max_examples=60, deadline=None)
@given(instances(most=5), objectives())
def test_batches_have_every_set_once(instance: Instance, objective: JarObjective) -> None:
    """Each feasible set appears in one batch, with its own value."""
    free = [i for i in range(instance.n) if i not in {*instance.require, *instance.exclude}]
    seen = set()
    for sets in enumeration.batches(instance, free):
        for items, value in zip(sets.tolist(), enumeration.set_values(instance, objective, sets), strict=True):
            seen.add(tuple(sorted(items)))
            assert value == pytest.approx(value_by_definition(instance, objective, items))
    assert len(seen) == math.comb(len(free), instance.size - len(instance.require))


def test_too_many_sets_are_refused() -> None:
    """C(30, 10) is thirty million; the message names the solver to use."""
    with pytest.raises(SolverError, match="30045015 sets, more than 5000000; use the solver 'exact'"):
        solve(*random_problem(30, 1, 10, 0), "enumerate")


@settings(max_examples=80, deadline=None)
@given(instances(most=7), objectives())
def test_the_simple_bound_holds(instance: Instance, objective: JarObjective) -> None:
    """No set is worth more."""
    assert enumeration.simple_bound(instance, objective) >= best_by_definition(instance, objective) - 1e-9


def test_a_time_limit_leaves_a_set_and_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first batch the best set so far is returned, with a bound above the optimum."""
    monkeypatch.setattr(enumeration, "BATCH", 10)
    instance, objective = random_problem(15, 3, 5, 0)
    solution = solve(instance, objective, "enumerate", time_limit=0.0)
    assert solution.status is Status.FEASIBLE
    assert solution.value < solve(instance, objective).value < solution.bound


@pytest.mark.parametrize("require", [[], [6, 9]])
def test_a_time_limit_leaves_a_connected_set(monkeypatch: pytest.MonkeyPatch, require: list[int]) -> None:
    """Where the sets seen so far are all disconnected, a connected one is built."""
    monkeypatch.setattr(enumeration, "BATCH", 1)
    joins = np.zeros((10, 10))
    for i in (6, 7, 8):
        joins[i, i + 1] = joins[i + 1, i] = 1.0
    instance = Instance(np.zeros(10), [], joins, 4, require=require)
    solution = solve(instance, JarObjective(connect="require"), "enumerate", time_limit=0.0)
    assert solution.items == (6, 7, 8, 9)


def test_a_time_limit_can_leave_a_proof_that_nothing_is_feasible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no connected set of the size exists, that is the answer, in time or not."""
    monkeypatch.setattr(enumeration, "BATCH", 1)
    instance = Instance(np.zeros(6), [], np.zeros((6, 6)), 2)
    solution = solve(instance, JarObjective(connect="require"), "enumerate", time_limit=0.0)
    assert solution.status is Status.INFEASIBLE
