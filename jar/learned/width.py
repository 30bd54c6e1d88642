"""How wide a schema is: in one as companies have them other weights count, of tables and of sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jar.learned.connected_parts import connected_parts

if TYPE_CHECKING:
    from jar.arrays import Array
    from jar.learned.candidates_seen import Candidates

JOINED = 0.5
"""Weight from which a join counts here."""
NARROW, WIDE = 12, 24
"""Candidates that joins connect: up to so many a schema is narrow, as Spider's, from so many wide, as a company's."""


def wide_share(seen: Candidates, log_odds: Array) -> float:
    """From 0 for a narrow schema to 1 for a wide one, by the candidates that joins connect with the likeliest of them.

    Those of its database alone, itself included: over many databases there are always many candidates.

    Parameters
    ----------
    log_odds : array (n,)
        Of the candidates, by a relevance model.
    """
    likeliest = int(np.argmax(log_odds))
    inside = np.flatnonzero(seen.databases == seen.databases[likeliest])
    parts = connected_parts(seen.joins[np.ix_(inside, inside)] >= JOINED)
    count = (parts == parts[inside == likeliest]).sum()
    return float(np.clip((count - NARROW) / (WIDE - NARROW), 0.0, 1.0))
