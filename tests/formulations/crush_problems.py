"""Random problems over columns for the property tests: small, with ties, tables of any size, and key links."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from formulations import CrushObjective, Instance

# Quarters are exact in floating point, so that ties are ties; few different ones, so that there are many.
SIMILARITIES = st.one_of(st.integers(-2, 4).map(lambda k: k / 4), st.floats(-1.0, 1.0, allow_nan=False))
KEYS = st.one_of(st.just(0.0), st.just(0.0), st.sampled_from([0.5, 1.0]))


@st.composite
def crush_instances(draw: st.DrawFn, most: int = 7, constraints: bool = True) -> Instance:
    """An instance of at most `most` columns and 3 probes."""
    n = draw(st.integers(1, most))
    m = draw(st.integers(0, 3))
    size = draw(st.integers(1, n))
    keys = np.zeros((n, n))
    upper = np.triu_indices(n, 1)
    keys[upper] = draw(st.lists(KEYS, min_size=len(upper[0]), max_size=len(upper[0])))
    roles = draw(st.permutations(range(n)))
    require = roles[: draw(st.integers(0, min(2, size)))] if constraints else []
    exclude = roles[n - draw(st.integers(0, min(2, n - size))) :] if constraints else []
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    return Instance(
        np.zeros(n),
        np.array(draw(st.lists(SIMILARITIES, min_size=m * n, max_size=m * n))).reshape(m, n),
        keys + keys.T,
        size,
        require=require,
        exclude=exclude,
        forbid_joins=draw(st.lists(pairs, max_size=1)) if constraints and n > 1 else [],
        groups=draw(st.one_of(st.none(), st.lists(st.integers(0, 2), min_size=n, max_size=n))),
    )


@st.composite
def crush_objectives(draw: st.DrawFn, **fixed: Any) -> CrushObjective:
    """An objective with parameters that may be zero, and sharp or flat."""
    parameters = {
        "gamma": draw(st.sampled_from([0, 0.01, 0.01, 0.2, 3])),
        "connectivity": draw(st.sampled_from([0, 1, 1.0, 2.5])),
        "sharpness": draw(st.sampled_from([0, 0.005, 0.1, 1.0, 1, 4.0])),
    }
    return CrushObjective(**(parameters | fixed))


def random_columns_problem(n: int, m: int, size: int, seed: int, **parameters: Any) -> tuple[Instance, CrushObjective]:
    """A larger problem that looks like real ones: similarities around 0.3, tables of some six columns, a few keys."""
    random = np.random.default_rng(seed)
    tables = np.sort(random.integers(0, max(1, n // 6), n))
    keys = np.triu(random.random((n, n)) < 0.3 / n, 1).astype(float)
    instance = Instance(
        np.zeros(n),
        random.normal(0.3, 0.04, (m, n)),
        keys + keys.T,
        size,
        ids=[f"table{table}.column{d}" for d, table in enumerate(tables)],
        groups=[f"table{table}" for table in tables],
    )
    return instance, CrushObjective(**parameters)
