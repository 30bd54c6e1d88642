"""Proves the reduction: the best columns are all that the paper's program over columns can use."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from formulation_oracles import paper_optimum
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations import ColumnProblem, InvalidInstanceError, JarObjective, solve

SCORES = st.integers(-3, 6).map(lambda k: k / 4)
WEIGHTS = st.one_of(st.just(0.0), st.integers(1, 6).map(lambda k: k / 4))


@st.composite
def column_problems(draw: st.DrawFn, most: int = 4) -> ColumnProblem:
    """Up to `most` tables of at most two columns, and at most two sub-queries."""
    n = draw(st.integers(1, most))
    m = draw(st.integers(0, 2))
    widths = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    owner = np.repeat(np.arange(n), widths)
    columns = len(owner)
    weights = np.zeros((columns, columns))
    upper = np.triu_indices(columns, 1)
    weights[upper] = draw(st.lists(WEIGHTS, min_size=len(upper[0]), max_size=len(upper[0])))
    return ColumnProblem(
        draw(st.lists(SCORES, min_size=n, max_size=n)),
        np.array(draw(st.lists(SCORES, min_size=m * columns, max_size=m * columns))).reshape(m, columns),
        owner,
        weights + weights.T,
        draw(st.integers(1, min(n, 3))),
    )


@settings(max_examples=150, deadline=None)
@given(column_problems(), st.sampled_from([(10.0, 2.0, 8.0, 1.0), (3.0, 3.0, 8.0, 1.0), (1.0, 1.0, 0.25, 2.0)]))
def test_the_reduced_optimum_is_that_of_the_paper(
    problem: ColumnProblem, weights: tuple[float, float, float, float]
) -> None:
    """Equations 2 to 15 by brute force, and the reduced instance by two solvers: one value, or all infeasible."""
    expected = paper_optimum(problem, *weights)
    instance = problem.reduce().instance
    for solver in ("exact", "enumerate"):
        value = solve(instance, JarObjective(*weights, connect="require"), solver).value
        assert value == pytest.approx(expected, abs=1e-7)


@settings(max_examples=100, deadline=None)
@given(column_problems(most=6))
def test_the_best_columns_are_named(problem: ColumnProblem) -> None:
    """Each score of the reduced instance is that of the columns that the reduction names, and no column has more."""
    reduction = problem.reduce()
    instance = reduction.instance
    tables = range(instance.n)
    for i in tables:
        columns = np.flatnonzero(problem.owner == i)
        for q in range(instance.m):
            assert instance.coverage[q, i] == problem.fine[q, columns].max(initial=-math.inf)
            if len(columns):
                column = reduction.best_column(q, i)
                assert problem.owner[column] == i
                assert problem.fine[q, column] == instance.coverage[q, i]
        for j in tables:
            best = problem.joinability[np.ix_(columns, problem.owner == j)].max(initial=0.0)
            assert instance.compatibility[i, j] == (0.0 if i == j else best)
            if i != j and best > 0.0:
                k, other = reduction.best_pair(i, j)
                assert (problem.owner[k], problem.owner[other]) == (i, j)
                assert problem.joinability[k, other] == best


def small_problem(**changes: object) -> ColumnProblem:
    """Three tables of two, none and one columns."""
    fields: dict[str, object] = {
        "relevance": [0.5, 0.4, 0.3],
        "fine": [[0.1, 0.7, 0.2]],
        "owner": [0, 0, 2],
        "joinability": [[0, 0, 0], [0, 0, 0.9], [0, 0.9, 0]],
        "size": 2,
    }
    return ColumnProblem(**(fields | changes))  # type: ignore[arg-type]


def test_a_table_without_columns_matches_and_joins_nothing() -> None:
    """It stays in the instance; to ask for its best column or join is an error that names it."""
    reduction = small_problem(ids=["a", "empty", "c"]).reduce()
    np.testing.assert_array_equal(reduction.instance.coverage, [[0.7, -math.inf, 0.2]])
    np.testing.assert_array_equal(reduction.instance.compatibility[1], [0.0, 0.0, 0.0])
    with pytest.raises(InvalidInstanceError, match="'empty' has no columns"):
        reduction.best_column(0, 1)
    with pytest.raises(InvalidInstanceError, match=r"\('a', 'empty'\) has no join"):
        reduction.best_pair(0, 1)


def test_constraints_ids_and_sparse_joins_are_carried_over() -> None:
    """What the caller asks of tables holds in the reduced instance."""
    joins = scipy.sparse.coo_array(([0.9, 0.9], ([1, 2], [2, 1])), shape=(3, 3))
    reduction = small_problem(ids=["a", "b", "c"], require=["c"], exclude=[1], joinability=joins).reduce()
    assert (reduction.instance.ids, reduction.instance.require, reduction.instance.exclude) == (
        ("a", "b", "c"),
        (2,),
        (1,),
    )
    assert reduction.best_pair(2, 0) == (2, 1)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"owner": [0, 2, 0]}, "owner[2]"),
        ({"owner": [0, 0, 3]}, "owner[2]"),
        ({"owner": [-1, 0, 2]}, "owner[0]"),
        ({"owner": [0, 0.5, 2]}, "owner[1]"),
        ({"owner": [0, math.nan, 2]}, "owner[1]"),
        ({"owner": [[0, 0, 2]]}, "owner"),
        ({"fine": [[0.1, 0.2]]}, "fine"),
        ({"fine": [[0.1, 0.2, math.nan]]}, "fine[0, 2]"),
        ({"joinability": np.ones((2, 2))}, "joinability"),
        ({"joinability": [[0, 0, 1.0], [0, 0, 0], [0, 0, 0]]}, "joinability[0, 2]"),
        ({"joinability": [[0, 0, -1.0], [0, 0, 0], [-1.0, 0, 0]]}, "joinability[0, 2]"),
        ({"size": 4}, "size"),
        ({"ids": ["a"]}, "ids"),
        ({"column_names": ["k"]}, "column_names"),
        ({"column_names": 3}, "column_names"),
        ({"column_names": ["k", "l", 3]}, "column_names[2]"),
        ({"require": 5}, "require"),
        ({"require": ["none"]}, "require[0]"),
        ({"require": [0, 1, 2]}, "require"),
        ({"exclude": [3]}, "exclude[0]"),
        ({"require": [1], "exclude": [1]}, "require"),
        ({"relevance": []}, "relevance"),
    ],
)
def test_bad_input_is_named_with_its_place(changes: dict[str, object], place: str) -> None:
    """Each kind of bad input raises an error with the field and the index."""
    with pytest.raises(InvalidInstanceError) as caught:
        small_problem(**changes)
    assert caught.value.field == place


def test_a_problem_can_not_be_changed() -> None:
    """Its arrays are its own, and read-only; so are those of its reduction."""
    relevance = np.array([0.5, 0.4, 0.3])
    problem = small_problem(relevance=relevance)
    relevance[0] = 9.0
    assert problem.relevance[0] == 0.5
    instance = problem.reduce().instance
    arrays = (problem.relevance, problem.fine, problem.owner, problem.joinability)
    for array in (*arrays, instance.relevance, instance.coverage, instance.compatibility):
        with pytest.raises(ValueError, match="read-only"):
            array.flat[0] = 1.0


@pytest.mark.parametrize(("subquery", "table"), [(0, -1), (0, 3), (-1, 0), (9, 0), (0, "0"), (0, True)])
def test_only_tables_and_subqueries_that_exist_have_best_columns(subquery: Any, table: Any) -> None:
    """No index counts from the end, and none past it."""
    reduction = ColumnProblem([1.0, 2.0], [[0.1, 0.2, 0.3]], [0, 0, 1], np.ones((3, 3)), 2).reduce()
    with pytest.raises(InvalidInstanceError, match="pass an index from 0 to"):
        reduction.best_column(subquery, table)
    if subquery == 0:
        with pytest.raises(InvalidInstanceError, match=r"pair: .* pass an index from 0 to 1"):
            reduction.best_pair(table, 0)


def test_replace_changes_what_it_is_told_and_checks_again() -> None:
    """One argument is changed, the others are kept; a field that is none is refused."""
    problem = ColumnProblem([1.0, 2.0], [[0.1, 0.2]], [0, 1], np.ones((2, 2)), 1, exclude=[0])
    assert (problem.replace(size=1, exclude=[1]).exclude, problem.replace(exclude=[]).size) == ((1,), 1)
    with pytest.raises(InvalidInstanceError, match="size: is 3 with 2 tables"):
        problem.replace(size=3)
    with pytest.raises(InvalidInstanceError, match="weights: is not a field of ColumnProblem"):
        problem.replace(weights=[])


def test_another_size_takes_no_copy() -> None:
    """`resized` keeps the arrays and refuses what the constructor refuses."""
    problem = ColumnProblem([1.0, 2.0], [[0.1, 0.2]], [0, 1], np.ones((2, 2)), 2)
    resized = problem.resized(1)
    assert (problem.size, resized.size, resized.ids) == (2, 1, problem.ids)
    assert resized.joinability is problem.joinability
    with pytest.raises(InvalidInstanceError, match="exclude: leaves 1 tables for a set of 2"):
        problem.replace(size=1, exclude=[0]).resized(2)
