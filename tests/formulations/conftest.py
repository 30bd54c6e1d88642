"""Compiles the solvers once, before any test that hypothesis would call slow, and offers two problems for engines."""

from __future__ import annotations

import numpy as np
import pytest
from engine_problems import REAL

from formulations import Instance, JarObjective, load_problem
from tests.conftest import compile_searches


@pytest.fixture(scope="session", autouse=True)
def _compiled_solvers() -> None:
    compile_searches()


@pytest.fixture
def small() -> tuple[Instance, JarObjective]:
    """Four tables on a path; the first three are worth 5.8: 3 + 0.5 + 2 by relevance, 0.2 + 0.1 by joins."""
    joins = np.zeros((4, 4))
    for left, right, weight in ((0, 1, 0.2), (1, 2, 0.1), (2, 3, 0.9)):
        joins[left, right] = joins[right, left] = weight
    return Instance([3.0, 0.5, 2.0, 0.25], np.zeros((0, 4)), joins, 3), JarObjective(coarse=1.0, connect="require")


@pytest.fixture(scope="session")
def hard() -> tuple[Instance, JarObjective]:
    """A real problem on which CBC needs more than a minute for the paper's program."""
    return load_problem(REAL / "bird-n20-k10-q0130.json")
