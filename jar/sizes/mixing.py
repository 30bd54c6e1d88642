"""How much the weights for declared keys count for some candidates: equation (7) of `jar.sizes.set_model`."""

from __future__ import annotations

from jar.learned.candidates_seen import JOINED, Candidates

DECLARED = 0.9999
"""Weight from which a join is one by a declared key; those by rows and names weigh less."""


def declared_share(seen: Candidates) -> float:
    """Of the candidates that others join, the share of which the best join is by a declared key; 0 where none joins."""
    best = seen.joins.max(axis=1, initial=0.0)
    joined = best >= JOINED
    return float((best[joined] >= DECLARED).mean()) if joined.any() else 0.0


def has_declared(seen: Candidates) -> bool:
    """Whether a key between two candidates is declared."""
    return bool(seen.joins.max(initial=0.0) >= DECLARED)
