"""Proves that the linear form of CRUSH bounds every set, and is exact at those that were cut off.

Each set is fixed in the program in turn, and what the program leaves it is found by scipy's own solver.
"""

from __future__ import annotations

import numpy as np
import pytest
from crush_oracles import feasible_sets, value_by_equations
from crush_problems import crush_instances, crush_objectives, random_columns_problem
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array

from formulations import CrushObjective, Instance
from formulations.programs.crush_program import CrushProgram, psi
from formulations.programs.program import Program


def best_with(cutting: CrushProgram, items: tuple[int, ...]) -> float:
    """The most that the program leaves a set."""
    program = cutting.program()
    fixed = cutting.encode(items) > 0.5
    selected = cutting.decode(np.ones(len(program.cost)))
    lower, upper = program.lower.copy(), program.upper.copy()
    # The columns of the items come first, in ascending order.
    for column, item in enumerate(selected):
        assert fixed[column] == (item in items)
        lower[column] = upper[column] = float(item in items)
    rows = csr_array((program.coefficient, program.index, program.start), shape=program.shape).toarray()
    # Columns in units, and their rows, are brought back to the size of the others: a solver has tolerances.
    units = np.where(program.cost == cutting.unit, cutting.unit, 1.0)
    scale = np.where((rows[:, units < 1.0] != 0.0).any(axis=1), cutting.unit, 1.0)
    coefficients, rhs = rows * scale[:, None] / units, program.rhs * scale
    whole = program.integer & (units == 1.0)
    least, most = lower * units, upper * units
    answer = milp(
        -program.cost / units,
        integrality=whole,
        bounds=Bounds(least, most),
        constraints=LinearConstraint(coefficients, np.where(program.equal, rhs, -np.inf), rhs),
    )
    assert answer.status == 0
    # The engine lets a row of a program with integers miss by 1e-6; with these fixed it can be told to be exact.
    least[whole] = most[whole] = np.round(answer.x[whole])
    equal = program.equal
    answer = linprog(
        -program.cost / units,
        coefficients[~equal], rhs[~equal], coefficients[equal], rhs[equal],
        bounds=np.column_stack([least, most]),
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )  # fmt: skip
    assert answer.status == 0
    return float(-answer.fun) + cutting.constant


def satisfies(program: Program, x: np.ndarray) -> bool:
    """Whether x keeps all bounds and rows."""
    rows = np.repeat(np.arange(len(program.rhs)), np.diff(program.start))
    left = np.bincount(rows, program.coefficient * x[program.index], minlength=len(program.rhs))
    kept = np.where(program.equal, np.abs(left - program.rhs) <= 1e-9, left <= program.rhs + 1e-9)
    return bool(kept.all() and (x >= program.lower).all() and (x <= program.upper).all())


@settings(max_examples=80, deadline=None)
@given(crush_instances(most=5), crush_objectives(), st.booleans())
def test_the_program_bounds_each_set_and_cuts_make_it_exact(
    instance: Instance, objective: CrushObjective, integral: bool
) -> None:
    """Before the cuts, and after those of any other set, no set loses; after its own, it gains nothing."""
    cutting = CrushProgram(instance, objective, integral=integral)
    slack = (3 * instance.size + 2) * (instance.m + instance.size) * cutting.unit if integral else 1e-9
    for items in list(feasible_sets(instance))[:4]:
        value = value_by_equations(instance, objective, items)
        assert best_with(cutting, items) >= value - 1e-6
        cut = cutting.cut_off(items)
        assert cut or not instance.m
        assert best_with(cutting, items) == pytest.approx(value, abs=1e-6 + slack)
        assert not cutting.cut_off(items)


@settings(max_examples=80, deadline=None)
@given(crush_instances(most=6), crush_objectives(), st.booleans())
def test_each_set_is_a_solution_at_its_value(instance: Instance, objective: CrushObjective, integral: bool) -> None:
    """Encoding a set satisfies every row, with the cuts of other sets too, and costs what the set is worth."""
    cutting = CrushProgram(instance, objective, integral=integral)
    sets = list(feasible_sets(instance))
    for items in sets[:3]:
        cutting.cut_off(items)
    program = cutting.program()
    for items in sets[:6]:
        x = cutting.encode(items)
        assert satisfies(program, x)
        value = value_by_equations(instance, objective, items)
        slack = (instance.m + instance.size) * cutting.unit if integral else 1e-9
        assert program.cost @ x + cutting.constant == pytest.approx(value, abs=1e-9 + slack)
        assert cutting.decode(x) == items


def test_an_engine_that_counts_is_given_integers() -> None:
    """Every column and every coefficient of a row, cuts included."""
    instance, objective = random_columns_problem(12, 3, 4, 0)
    cutting = CrushProgram(instance, objective, integral=True)
    cutting.cut_off((0, 1, 2, 3))
    program = cutting.program()
    assert program.integer.all()
    for array in (program.coefficient, program.rhs, program.lower, program.upper):
        assert (array == np.rint(array)).all()


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.floats(-3.0, 3.0), min_size=1, max_size=6),
    st.floats(-4.0, 4.0),
    st.sampled_from([0.0, 1e-3, 0.05, 1.0, 5.0]),
)
def test_capped_tangents_bound_the_soft_maximum(values: list[float], level: float, t: float) -> None:
    """level - t + sum psi(s - level) is no less than smx(s), and equal where the level is smx(s)."""

    def bound(level: float) -> float:
        return level - t + float(psi(np.array(values) - level, t).sum())

    top = max(values)
    exact = top if t == 0 else top + t * float(np.log(np.exp((np.array(values) - top) / t).sum()))
    assert bound(level) >= exact - 1e-9
    assert bound(exact) == pytest.approx(exact, abs=1e-9)
