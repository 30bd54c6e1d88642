"""Random candidates with log-odds, without an index, and models of small random weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jar.arrays import Array
from jar.learned.candidates_seen import JOINED, Candidates
from jar.sizes.set_model import BEYOND_TERMS, SetModel
from jar.sizes.set_terms import NOTHING_TERMS, SET_TERMS


def made_candidates(seed: int, n: int = 7, m: int = 3, databases: int = 2) -> Candidates:
    """n candidates of some databases with sparse joins and a column or two; the last has none where n is odd."""
    rng = np.random.default_rng(seed)
    joins = np.triu(rng.uniform(size=(n, n)) * (rng.uniform(size=(n, n)) < 0.5), 1)
    columns = rng.integers(1, 3, n)
    if n % 2 and n > 1:
        columns[-1] = 0
    return Candidates(
        coarse=rng.normal(size=n),
        text=rng.uniform(size=n),
        name=rng.uniform(size=n),
        columns=columns,
        breadth=columns,
        asked=rng.uniform(size=columns.sum()),
        fine=rng.uniform(size=(m, columns.sum())),
        words=rng.uniform(size=(4, n)) * (rng.uniform(size=(4, n)) < 0.5),
        heads=np.zeros((4, n)),
        named=rng.uniform(size=n),
        meant=rng.uniform(size=n),
        values=rng.uniform(size=(2, n)) * (rng.uniform(size=(2, n)) < 0.5),
        within=np.zeros((0, n)),
        near=rng.uniform(size=(m + 1, n)) * (rng.uniform(size=n) < 0.5),
        databases=rng.integers(0, databases, n),
        joins=joins + joins.T,
        refers=joins,
        answers=joins / 2,
        people=np.select([(u := rng.uniform(size=n)) < 0.15, u < 0.3], [1.0, 0.5], 0.0),
        together=np.full(n, -1),
        length=6 + seed % 4,
    )


def made_odds(seed: int, n: int = 7) -> Array:
    """Log-odds of n candidates, few of which are likely."""
    odds: Array = np.random.default_rng(seed + 10_000).normal(-1.0, 1.5, n)
    return odds


def made_model(seed: int) -> SetModel:
    """A model of small random weights."""
    rng = np.random.default_rng(seed)
    sizes = (len(SET_TERMS), len(NOTHING_TERMS), len(BEYOND_TERMS))
    weights = (rng.normal(size=size) / 2 for size in sizes)
    more, held = np.array([-1.0, 1.5, -0.6, 0.4]), np.array([-0.5, -0.8])
    return SetModel(np.array([-0.3, 0.8, 0.5, -0.6]), *weights, more=more, held=held)


def chain(n: int, connected: int) -> Candidates:
    """n candidates of one database, the first of which are a chain."""
    joins = np.zeros((n, n))
    place = np.arange(connected - 1)
    joins[place, place + 1] = joins[place + 1, place] = JOINED
    return replace(made_candidates(1, n), joins=joins, databases=np.zeros(n, dtype=np.int64))
