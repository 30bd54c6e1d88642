"""What speaks for a table by itself: named terms of the log-odds that a question needs it.

Every term compares a table with the other candidates of its question, so that it means the same for another embedder,
another number of tables and another kind of names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import Array

if TYPE_CHECKING:
    from jar.sizes.table_evidence import Evidence


def standardised(values: Array) -> Array:
    """Deviations from the mean in units of the standard deviation, along the last axis; 0 where all are equal."""
    deviation = values - values.mean(axis=-1, keepdims=True)
    spread = values.std(axis=-1, keepdims=True)
    return np.asarray(np.divide(deviation, spread, out=np.zeros_like(deviation), where=spread > 1e-9))


def finite(coverage: Array) -> Array:
    """Fine relevance where a table without columns is as irrelevant as the least relevant one."""
    known = np.isfinite(coverage)
    least = coverage.min(axis=-1, keepdims=True, where=known, initial=1.0)
    return np.where(known, coverage, least)


def _place(evidence: Evidence) -> Array:
    """log(1 + p) for the p-th candidate by relevance, from 0."""
    place = np.empty(evidence.n)
    place[np.argsort(-evidence.coarse, kind="stable")] = np.arange(evidence.n)
    return np.log1p(place)


def _lead(evidence: Evidence) -> Array:
    """Of the most relevant candidate what it is ahead of the second, of the others 0."""
    lead = np.zeros(evidence.n)
    if evidence.n > 1:
        second, first = np.sort(evidence.coarse)[-2:]
        lead[np.argmax(evidence.coarse)] = first - second
    return lead


def _best_part(evidence: Evidence) -> Array:
    """How far it stands out by the sub-query for which it stands out most, in standard deviations."""
    if not len(evidence.coverage):
        return np.zeros(evidence.n)
    return np.asarray(standardised(finite(evidence.coverage)).max(axis=0))


def _part_gap(evidence: Evidence) -> Array:
    """What it falls short of the best table by the sub-query for which that is least."""
    if not len(evidence.coverage):
        return np.zeros(evidence.n)
    fine = finite(evidence.coverage)
    return np.asarray((fine - fine.max(axis=1, keepdims=True)).max(axis=0))


def _parts_gap(evidence: Evidence) -> Array:
    """What it falls short of the best table in the mean of the sub-queries."""
    if not len(evidence.coverage):
        return np.zeros(evidence.n)
    fine = finite(evidence.coverage)
    return np.asarray((fine - fine.max(axis=1, keepdims=True)).mean(axis=0))


def _database_gap(evidence: Evidence) -> Array:
    """What the best candidate of its database falls short of the best of all."""
    best = np.full(evidence.databases.max(initial=0) + 1, -np.inf)
    np.maximum.at(best, evidence.databases, evidence.coarse)
    return np.asarray(best[evidence.databases] - evidence.coarse.max())


def _place_in_database(evidence: Evidence) -> Array:
    """log(1 + number of candidates of its database that are more relevant)."""
    same = evidence.databases[:, None] == evidence.databases
    return np.asarray(np.log1p((same & (evidence.coarse[None, :] > evidence.coarse[:, None])).sum(axis=1)))


def _support(evidence: Evidence) -> Array:
    """The best join with a relevant table: max_j w_ij max(0, 2 + z_j - max z), z the standardised relevance."""
    standing = standardised(evidence.coarse)
    strong = np.maximum(standing - standing.max() + 2.0, 0.0)
    return np.asarray((evidence.joins * strong).max(axis=1, initial=0.0))


TABLE_TERMS: dict[str, Callable[[Evidence], Array]] = {
    "standing": lambda evidence: standardised(evidence.coarse),
    "gap": lambda evidence: evidence.coarse - evidence.coarse.max(),
    "lead": _lead,
    "place": _place,
    "cosine_gap": lambda evidence: evidence.cosine - evidence.cosine.max(),
    "name_standing": lambda evidence: standardised(evidence.name_cosine),
    "words": lambda evidence: evidence.words,
    "words_standing": lambda evidence: standardised(evidence.words),
    "values": lambda evidence: np.minimum(evidence.values, 1.0),
    "best_part": _best_part,
    "part_gap": _part_gap,
    "parts_gap": _parts_gap,
    "database_gap": _database_gap,
    "place_in_database": _place_in_database,
    "support": _support,
    "columns": lambda evidence: np.log1p(evidence.columns),
    "neighbours": lambda evidence: np.log1p(evidence.neighbours),
}
"""By name; the weights of `set_model.json` have the same names."""


def table_terms(evidence: Evidence) -> Array:
    """The terms of each candidate, shape (n, F), in the order of `TABLE_TERMS`."""
    return np.stack([np.asarray(term(evidence), dtype=np.float64) for term in TABLE_TERMS.values()], axis=1)
