"""Proves that branch and bound finds what enumeration finds, stops and resumes, and bounds from above at any moment."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from formulation_oracles import best_by_definition
from formulation_problems import instances, objectives, random_problem
from hypothesis import given, settings

from formulations import Instance, JarObjective, Status, solve, verify
from formulations.kernels.tables import problem as problem_module
from formulations.kernels.tables import session


@settings(max_examples=300, deadline=None)
@given(instances(most=10), objectives())
def test_exact_equals_enumerate(instance: Instance, objective: JarObjective) -> None:
    """Same status and value, whatever the graph, the constraints, the signs, the ties and the mode."""
    expected = solve(instance, objective, "enumerate")
    solution = solve(instance, objective, "exact")
    assert solution.status is expected.status
    assert solution.value == pytest.approx(expected.value, abs=1e-7)
    verify(instance, objective, solution)


@settings(max_examples=60, deadline=None)
@given(instances(most=5), objectives())
def test_exact_equals_the_definition(instance: Instance, objective: JarObjective) -> None:
    """The optimum is that of the brute force over sets, matchings and forests."""
    assert solve(instance, objective).value == pytest.approx(best_by_definition(instance, objective), abs=1e-7)


@pytest.mark.parametrize("connect", ["require", "prefer"])
@pytest.mark.parametrize(("density", "join"), [(1.0, 1.0), (0.8, 10.0), (0.25, 1.0), (0.15, 3.0)])
@pytest.mark.parametrize("seed", range(3))
def test_exact_equals_enumerate_on_larger_instances(connect: str, density: float, join: float, seed: int) -> None:
    """On sixteen tables too, from dense to hardly connected."""
    instance, objective = random_problem(16, 4, 6, seed, density, connect=connect, join=join)
    expected = solve(instance, objective, "enumerate")
    solution = solve(instance, objective)
    assert solution.status is expected.status
    assert solution.value == pytest.approx(expected.value, abs=1e-7)


@settings(max_examples=100, deadline=None)
@given(instances(most=8), objectives())
def test_the_bound_of_a_stopped_search_holds(instance: Instance, objective: JarObjective) -> None:
    """After one node, or at a time limit of zero, the bound is no less than the optimum; the value no more."""
    best = solve(instance, objective, "enumerate").value
    for options in ({"node_limit": 1}, {"time_limit": 0.0}, {"gap_limit": 0.2}):
        stopped = solve(instance, objective, **options)
        assert stopped.value <= best + 1e-7
        assert stopped.bound >= best - 1e-7
        assert stopped.items or best == -math.inf


@pytest.mark.parametrize("parameters", [{"connect": "require"}, {"join": 8.0}, {"coverage": 0.5, "match_limit": 0.5}])
def test_a_search_in_slices_is_as_good(monkeypatch: pytest.MonkeyPatch, parameters: dict[str, Any]) -> None:
    """Stopping after every step and resuming changes neither the optimum nor the proof."""
    for seed in range(3):
        instance, objective = random_problem(40, 5, 8, seed, 0.2, **parameters)
        expected = solve(instance, objective)
        with monkeypatch.context() as patch:
            patch.setattr(session, "SLICE", 1)
            sliced = solve(instance, objective)
        assert sliced.status is Status.OPTIMAL
        assert sliced.value == pytest.approx(expected.value)


def test_the_gap_limit_is_kept() -> None:
    """With a gap limit the search may stop early, but not with a larger gap."""
    for seed in range(5):
        instance, objective = random_problem(75, 5, 10, seed, 0.1, connect="require")
        optimum = solve(instance, objective).value
        solution = solve(instance, objective, gap_limit=0.02)
        assert solution.gap <= 0.02
        assert solution.value <= optimum + 1e-7 <= solution.bound + 2e-7


@pytest.mark.parametrize("connect", ["require", "prefer"])
def test_a_sparse_graph_is_searched_by_its_joins(monkeypatch: pytest.MonkeyPatch, connect: str) -> None:
    """With joins listed or in a matrix, the optimum is the same."""
    for seed in range(3):
        instance, objective = random_problem(80, 4, 6, seed, 0.06, connect=connect)
        monkeypatch.setattr(problem_module, "SPARSE_FROM", 64)
        assert problem_module.problem_arrays(instance, objective).sparse
        listed = solve(instance, objective)
        monkeypatch.setattr(problem_module, "SPARSE_FROM", 10**6)
        matrix = solve(instance, objective)
        assert listed.status is matrix.status is Status.OPTIMAL
        assert listed.value == pytest.approx(matrix.value)


@settings(max_examples=300, deadline=None)
@given(instances(most=10), objectives(connect="require"))
def test_exact_equals_enumerate_where_joins_are_listed(instance: Instance, objective: JarObjective) -> None:
    """Sets out of spanning trees, distances from required tables and prices of joins keep the optimum and the proof."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(problem_module, "SPARSE_FROM", 1)
        patch.setattr(problem_module, "SPARSE_SHARE", 0)
        assert problem_module.problem_arrays(instance, objective).sparse
        solution = solve(instance, objective)
        stopped = solve(instance, objective, node_limit=1)
    expected = solve(instance, objective, "enumerate")
    assert solution.status is expected.status
    assert solution.value == pytest.approx(expected.value, abs=1e-7)
    assert stopped.value <= expected.value + 1e-7
    assert stopped.bound >= expected.value - 1e-7


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("required", [0, 2])
def test_a_connected_set_in_a_large_sparse_graph_is_proven(seed: int, required: int) -> None:
    """Where tables have few joins, and greedy growth ends elsewhere, the search still ends with the best set."""
    instance, objective = random_problem(300, 4, 8, seed, 0.012, connect="require")
    greedy = solve(instance, objective, "greedy")
    instance = instance.replace(require=greedy.items[:required])
    listed = solve(instance, objective)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(problem_module, "SPARSE_FROM", 10**6)
        matrix = solve(instance, objective)
    assert listed.status is matrix.status is Status.OPTIMAL
    assert listed.value == pytest.approx(matrix.value)


