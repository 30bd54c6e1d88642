"""How well a score finds declared keys: the best pair of two linked tables, the top of a database, the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.joins.truth import Flags, Indices, Truth
from joinability import EvidenceBlock

Array = npt.NDArray[Any]
BlockScore = Callable[[EvidenceBlock], Array]
LIKELY = 0.5
"""The threshold of a graph that shall hold little else than true joins: pairs of this score are taken for joins."""


@dataclass(frozen=True)
class Scored:
    """All pairs of columns within one database, with their scores.

    Attributes
    ----------
    score : (p,) array
    declared : (p,) array of bool
    tables : (p,) array of int
        Number of the pair of tables.
    """

    score: Array
    declared: Flags
    tables: Indices

    @property
    def order(self) -> Indices:
        """Best first; equal scores in the order of the columns."""
        return np.argsort(-self.score, kind="stable")

    @property
    def best_of_tables(self) -> Indices:
        """The best pair of columns of each pair of tables, best first."""
        order = self.order
        _, first = np.unique(self.tables[order], return_index=True)
        return order[np.sort(first)]


@dataclass(frozen=True)
class Findings:
    """What a score finds in some databases.

    Attributes
    ----------
    databases, linked, keys : int
        Databases with keys, pairs of tables that a key links, pairs of columns that are a key; all with rows.
    best_pair, best_pair_mean : float
        Share of the linked pairs of tables whose best pair of columns is declared and has a score: of all of them, and
        averaged over the databases.
    top_columns, top_tables : float
        Share of declared keys among the best n pairs of columns of a database with n keys, and among the best pairs of
        its tables, one for each, as many as are linked; averaged over the databases.
    precision, recall, edges : float, float, int
        Of the pairs that have a score from `threshold` on.
    threshold : float
    """

    databases: int
    linked: int
    keys: int
    best_pair: float
    best_pair_mean: float
    top_columns: float
    top_tables: float
    edges: int
    precision: float
    recall: float
    threshold: float

    def rounded(self) -> dict[str, float]:
        """The figures with four digits."""
        return {field.name: round(getattr(self, field.name), 4) for field in fields(self)}


def scored_databases(truth: Truth, part: str, score: BlockScore) -> Iterator[Scored]:
    """The pairs of each database of a part of the truth that has two tables with rows."""
    table = truth.evidence.table
    for database in truth.of_part(part):
        left, right = truth.pairs(int(database))
        if len(left):
            block = truth.evidence.pairs(left, right)
            numbers = table[left] * len(truth.evidence.table_names) + table[right]
            yield Scored(score(block), block.declared, numbers)


def find_keys(scored: Iterator[Scored], threshold: float = 0.0) -> Findings:
    """The figures of some databases; with threshold 0 every pair that has a score is an edge."""
    hits = linked = keys = edges = true = 0
    top_columns, top_tables, best_pairs = [], [], []
    for database in scored:
        shown = (database.score > 0) & (database.score >= threshold)
        edges += int(shown.sum())
        true += int((shown & database.declared).sum())
        if not database.declared.any():
            continue
        declared = database.declared & (database.score > 0)
        best = database.best_of_tables
        tied = np.unique(database.tables[database.declared])
        n = int(database.declared.sum())
        keys += n
        linked += len(tied)
        right = declared[best[np.isin(database.tables[best], tied)]]
        hits += int(right.sum())
        best_pairs.append(right.mean())
        top_columns.append(declared[database.order[:n]].mean())
        top_tables.append(declared[best[: len(tied)]].mean())
    return Findings(
        len(top_columns),
        linked,
        keys,
        hits / max(linked, 1),
        float(np.mean(best_pairs)),
        float(np.mean(top_columns)),
        float(np.mean(top_tables)),
        edges,
        true / max(edges, 1),
        true / max(keys, 1),
        threshold,
    )
