"""Random problems for the property tests: small, with ties, missing joins, negative and impossible scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from formulations import Instance, JarObjective

# Quarters are exact in floating point, so that ties are ties; few different ones, so that there are many.
QUARTERS = st.integers(-6, 8).map(lambda k: k / 4)
SCORES = st.one_of(QUARTERS, st.floats(-2.0, 2.0, allow_nan=False), st.just(-np.inf))
JOINS = st.one_of(st.just(0.0), st.integers(1, 4).map(lambda k: k / 4), st.floats(0.01, 3.0, allow_nan=False))


@st.composite
def instances(draw: st.DrawFn, most: int = 8, constraints: bool = True) -> Instance:
    """An instance of at most `most` tables and 4 sub-queries."""
    n = draw(st.integers(1, most))
    m = draw(st.integers(0, 4))
    size = draw(st.integers(1, n))
    weights = np.zeros((n, n))
    upper = np.triu_indices(n, 1)
    weights[upper] = draw(st.lists(JOINS, min_size=len(upper[0]), max_size=len(upper[0])))
    roles = draw(st.permutations(range(n))) if constraints else []
    require = roles[: draw(st.integers(0, min(2, size)))] if constraints else []
    exclude = roles[len(roles) - draw(st.integers(0, min(2, n - size))) :] if constraints else []
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    forbidden = draw(st.lists(pairs, max_size=2)) if constraints and n > 1 else []
    return Instance(
        draw(st.lists(QUARTERS, min_size=n, max_size=n)),
        np.array(draw(st.lists(SCORES, min_size=m * n, max_size=m * n))).reshape(m, n),
        weights + weights.T,
        size,
        require=require,
        exclude=exclude,
        forbid_joins=forbidden,
    )


@st.composite
def objectives(draw: st.DrawFn, **fixed: Any) -> JarObjective:
    """An objective of any mode, with weights that may be zero."""
    parameters = {
        "coarse": draw(st.sampled_from([0.0, 1.0, 3.0, 10.0])),
        "fine": draw(st.sampled_from([0.0, 1.0, 2.0])),
        "coverage": draw(st.sampled_from([0.0, 0.5, 1.0, 8.0])),
        "join": draw(st.sampled_from([0.0, 1.0, 2.5])),
        "link": draw(st.sampled_from([0.0, 0.0, 1.5])),
        "match_limit": draw(st.sampled_from([0.0, 0.5, 1.0, 1.0, 1.5, 3.0])),
        "connect": draw(st.sampled_from(["require", "prefer", "ignore"])),
    }
    return JarObjective(**(parameters | fixed))


def random_problem(
    n: int, m: int, size: int, seed: int, density: float = 0.8, **weights: Any
) -> tuple[Instance, JarObjective]:
    """A larger problem that looks like real ones: cosines, and databases whose tables join well."""
    random = np.random.default_rng(seed)
    database = np.sort(random.integers(0, max(1, n // 6), n))
    same = database[:, None] == database[None, :]
    joins = np.where(same, random.uniform(0.2, 1.2, (n, n)), random.uniform(0.02, 0.3, (n, n)))
    joins = np.triu(np.where(random.random((n, n)) < density, joins, 0.0), 1)
    instance = Instance(random.normal(0.35, 0.12, n), random.normal(0.3, 0.12, (m, n)), joins + joins.T, size)
    return instance, JarObjective(**weights)