@pytest.mark.parametrize("factor", [1e-9, 1e-3, 1e6])
def test_the_unit_of_the_scores_does_not_matter(factor: float) -> None:
    """Scaling every weight scales the optimum, and the search still ends with a proof."""
    instance, objective = random_problem(30, 4, 6, 1)
    scaled = JarObjective(10.0 * factor, 2.0 * factor, 8.0 * factor, 1.0 * factor)
    solution, expected = solve(instance, scaled), solve(instance, objective)
    assert solution.items == expected.items
    assert solution.value == pytest.approx(expected.value * factor)
    assert solution.status is Status.OPTIMAL


def test_the_order_of_the_tables_does_not_matter() -> None:
    """Renumbering the tables renumbers the answer."""
    instance, objective = random_problem(25, 4, 6, 2)
    order = np.random.default_rng(0).permutation(25)
    shuffled = Instance(
        instance.relevance[order], instance.coverage[:, order], instance.compatibility[np.ix_(order, order)], 6
    )
    solution = solve(shuffled, objective)
    assert sorted(order[list(solution.items)].tolist()) == list(solve(instance, objective).items)


def test_the_same_call_gives_the_same_answer() -> None:
    """Also where sets tie, and from several threads at once."""
    problems = [random_problem(30, 4, 8, seed, 0.3, connect="require", coarse=0.0) for seed in range(4)]
    expected = [solve(*problem).to_dict() for problem in problems]
    with ThreadPoolExecutor(4) as pool:
        answers = [solution.to_dict() for solution in pool.map(lambda problem: solve(*problem), problems * 4)]
    for answer, solution in zip(answers, expected * 4, strict=True):
        assert {**answer, "seconds": 0} == {**solution, "seconds": 0}


def test_a_thousand_tables_are_no_obstacle() -> None:
    """A large instance is solved with proof, and is no less than its heuristic."""
    instance, objective = random_problem(1000, 6, 10, 0)
    solution = solve(instance, objective, time_limit=60.0)
    assert solution.status is Status.OPTIMAL
    assert solution.value >= solve(instance, objective, "local").value - 1e-7


def test_many_required_tables_that_do_not_touch_are_connected_by_search() -> None:
    """With more required tables than the Steiner program takes, the search alone finds the only set, or proves it."""
    # Fourteen required tables in a row, each two of them joined only through a table of their own in between.
    n = 27
    joins = np.diag(np.ones(n - 1), 1)
    required = range(0, n, 2)
    whole = Instance(np.zeros(n), [], joins + joins.T, n, require=required)
    objective = JarObjective(connect="require")
    assert solve(whole, objective).value == 26.0
    assert solve(whole.replace(size=n - 1), objective).status is Status.INFEASIBLE
