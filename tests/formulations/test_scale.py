"""Proves that a tolerance is a share of the numbers of a problem, and that a bound contains what it passes over."""

from __future__ import annotations

import numpy as np
import pytest
from formulation_problems import random_problem

from formulations import CrushObjective, Instance, InvalidInstanceError, JarObjective, solve, solve_best
from formulations.scale import LARGEST_NUMBER, close, rounding


def scaled_problem(seed: int, factor: float) -> tuple[Instance, JarObjective]:
    """A problem whose numbers are all of one size."""
    random = np.random.default_rng(seed)
    joins = np.triu(random.random((10, 10)) * (random.random((10, 10)) < 0.7), 1) * factor
    instance = Instance(random.random(10) * factor, random.random((3, 10)) * factor, 3.0 * (joins + joins.T), 5)
    return instance, JarObjective(coarse=1.0, coverage=factor, join=3.0)


@pytest.mark.parametrize("factor", [1e-9, 1e-6, 1e9])
@pytest.mark.parametrize(
    ("solver", "options"),
    [("enumerate", {}), ("mip", {"start": None}), ("mip", {"start": "greedy"}), ("cpsat", {"start": "greedy"})],
)
def test_optimal_means_the_same_at_every_scale(solver: str, options: dict[str, str], factor: float) -> None:
    """No solver calls a set optimal that is worse than the best by more than an engine's share."""
    for seed in range(8):
        instance, objective = scaled_problem(seed, factor)
        best, solution = solve(instance, objective), solve(instance, objective, solver, **options)
        assert best.status == solution.status == "optimal"
        assert solution.value == pytest.approx(best.value, rel=2e-6, abs=0.0)


@pytest.mark.parametrize("large", [1e5, 1e8, 1e12])
def test_where_large_numbers_cancel_the_bound_still_holds(large: float) -> None:
    """The rounding of large numbers hides sets; the bound says what they may be worth, and nothing is refused."""
    for seed in range(30):
        random = np.random.default_rng(seed)
        joins = np.triu(random.random((8, 8)) * (random.random((8, 8)) < 0.6), 1)
        relevance = np.r_[large, -large, random.random(6)]
        instance = Instance(relevance, random.random((3, 8)), joins + joins.T, 4, require=[0, 1])
        objective = JarObjective(coarse=1.0)
        best, solution = solve(instance, objective, "enumerate"), solve(instance, objective)
        unit = np.spacing(large)
        assert solution.bound >= best.value - 20.0 * unit
        assert solution.value >= best.value - rounding(objective.scale(instance))


@pytest.mark.parametrize("objective", [JarObjective(), JarObjective(connect="ignore")])
def test_a_large_negative_number_loosens_nothing(objective: JarObjective) -> None:
    """A table that is pushed out by its score, or excluded, does not make the tolerance for the others larger."""
    instance, _ = random_problem(12, 3, 4, 1)
    relevance = instance.relevance.copy()
    relevance[3], relevance[5] = -1e12, 1e12
    pushed = instance.replace(relevance=relevance, exclude=[5])
    assert objective.scale(pushed) < 100.0
    assert solve(pushed, objective).items == solve(instance.replace(exclude=[3, 5]), objective).items


def test_the_scale_is_the_largest_number_that_counts() -> None:
    """By hand: 3 * 0.5 of relevance, 2 * 4 of coverage, the bonus, and 5 * 2 + 1 of a join, if joins count."""
    joins = np.zeros((2, 2))
    joins[0, 1] = joins[1, 0] = 2.0
    instance = Instance([0.5, -9.0], [[4.0, -np.inf]], joins, 2)
    weights = {"coarse": 3.0, "fine": 2.0, "coverage": 8.5, "join": 5.0, "link": 1.0}
    assert JarObjective(**weights).scale(instance) == 11.0
    assert JarObjective(**weights, connect="ignore").scale(instance) == 8.5
    columns = Instance([0.0, 0.0], [[0.25, -7.0]], np.zeros((2, 2)), 2)
    assert CrushObjective(gamma=0.5).scale(columns) == pytest.approx(0.5 + np.log(2.0))
    assert close(1e-12, 1.1e-12, 1e-12) is False
    assert close(0.0, 1e-4, 1e12)


def test_what_lacks_a_proof_stays_last() -> None:
    """Sets in order by value, and at a limit the unproved one at the end."""
    solutions = solve_best(*random_problem(30, 3, 6, 2), solutions=200, time_limit=0.05)
    proved = [solution.value for solution in solutions if solution.status == "optimal"]
    assert proved == sorted(proved, reverse=True)
    assert all(solution.status == "optimal" for solution in solutions[:-1])


@pytest.mark.parametrize("number", [1e308, -1e308, 2 * LARGEST_NUMBER])
def test_numbers_that_could_overflow_are_refused(number: float) -> None:
    """With the field, in instances and objectives."""
    with pytest.raises(InvalidInstanceError, match=r"relevance\[1\]: .* none above 1e\+100"):
        Instance([1.0, number], [], np.zeros((2, 2)), 1)
    with pytest.raises(InvalidInstanceError, match=r"coverage\[0, 0\]"):
        Instance([1.0, 1.0], [[number, 1.0]], np.zeros((2, 2)), 1)
    with pytest.raises(InvalidInstanceError, match=r"objective.coarse"):
        JarObjective(coarse=abs(number))
    largest = Instance([LARGEST_NUMBER] * 3, [[-LARGEST_NUMBER] * 3], np.full((3, 3), LARGEST_NUMBER), 2)
    objective = JarObjective(coarse=LARGEST_NUMBER, fine=LARGEST_NUMBER, join=LARGEST_NUMBER)
    for solver in ("exact", "enumerate", "local"):
        assert np.isfinite(solve(largest, objective, solver).bound)
