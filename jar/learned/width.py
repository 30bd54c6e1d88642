"""How like a company's a schema is, by its tables and by their columns: other weights count there, of tables and of
sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jar.learned.connected_parts import connected_parts

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.learned.candidates_seen import Candidates

JOINED = 0.5
"""Weight from which a join counts here."""
NARROW, WIDE = 12, 24
"""Candidates that joins connect: up to so many a schema is narrow, as Spider's, from so many wide, as a company's."""
SLIM, BROAD = 6, 9
"""Columns of a table in the geometric mean: up to so many tables are slim, as Spider's, from so many broad."""


def wide_share(seen: Candidates, log_odds: Array) -> float:
    """From 0 for a narrow schema to 1 for a wide one, by the candidates that joins connect with the likeliest of them.

    Those of its database alone, itself included: over many databases there are always many candidates.

    Parameters
    ----------
    log_odds : array (n,)
        Of the candidates, by a relevance model.
    """
    likeliest, inside = _likeliest_database(seen, log_odds)
    parts = connected_parts(seen.joins[np.ix_(inside, inside)] >= JOINED)
    count = (parts == parts[inside == likeliest]).sum()
    return float(np.clip((count - NARROW) / (WIDE - NARROW), 0.0, 1.0))


def broad_share(seen: Candidates, log_odds: Array) -> float:
    """From 0 for slim tables to 1 for broad ones, by the columns of the candidates in the likeliest one's database.

    Parameters
    ----------
    log_odds : array (n,)
        Of the candidates, by a relevance model.
    """
    _, inside = _likeliest_database(seen, log_odds)
    columns = np.expm1(np.log1p(seen.breadth[inside]).mean())
    return float(np.clip((columns - SLIM) / (BROAD - SLIM), 0.0, 1.0))


def _likeliest_database(seen: Candidates, log_odds: Array) -> tuple[int, IntArray]:
    """The likeliest candidate, and all of its database."""
    likeliest = int(np.argmax(log_odds))
    return likeliest, np.flatnonzero(seen.databases == seen.databases[likeliest])
