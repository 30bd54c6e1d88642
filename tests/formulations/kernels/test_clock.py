"""Proves that no part of a search goes on regardless of the clock, and that what it cuts short still has a bound."""

from __future__ import annotations

import numpy as np
import pytest

from formulations import Instance, JarObjective, Status, solve
from formulations.kernels.tables import session
from formulations.kernels.tables.connecting import connecting_set


def sparse_instance(n: int, size: int, links: int = 4, **tables: list[int]) -> Instance:
    """Tables in a ring with some links across, so that every two are connected."""
    random = np.random.default_rng(3)
    joins = np.zeros((n, n))
    ends = np.arange(n)
    joins[ends, (ends + 1) % n] = 0.3
    across = random.integers(0, n, (2, n * links // 2))
    joins[across[0], across[1]] = random.random(across.shape[1])
    np.fill_diagonal(joins, 0.0)
    joins = np.maximum(joins, joins.T)
    return Instance(random.random(n), random.random((5, n)), joins, size, **tables)


@pytest.mark.parametrize("connect", ["require", "prefer", "ignore"])
@pytest.mark.parametrize("size", [5, 60, 300])
def test_without_time_a_set_is_filled_and_has_a_bound(connect: str, size: int) -> None:
    """However large the set: all its tables, the required ones among them, and a bound above the set of `local`."""
    instance = sparse_instance(300, size, require=[7, 8], exclude=[] if size == 300 else [9])
    objective = JarObjective(connect=connect)
    better = solve(instance, objective, "local").value if size == 5 else -np.inf
    for solver in ("exact", "greedy", "local"):
        solution = solve(instance, objective, solver, time_limit=0.0)
        assert len(solution.items) == size
        assert solution.bound >= better


@pytest.mark.parametrize("connect", ["require", "prefer"])
def test_growth_in_parts_is_growth_at_once(connect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With looks at the clock between any two tables the greedy set, and the exchanges, are the same."""
    instance, objective = sparse_instance(120, 20, require=[3, 4]), JarObjective(connect=connect)
    sets = {solver: solve(instance, objective, solver).items for solver in ("greedy", "local")}
    monkeypatch.setattr(session, "SHORT_SLICE", 1)
    monkeypatch.setattr(session, "SMALL", 0)
    for solver, items in sets.items():
        assert solve(instance, objective, solver, time_limit=600.0).items == items


def test_far_apart_required_tables_have_a_set_without_time() -> None:
    """Short paths connect twelve of 600 tables at once, where the Steiner program would take seconds."""
    required = list(range(0, 600, 50))
    instance = sparse_instance(600, 80, require=required)
    solution = solve(instance, JarObjective(connect="require"), time_limit=0.0)
    assert len(solution.items) == 80
    assert solution.connected
    assert solution.bound >= solution.value


def test_what_time_leaves_open_is_unknown() -> None:
    """Twelve required tables, too few for short paths: without time nothing is found, and nothing ruled out."""
    required = list(range(0, 600, 50))
    instance = sparse_instance(600, 18, require=required)
    solution = solve(instance, JarObjective(connect="require"), time_limit=0.0)
    assert solution.status is Status.UNKNOWN
    assert np.isfinite(solution.bound)
    with pytest.raises(TimeoutError):
        connecting_set(instance.weights > 0.0, required, 18, 0.0)
