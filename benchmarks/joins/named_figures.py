"""What names alone tell of joins, on databases whose keys are known: by kind of reference, and all together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import networkx as nx
import numpy as np
import numpy.typing as npt

from benchmarks.data.stored_evidence import evidence_of
from benchmarks.pages.grids import Grid
from joinability import Catalog, Table, edges
from joinability.by_name.key_names import KINDS, NamedTable, named_references
from joinability.scores.odds import LEAST
from joinability.scores.score import default_score

LIKELY = 0.5
"""Joins that score so much are taken for found."""
BINS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01)
"""Limits of the scores whose shares of keys are told."""


@dataclass(frozen=True)
class NamedTruth:
    """The tables of a database without rows and keys, and its keys.

    Attributes
    ----------
    tables : tuple of Table
    references : set of (child, parent)
        Both "table.column".
    primary_keys : tuple of tuples of names
        Of each table.
    """

    tables: tuple[Table, ...]
    references: frozenset[tuple[str, str]]
    primary_keys: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, tables: Iterable[Table]) -> NamedTruth:
        """The tables of one database, whose keys are taken away, and the keys between two of them."""
        tables = tuple(tables)
        own = {table.id: table.name for table in tables}
        references = {
            (f"{table.name}.{child}", f"{own[key.target]}.{parent}")
            for table in tables
            for key in table.foreign_keys
            if key.target in own and key.target != table.id
            for child, parent in zip(key.columns, key.target_columns, strict=True)
        }
        bare = tuple(replace(table, foreign_keys=(), primary_key=(), source=None, statistics=None) for table in tables)
        return cls(bare, frozenset(references), tuple(tuple(table.primary_key) for table in tables))

    @cached_property
    def keys(self) -> frozenset[frozenset[str]]:
        """The pairs of columns that are keys."""
        return frozenset(map(frozenset, self.references))

    def is_right(self, pair: frozenset[str]) -> bool:
        """Whether a pair is a key, or refers to one key on both sides."""
        ends = {self._linked.get(end) for end in pair}
        return len(ends) == 1 and None not in ends

    @cached_property
    def _linked(self) -> dict[str, int]:
        """The number of the group of columns, linked by keys, that each column of a key is in."""
        groups = nx.connected_components(nx.Graph(self.references))
        return {end: number for number, group in enumerate(groups) for end in group}

    def known(self, *, types: bool, keys: bool) -> NamedTruth:
        """The same with the types of the columns or without them, with the primary keys of the tables or without."""
        tables = (
            replace(
                table,
                columns=table.columns if types else tuple(replace(column, type="") for column in table.columns),
                primary_key=key if keys else (),
            )
            for table, key in zip(self.tables, self.primary_keys, strict=True)
        )
        return replace(self, tables=tuple(tables))


def truths_of(catalog: Iterable[Table]) -> list[NamedTruth]:
    """The databases of a catalog that have keys."""
    groups: defaultdict[str, list[Table]] = defaultdict(list)
    for table in catalog:
        groups[table.database].append(table)
    truths = (NamedTruth.of(tables) for tables in groups.values())
    return [truth for truth in truths if truth.keys]


def kinds_grid(sets: Mapping[str, list[NamedTruth]]) -> Grid:
    """Of the references of each kind those that are right, by data set; in the last row the keys that are found."""
    cells: dict[str, list[str]] = {kind: [] for kind in KINDS}
    total = []
    for truths in sets.values():
        right: Counter[str] = Counter()
        count: Counter[str] = Counter()
        found = keys = 0
        for truth in truths:
            told = _references(truth)
            for pair, kind in told.items():
                count[kind] += 1
                right[kind] += truth.is_right(pair)
            found, keys = found + len(told.keys() & truth.keys), keys + len(truth.keys)
        for kind in KINDS:
            cells[kind].append(f"{right[kind]} of {count[kind]}")
        total.append(f"{found} of {keys}")
    rows = [(kind, f"{chance:g}", *cells[kind]) for kind, (chance, _) in KINDS.items()]
    return Grid("", ("kind", "chance", *sets), [*rows, ("keys found", "", *total)])


def _references(truth: NamedTruth) -> dict[frozenset[str], str]:
    """The kind of each pair that names tell, the likeliest where there are several."""
    named = [NamedTable(table.name, table.column_names, [-1] * len(table.columns)) for table in truth.tables]
    told = sorted(named_references(named), key=lambda one: one.chance)
    names = [[f"{table.name}.{column}" for column in table.column_names] for table in truth.tables]
    return {frozenset(names[table][column] for table, column in (one.child, one.parent)): one.kind for one in told}


@dataclass(frozen=True)
class Judged:
    """Pairs of columns of databases with known keys, each with its score; those that refer to one key are left out.

    Attributes
    ----------
    keys : int
        Of all databases, whether a pair of `score` or not.
    score, right : (p,) arrays
        Of each pair, and whether it is a key.
    """

    keys: int
    score: npt.NDArray[np.float64]
    right: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, truths: Iterable[NamedTruth], scores: Mapping[tuple[str, str], float]) -> Judged:
        """The pairs (left, right) of scores, "database.table.column" each, but for those of two databases."""
        of_database = {truth.tables[0].database: truth for truth in truths}
        kept = []
        for (left, right), score in scores.items():
            (database, _, one), (other_database, _, other) = left.partition("."), right.partition(".")
            truth, pair = of_database[database], frozenset((one, other))
            if database == other_database and (pair in truth.keys or not truth.is_right(pair)):
                kept.append((score, pair in truth.keys))
        score, right = np.array(kept, dtype=np.float64).reshape(-1, 2).T
        return cls(sum(len(truth.keys) for truth in of_database.values()), score, right > 0)

    def cells(self) -> tuple[str, ...]:
        """The number of keys, precision and recall from `LIKELY` on, and the logistic loss for each key."""
        found = self.score >= LIKELY
        clipped = np.clip(self.score, LEAST, 1 - LEAST)
        missed = self.keys - self.right.sum()
        loss = -np.log(np.where(self.right, clipped, 1 - clipped)).sum() - missed * np.log(LEAST)
        hits = (found & self.right).sum()
        figures = hits / max(found.sum(), 1), hits / self.keys, loss / self.keys
        return (str(self.keys), *(f"{figure:.3f}" for figure in figures))

    def shares(self) -> tuple[str, ...]:
        """The share of keys among the pairs of a score, and their number, by `BINS`."""
        told = []
        for low, high in pairwise(BINS):
            right = self.right[(self.score >= low) & (self.score < high)]
            told.append(f"{right.mean():.3f} ({len(right)})" if len(right) else "(0)")
        return tuple(told)


def judged(truths: Sequence[NamedTruth]) -> Judged:
    """Databases by the score that the package comes with."""
    evidence = evidence_of(Catalog(table for truth in truths for table in truth.tables))
    scored = edges(evidence, default_score).columns()
    pairs = zip(scored["left"], scored["right"], strict=True)
    return Judged.of(truths, dict(zip(pairs, scored["score"].tolist(), strict=True)))


def joins_grids(sets: Mapping[str, Judged]) -> tuple[Grid, Grid]:
    """How well the score finds keys by names alone, and the share of keys among the pairs of a score."""
    found = Grid(
        "",
        ("", "keys", "precision", "recall", "loss"),
        [(name, *some.cells()) for name, some in sets.items()],
        "pairs that refer to one key count neither for nor against",
    )
    bins = [f"{low:g} to {high:g}" for low, high in pairwise((*BINS[:-1], 1))]
    return found, Grid("", ("scores", *bins), [(name, *some.shares()) for name, some in sets.items()])
