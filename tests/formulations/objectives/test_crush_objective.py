"""Proves that the CRUSH objective is equations 3 to 6, and that what it says about itself holds."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from crush_oracles import feasible_sets, link, o1, o2, smx, value_by_equations
from crush_problems import crush_instances, crush_objectives
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations import CrushObjective, Instance, InvalidInstanceError, objective_from_dict
from formulations.checks.verification import evaluate
from formulations.objectives.crush import soft_maximum


def some_set(data: st.DataObject, instance: Instance, least: int = 1) -> list[int]:
    """A set of any size, in any order."""
    return data.draw(st.lists(st.integers(0, instance.n - 1), unique=True, min_size=least, max_size=instance.n))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.sampled_from([0.0, 1e-6, 0.1, 1.0, 30.0]))
def test_the_soft_maximum_is_equation_3(values: list[float], t: float) -> None:
    """It is the logarithm of a sum of exponentials, above the maximum by at most t log n."""
    soft = float(soft_maximum(np.array(values), t))
    assert soft == pytest.approx(smx(values, t), abs=1e-9)
    assert max(values) <= soft <= max(values) + t * math.log(len(values)) + 1e-9


@settings(max_examples=200, deadline=None)
@given(crush_instances(), crush_objectives(), st.data())
def test_the_terms_are_equations_4_and_5(instance: Instance, objective: CrushObjective, data: st.DataObject) -> None:
    """O1 and O2 of a set of any size are the loops over probes, columns and pairs; the value is their weighted sum."""
    items = some_set(data, instance)
    terms = objective.terms(instance, items)
    assert terms.coverage == pytest.approx(o1(instance, objective, items), abs=1e-9)
    assert terms.connectivity == pytest.approx(objective.connectivity * o2(instance, objective, items), abs=1e-9)
    assert objective.value(instance, items) == pytest.approx(value_by_equations(instance, objective, items), abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(crush_instances(), crush_objectives(), st.data())
def test_the_independent_evaluation_agrees(instance: Instance, objective: CrushObjective, data: st.DataObject) -> None:
    """What verification computes, by code of its own, is the value by the equations, with the links and components."""
    items = tuple(sorted(some_set(data, instance)))
    value, edges, components = evaluate(instance, objective, items)
    assert value == pytest.approx(value_by_equations(instance, objective, items), abs=1e-9)
    assert edges == objective.edges(instance, items)
    assert sorted(item for component in components for item in component) == list(items)
    linked = replace(objective, gamma=1.0)
    for component in components:
        reached, frontier = {component[0]}, [component[0]]
        while frontier:
            d = frontier.pop()
            near = [other for other in items if other not in reached and link(instance, linked, d, other) > 0]
            reached.update(near)
            frontier += near
        assert reached == set(component)


@settings(max_examples=100, deadline=None)
@given(crush_instances(), crush_objectives())
def test_the_links_are_those_of_tables_and_keys(instance: Instance, objective: CrushObjective) -> None:
    """The matrix is e(d, d') > 0 for a positive gamma; forbidden joins are key links that are none."""
    expected = [
        [link(instance, replace(objective, gamma=1.0), d, other) > 0 for other in range(instance.n)]
        for d in range(instance.n)
    ]
    assert objective.links(instance).tolist() == expected


@settings(max_examples=60, deadline=None)
@given(crush_objectives(), st.integers(1, 12))
def test_the_worth_of_neighbours_is_concave(objective: CrushObjective, size: int) -> None:
    """More neighbours are worth no less, and each adds no more than the one before; equation 5 in closed form."""
    values = objective.link_values(size)
    increments = np.diff(values)
    assert (increments >= -1e-12).all()
    assert (np.diff(increments) <= 1e-12).all()
    for v in range(size):
        expected = smx([objective.gamma] * v + [0.0] * (size - v), objective.sharpness)
        assert values[v] == pytest.approx(expected, abs=1e-12)


def test_the_worth_of_neighbours_does_not_overflow() -> None:
    """exp(gamma / t) would be far beyond the largest number."""
    assert CrushObjective(gamma=5.0, sharpness=1e-3).link_values(3) == pytest.approx(
        [1e-3 * math.log(3), 5.0, 5.0 + 1e-3 * math.log(2)]
    )


@settings(max_examples=100, deadline=None)
@given(crush_instances(), crush_objectives(), st.data())
def test_gains_are_differences_of_values(instance: Instance, objective: CrushObjective, data: st.DataObject) -> None:
    """What a column adds, by two values."""
    items = some_set(data, instance, least=2) if instance.n > 1 else [0]
    gains = objective.gains(instance, items)
    for d in range(instance.n):
        added = -math.inf if d in items else objective.value(instance, [*items, d]) - objective.value(instance, items)
        assert gains[d] == added


def test_the_empty_set_is_worth_nothing_that_a_column_does_not_beat() -> None:
    """Its soft maxima are minus infinity; from there, a column gains the value of the set of it alone."""
    instance, objective = Instance([0.0, 0.0], [[0.25, 0.5]], np.zeros((2, 2)), 1), CrushObjective()
    assert objective.value(instance, []) == -math.inf
    assert objective.gains(instance, []).tolist() == [0.25, 0.5]
    assert objective.value(Instance([0.0], [], [[0.0]], 1), []) == 0.0


@settings(max_examples=150, deadline=None)
@given(crush_instances(constraints=False), crush_objectives(connectivity=0.0), st.data())
def test_coverage_is_monotone_and_submodular(
    instance: Instance, objective: CrushObjective, data: st.DataObject
) -> None:
    """A column adds no less to a set than to a larger one, and never takes anything away; from one column on."""
    large = some_set(data, instance)
    small = large[: data.draw(st.integers(1, len(large)))]
    to_small, to_large = objective.gains(instance, small), objective.gains(instance, large)
    for d in set(range(instance.n)) - set(large):
        assert to_small[d] >= to_large[d] - 1e-9
        assert to_large[d] >= -1e-9


def test_connectivity_is_not_submodular() -> None:
    """The second column of a table adds nothing alone, and something beside the first."""
    instance = Instance(np.zeros(3), [], np.zeros((3, 3)), 2, groups=["a", "b", "b"])
    objective = CrushObjective(gamma=1.0, sharpness=0.0)
    assert objective.gains(instance, [0])[2] == 0.0
    assert objective.gains(instance, [0, 1])[2] == 2.0


@settings(max_examples=100, deadline=None)
@given(crush_instances(most=6), crush_objectives())
def test_the_simple_bound_holds(instance: Instance, objective: CrushObjective) -> None:
    """No set is worth more."""
    bound = objective.upper_bound(instance)
    assert all(value_by_equations(instance, objective, items) <= bound + 1e-9 for items in feasible_sets(instance))


def test_edges_are_the_key_links_of_the_set() -> None:
    """The strongest first; columns of one table are linked without being listed."""
    keys = np.zeros((4, 4))
    keys[0, 2] = keys[2, 0] = 0.5
    keys[1, 2] = keys[2, 1] = 0.75
    keys[2, 3] = keys[3, 2] = 1.0
    instance = Instance(np.zeros(4), [[0.1] * 4], keys, 3, groups=["a", "a", "b", "c"])
    assert CrushObjective().edges(instance, [2, 0, 1]) == ((1, 2, 0.75), (0, 2, 0.5))


@pytest.mark.parametrize("name", ["gamma", "connectivity", "sharpness"])
@pytest.mark.parametrize("number", [-0.1, math.nan, math.inf, "1"])
def test_parameters_have_ranges(name: str, number: Any) -> None:
    """Each is a finite number that is not negative."""
    with pytest.raises(InvalidInstanceError, match=f"objective.{name}: is .*; pass a finite number >= 0"):
        CrushObjective(**{name: number})


def test_json_and_back() -> None:
    """The JSON form has the name and all parameters; missing ones have their defaults."""
    objective = CrushObjective(gamma=0.02, sharpness=0.5)
    data = objective.to_dict()
    assert data == {"name": "crush", "gamma": 0.02, "connectivity": 1.0, "sharpness": 0.5}
    assert objective_from_dict(data) == objective
    assert objective_from_dict({"name": "crush"}) == CrushObjective()
    with pytest.raises(InvalidInstanceError, match=r"objective\.coarse: is not a parameter.*use gamma, connectivity"):
        objective_from_dict({"name": "crush", "coarse": 1})
    with pytest.raises(InvalidInstanceError, match=r"objective\.name: is 'crash'; known objectives: jar, crush"):
        objective_from_dict({"name": "crash"})
