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
