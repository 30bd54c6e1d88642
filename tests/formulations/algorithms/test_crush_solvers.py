"""Proves that every solver of the CRUSH objective finds the optimum, or encloses it, on whatever instance.

The oracle is the best value of all sets, by the transcribed equations.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from conformance import SOLVERS
from crush_oracles import feasible_sets, optimum_by_equations, value_by_equations
from crush_problems import crush_instances, crush_objectives, random_columns_problem
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations import (
    CrushObjective,
    Instance,
    SolverError,
    Status,
    solve,
    solve_best,
    solve_many,
    solve_sizes,
    verify,
)
from formulations.kernels.certificate import upper_bound
from formulations.kernels.columns.session import search, starting_set

CRUSH_SOLVERS = [row for row in SOLVERS if CrushObjective.name in row.modules]
IN_PROCESS = [row for row in CRUSH_SOLVERS if not row.needs]
NATIVE: list[tuple[str, dict[str, Any]]] = [
    ("mip", {}),
    ("mip", {"start": None}),
    ("mip", {"engine": "cbc"}),
    ("cpsat", {}),
    ("cpsat", {"start": "sweep"}),
]


@settings(max_examples=150, deadline=None)
@given(crush_instances(), crush_objectives())
def test_values_and_bounds_enclose_the_optimum(instance: Instance, objective: CrushObjective) -> None:
    """With time and without, a set is returned that verifies; with time, `exact` and `enumerate` prove it."""
    best = optimum_by_equations(instance, objective)
    for row in IN_PROCESS:
        for time_limit in (None, 0.0):
            solution = solve(instance, objective, row.name, time_limit=time_limit)
            verify(instance, objective, solution)
            assert solution.value <= best + 1e-7
            assert solution.bound >= best - 1e-7
            if row.exact and time_limit is None:
                assert solution.status is Status.OPTIMAL
                assert solution.value == pytest.approx(best, abs=1e-7)


@pytest.mark.parametrize(("solver", "options"), NATIVE)
@settings(max_examples=25, deadline=None)
@given(instance=crush_instances(), objective=crush_objectives())
def test_engines_prove_the_optimum(
    solver: str, options: dict[str, Any], instance: Instance, objective: CrushObjective
) -> None:
    """To the tolerance of an engine, from a start and from nothing."""
    best = optimum_by_equations(instance, objective)
    solution = solve(instance, objective, solver, **options)
    verify(instance, objective, solution)
    told_apart = instance.coverage.max(initial=0) > 1e-9  # no engine reads an instance of nothing but 2e-16
    assert solution.status is Status.OPTIMAL or not told_apart
    assert solution.value == pytest.approx(best, abs=2e-6 * max(1.0, abs(best)))


@pytest.mark.timeout(60)
def test_cp_sat_does_not_climb_by_units() -> None:
    """From this start it went on by one unit of an integer cost a step, for more than ten minutes."""
    compatibility = np.array([[0.0, 0.0, 0.5], [0.0, 0.0, 1.0], [0.5, 1.0, 0.0]])
    instance = Instance(np.zeros(3), np.zeros((0, 3)), compatibility, size=2, forbid_joins=[(0, 1)], groups=(1, 2, 0))
    objective = CrushObjective(gamma=0.01, connectivity=2.5, sharpness=1.0)
    solution = solve(instance, objective, "cpsat", start="sweep")
    assert solution.status is Status.OPTIMAL
    assert solution.value == pytest.approx(optimum_by_equations(instance, objective))


@pytest.mark.parametrize(("n", "size", "sharpness"), [(40, 4, 0.0), (30, 5, 0.02), (60, 10, 0.1), (100, 30, 1.0)])
def test_exact_and_an_engine_agree_on_many_columns(n: int, size: int, sharpness: float) -> None:
    """On problems the size of real ones, too large for enumeration."""
    instance, objective = random_columns_problem(n, 5, size, n, sharpness=sharpness)
    exact, engine = solve(instance, objective), solve(instance, objective, "cpsat", time_limit=60.0)
    assert exact.status is engine.status is Status.OPTIMAL
    assert engine.value == pytest.approx(exact.value, rel=1e-6)
    for row in IN_PROCESS:
        if row.name != "enumerate":
            solution = solve(instance, objective, row.name)
            assert solution.value <= exact.value + 1e-7
            assert solution.bound >= exact.value - 1e-7


@settings(max_examples=150, deadline=None)
@given(crush_instances(most=6), crush_objectives(), st.data())
def test_the_bound_holds_for_any_prices(instance: Instance, objective: CrushObjective, data: st.DataObject) -> None:
    """The capped tangents at any level bound every set: one step of the search, from levels out of the blue."""
    start = starting_set(instance, objective)
    levels = data.draw(st.lists(st.floats(-2.0, 3.0), min_size=instance.m, max_size=instance.m))
    blind = start._replace(value=-np.inf, level=np.array(levels, dtype=np.float64))
    bound = upper_bound(search(blind, 0.0, step_limit=1))
    assert all(value_by_equations(instance, objective, items) <= bound + 1e-9 for items in feasible_sets(instance))


@settings(max_examples=60, deadline=None)
@given(crush_instances(), crush_objectives())
def test_no_exchange_improves_a_local_optimum(instance: Instance, objective: CrushObjective) -> None:
    """Putting any other column in the place of any of the set does not help."""
    solution = solve(instance, objective, "local")
    others = set(range(instance.n)) - set(solution.items) - set(instance.exclude)
    for old in set(solution.items) - set(instance.require):
        for new in others:
            assert objective.value(instance, sorted({*solution.items, new} - {old})) <= solution.value + 1e-7


def test_limits_leave_a_bound() -> None:
    """After one node, or within a gap, the search stops with a set and a bound that enclose the optimum."""
    instance, objective = random_columns_problem(120, 8, 25, 2, sharpness=0.03, gamma=0.1)
    best = solve(instance, objective)
    assert best.status is Status.OPTIMAL
    for options in ({"node_limit": 1}, {"gap_limit": 0.1}, {"time_limit": 0.0}):
        solution = solve(instance, objective, **options)  # type: ignore[arg-type]
        assert solution.value <= best.value + 1e-9 <= solution.bound + 2e-9
    assert solve(instance, objective, gap_limit=0.1).gap <= 0.1
    with pytest.raises(SolverError, match=r"gap_limit.* is -1"):
        solve(instance, objective, gap_limit=-1)


@settings(max_examples=60, deadline=None)
@given(crush_instances(), crush_objectives(), st.data())
def test_the_order_of_columns_and_probes_changes_no_optimum(
    instance: Instance, objective: CrushObjective, data: st.DataObject
) -> None:
    """Renumbering the columns, with all that is asked of them, and the probes leaves the value."""
    order = data.draw(st.permutations(range(instance.n)))
    probes = data.draw(st.permutations(range(instance.m)))
    place = {old: new for new, old in enumerate(order)}
    other = Instance(
        np.zeros(instance.n),
        instance.coverage[probes][:, order],
        instance.compatibility[np.ix_(order, order)],
        instance.size,
        require=[place[i] for i in instance.require],
        exclude=[place[i] for i in instance.exclude],
        forbid_joins=[(place[i], place[j]) for i, j in instance.forbid_joins],
        groups=None if instance.groups is None else [instance.groups[i] for i in order],
    )
    assert solve(other, objective).value == pytest.approx(solve(instance, objective).value, abs=1e-7)


@pytest.mark.parametrize("row", CRUSH_SOLVERS, ids=lambda row: row.name)
def test_the_same_call_gives_the_same_answer(row: Any) -> None:
    """No solver depends on chance or on what it solved before."""
    problems = [random_columns_problem(14, 3, 4, seed) for seed in range(3)]
    first, second = ([replace(solve(*problem, row.name), seconds=0.0) for problem in problems] for _ in range(2))
    assert first == second


@settings(max_examples=60, deadline=None)
@given(crush_instances(most=6), crush_objectives())
def test_the_next_best_sets_come_in_order(instance: Instance, objective: CrushObjective) -> None:
    """Forbidden joins, required columns and tables stay what they are in each part of the partition."""
    values = sorted((value_by_equations(instance, objective, items) for items in feasible_sets(instance)), reverse=True)
    solutions = solve_best(instance, objective, 4)
    assert [solution.value for solution in solutions] == pytest.approx(values[:4], abs=1e-7)
    assert len({solution.items for solution in solutions}) == len(solutions) == min(4, len(values))


def test_many_instances_and_sizes_in_one_call() -> None:
    """`solve_many` and `solve_sizes` give what single calls give."""
    problems = [random_columns_problem(30, 4, 5, seed)[0] for seed in range(4)]
    objective = CrushObjective()
    many = solve_many(problems, objective, workers=2)
    assert [solution.items for solution in many] == [solve(problem, objective).items for problem in problems]
    sizes = solve_sizes(problems[0], objective, [1, 5, 30])
    assert [(size, solution.items) for size, solution in sizes.items()] == [
        (size, solve(problems[0].replace(size=size), objective).items) for size in (1, 5, 30)
    ]


def test_who_does_not_take_the_objective_says_who_does() -> None:
    """`sweep` is for columns, and the paper's program of JAR for tables."""
    instance, objective = random_columns_problem(6, 2, 2, 0)
    complaint = r"solver 'paper-mip' takes the objective 'jar', not CrushObjective; solvers that take it: exact, greedy"
    with pytest.raises(SolverError, match=complaint):
        solve(instance, objective, "paper-mip")
