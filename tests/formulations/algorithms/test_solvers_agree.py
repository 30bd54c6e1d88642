"""Proves what must hold of any two answers: equal problems have equal optima, and related problems related ones.

No oracle is needed here, so that real instances over whole corpora can be put to the same questions as tiny ones.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from conformance import FOLDER, JAR_SOLVERS
from formulation_problems import instances, objectives, random_problem
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from formulations import Instance, JarObjective, SolverRow, load_problem, solve, verify

CORPORA = sorted(path for size in ("n75", "n81") for path in FOLDER.parent.glob(f"*-{size}-*.json"))
IN_PROCESS = [row.name for row in JAR_SOLVERS if not row.needs and row.name != "enumerate"]
SLACK = 1e-7


def optimum(instance: Instance, objective: JarObjective) -> float:
    """The value that `exact` proves, ``-inf`` where nothing is feasible."""
    return solve(instance, objective).value


def close(value: float) -> object:
    """The value, up to rounding."""
    return pytest.approx(value, rel=SLACK, abs=SLACK)


def renumbered(instance: Instance, order: list[int]) -> Instance:
    """The instance with the tables in another order."""
    place = {old: new for new, old in enumerate(order)}
    return Instance(
        instance.relevance[order],
        instance.coverage[:, order],
        instance.compatibility[np.ix_(order, order)],
        instance.size,
        require=[place[i] for i in instance.require],
        exclude=[place[i] for i in instance.exclude],
        forbid_joins=[(place[i], place[j]) for i, j in instance.forbid_joins],
    )


@settings(max_examples=100, deadline=None)
@given(instances(), objectives(), st.data())
def test_the_order_of_tables_and_sub_queries_changes_no_optimum(
    instance: Instance, objective: JarObjective, data: st.DataObject
) -> None:
    """Renumbering the tables, with all that is asked of them, and the sub-queries leaves the value."""
    tables = data.draw(st.permutations(range(instance.n)))
    subqueries = data.draw(st.permutations(range(instance.m)))
    other = renumbered(instance, tables)
    other = other.replace(coverage=other.coverage[subqueries])
    assert optimum(other, objective) == close(optimum(instance, objective))


@settings(max_examples=100, deadline=None)
@given(instances(), objectives(), st.sampled_from([1e-3, 0.5, 3.0, 1e3]))
def test_scaling_the_objective_scales_the_optimum(instance: Instance, objective: JarObjective, factor: float) -> None:
    """The value is linear in the weights and the link together."""
    weights = {name: getattr(objective, name) * factor for name in ("coarse", "fine", "coverage", "join", "link")}
    assert optimum(instance, replace(objective, **weights)) == pytest.approx(
        factor * optimum(instance, objective), rel=1e-6, abs=1e-6 * factor
    )


@settings(max_examples=60, deadline=None)
@given(instances(), objectives(), st.sampled_from([-2.0, 0.25, 100.0]))
def test_a_constant_on_every_relevance_is_earned_by_each_table(
    instance: Instance, objective: JarObjective, constant: float
) -> None:
    """Shifting the relevance shifts the value by K times as much, whichever its sign."""
    shifted = instance.replace(relevance=instance.relevance + constant)
    expected = optimum(instance, objective) + objective.coarse * constant * instance.size
    assert optimum(shifted, objective) == close(expected)


@settings(max_examples=100, deadline=None)
@given(instances(), objectives(), st.data())
def test_a_table_is_in_the_best_set_or_it_is_not(
    instance: Instance, objective: JarObjective, data: st.DataObject
) -> None:
    """The optimum is the better of the two with one table required and with it excluded."""
    free = sorted(set(range(instance.n)) - {*instance.require, *instance.exclude})
    assume(len(instance.require) < instance.size < instance.n - len(instance.exclude))
    table = data.draw(st.sampled_from(free))
    inside = optimum(instance.replace(require=[*instance.require, table]), objective)
    outside = optimum(instance.replace(exclude=[*instance.exclude, table]), objective)
    assert max(inside, outside) == close(optimum(instance, objective))


@settings(max_examples=100, deadline=None)
@given(instances(constraints=False), objectives(), st.data())
def test_a_forbidden_join_is_a_join_of_no_weight(
    instance: Instance, objective: JarObjective, data: st.DataObject
) -> None:
    """Taking a join out by `forbid_joins` or out of the matrix is the same, and never helps."""
    assume(instance.n > 1)
    i, j = data.draw(st.sampled_from(list(combinations(range(instance.n), 2))))
    joins = instance.compatibility.copy()
    joins[i, j] = joins[j, i] = 0.0
    forbidden = optimum(instance.replace(forbid_joins=[(i, j)]), objective)
    assert forbidden == close(optimum(instance.replace(compatibility=joins), objective))
    assert forbidden <= optimum(instance, objective) + SLACK


@settings(max_examples=100, deadline=None)
@given(instances(), objectives())
def test_the_modes_are_ordered(instance: Instance, objective: JarObjective) -> None:
    """Joins that are preferred earn at least what those that are required, or ignored, earn."""
    required, preferred, ignored = (
        optimum(instance, replace(objective, connect=connect)) for connect in ("require", "prefer", "ignore")
    )
    assert max(required, ignored) <= preferred + SLACK


@pytest.mark.parametrize("row", JAR_SOLVERS, ids=lambda row: row.name)
@pytest.mark.parametrize("connect", ["require", "ignore"])
def test_the_same_call_gives_the_same_answer(row: SolverRow, connect: str) -> None:
    """No solver depends on chance or on what it solved before."""
    problems = [random_problem(9, 3, 4, seed, 0.6, connect=connect) for seed in range(3)]
    first, second = ([replace(solve(*problem, row.name), seconds=0.0) for problem in problems] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("connect", ["require", "prefer", "ignore"])
@pytest.mark.parametrize("path", CORPORA, ids=lambda path: path.stem)
def test_values_and_bounds_over_a_corpus_enclose_one_optimum(path: Path, connect: str) -> None:
    """On real questions over all tables, no solver's value exceeds any other's bound, with time or without."""
    instance, objective = load_problem(path)
    objective = replace(objective, connect=connect)
    exact = solve(instance, objective)
    for solver in IN_PROCESS:
        for time_limit in (None, 0.0):
            solution = solve(instance, objective, solver, time_limit=time_limit)
            verify(instance, objective, solution)
            assert solution.items
            assert solution.value <= exact.value + SLACK
            assert solution.bound >= exact.value - SLACK
    assert exact.gap == 0.0
    assert -math.inf < exact.value
