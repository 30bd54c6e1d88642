"""Proves that solvers of the CRUSH objective stay right where similarities are large beside the sharpness."""

from __future__ import annotations

import numpy as np
import pytest

from formulations import CrushObjective, Instance, Status, solve, verify


def linked_columns(seed: int, spread: float) -> Instance:
    """Eight columns of five tables with key links across most of them, three probes, similarities of a spread."""
    random = np.random.default_rng(seed)
    keys = np.triu(random.random((8, 8)) < 0.4, 1).astype(float)
    return Instance(
        np.zeros(8), spread * random.normal(size=(3, 8)), keys + keys.T, 5, groups=random.integers(0, 5, 8).tolist()
    )


@pytest.mark.parametrize("spread", [1e-3, 1.0, 30.0, 1e3, 1e6])
def test_the_search_proves_the_optimum_at_any_spread(spread: float) -> None:
    """Slopes of 1e-160, which are nothing but rounding, move no price out of range."""
    for seed in range(60):
        instance, objective = linked_columns(seed, spread), CrushObjective(gamma=200.0, connectivity=0.001)
        solution = solve(instance, objective)
        verify(instance, objective, solution)
        assert solution.status is Status.OPTIMAL
        assert solution.value == pytest.approx(solve(instance, objective, "enumerate").value, rel=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("solver", ["exact", "greedy", "local", "enumerate", "mip"])
def test_similarities_may_be_too_large_to_count_in_units_of_the_sharpness(solver: str) -> None:
    """Their quotient is infinite, and says what it should."""
    instance, objective = linked_columns(2, 1e9), CrushObjective(sharpness=1e-300)
    exact = solve(instance, objective)
    solution = solve(instance, objective, solver)
    assert solution.value <= exact.value * (1 + 1e-9)
    assert solver in ("greedy", "local") or solution.value == pytest.approx(exact.value, rel=1e-6)


@pytest.mark.parametrize("sharpness", [1e-18, 1e-20, 1e-300])
def test_a_sharpness_below_the_rounding_of_similarities_is_as_good_as_none(sharpness: float) -> None:
    """A level may then lie above all similarities by many times the sharpness, for rounding alone."""
    for seed in range(40):
        instance = linked_columns(seed, 1.0)
        instance = instance.replace(coverage=np.round(instance.coverage, 1))
        maximum = solve(instance, CrushObjective(sharpness=0.0))
        for solver in ("exact", "greedy", "local"):
            solution = solve(instance, CrushObjective(sharpness=sharpness), solver)
            assert solution.value <= maximum.value + 1e-9
            assert solver != "exact" or solution.value == pytest.approx(maximum.value, abs=1e-9)


@pytest.mark.parametrize("solver", ["mip", "cpsat"])
@pytest.mark.parametrize("spread", [0.0, 1e-3, 1.0, 30.0, 1e3, 1e6])
@pytest.mark.parametrize("sharpness", [0.0, 0.3, 20.0])
def test_engines_prove_it_too(solver: str, spread: float, sharpness: float) -> None:
    """The unit follows the numbers: none is too large for an engine that counts, or too small for a tolerance."""
    for gamma, connectivity in ((0.0, 1.0), (5.0, 1.0), (0.5, 1e-3)):
        instance = linked_columns(1, spread)
        objective = CrushObjective(gamma=gamma, connectivity=connectivity, sharpness=sharpness)
        solution = solve(instance, objective, solver)
        verify(instance, objective, solution)
        assert solution.status is Status.OPTIMAL
        assert solution.value == pytest.approx(solve(instance, objective, "enumerate").value, rel=1e-6)


@pytest.mark.parametrize("solver", ["mip", "cpsat"])
def test_engines_weigh_links_that_are_worth_little(solver: str) -> None:
    """Where links are all there is, their optimum is proved however little they are worth."""
    for seed in range(5):
        instance = linked_columns(seed, 0.0).replace(coverage=np.zeros((0, 8)))
        objective = CrushObjective(gamma=0.5, connectivity=0.001, sharpness=0.001)
        solution = solve(instance, objective, solver)
        assert solution.status is Status.OPTIMAL
        assert solution.value == pytest.approx(solve(instance, objective, "enumerate").value, rel=1e-6)
