"""Proves that one call for many problems gives what many calls give, in order, and says which of them failed."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from formulation_problems import instances, objectives, random_problem
from hypothesis import given, settings

from formulations import (
    ColumnProblem,
    Instance,
    InvalidInstanceError,
    JarObjective,
    Solution,
    SolverError,
    UnknownSolverError,
    solve,
    solve_many,
    solve_sizes,
    sweeps,
    verify,
)
from formulations.algorithms import paper_mip

OBJECTIVE = JarObjective()
MANY = [random_problem(6 + seed, 2, 3, seed)[0] for seed in range(12)]
TOO_LARGE = random_problem(40, 1, 20, 0)[0]
"""`enumerate` refuses it."""


def timeless(solution: Any) -> Any:
    """The solution, or error, without what differs from call to call."""
    return replace(solution, seconds=0.0) if isinstance(solution, Solution) else str(solution)


@settings(max_examples=60, deadline=None)
@given(instances(), objectives())
def test_all_sizes_are_those_of_separate_calls(instance: Instance, objective: JarObjective) -> None:
    """In all modes, with required and excluded tables; some sizes have no set."""
    solutions = solve_sizes(instance, objective)
    assert list(solutions) == list(range(max(1, len(instance.require)), instance.size + 1))
    for size, solution in solutions.items():
        problem = instance.replace(size=size)
        verify(problem, objective, solution)
        assert timeless(solution) == timeless(solve(problem, objective))


def test_sizes_come_in_the_order_asked_for() -> None:
    """Beyond the size of the instance, too, and by any solver."""
    solutions = solve_sizes(MANY[4], OBJECTIVE, (7, 2), "enumerate")
    assert [(size, len(solution.items), solution.solver) for size, solution in solutions.items()] == [
        (7, 7, "enumerate"),
        (2, 2, "enumerate"),
    ]


def test_a_size_out_of_range_is_refused() -> None:
    """Before anything is solved, by the check of `Instance`."""
    instance = MANY[0].replace(require=[0, 1], exclude=[2])
    for size in (0, 1, 6):
        with pytest.raises(InvalidInstanceError, match=r"size|require|exclude"):
            solve_sizes(instance, OBJECTIVE, [2, size])


def test_a_column_problem_has_sizes() -> None:
    """It is reduced once."""
    problem = ColumnProblem([0.5, 0.4, 0.3], [[0.1, 0.7, 0.2]], [0, 0, 2], [[0.0] * 3] * 3, 2)
    expected = solve_sizes(problem.reduce().instance, OBJECTIVE)
    assert {size: timeless(solution) for size, solution in solve_sizes(problem, OBJECTIVE).items()} == {
        size: timeless(solution) for size, solution in expected.items()
    }


def test_a_solver_for_columns_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """All sizes, and the best sets, by the paper's program over the columns, not over their reduction."""

    def refuse(instance: Instance) -> ColumnProblem:
        raise AssertionError("the columns are gone")

    monkeypatch.setattr(paper_mip, "column_problem", refuse)
    joins = [[0.0, 0.0, 0.4], [0.0, 0.0, 0.9], [0.4, 0.9, 0.0]]
    problem = ColumnProblem([0.5, 0.4, 0.3], [[0.1, 0.7, 0.2]], [0, 0, 2], joins, 2, require=[0])
    objective = JarObjective(connect="require")
    for size, solution in solve_sizes(problem, objective, solver="paper-mip").items():
        assert solution.items == solve(problem.replace(size=size), objective).items
    solutions = solve(problem.replace(require=[], size=1), objective, "paper-mip", solutions=3)
    assert [solution.items for solution in solutions] == [
        solution.items for solution in solve(problem.replace(require=[], size=1), objective, solutions=3)
    ]


@pytest.mark.parametrize("workers", [None, 1, 2, 5, 99])
@pytest.mark.parametrize("solver", ["exact", "local", "enumerate"])
def test_many_are_those_of_a_loop(solver: str, workers: int | None) -> None:
    """In the order of the instances, for any number of threads."""
    expected = [timeless(solve(instance, OBJECTIVE, solver)) for instance in MANY]
    solutions = solve_many(iter(MANY), OBJECTIVE, solver, workers=workers)
    assert [timeless(solution) for solution in solutions] == expected


def test_the_order_is_kept_when_the_first_takes_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first solve waits for the last one."""
    last = threading.Event()
    original = sweeps.solve_one

    def slow_first(instance: Instance, *arguments: Any) -> Solution:
        if instance is MANY[0]:
            assert last.wait(30.0)
        if instance is MANY[-1]:
            last.set()
        return original(instance, *arguments)

    monkeypatch.setattr(sweeps, "solve_one", slow_first)
    solutions = solve_many(MANY, OBJECTIVE, workers=2)
    assert [timeless(solution) for solution in solutions] == [timeless(solve(instance, OBJECTIVE)) for instance in MANY]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_names_its_instance(workers: int) -> None:
    """The first in the order of the instances is raised, with its cause; or each is returned in its place."""
    problems = [MANY[0], TOO_LARGE, MANY[1], TOO_LARGE]
    with pytest.raises(SolverError, match=r"^instance 1: enumerate would try .* use the solver 'exact'") as raised:
        solve_many(problems, OBJECTIVE, "enumerate", workers=workers)
    assert isinstance(raised.value.__cause__, SolverError)
    solutions = solve_many(problems, OBJECTIVE, "enumerate", workers=workers, on_error="return")
    assert [type(answer) for answer in solutions] == [Solution, SolverError, Solution, SolverError]
    assert str(solutions[3]).startswith("instance 3: ")
    assert isinstance(solutions[3], SolverError)
    assert isinstance(solutions[3].__cause__, SolverError)


def test_a_fallback_answers_for_those_that_fail() -> None:
    """The others keep their solver."""
    solutions = solve_many([MANY[0], TOO_LARGE], OBJECTIVE, "enumerate", fallback="exact")
    assert [solution.solver for solution in solutions] == ["enumerate", "enumerate->exact"]


def test_options_and_limits_reach_every_instance() -> None:
    """A time limit is one for each instance; an unknown option is an error of the first."""
    solutions = solve_many(MANY, OBJECTIVE, time_limit=60.0, gap_limit=0.0)
    assert [solution.gap for solution in solutions] == [0.0] * len(MANY)
    with pytest.raises(SolverError, match="instance 0: solver 'exact' has no option 'solutions'"):
        solve_many(MANY, OBJECTIVE, solutions=3)


def test_nothing_to_solve_is_an_empty_list() -> None:
    """No instance, no solution."""
    assert solve_many([], OBJECTIVE) == []


def test_bad_arguments_are_refused() -> None:
    """Whatever the instances are."""
    with pytest.raises(UnknownSolverError, match="unknown solver 'exakt'"):
        solve_many([], OBJECTIVE, "exakt")
    with pytest.raises(SolverError, match="workers is 0; pass a whole number >= 1"):
        solve_many(MANY, OBJECTIVE, workers=0)
    with pytest.raises(SolverError, match=r"workers is 1\.5; pass a whole number >= 1"):
        solve_many(MANY, OBJECTIVE, workers=1.5)
    with pytest.raises(InvalidInstanceError, match="instances: is 3; pass a list of instances"):
        solve_many(3, OBJECTIVE)
    with pytest.raises(SolverError, match="on_error is 'ignore'; choose one of raise, return"):
        solve_many(MANY, OBJECTIVE, on_error="ignore")
