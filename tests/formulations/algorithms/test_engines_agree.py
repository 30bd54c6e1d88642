"""Native engines and in-process solvers reach the same optimum, on tables and on columns.

The oracle is enumeration of all sets; on columns it is enumeration of the paper's own variables, which knows nothing of
the reduction.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from engine_problems import REAL, random_columns, random_instance, random_objective

from formulations import ColumnProblem, Instance, JarObjective, SolverError, Status, load_problem, solve, verify

ALL_MODES = ("require", "prefer", "ignore")
ENGINES = [
    ("mip", {}),
    ("mip", {"start": None}),
    ("mip", {"engine": "cbc"}),
    ("mip", {"engine": "cbc", "start": None}),
    ("cpsat", {}),
    ("cpsat", {"start": None}),
]


@pytest.mark.parametrize(("solver", "options"), ENGINES)
def test_random_instances_have_the_optimum_of_enumeration(solver: str, options: dict[str, str]) -> None:
    """Every mode, weight, restriction and match limit gives the status and the value of enumeration."""
    random = np.random.default_rng(1)
    for _ in range(50):
        instance, objective = random_instance(random), random_objective(random, ALL_MODES)
        expected = solve(instance, objective, "enumerate")
        solution = solve(instance, objective, solver, **options)
        assert solution.status is expected.status
        assert solution.value == expected.value or abs(solution.value - expected.value) < 1e-6
        verify(instance, objective, solution)


@pytest.mark.parametrize("name", ["bird-n20-k05-q0858", "spider-n20-k10-q0280", "spider-n20-k02-q0783"])
def test_real_instances_have_the_optimum_of_branch_and_bound(name: str) -> None:
    """On questions over 20 tables the engines prove the optimum of `exact`, connected or preferably so."""
    instance, objective = load_problem(REAL / f"{name}.json")
    for mode in ("require", "prefer"):
        objective = replace(objective, connect=mode)
        expected = solve(instance, objective)
        for solver, options in ENGINES[::2]:
            solution = solve(instance, objective, solver, **options)
            assert solution.status is Status.OPTIMAL
            assert solution.value == pytest.approx(expected.value, rel=1e-6)


def test_paper_reduced_branch_and_bound_and_brute_force_agree_on_columns() -> None:
    """The paper's program, its reduction, branch and bound, and brute force over columns have one optimum."""
    random = np.random.default_rng(2)
    for _ in range(60):
        problem, objective = random_columns(random), random_objective(random, ("require", "ignore"))
        expected = brute_force(problem, objective)
        for solver, options in (
            ("paper-mip", {}),
            ("paper-mip", {"engine": "highs"}),
            ("mip", {}),
            ("cpsat", {}),
            ("exact", {}),
        ):
            solution = solve(problem, objective, solver, **options)
            assert solution.status is (Status.OPTIMAL if expected > -np.inf else Status.INFEASIBLE)
            assert solution.value == expected or abs(solution.value - expected) < 1e-6


def brute_force(problem: ColumnProblem, objective: JarObjective) -> float:
    """The best value over all assignments of the paper's variables b, c and d that satisfy its equations."""
    n = len(problem.relevance)
    sets = combinations(range(n), problem.size)
    return max((_best_assignment(problem, objective, set(chosen)) for chosen in sets), default=-np.inf)


def _best_assignment(problem: ColumnProblem, objective: JarObjective, chosen: set[int]) -> float:
    value = objective.coarse * sum(problem.relevance[i] for i in chosen) + _best_matches(problem, objective, chosen)
    if objective.connect == "ignore":
        return float(value)
    owner, weights = problem.owner, problem.joinability
    arcs = {}
    # (4) One arc at most between two tables; which one, is free: only the best can be worth it.
    for k, l in combinations(range(len(owner)), 2):  # noqa: E741 - the paper's letters for columns
        i, j = int(owner[k]), int(owner[l])
        if i != j and {i, j} <= chosen and weights[k, l] > 0.0:
            arcs[i, j] = max(arcs.get((i, j), 0.0), objective.join * weights[k, l] + objective.link)
    # (2) No more than K - 1 arcs, which (11) to (15) want to connect the tables: just so many, and a tree.
    trees = (tree for tree in combinations(arcs, len(chosen) - 1) if _spans(tree, chosen))
    return float(value + max((sum(arcs[arc] for arc in tree) for tree in trees), default=-np.inf))


def _best_matches(problem: ColumnProblem, objective: JarObjective, chosen: set[int]) -> float:
    m = len(problem.fine)
    choices = []
    for q, i in product(range(m), sorted(chosen)):
        # (5) No column, or one.
        scores = [objective.fine * s for s, owner in zip(problem.fine[q], problem.owner, strict=True) if owner == i]
        choices.append([(q, 0.0, 0), *((q, score, 1) for score in scores)])
    best = -np.inf
    for picks in product(*choices):
        # (10) No more than |Q| of them.
        if sum(used for _, _, used in picks) <= objective.matches_allowed(m):
            covered = {q for q, _, used in picks if used}
            best = max(best, sum(score for _, score, _ in picks) + objective.coverage * len(covered))
    return best


def _spans(tree: tuple[tuple[int, int], ...], chosen: set[int]) -> bool:
    reached, frontier = set(), [min(chosen)]
    while frontier:
        table = frontier.pop()
        reached.add(table)
        frontier += [i + j - table for i, j in tree if table in (i, j) and i + j - table not in reached]
    return reached == chosen


def test_the_paper_program_takes_an_instance_as_tables_of_one_column() -> None:
    """On a reduced instance with restrictions the paper's program has the optimum of enumeration."""
    random = np.random.default_rng(3)
    for _ in range(25):
        instance, objective = random_instance(random, 6), random_objective(random, ("require", "ignore"))
        expected = solve(instance, objective, "enumerate")
        solution = solve(instance, objective, "paper-mip")
        assert solution.status is expected.status
        assert solution.value == expected.value or abs(solution.value - expected.value) < 1e-6


def test_big_m_claims_no_proof(small: tuple[Instance, JarObjective]) -> None:
    """With the paper's constant M the set comes with a bound that does not rest on the engine."""
    solution = solve(*small, "paper-mip", big_m=1e6)
    assert solution.items == (0, 1, 2)
    assert solution.status is Status.FEASIBLE
    assert solution.bound >= 5.8


def test_the_paper_has_two_modes(small: tuple[Instance, JarObjective]) -> None:
    """The mode that the paper does not have is refused with the names of those that it has."""
    with pytest.raises(SolverError, match="has require and ignore"):
        solve(small[0], JarObjective(connect="prefer"), "paper-mip")


@pytest.mark.parametrize("factor", [1e-9, 1e6])
def test_the_scale_of_the_scores_does_not_matter(small: tuple[Instance, JarObjective], factor: float) -> None:
    """The same set is best when every weight is tiny, or huge."""
    instance, _ = small
    objective = JarObjective(coarse=factor, join=factor, connect="require")
    for solver in ("mip", "cpsat", "paper-mip"):
        options = {} if solver == "paper-mip" else {"start": None}
        assert solve(instance, objective, solver, **options).items == (0, 1, 2)
