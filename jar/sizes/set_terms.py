"""What speaks for a set of tables beyond its tables, by joins, databases, sub-queries and size; and for no set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.forests import spanning_forests
from jar.arrays import Array, IntArray
from jar.sizes.table_terms import finite

if TYPE_CHECKING:
    from jar.sizes.candidate_sets import CandidateSets
    from jar.sizes.table_evidence import Evidence

SET_TERMS = ("joins", "parts", "databases", "uncovered", "least_covered", "subqueries", "pairs", "triples", "fours")
"""Names of the terms of a set; the weights of `set_model.json` have the same.

joins: weight of its maximum spanning forest. parts: components less one. databases: less one. uncovered, least_covered:
what the best of its tables falls short of the best candidate, in the mean and at most over the sub-queries. subqueries:
number of tables times that of sub-queries. pairs, triples, fours: 1 for sets of that size; a larger set continues the
last step.
"""
NOTHING_TERMS = ("constant", "cosine", "values", "words", "mentions")
"""Names of the terms of the answer that nothing fits: 1, the best cosine, values, shared words and named values."""
TYPICAL, MOST_SUBQUERIES = 4, 8
"""Sub-queries of a question: the term of their number is 0 for so many, and no greater than for so many."""
MOST_MENTIONS = 3


def set_terms(evidence: Evidence, pool: IntArray, sets: CandidateSets) -> Array:
    """The terms of each set, shape (N, G), in the order of `SET_TERMS`; 0 for the empty set.

    Parameters
    ----------
    pool : array (p,)
        The candidates that the sets are made of.
    """
    terms = np.zeros((len(sets), len(SET_TERMS)))
    joins = evidence.joins[np.ix_(pool, pool)]
    weights = np.where(joins > 0, joins, -np.inf)
    databases = evidence.databases[pool]
    short = _shortfalls(evidence)[:, pool]
    many = (min(len(evidence.coverage), MOST_SUBQUERIES) - TYPICAL) / TYPICAL
    for k, places in sets.of_size.items():
        rows = sets.rows(k)
        forest, count = spanning_forests(weights, places)
        terms[rows, 0], terms[rows, 1] = forest, k - 1 - count
        terms[rows, 2] = (np.diff(np.sort(databases[places], axis=1), axis=1) != 0).sum(axis=1)
        if len(short):
            missing = short[:, places].min(axis=2)
            terms[rows, 3], terms[rows, 4] = missing.mean(axis=0), missing.max(axis=0)
        terms[rows, 5] = k * many
        terms[rows, 6:] = _steps(k)
    return terms


def nothing_terms(evidence: Evidence) -> Array:
    """What tells a question that no table answers, shape (5,), in the order of `NOTHING_TERMS`."""
    best = (evidence.cosine.max(), evidence.values.max(), evidence.words.max())
    return np.array([1.0, *best, min(evidence.mentions, MOST_MENTIONS)])


def _shortfalls(evidence: Evidence) -> Array:
    """What each candidate falls short of the best one for each sub-query, from 0 to 1, shape (m, n)."""
    fine = finite(evidence.coverage)
    if not len(fine):
        return fine
    return np.asarray((fine.max(axis=1, keepdims=True) - fine).clip(0.0, 1.0))


def _steps(k: int) -> tuple[float, float, float]:
    """Which of the sizes 2, 3 and 4 a set has; of 4 + j tables that of 4 by 1 + j, less that of 3 by j."""
    beyond = max(k - 4, 0)
    return float(k == 2), float(k == 3) - beyond, float(k >= 4) + beyond
