"""What names alone tell of joins, on databases whose keys are known: by kind of reference, and all together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx

from benchmarks.pages.grids import Grid
from jar import Index
from joinability import Catalog, Table, edges
from joinability.by_name.key_names import KINDS, NamedTable, named_references
from joinability.scores.score import default_score

LIKELY = 0.5
"""Joins that score so much are taken for found."""


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


def joins_grid(sets: Mapping[str, list[NamedTruth]]) -> Grid:
    """Joins from `LIKELY` on: their precision and recall; and how far the scores of all pairs are from the keys."""
    rows = []
    for name, truths in sets.items():
        index = Index.build(
            Catalog(table for truth in truths for table in truth.tables), embedder="distilled", progress=False
        )
        scored = edges(index.contents.evidence, default_score, LIKELY).columns()
        joins = index.joins(LIKELY)
        of_score, with_names = (
            _cells(truths, zip(found["left"], found["right"], strict=True)) for found in (scored, joins)
        )
        rows.append((name, str(sum(len(truth.keys) for truth in truths)), *of_score, *with_names))
    header = ("", "keys", "score: precision", "recall", "with names: precision", "recall")
    return Grid("", header, rows, "pairs that refer to one key count neither for nor against")


def _cells(truths: list[NamedTruth], pairs: Iterable[tuple[str, str]]) -> tuple[str, str]:
    database = {table.database: truth for truth in truths for table in truth.tables}
    right = wrong = 0
    for ends in pairs:
        names = [end.partition(".") for end in ends]
        if names[0][0] == names[1][0]:
            truth, pair = database[names[0][0]], frozenset(name for *_, name in names)
            right += pair in truth.keys
            wrong += not truth.is_right(pair)
    keys = sum(len(truth.keys) for truth in truths)
    return f"{right / max(right + wrong, 1):.3f}", f"{right / max(keys, 1):.3f}"
