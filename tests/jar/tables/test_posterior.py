"""Which column a probe means: each formula against its definition, spelled out in loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jar.columns.candidates import with_bridges
from jar.tables.posterior import absence, bridge_presence, join_probe, presence, probe_posterior

Problem = dict[str, Any]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A few probes and columns of a few tables and databases, with symmetric joinabilities."""
    columns = draw(st.integers(1, 6))
    probes = draw(st.integers(1, 3))
    tables = sorted(draw(st.lists(st.integers(0, 3), min_size=columns, max_size=columns)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    joinability = rng.uniform(size=(columns, columns)) * (rng.uniform(size=(columns, columns)) < 0.5)
    joinability = np.maximum(joinability, joinability.T)
    joinability[np.equal.outer(tables, tables)] = 0.0
    return {
        "cosines": rng.uniform(-1, 1, size=(probes, columns)),
        "tables": np.array(tables),
        "databases": np.array(tables) % 2,
        "joinability": joinability,
        "temperature": draw(st.sampled_from([0.03, 0.1, 1.0])),
        "consensus": draw(st.sampled_from([0.0, 0.5, 1.0, 3.0])),
    }


def posterior_of(problem: Problem) -> np.ndarray:
    """The posterior of a problem."""
    return probe_posterior(problem["cosines"], problem["databases"], problem["temperature"], problem["consensus"])


@settings(deadline=None)
@given(problems())
def test_the_posterior_is_that_of_the_mixture(problem: Problem) -> None:
    """Equation 1 as it is written."""
    cosines, databases, t = problem["cosines"], problem["databases"], problem["temperature"]
    m, n = cosines.shape

    def evidence(probe: int, database: int) -> float:
        return math.log(sum(math.exp(cosines[probe, d] / t) for d in range(n) if databases[d] == database))

    weights = np.zeros((m, n))
    for k in range(m):
        for d in range(n):
            mean = sum(evidence(other, databases[d]) for other in range(m)) / m
            weights[k, d] = math.exp(cosines[k, d] / t + problem["consensus"] * mean)
    np.testing.assert_allclose(posterior_of(problem), weights / weights.sum(axis=1, keepdims=True), rtol=1e-6)


@settings(deadline=None)
@given(problems())
def test_presence_and_join_probe_follow_their_definitions(problem: Problem) -> None:
    """u_T as a product over columns and probes, and equation 2 over all pairs of columns."""
    posterior, tables, w = posterior_of(problem), problem["tables"], problem["joinability"]
    n = len(tables)
    expected = [
        1 - math.prod(1 - p for d in range(n) if tables[d] == table for p in posterior[:, d]) for table in range(4)
    ]
    present = presence(posterior, tables, 4)
    np.testing.assert_allclose(present, expected, atol=1e-9)
    asked = [max(w[d, e] * present[tables[d]] * present[tables[e]] for e in range(n)) for d in range(n)]
    np.testing.assert_allclose(join_probe(w, present[tables]), asked, atol=1e-9)
    np.testing.assert_allclose(absence(posterior), np.prod(1 - posterior, axis=0))


@settings(deadline=None)
@given(problems())
def test_bridges_follow_their_definition(problem: Problem) -> None:
    """Equation 3 over all pairs of tables, and tables that link nothing stay as they were."""
    tables, w = problem["tables"], problem["joinability"]
    present = presence(posterior_of(problem), tables, 4)
    known = sorted(set(tables.tolist()))
    joins = {
        (a, b): max(w[d, e] for d in range(len(tables)) for e in range(len(tables)) if (tables[d], tables[e]) == (a, b))
        for a in known
        for b in known
    }
    expected = present.copy()
    for bridge in known:
        ends = [
            joins[bridge, a] * joins[bridge, b] * (1 - joins[a, b]) * present[a] * present[b]
            for a in known
            for b in known
            if len({a, b, bridge}) == 3
        ]
        expected[bridge] = 1 - (1 - present[bridge]) * (1 - 0.5 * max(ends, default=0.0))
    np.testing.assert_allclose(with_bridges(present, w, tables, 0.5), expected, atol=1e-9)


def test_probes_decide_together_on_a_database() -> None:
    """A probe that two databases answer as well goes to the one that the other probe means."""
    cosines = np.array([[0.5, 0.0, 0.5, 0.0], [0.0, 0.6, 0.0, 0.1]])
    databases = np.array([0, 0, 1, 1])
    alone = probe_posterior(cosines, databases, 0.05, 0.0)
    together = probe_posterior(cosines, databases, 0.05, 1.0)
    assert alone[0, 0] == pytest.approx(alone[0, 2])
    assert together[0, 0] > 0.9


def test_nothing_gives_nothing() -> None:
    """No column, and databases without a free column, are no error."""
    assert probe_posterior(np.zeros((2, 0)), np.zeros(0, dtype=np.int64), 0.1, 1.0).shape == (2, 0)
    assert join_probe(np.zeros((0, 0)), np.zeros(0)).shape == (0,)
    assert bridge_presence(np.zeros((0, 0)), np.zeros(0)).shape == (0,)
    assert probe_posterior(np.array([[0.1, 0.2]]), np.array([2, 2]), 0.1, 1.0).sum() == pytest.approx(1.0)
