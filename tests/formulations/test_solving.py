"""Proves that `solve` refuses bad arguments with a remedy, and lets no solution out that is not what it claims."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formulation_problems import random_problem

from formulations import (
    ColumnProblem,
    Instance,
    JarObjective,
    SolverError,
    Status,
    UnknownSolverError,
    solve,
    solving,
    warm_up,
)
from formulations.solution import Outcome

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = random_problem(8, 2, 3, 0)
OPTIMUM = solve(*PROBLEM)


def test_an_unknown_solver_is_answered_with_the_known_ones() -> None:
    """The error lists the registry."""
    with pytest.raises(UnknownSolverError, match=r"unknown solver 'exakt'; known solvers: exact, greedy, local"):
        solve(*PROBLEM, "exakt")


def test_an_unknown_option_is_answered_with_the_known_ones() -> None:
    """A misspelt option is not ignored."""
    with pytest.raises(SolverError, match="'exact' has no option 'gap'; its options: gap_limit, node_limit"):
        solve(*PROBLEM, gap=0.1)
    with pytest.raises(SolverError, match="'greedy' has no option 'gap'; its options: none"):
        solve(*PROBLEM, "greedy", gap=0.1)


@pytest.mark.parametrize("time_limit", [-1.0, math.nan])
def test_a_time_limit_is_a_number_of_seconds(time_limit: float) -> None:
    """Negative and not-a-number limits are refused."""
    with pytest.raises(SolverError, match="time_limit"):
        solve(*PROBLEM, time_limit=time_limit)


@pytest.mark.parametrize(
    ("items", "complaint"),
    [
        (OPTIMUM.items, None),
        ((0, 1), "2 items where 3 are asked for"),
        ((0, 1, 99), "not different tables"),
        ((), "status optimal with 0 items"),
    ],
)
def test_a_wrong_set_is_never_returned(
    monkeypatch: pytest.MonkeyPatch, items: tuple[int, ...], complaint: str | None
) -> None:
    """What a solver returns is checked, whoever it is."""
    claim(monkeypatch, Outcome(items, OPTIMUM.value, OPTIMUM.bound, Status.OPTIMAL))
    if complaint is None:
        assert solve(*PROBLEM).items == items
    else:
        with pytest.raises(SolverError, match=complaint):
            solve(*PROBLEM)


@pytest.mark.parametrize(
    ("value", "bound", "status", "complaint"),
    [
        (OPTIMUM.value + 1.0, OPTIMUM.bound + 1.0, Status.OPTIMAL, "claims the value"),
        (math.nan, OPTIMUM.bound, Status.OPTIMAL, "claims the value nan"),
        (OPTIMUM.value, OPTIMUM.bound + 1.0, Status.OPTIMAL, "optimal, but the bound"),
        (OPTIMUM.value, math.nan, Status.FEASIBLE, "claims the bound nan"),
        (OPTIMUM.value, OPTIMUM.bound - 1.0, Status.FEASIBLE, "is below the value"),
    ],
)
def test_a_wrong_claim_is_never_returned(
    monkeypatch: pytest.MonkeyPatch, value: float, bound: float, status: Status, complaint: str
) -> None:
    """Value and bound are compared with the set."""
    claim(monkeypatch, Outcome(OPTIMUM.items, value, bound, status))
    with pytest.raises(SolverError, match=complaint):
        solve(*PROBLEM)


def test_nothing_found_and_nothing_proven_is_said() -> None:
    """Status `unknown` has an infinite gap and keeps the bound."""
    solution = solving._empty(Outcome((), -math.inf, 7.0, Status.UNKNOWN), "exact", 0.0)
    assert (solution.items, solution.value, solution.bound, solution.gap) == ((), -math.inf, 7.0, math.inf)


def claim(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> None:
    """Put a solver in the place of all others that returns what it is told."""

    def load_solver(name: str) -> Any:
        def run(instance: Instance, objective: JarObjective, time_limit: float | None) -> Outcome:
            return outcome

        return run

    monkeypatch.setattr(solving, "load_solver", load_solver)


def test_warming_up_can_be_repeated() -> None:
    """A second call finds everything ready."""
    warm_up()
    warm_up()


def test_a_fallback_answers_in_the_place_of_a_solver_that_refuses() -> None:
    """What was asked and who answered are both in the name; without a fallback the refusal is an error."""
    problem = random_problem(30, 1, 10, 0)
    with pytest.raises(SolverError, match="use the solver 'exact'"):
        solve(*problem, "enumerate")
    solution = solve(*problem, "enumerate", fallback="exact")
    assert solution.solver == "enumerate->exact"
    assert solution.value == solve(*problem).value


def test_a_fallback_does_not_hide_a_spelling_mistake() -> None:
    """Both names are checked before anyone answers."""
    with pytest.raises(UnknownSolverError, match="'exakt'"):
        solve(*PROBLEM, "exakt", fallback="greedy")
    with pytest.raises(UnknownSolverError, match="'greedi'"):
        solve(*PROBLEM, "exact", fallback="greedi")


def test_a_column_problem_is_solved_as_its_reduction() -> None:
    """Whoever takes tables is given the reduced instance."""
    problem = ColumnProblem([0.5, 0.4, 0.3], [[0.1, 0.7, 0.2]], [0, 0, 2], 0.9 * (1.0 - np.eye(3)), 2)
    for solver in ("exact", "greedy", "local", "enumerate"):
        assert solve(problem, JarObjective(), solver).value == solve(problem.reduce().instance, JarObjective()).value


def test_what_needs_no_compiler_loads_none() -> None:
    """Instances, the registry and enumeration work without numba or scipy's optimisers in memory."""
    code = (
        "import sys; from formulations import *; print(solvers()); "
        "solve(Instance([1.0, 0.5], [], [[0, 1], [1, 0]], 1), JarObjective(), 'enumerate'); "
        "print(sorted({'numba', 'scipy.optimize', 'mip', 'ortools', 'highspy'} & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.splitlines()[-1] == "[]"
