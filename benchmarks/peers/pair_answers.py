"""What a contestant answers, and how good it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from benchmarks.peers.databases import Column, Database, Reference

Answer = list[tuple[Column, Column, float]]
"""Pairs of columns with their scores, best first."""


def quality(databases: Iterable[Database], answers: Mapping[str, Answer]) -> dict[str, float]:
    """Quality of the answers on the databases that declare references; no answer finds nothing.

    Returns
    -------
    dict
        "best pair": of the pairs of tables that a reference links ("linked tables" is their number), the percentage
        whose best pair of columns is a declared reference. "top": of the best n pairs of a database that declares n,
        the declared percentage, averaged over "databases".
    """
    asked = [(database, answers.get(database.name, [])) for database in databases if database.references]
    linked = sum(len(database.linked_tables) for database, _ in asked)
    best = sum(_best(database, answer) for database, answer in asked)
    tops = [_top(database.references, answer) for database, answer in asked]
    return {
        "best pair": 100 * best / max(1, linked),
        "top": 100 * float(np.mean(tops)) if tops else 0.0,
        "linked tables": linked,
        "databases": len(asked),
    }


def _best(database: Database, answer: Answer) -> int:
    """Linked pairs of tables whose first pair of columns is declared."""
    first: dict[frozenset[str], Reference] = {}
    for left, right, _ in answer:
        first.setdefault(frozenset((left[0], right[0])), frozenset((left, right)))
    return sum(first.get(tables) in database.references for tables in database.linked_tables)


def _top(references: frozenset[Reference], answer: Answer) -> float:
    """Declared share of the first pairs, as many as are declared."""
    pairs = list(dict.fromkeys(frozenset((left, right)) for left, right, _ in answer))
    return len(references.intersection(pairs[: len(references)])) / len(references)


def ranked(pairs: Iterable[tuple[Column, Column, float]]) -> Answer:
    """Pairs of two tables, best first; at a tie in the order of their names, which says nothing."""
    different = [(left, right, score) for left, right, score in pairs if left[0] != right[0]]
    return sorted(different, key=lambda pair: (-pair[2], pair[0], pair[1]))
