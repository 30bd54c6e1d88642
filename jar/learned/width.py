"""How like a company's a schema is, by its tables, their columns and what joins them, and how far a question is in
words of its own: other weights count there, of tables and of sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.learned.candidates_seen import Candidates

NARROW, WIDE = 12, 24
"""Candidates that joins connect: up to so many a schema is narrow, as Spider's, from so many wide, as a company's."""
SLIM, BROAD = 6, 9
"""Columns of a table in the geometric mean: up to so many tables are slim, as Spider's, from so many broad."""
FEW, SEVERAL = 4, 9
"""Candidates: up to so many tell nothing of a schema by their columns or by how few joins there are, from so many all.
"""

KNOWN, STRANGE = 0.5, 0.75
"""Share of the words of a question that no name of a candidate has: up to the first it is in the words of the schema,
as most of Spider's, from the second in words of its own, as people ask in a chat."""
JOINED_UP, LOOSE = 0.25, 0.75
"""Share of the candidates of a database that join no other: up to the first they are joined up, as Spider's, from the
second on hardly any join is known, as in many warehouses."""


def unknown_share(seen: Candidates) -> float:
    """Which share of the words of a question no name of a candidate has, and no value of one, from 0 to 1.

    The more, the less its words tell which tables it needs. A value counts as one word, of however many it is. So does
    "who", which tables that hold people have.
    """
    who = float((seen.people == 1).any())
    known = _known(seen.words) + _known(seen.values) + who
    return max(1.0 - known / max(seen.length + who, 1), 0.0)


def own_words_share(seen: Candidates) -> float:
    """From 0 for a question in the words of the schema to 1 for one in words of its own, by the share of its words that
    no name of a candidate has, values or not: "Who teaches Spin?" names a class, and no table.

    Also 1 where it asks for somebody, and no word of it is in the names of those tables that hold people: "Who paid?".
    """
    people = seen.people == 1
    if people.any() and not (seen.words[:, people] > 0).any():
        return 1.0
    strange = 1.0 - _known(seen.words) / max(seen.length, 1)
    return float(np.clip((strange - KNOWN) / (STRANGE - KNOWN), 0.0, 1.0))


def wide_share(seen: Candidates, log_odds: Array) -> float:
    """From 0 for a narrow schema to 1 for a wide one, by the candidates that joins connect with the likeliest of them.

    Those of its database alone, itself included: over many databases there are always many candidates.

    Parameters
    ----------
    log_odds : array (n,)
        Of the candidates, by a relevance model.
    """
    count = seen.reached[np.argmax(log_odds)]
    return float(np.clip((count - NARROW) / (WIDE - NARROW), 0.0, 1.0))


def broad_share(seen: Candidates, log_odds: Array) -> float:
    """From 0 for slim or few tables to 1 for several broad ones, by the columns of the candidates in the likeliest
    one's database and by how many joins connect with it.

    Parameters
    ----------
    log_odds : array (n,)
        Of the candidates, by a relevance model.
    """
    broad = _breadth(seen, _of_likeliest(seen, log_odds))
    return float(broad * np.clip((seen.reached[np.argmax(log_odds)] - FEW) / (SEVERAL - FEW), 0.0, 1.0))


def loose_share(seen: Candidates, log_odds: Array) -> float:
    """From 0 where most candidates in the likeliest one's database join another one, or these are few or slim, to 1
    where of several broad ones hardly any does.

    Parameters
    ----------
    log_odds : array (n,)
        Of the candidates, by a relevance model.
    """
    inside = _of_likeliest(seen, log_odds)
    some = _breadth(seen, inside) * float(np.clip((len(inside) - FEW) / (SEVERAL - FEW), 0.0, 1.0))
    if not some:
        return 0.0
    alone = 1 - seen.joined[inside].any(axis=1).mean()
    return some * float(np.clip((alone - JOINED_UP) / (LOOSE - JOINED_UP), 0.0, 1.0))


def _known(rows: Array) -> float:
    """How many of some words or values, rows of (r, n), a candidate has."""
    return float((rows > 0).any(axis=1).sum())


def _of_likeliest(seen: Candidates, log_odds: Array) -> IntArray:
    """The candidates of the likeliest one's database."""
    return np.flatnonzero(seen.databases == seen.databases[np.argmax(log_odds)])


def _breadth(seen: Candidates, inside: IntArray) -> float:
    """From 0 for slim tables to 1 for broad ones, by the geometric mean of the columns of some candidates."""
    columns = np.expm1(np.log1p(seen.breadth[inside]).mean())
    return float(np.clip((columns - SLIM) / (BROAD - SLIM), 0.0, 1.0))
