"""Random evidence, without an index."""

from __future__ import annotations

import numpy as np

from jar.sizes.table_evidence import Evidence


def made_evidence(seed: int, n: int = 7, m: int = 3, databases: int = 2) -> Evidence:
    """n candidates of some databases with sparse joins; one of them without columns where n is odd."""
    rng = np.random.default_rng(seed)
    joins = np.triu(rng.uniform(size=(n, n)) * (rng.uniform(size=(n, n)) < 0.5), 1)
    coverage = rng.uniform(size=(m, n))
    if n % 2 and n > 1:
        coverage[:, -1] = -np.inf
    return Evidence(
        coarse=rng.normal(size=n),
        cosine=rng.uniform(size=n),
        name_cosine=rng.uniform(size=n),
        words=rng.uniform(size=n) * (rng.uniform(size=n) < 0.5),
        values=rng.integers(0, 3, n).astype(np.float64),
        coverage=coverage,
        joins=joins + joins.T,
        databases=rng.integers(0, databases, n),
        columns=rng.integers(1, 30, n),
        neighbours=rng.integers(1, 9, n),
        mentions=int(rng.integers(0, 4)),
    )
