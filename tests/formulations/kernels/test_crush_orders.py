"""Proves that sweep and greedy select as their rules say, in an order whose first parts serve smaller budgets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from crush_oracles import feasible_sets, o1, sweep_by_rule
from crush_problems import crush_instances, crush_objectives, random_columns_problem
from hypothesis import given, settings

from formulations import CrushObjective, Instance, InvalidInstanceError, solve, sweep_order
from formulations.kernels.columns.orders import greedy_order


@settings(max_examples=300, deadline=None)
@given(crush_instances(), crush_objectives())
def test_the_sweep_is_the_rule_of_the_released_code(instance: Instance, objective: CrushObjective) -> None:
    """Pair by pair, with required and excluded columns, and in the same order."""
    assert list(sweep_order(instance, objective)) == sweep_by_rule(instance, objective)


@pytest.mark.parametrize("seed", range(4))
def test_the_sweep_is_the_rule_on_many_columns(seed: int) -> None:
    """More columns than probes, so that there are several sweeps, and tables that fill up."""
    instance, objective = random_columns_problem(40, 5, 30, seed, gamma=0.02)
    assert list(sweep_order(instance, objective)) == sweep_by_rule(instance, objective)


def test_a_sweep_by_hand() -> None:
    """Two probes, three tables, gamma 0.3 (a second column of a table counts 0.3 log 2 = 0.208 more).

    First sweep: (0, 0) has 0.9, and covers probe 0; for probe 1, column 1 of the same table has 0.3 + 0.208 = 0.508,
    column 2 has 0.6. Second sweep: column 1 has 0.5 + 0.208 for probe 0, column 3 has 0.7.
    """
    similarities = [[0.9, 0.5, 0.1, 0.7], [0.2, 0.3, 0.6, 0.1]]
    instance = Instance(np.zeros(4), similarities, np.zeros((4, 4)), 3, groups=["a", "a", "b", "c"])
    assert sweep_order(instance, CrushObjective(gamma=0.3)) == (0, 2, 1)
    assert sweep_order(instance, CrushObjective(gamma=0.0)) == (0, 2, 3)


@pytest.mark.parametrize("order", [sweep_order, greedy_order])
def test_smaller_budgets_are_first_parts(order: object) -> None:
    """One call with the largest budget answers all."""
    instance, objective = random_columns_problem(30, 4, 30, 1)
    whole = order(instance, objective)  # type: ignore[operator]
    assert sorted(whole) == list(range(30))
    for size in (1, 2, 7, 19):
        assert order(instance.replace(size=size), objective) == whole[:size]  # type: ignore[operator]


@settings(max_examples=150, deadline=None)
@given(crush_instances(), crush_objectives())
def test_greedy_takes_a_column_of_the_largest_gain(instance: Instance, objective: CrushObjective) -> None:
    """Step by step, by the objective itself, and whatever the lazy evaluation spared."""
    chosen = list(instance.require)
    for column in greedy_order(instance, objective)[len(chosen) :]:
        gains = objective.gains(instance, chosen)
        gains[list(instance.exclude)] = -np.inf
        assert gains[column] >= gains.max() - 1e-9
        chosen.append(column)
    assert len(chosen) == instance.size


@pytest.mark.parametrize("sharpness", [0.0, 0.01, 1.0])
def test_greedy_takes_the_largest_gain_among_many(sharpness: float) -> None:
    """With hundreds of columns, of which the lazy evaluation leaves most alone."""
    instance, objective = random_columns_problem(150, 6, 12, 5, sharpness=sharpness)
    chosen: list[int] = []
    for column in greedy_order(instance, objective):
        gains = objective.gains(instance, chosen)
        assert gains[column] >= gains.max() - 1e-9
        chosen.append(column)


@pytest.mark.parametrize("sharpness", [0.005, 1.0])
def test_greedy_without_probes_goes_by_links(sharpness: float) -> None:
    """Over many steps, in which bounds on what columns cover come to nothing."""
    instance, objective = random_columns_problem(50, 0, 40, 2, sharpness=sharpness)
    chosen: list[int] = []
    for column in greedy_order(instance, objective):
        gains = objective.gains(instance, chosen)
        assert gains[column] >= gains.max() - 1e-9
        chosen.append(column)


@settings(max_examples=200, deadline=None)
@given(crush_instances(constraints=False), crush_objectives(connectivity=0.0))
def test_greedy_has_its_guarantee_without_link_terms(instance: Instance, objective: CrushObjective) -> None:
    """From its first column on, it gains at least 1 - exp(-(B - 1) / B) of what a best set does."""
    order = greedy_order(instance, objective)
    first = o1(instance, objective, order[:1])
    best = max(o1(instance, objective, items) for items in feasible_sets(instance))
    share = 1 - math.exp(-(instance.size - 1) / instance.size)
    assert o1(instance, objective, order) - first >= share * (best - first) - 1e-9


@pytest.mark.parametrize("order", [sweep_order, greedy_order])
def test_a_similarity_of_minus_infinity_is_refused(order: object) -> None:
    """It has a meaning for tables, and none for a soft maximum."""
    instance = Instance([0.0, 0.0], [[0.5, -np.inf]], np.zeros((2, 2)), 1)
    with pytest.raises(InvalidInstanceError, match=r"coverage\[0, 1\]: is -inf; give every pair a finite similarity"):
        order(instance, CrushObjective())  # type: ignore[operator]
    with pytest.raises(InvalidInstanceError, match=r"coverage\[0, 1\]"):
        solve(instance, CrushObjective(), "enumerate")
