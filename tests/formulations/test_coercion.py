"""Proves that numbers and arrays are converted once, at the door: no machine code is made for another kind of them."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from formulation_problems import random_problem

from formulations import (
    ColumnProblem,
    CrushObjective,
    Instance,
    JarObjective,
    SolverError,
    solve,
    solve_sizes,
    warm_up,
)
from formulations.coercion import number_in_range, real_number, whole_number
from formulations.errors import SolverOptionError
from formulations.kernels.columns import entries as crush_entries
from formulations.kernels.tables import entries

COMPILED = [entries.begin, entries.sweep, entries.run]
COMPILED_CRUSH = [crush_entries.greedy_set, crush_entries.exchanged_set, crush_entries.swept_set, crush_entries.run]


def signatures() -> list[int]:
    """How many versions there are of each compiled function."""
    return [len(function.machine.signatures) for function in (*COMPILED, *COMPILED_CRUSH)]


def variants(instance: Instance) -> list[Instance]:
    """The same numbers in arrays of other layouts and kinds."""
    arrays = (instance.relevance, instance.coverage, instance.compatibility)
    columns = [np.asfortranarray(array) for array in arrays]
    strided = [np.repeat(array, 2, axis=-1)[..., ::2] for array in arrays]
    lists = [array.tolist() for array in arrays]
    return [Instance(*given, np.int32(instance.size)) for given in (columns, strided, lists)]


def test_no_layout_and_no_kind_of_number_is_compiled_anew() -> None:
    """Arrays by columns, with steps, of lists; one sub-query and one table; options of numpy's kinds."""
    warm_up()
    warm_up(CrushObjective())
    for solver in ("exact", "local", "greedy"):
        solve(*random_problem(70, 2, 4, 0), solver)
        solve(random_problem(70, 2, 4, 0)[0], CrushObjective(), solver)
    solve(random_problem(6, 2, 2, 0)[0], CrushObjective(), "sweep")
    before = signatures()
    for n, m in ((6, 2), (6, 1), (6, 0), (1, 1), (70, 1)):
        for instance in variants(random_problem(n, m, max(1, n // 3), n)[0]):
            for weights in (instance.weights, instance.coverage, JarObjective().join_weights(instance)):
                assert weights.flags.c_contiguous
            limits: dict[str, Any] = {"gap_limit": np.float32(0.0), "node_limit": np.int32(9)}
            for objective in (JarObjective(), JarObjective(connect="ignore", coarse=np.int8(3)), CrushObjective()):
                solve(instance, objective, time_limit=np.float32(9.0), **limits)
                solve(instance, objective, "local", time_limit=np.int64(9))
                solve(instance, objective, "greedy")
            solve(instance, CrushObjective(), "sweep")
    assert signatures() == before


def test_columns_are_kept_by_rows() -> None:
    """Arrays by columns in a column-level problem are those of its reduction, by rows."""
    random = np.random.default_rng(0)
    joins = np.triu(random.random((6, 6)), 1)
    fine, joinability = np.asfortranarray(random.random((2, 6))), np.asfortranarray(joins + joins.T)
    problem = ColumnProblem([1.0, 2.0, 3.0], fine, [0, 0, 1, 1, 2, 2], joinability, 2)
    reduced = problem.reduce().instance
    arrays = (problem.fine, problem.joinability, reduced.coverage, reduced.weights)
    assert all(array.flags.c_contiguous for array in arrays)


def test_numbers_become_python_s_own() -> None:
    """Each kind of number, and what is none."""
    assert [type(real_number(value)) for value in (1, 1.5, np.float32(2), np.int8(3), np.float64(4))] == [float] * 5
    assert [real_number(value) for value in (True, "1", None, 10**400, np.bool_(1), 1j)] == [None] * 6
    assert [type(whole_number(value)) for value in (1, np.int64(2), np.uint8(3))] == [int] * 3
    assert [whole_number(value) for value in (True, 1.0, "1", None, np.bool_(1), np.float64(2))] == [None] * 6
    assert number_in_range(float("nan"), 0.0, 1.0) is None


def test_an_objective_of_numpy_s_numbers_goes_to_json() -> None:
    """Its parameters are floats."""
    instance = random_problem(4, 1, 2, 0)[0]
    objective = JarObjective(coarse=np.float32(3), link=np.int64(1), match_limit=2)
    assert json.loads(instance.to_json(objective=objective))["objective"]["coarse"] == 3.0
    assert json.loads(instance.to_json(objective=CrushObjective(gamma=np.float32(0.5))))["objective"]["gamma"] == 0.5


@pytest.mark.parametrize(
    ("solver", "options"),
    [
        ("exact", {"time_limit": 10**400}),
        ("exact", {"time_limit": True}),
        ("exact", {"gap_limit": 10**400}),
        ("exact", {"gap_limit": True}),
        ("exact", {"node_limit": 10**30}),
        ("enumerate", {"sets_limit": 2.0}),
        ("mip", {"threads": 10**6}),
        ("cpsat", {"threads": 257}),
        ("paper-mip", {"big_m": 10**400}),
        ("exact", {"solutions": True}),
        ("exact", {"solutions": 2.0}),
    ],
)
def test_numbers_out_of_range_are_refused(solver: str, options: dict[str, Any]) -> None:
    """As mistakes of the caller, with what to pass."""
    with pytest.raises(SolverOptionError, match="pass"):
        solve(*random_problem(4, 1, 2, 0, connect="require"), solver, **options)


@pytest.mark.parametrize("solver", ["mip", "cpsat", "paper-mip"])
def test_native_engines_take_numpy_s_numbers(solver: str) -> None:
    """A time limit and a number of threads of any kind, and no limit at all."""
    problem = random_problem(5, 2, 2, 1, 1.0, connect="require")
    for time_limit in (np.int64(20), np.float32(20), float("inf")):
        assert solve(*problem, solver, time_limit=time_limit, threads=np.int64(1)).status == "optimal"


@pytest.mark.parametrize("match_limit", [5e18, 1e20, 1e90])
@pytest.mark.parametrize("solver", ["exact", "enumerate", "mip", "cpsat"])
def test_any_match_limit_is_as_good_as_all_matches(solver: str, match_limit: float) -> None:
    """No more matches than tables times sub-queries can count."""
    instance = random_problem(6, 2, 3, 1)[0]
    unlimited = solve(instance, JarObjective(match_limit=3.0), "enumerate").value
    assert solve(instance, JarObjective(match_limit=match_limit), solver).value == pytest.approx(unlimited)


def test_what_is_no_problem_or_objective_is_said_to_be_none() -> None:
    """Whichever way it is solved."""
    instance, objective = random_problem(4, 1, 2, 0)
    with pytest.raises(SolverError, match="the problem is a NoneType; pass an Instance"):
        solve(None, objective, solutions=2)  # type: ignore[call-overload]
    with pytest.raises(SolverError, match="the problem is a NoneType; pass an Instance"):
        solve_sizes(None, objective)  # type: ignore[arg-type]
    for wrong in (None, "jar", JarObjective):
        with pytest.raises(SolverError, match="the objective is"):
            solve(instance, wrong)  # type: ignore[call-overload]


def test_copies_are_read_only_too() -> None:
    """Of instances and column-level problems, pickled or copied; what is shared stays shared."""
    problem = ColumnProblem([1.0, 2.0], [[0.5, 0.25]], [0, 1], np.ones((2, 2)), 1)
    for given in (problem.reduce().instance, problem):
        for other in (pickle.loads(pickle.dumps(given)), copy.deepcopy(given)):
            arrays = [value for value in vars(other).values() if isinstance(value, np.ndarray)]
            assert len(arrays) >= 4
            assert not any(array.flags.writeable for array in arrays)
    instance = pickle.loads(pickle.dumps(problem.reduce().instance))
    assert instance.weights is instance.compatibility
    assert solve(instance, JarObjective()).items == solve(problem, JarObjective()).items
