"""Proves that the next best sets are those of the sorted list of all sets, for every exact solver of this process."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import pytest
from conformance import JAR_SOLVERS
from formulation_oracles import feasible_sets
from formulation_problems import instances, objectives, random_problem
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations import (
    ColumnProblem,
    Instance,
    JarObjective,
    Solution,
    SolverError,
    Status,
    UnknownSolverError,
    best_sets,
    solve,
    solve_best,
    verify,
)

MODES = ["require", "prefer", "ignore"]
PROBLEM = random_problem(8, 2, 3, 0)
PROVING = [row.name for row in JAR_SOLVERS if row.exact]


def all_sets(instance: Instance, objective: JarObjective) -> list[tuple[float, tuple[int, ...]]]:
    """Every set that satisfies the constraints, with its value, best first."""
    values = [(objective.value(instance, items), items) for items in feasible_sets(instance)]
    return sorted((pair for pair in values if pair[0] > -math.inf), key=lambda pair: (-pair[0], pair[1]))


def check_list(instance: Instance, objective: JarObjective, solutions: list[Solution], number: int) -> None:
    """The solutions are the first `number` of all sets: the values, and where no other has its value, the set."""
    expected = all_sets(instance, objective)
    assert len(solutions) == min(number, len(expected))
    assert len({solution.items for solution in solutions}) == len(solutions)
    for k, solution in enumerate(solutions):
        verify(instance, objective, solution)
        value, items = expected[k]
        assert solution.status is Status.OPTIMAL
        assert solution.value == pytest.approx(value, rel=1e-7, abs=1e-7)
        others = [other for j, (other, _) in enumerate(expected) if j != k]
        if all(abs(other - value) > 1e-6 * max(1.0, abs(value)) for other in others):
            assert solution.items == items
    assert all(left.value >= right.value for left, right in itertools.pairwise(solutions))


@pytest.mark.parametrize("solver", ["exact", "enumerate"])
@pytest.mark.parametrize("connect", MODES)
def test_the_best_sets_are_the_first_of_all_sets(connect: str, solver: str) -> None:
    """On random instances with required and excluded tables and forbidden joins, ties among them."""

    @settings(max_examples=60, deadline=None)
    @given(instances(most=7), objectives(connect=connect), st.integers(1, 12))
    def check(instance: Instance, objective: JarObjective, number: int) -> None:
        check_list(instance, objective, solve_best(instance, objective, number, solver), number)

    check()


@pytest.mark.parametrize("connect", MODES)
def test_the_list_may_hold_every_set(connect: str) -> None:
    """Whoever asks for more sets than there are gets them all, and none twice."""
    instance, objective = random_problem(8, 2, 3, 1, 0.5, connect=connect)
    instance = instance.replace(require=[2], exclude=[5])
    check_list(instance, objective, solve_best(instance, objective, 1000), 1000)


@pytest.mark.parametrize("solver", PROVING)
def test_every_solver_with_proofs_can_rank(solver: str) -> None:
    """All of them agree on three sets, the native engines included."""
    instance, objective = random_problem(7, 2, 3, 3, 0.7, connect="require")
    check_list(instance, objective, solve_best(instance, objective, 3, solver), 3)


def test_the_sets_of_larger_problems_are_in_order() -> None:
    """The twenty best of 15,504 sets are those of the enumeration."""
    instance, objective = random_problem(20, 3, 5, 4, connect="require")
    solutions = solve_best(instance, objective, 20)
    check_list(instance, objective, solutions, 20)


def test_the_first_is_the_one_of_solve() -> None:
    """A list of one set holds the best set; a longer list starts with a shorter one."""
    lists = [solve(*PROBLEM, solutions=number) for number in (1, 4, 9)]
    assert lists[0][0].items == solve(*PROBLEM).items
    assert [solution.items for solution in lists[2][:4]] == [solution.items for solution in lists[1]]


def test_ties_come_in_the_same_order_every_time() -> None:
    """Ten sets of equal value are listed, all different, in an order that can be repeated."""
    instance = Instance([1.0] * 5, [], [[0.0] * 5] * 5, 2)
    lists = [[solution.items for solution in solve_best(instance, JarObjective(), 99)] for _ in range(2)]
    assert lists[0] == lists[1]
    assert sorted(lists[0]) == list(itertools.combinations(range(5), 2))


def test_an_instance_without_any_set_has_an_empty_list() -> None:
    """Proven: the two tables do not join."""
    instance = Instance([1.0, 1.0], [], [[0.0, 0.0], [0.0, 0.0]], 2)
    assert solve_best(instance, JarObjective(connect="require"), 3) == []


def test_a_column_problem_is_ranked_as_its_reduction() -> None:
    """The columns are reduced once, for all sets."""
    problem = ColumnProblem([0.5, 0.4, 0.3], [[0.1, 0.7, 0.2]], [0, 0, 2], [[0.0] * 3] * 3, 2)
    expected = [solution.items for solution in solve_best(problem.reduce().instance, JarObjective(), 3)]
    assert [solution.items for solution in solve_best(problem, JarObjective(), 3)] == expected
    assert len(expected) == 3


@pytest.mark.parametrize("solver", ["greedy", "local"])
def test_a_heuristic_can_not_rank(solver: str) -> None:
    """The error says so, and who can; as a fallback neither."""
    with pytest.raises(
        SolverError, match=rf"{solver!r} proves no set to be the next best; use one of exact, enumerate"
    ):
        solve(*PROBLEM, solver, solutions=2)
    with pytest.raises(SolverError, match=rf"{solver!r} proves no set"):
        solve_best(*PROBLEM, 2, fallback=solver)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"solutions": 0}, "solutions is 0"),
        ({"solutions": 2, "time_limit": -1.0}, "time_limit is -1.0"),
        ({"solutions": 2, "gap": 0.1}, "has no option 'gap'"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], complaint: str) -> None:
    """As `solve` refuses them."""
    with pytest.raises(SolverError, match=complaint):
        solve_best(*PROBLEM, **arguments)
    with pytest.raises(UnknownSolverError):
        solve_best(*PROBLEM, 2, "exakt")


def test_a_fallback_ranks_in_the_place_of_a_solver_that_refuses() -> None:
    """Each part is answered by whoever can."""
    solutions = solve_best(*PROBLEM, 3, "enumerate", fallback="exact", sets_limit=1)
    assert [solution.solver for solution in solutions] == ["enumerate->exact"] * 3
    assert [solution.items for solution in solutions] == [solution.items for solution in solve_best(*PROBLEM, 3)]


def test_without_time_the_list_ends_with_what_is_not_proven() -> None:
    """At most the first set is solved; the last entry bounds what comes next."""
    expected = solve_best(*PROBLEM, 2)
    solutions = solve_best(*PROBLEM, 5, time_limit=0.0)
    assert [solution.status for solution in solutions] in (
        [Status.FEASIBLE],
        [Status.OPTIMAL, Status.UNKNOWN],
    )
    assert solutions[-1].bound >= expected[len(solutions) - 1].value
    verify(*PROBLEM, solutions[-1])


def test_the_first_set_without_a_proof_ends_the_list() -> None:
    """A solver that runs out of time in a part leaves its bound, and the best set of all parts without a proof."""
    instance, objective = PROBLEM
    expected = solve_best(*PROBLEM, 3)

    def solve_part(part: Instance) -> Solution:
        solution = solve(part, objective)
        if expected[1].items != solution.items:
            return solution
        return replace(solution, status=Status.FEASIBLE, bound=solution.value + 1.0, gap=1.0 / abs(solution.value))

    solutions = best_sets.best_sets(instance, 3, solve_part)
    assert [solution.items for solution in solutions] == [solution.items for solution in expected[:2]]
    assert [solution.status for solution in solutions] == [Status.OPTIMAL, Status.FEASIBLE]
    assert solutions[1].bound == expected[1].value + 1.0
    verify(instance, objective, solutions[1])


def test_seconds_count_from_the_start() -> None:
    """Each set says when it was proven."""
    seconds = [solution.seconds for solution in solve_best(*PROBLEM, 4)]
    assert seconds == sorted(seconds)
    assert seconds[0] > 0.0
