"""Proves that `solve` refuses bad arguments with a remedy, and lets no solution out that is not what it claims."""

from __future__ import annotations

import math
import re
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
    SolverOptionError,
    Status,
    UnknownSolverError,
    solve,
    solving,
    warm_up,
)
from formulations.kernels.tables import entries
from formulations.registry import Solver
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

    def load_solver(name: str, objective: str) -> Any:
        def run(instance: Instance, objective: JarObjective, time_limit: float | None) -> Outcome:
            return outcome

        return Solver(run, lambda problem, objective: None, {})

    monkeypatch.setattr(solving, "load_solver", load_solver)


def test_after_warming_up_nothing_is_left_to_compile() -> None:
    """The searches have the machine code that other instances need too, and a second call adds none."""
    warm_up()
    compiled = [len(function.machine.signatures) for function in (entries.begin, entries.run, entries.sweep)]
    assert all(compiled)
    solve(*random_problem(30, 3, 5, 0))
    warm_up()
    assert compiled == [len(function.machine.signatures) for function in (entries.begin, entries.run, entries.sweep)]


@pytest.mark.parametrize(
    ("solver", "options", "complaint"),
    [
        ("exact", {"time_limit": "1"}, "time_limit is '1'; pass seconds >= 0"),
        ("exact", {"gap_limit": "small"}, "'gap_limit' of solver 'exact' is 'small'; pass a number >= 0"),
        ("exact", {"gap_limit": -1}, "'gap_limit' of solver 'exact' is -1; pass a number >= 0"),
        ("exact", {"gap_limit": None}, "'gap_limit' of solver 'exact' is None; pass a number >= 0"),
        ("exact", {"gap_limit": math.nan}, "'gap_limit' of solver 'exact' is nan; pass a number >= 0"),
        ("exact", {"node_limit": 1.5}, "'node_limit' of solver 'exact' is 1.5; pass a whole number >= 1, or None"),
        ("exact", {"node_limit": True}, "'node_limit' of solver 'exact' is True; pass a whole number >= 1, or None"),
        ("enumerate", {"sets_limit": 0}, "'sets_limit' of solver 'enumerate' is 0; pass a whole number >= 1"),
        ("mip", {"engine": "cplex"}, "'mip' is 'cplex'; pass one of 'highs', 'cbc', 'gurobi'"),
        ("mip", {"threads": -1}, "'threads' of solver 'mip' is -1; pass a whole number from 0 to 256"),
        ("cpsat", {"start": "mip"}, "'start' of solver 'cpsat' is 'mip'; pass one of 'exact', 'greedy', 'local',"),
        ("paper-mip", {"big_m": 0.5}, "'big_m' of solver 'paper-mip' is 0.5; pass a number >= 1, or None"),
        ("paper-mip", {"big_m": math.inf}, "'big_m' of solver 'paper-mip' is inf; pass a number >= 1, or None"),
        ("exact", {"gap_limt": 0.1}, "'exact' has no option 'gap_limt'"),
        ("exact", {"solutions": "two"}, "solutions is 'two'; pass a whole number"),
    ],
)
def test_a_mistaken_option_is_no_case_for_the_fallback(solver: str, options: dict[str, Any], complaint: str) -> None:
    """What the caller wrote is wrong: it is said, not answered by another solver without it."""
    with pytest.raises(SolverOptionError, match=re.escape(complaint)):
        solve(*random_problem(5, 1, 2, 0), solver, fallback="enumerate", **options)


def test_what_is_no_problem_is_said_to_be_none() -> None:
    """A list in the place of an instance is named for what it is."""
    with pytest.raises(SolverError, match="the problem is a list; pass an Instance or a ColumnProblem"):
        solve([1.0], JarObjective())  # type: ignore[arg-type]


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
