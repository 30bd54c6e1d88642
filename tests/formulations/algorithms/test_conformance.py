"""Proves that every installed solver gives the hand-derived answers of the conformance kit, or an honest bound."""

from __future__ import annotations

import re
from typing import Any

import pytest
from conformance import CASES, SOLVERS, Case

from formulations import JarObjective, Solution, SolverError, SolverRow, Status, solve, verify
from formulations.objectives.protocol import OBJECTIVES

NAME = {"ids": lambda case: case.name}


def pairs(*, supported: bool) -> list[Any]:
    """Each case with each solver that takes it, or with each that does not."""
    return [
        pytest.param(case, row, id=f"{case.name}-{row.name}")
        for case in CASES
        for row in SOLVERS
        if (row.supports(case.instance, case.objective) is None) is supported
    ]


PAIRS, REFUSED = pairs(supported=True), pairs(supported=False)


def close(value: float) -> object:
    """The value, up to rounding."""
    return pytest.approx(value, rel=1e-7, abs=1e-7)


def test_the_kit_covers_every_mode() -> None:
    """Each objective and mode of connectedness is there, and so are feasible and infeasible instances."""
    assert {case.objective.name for case in CASES} == set(OBJECTIVES)
    modes = {case.objective.connect for case in CASES if isinstance(case.objective, JarObjective)}
    assert modes == {"require", "prefer", "ignore"}
    assert {case.status for case in CASES} == {Status.OPTIMAL, Status.INFEASIBLE}


@pytest.mark.parametrize("case", [case for case in CASES if case.items], **NAME)
def test_the_stated_set_has_the_stated_value(case: Case) -> None:
    """The objective gives the best set of a case the value that was derived for it."""
    assert case.objective.value(case.instance, case.items or ()) == close(case.value), case.derivation


@pytest.mark.parametrize(("case", "row"), PAIRS)
def test_a_solver_conforms(case: Case, row: SolverRow) -> None:
    """An exact solver returns the answer with proof; any other a feasible set and a valid bound."""
    check_answer(case, row, answer(case, row), proof=row.exact)


@pytest.mark.parametrize(("case", "row"), PAIRS)
def test_a_solver_conforms_without_time(case: Case, row: SolverRow) -> None:
    """With no time at all there is a set all the same, and value and bound enclose the optimum."""
    check_answer(case, row, answer(case, row, time_limit=0.0), proof=False)


@pytest.mark.parametrize(("case", "row"), PAIRS)
def test_a_solver_conforms_with_each_option(case: Case, row: SolverRow) -> None:
    """Each value of each option that the solver names gives the answer, with proof where the option allows one."""
    for name, option in row.load(case.objective.name).options.items():
        for value in option.examples:
            check_answer(case, row, answer(case, row, **{name: value}), proof=row.exact and option.proof)


@pytest.mark.parametrize(("case", "row"), REFUSED)
def test_a_solver_refuses_what_it_does_not_take(case: Case, row: SolverRow) -> None:
    """The refusal is the reason that `supports` gives."""
    with pytest.raises(SolverError, match=re.escape(str(row.supports(case.instance, case.objective)))):
        solve(case.instance, case.objective, row.name)


def answer(case: Case, row: SolverRow, **options: Any) -> Solution:
    """The verified solution."""
    solution = solve(case.instance, case.objective, row.name, **options)
    verify(case.instance, case.objective, solution)
    assert solution.solver == row.name
    return solution


def check_answer(case: Case, row: SolverRow, solution: Solution, *, proof: bool) -> None:
    """The answer of the case with proof, or what can be said without."""
    if proof:
        assert solution.status is case.status, f"{row.name}: {case.derivation}"
    if case.feasible:
        check_bracketed(case, solution)
    else:
        check_nothing_found(solution)


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
