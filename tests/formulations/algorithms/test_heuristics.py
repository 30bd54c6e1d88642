"""Proofs for greedy and local search: feasible, bounded from above, and local search ends where no exchange helps."""

from __future__ import annotations

import pytest
from formulation_problems import instances, objectives, random_problem
from hypothesis import given, settings

from formulations import Instance, JarObjective, Status, solve, verify


@pytest.mark.parametrize("solver", ["greedy", "local"])
@settings(max_examples=120, deadline=None)
@given(instance=instances(most=8), objective=objectives())
def test_value_and_bound_enclose_the_optimum(solver: str, instance: Instance, objective: JarObjective) -> None:
    """The set is feasible, the bound holds, and nothing is returned only where nothing exists."""
    best = solve(instance, objective, "enumerate")
    for time_limit in (None, 0.0):
        solution = solve(instance, objective, solver, time_limit=time_limit)
        verify(instance, objective, solution)
        assert solution.value <= best.value + 1e-7
        assert solution.bound >= best.value - 1e-7
        assert (solution.status is Status.INFEASIBLE) == (best.status is Status.INFEASIBLE)


@settings(max_examples=60, deadline=None)
@given(instances(most=7), objectives())
def test_no_exchange_improves_a_local_optimum(instance: Instance, objective: JarObjective) -> None:
    """Putting any other table in the place of any of the set does not help."""
    solution = solve(instance, objective, "local")
    others = set(range(instance.n)) - set(solution.items) - set(instance.exclude)
    for old in set(solution.items) - set(instance.require):
        for new in others:
            neighbour = sorted({*solution.items, new} - {old})
            assert objective.value(instance, neighbour) <= solution.value + 1e-7


@pytest.mark.parametrize("connect", ["require", "prefer", "ignore"])
def test_local_search_is_no_worse_than_greedy(connect: str) -> None:
    """Exchanges start from the greedy set, and only help."""
    for seed in range(10):
        instance, objective = random_problem(40, 5, 8, seed, 0.3, connect=connect)
        greedy, local = solve(instance, objective, "greedy"), solve(instance, objective, "local")
        assert local.value >= greedy.value - 1e-9
        assert local.gap < 0.2


def test_greedy_adds_the_table_of_the_largest_gain() -> None:
    """Step by step, as defined: recomputed with the objective itself."""
    instance, objective = random_problem(20, 4, 6, 3)
    chosen: list[int] = []
    for _ in range(6):
        rest = [i for i in range(20) if i not in chosen]
        chosen.append(max(rest, key=lambda i: objective.value(instance, [*chosen, i])))
    assert solve(instance, objective, "greedy").items == tuple(sorted(chosen))


def test_a_heuristic_that_meets_its_bound_is_proven_optimal() -> None:
    """Status `optimal` says the bound proves the set, whoever found it."""
    instance = Instance([3.0, 2.0, 1.0], [], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 2)
    solution = solve(instance, JarObjective(), "greedy")
    assert (solution.items, solution.status, solution.gap) == ((0, 1), Status.OPTIMAL, 0.0)


def test_local_search_starts_again_where_the_bound_points() -> None:
    """In a large sparse graph greedy growth ends far from the optimum; the second start comes within two percent."""
    for seed in range(3):
        instance, objective = random_problem(300, 4, 8, seed, 0.012, connect="require")
        optimum = solve(instance, objective).value
        assert solve(instance, objective, "local").value >= 0.98 * optimum
        assert solve(instance, objective, "greedy").value <= optimum + 1e-9
