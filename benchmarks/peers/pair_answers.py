"""What a contestant answers, and how good it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.peers.databases import Column, Database, Reference

Answer = list[tuple[Column, Column, float]]
"""Pairs of columns with their scores, best first."""


@dataclass(frozen=True)
class Quality:
    """How many declared references are found.

    Attributes
    ----------
    linked : int
        Pairs of tables that a reference links.
    best : int
        Those of them whose best pair of columns is a declared reference.
    top : float
        Of the best n pairs of a database that declares n, the declared share; averaged over databases.
    databases : int
        Those that declare any.
    """

    linked: int
    best: int
    top: float
    databases: int

    @property
    def best_share(self) -> float:
        """Share of the linked pairs of tables whose best pair of columns is declared."""
        return self.best / self.linked if self.linked else 0.0

    def to_dict(self) -> dict[str, float]:
        """Percentages, and of how much."""
        return {
            "best pair": 100 * self.best_share,
            "top": 100 * self.top,
            "linked tables": self.linked,
            "databases": self.databases,
        }


def quality(databases: Iterable[Database], answers: Mapping[str, Answer]) -> Quality:
    """Quality of the answers on the databases that declare references; no answer finds nothing."""
    asked = [database for database in databases if database.references]
    best = sum(_best(database, answers.get(database.name, [])) for database in asked)
    tops = [_top(database.references, answers.get(database.name, [])) for database in asked]
    linked = sum(len(database.linked_tables) for database in asked)
    return Quality(linked, best, sum(tops) / len(tops) if tops else 0.0, len(asked))


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


def median(values: Sequence[float]) -> float:
    """The middle value; NaN of none."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else float("nan")
