"""Proves that every installed solver gives the hand-derived answers of the conformance kit, or an honest bound."""

from __future__ import annotations

import pytest
from conformance import CASES, SOLVERS, Case

from formulations import Solution, SolverError, SolverRow, Status, solve, verify

NAME = {"ids": lambda case: case.name}


def close(value: float) -> object:
    """The value, up to rounding."""
    return pytest.approx(value, rel=1e-7, abs=1e-7)


def test_the_kit_covers_every_mode() -> None:
    """Each mode of connectedness is there, and so are feasible and infeasible instances."""
    assert {case.objective.connect for case in CASES} == {"require", "prefer", "ignore"}
    assert {case.status for case in CASES} == {Status.OPTIMAL, Status.INFEASIBLE}


@pytest.mark.parametrize("case", [case for case in CASES if case.items], **NAME)
def test_the_stated_set_has_the_stated_value(case: Case) -> None:
    """The objective gives the best set of a case the value that was derived for it."""
    assert case.objective.value(case.instance, case.items or ()) == close(case.value), case.derivation


@pytest.mark.parametrize("row", SOLVERS, ids=lambda row: row.name)
@pytest.mark.parametrize("case", CASES, **NAME)
def test_a_solver_conforms(case: Case, row: SolverRow) -> None:
    """An exact solver returns the answer with proof; any other a feasible set and a valid bound."""
    solution = answer(case, row, None)
    if row.exact:
        assert solution.status is case.status, case.derivation
    if case.feasible:
        check_bracketed(case, solution)
    else:
        check_nothing_found(solution)


@pytest.mark.parametrize("row", SOLVERS, ids=lambda row: row.name)
@pytest.mark.parametrize("case", CASES, **NAME)
def test_a_solver_conforms_without_time(case: Case, row: SolverRow) -> None:
    """With no time at all there is a set all the same, and value and bound enclose the optimum."""
    solution = answer(case, row, 0.0)
    if not case.feasible:
        check_nothing_found(solution)
    elif row.columns and solution.status is Status.UNKNOWN:
        # The paper's program is solved as it stands, from nothing: it may have no set, but what it says must hold.
        assert solution.bound >= case.value - 1e-7
    else:
        check_bracketed(case, solution)


def answer(case: Case, row: SolverRow, time_limit: float | None) -> Solution:
    """The verified solution; a solver may have no other modes than those of the paper, and says so."""
    try:
        solution = solve(case.instance, case.objective, row.name, time_limit=time_limit)
    except SolverError as refusal:
        if case.objective.connect != "prefer" or "has no connect='prefer'" not in str(refusal):
            raise
        pytest.skip(f"{row.name} has no connect='prefer', and says so")
    verify(case.instance, case.objective, solution)
    assert solution.solver == row.name
    return solution


def check_nothing_found(solution: Solution) -> None:
    """No set is found where there is none; to prove that may take time."""
    assert solution.items == ()
    assert solution.status in (Status.INFEASIBLE, Status.UNKNOWN)


def check_bracketed(case: Case, solution: Solution) -> None:
    """There is a set, value and bound enclose the optimum, and a proof is one of a best set."""
    slack = 1e-7 * max(1.0, abs(case.value))
    assert solution.items
    assert solution.value <= case.value + slack, case.derivation
    assert solution.bound >= case.value - slack, case.derivation
    if solution.status is Status.OPTIMAL:
        assert solution.value == close(case.value), case.derivation
        assert solution.bound == close(case.value), case.derivation
        assert case.items in (None, solution.items)
