"""How much each kind of weights of the set model counts for some candidates: equations (7) and (8) of `set_model`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jar.arrays import Array
    from jar.learned.candidates_seen import Candidates

JOINED = 0.5
"""Weight from which a join counts here."""
DECLARED = 0.9999
"""Weight from which a join is one by a declared key; those by rows and names weigh less."""
NARROW, WIDE = 12, 24
"""Candidates that joins connect: up to so many a schema is narrow, as Spider's, from so many wide, as a company's."""


def declared_share(seen: Candidates) -> float:
    """Of the candidates that others join, the share of which the best join is by a declared key; 0 where none joins."""
    best = seen.joins.max(axis=1, initial=0.0)
    joined = best >= JOINED
    return float((best[joined] >= DECLARED).mean()) if joined.any() else 0.0


def has_declared(seen: Candidates) -> bool:
    """Whether a key between two candidates is declared."""
    return bool(seen.joins.max(initial=0.0) >= DECLARED)


def wide_share(seen: Candidates, log_odds: Array) -> float:
    """From 0 for a narrow schema to 1 for a wide one, by the candidates that joins connect with the likeliest of them.

    Those of its database alone, itself included: over many databases there are always many candidates.

    Parameters
    ----------
    log_odds : array (n,)
        Of the candidates, by the relevance model.
    """
    likeliest = int(np.argmax(log_odds))
    inside = np.flatnonzero(seen.databases == seen.databases[likeliest])
    joined = seen.joins[np.ix_(inside, inside)] >= JOINED
    reached = inside == likeliest
    count = 0
    while count < reached.sum():
        count = int(reached.sum())
        reached = reached | joined[reached].any(axis=0)
    return float(np.clip((count - NARROW) / (WIDE - NARROW), 0.0, 1.0))
