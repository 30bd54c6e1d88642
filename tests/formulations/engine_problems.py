"""Random problems for the tests of native engines, and the question whether a process has ended."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from formulations import ColumnProblem, Instance, JarObjective

REAL = Path(__file__).resolve().parents[2] / "benchmarks" / "instances"


def random_objective(random: np.random.Generator, modes: tuple[str, ...]) -> JarObjective:
    """Weights that are often zero, in one of the modes."""
    return JarObjective(
        coarse=float(random.choice([0, 1, 10])),
        fine=float(random.choice([0, 1, 2])),
        coverage=float(random.choice([0, 1, 8])),
        join=float(random.choice([0, 1, 3])),
        connect=str(random.choice(modes)),
        link=float(random.choice([0, 0, 0.5])),
        match_limit=float(random.choice([0, 0.5, 1, 1, 2])),
    )


def random_instance(random: np.random.Generator, most_tables: int = 7) -> Instance:
    """A few tables with scores of any sign, missing matches and joins, and every kind of restriction."""
    n = int(random.integers(1, most_tables + 1))
    m, size = int(random.integers(0, 4)), int(random.integers(1, n + 1))
    coverage = random.normal(size=(m, n)).round(2)
    coverage[random.random(coverage.shape) < 0.1] = -np.inf
    require = [i for i in range(n) if random.random() < 0.1][:size]
    exclude = [i for i in range(n) if i not in require and random.random() < 0.1][: n - size]
    return Instance(
        random.normal(size=n).round(2),
        coverage,
        random_joins(random, n),
        size,
        require=require,
        exclude=exclude,
        forbid_joins=[(i, j) for i in range(n) for j in range(i) if random.random() < 0.1],
    )


def random_columns(random: np.random.Generator, most_tables: int = 5, most_columns: int = 3) -> ColumnProblem:
    """A few tables with up to three columns each, or none."""
    n = int(random.integers(1, most_tables + 1))
    m, size = int(random.integers(0, 3)), int(random.integers(1, n + 1))
    owner = np.repeat(np.arange(n), random.integers(0, most_columns + 1, size=n))
    fine = random.normal(size=(m, len(owner))).round(2)
    return ColumnProblem(random.normal(size=n).round(2), fine, owner, random_joins(random, len(owner)), size)


def random_joins(random: np.random.Generator, n: int) -> np.ndarray:
    """A symmetric matrix, sparse or dense."""
    weights = np.triu(random.random((n, n)).round(2) * (random.random((n, n)) < random.choice([0.2, 0.5, 1.0])), 1)
    return weights + weights.T


def gone(pid: int, within: float = 20.0) -> bool:
    """Say whether a process ends within some seconds; a zombie has ended, once all its threads have."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            if state == "Z" and len(os.listdir(f"/proc/{pid}/task")) <= 1:
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False
