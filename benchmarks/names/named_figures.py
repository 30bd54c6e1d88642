"""How right the references are that names alone suggest, where keys are known: by kind, and all together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from benchmarks.data.stored_evidence import evidence_of
from benchmarks.joins.calibration import BINS
from benchmarks.joins.key_ranking import LIKELY
from benchmarks.names.named_truth import NamedTruth
from benchmarks.pages.grids import Grid
from joinability import Catalog, edges
from joinability.by_name.key_names import named_references
from joinability.by_name.name_kinds import NAME_KINDS
from joinability.by_name.table_names import OPAQUE_KIND, UNKNOWN_KIND, TableNames
from joinability.composite.within_tables import references_within_tables
from joinability.families import KINDS, declared_family, declared_length
from joinability.scores.odds import LEAST
from joinability.scores.score import default_score


def kinds_grid(sets: Mapping[str, list[NamedTruth]]) -> Grid:
    """Of the references of each kind those that are right, by data set; in the last row the keys among all of them."""
    cells: dict[str, list[str]] = {kind: [] for kind in NAME_KINDS}
    total = []
    for truths in sets.values():
        right: Counter[str] = Counter()
        count: Counter[str] = Counter()
        hits = keys = 0
        for truth in truths:
            references = _references(truth)
            for pair, kind in references.items():
                count[kind] += 1
                right[kind] += truth.is_right(pair)
            hits, keys = hits + len(references.keys() & truth.keys), keys + len(truth.keys)
        for kind in NAME_KINDS:
            cells[kind].append(f"{right[kind]} of {count[kind]}")
        total.append(f"{hits} of {keys}")
    rows = [(name, f"{kind.chance:g}", *cells[name]) for name, kind in NAME_KINDS.items()]
    return Grid("", ("kind", "chance", *sets), [*rows, ("keys found", "", *total)])


def _references(truth: NamedTruth) -> dict[frozenset[str], str]:
    """The kind of each pair of columns that names and declared types suggest, the likeliest where there are several."""
    tables = [
        TableNames(
            table.name,
            table.column_names,
            [_kind(column.type) for column in table.columns],
            lengths=[declared_length(column.type) for column in table.columns],
        )
        for table in truth.tables
    ]
    names = [[f"{table.name}.{column}" for column in table.column_names] for table in truth.tables]
    return {
        frozenset(names[table][column] for table, column in (reference.child, reference.parent)): reference.kind
        for reference in sorted(named_references(tables), key=lambda reference: reference.chance)
    }


def within_grid(sets: Mapping[str, list[NamedTruth]]) -> Grid:
    """Of the references that names and types tell of rows to others of their table those that are right, and of those
    that there are the ones told, by data set."""
    rows = []
    for name, truths in sets.items():
        evidence = evidence_of(Catalog(table for truth in truths for table in truth.tables))
        told = {
            tuple(evidence.ids[column] for column in (*key.child, *key.parent))
            for key, is_told in references_within_tables(evidence).items()
            if is_told
        }
        database = {id(truth): truth.tables[0].database for truth in truths}
        known = {tuple(f"{database[id(truth)]}.{end}" for end in pair) for truth in truths for pair in truth.within}
        hits = len(told & known)
        rows.append((name, f"{hits} of {len(told)}", f"{hits} of {len(known)}"))
    return Grid("", ("", "told that are right", "there that are told"), rows)


def _kind(declared: str) -> int:
    """What a column of a declared type holds, as `TableNames` tells it."""
    family = declared_family(declared)
    special = {"boolean": len(KINDS), "other": UNKNOWN_KIND, "opaque": OPAQUE_KIND}
    return special[family] if family in special else KINDS.index(family)


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
            (database, _, child), (other_database, _, parent) = left.partition("."), right.partition(".")
            truth, pair = of_database[database], frozenset((child, parent))
            if database == other_database and (pair in truth.keys or not truth.is_right(pair)):
                kept.append((score, pair in truth.keys))
        score, right = np.array(kept, dtype=np.float64).reshape(-1, 2).T
        return cls(sum(len(truth.keys) for truth in of_database.values()), score, right > 0)

    def cells(self) -> tuple[str, ...]:
        """The number of keys, precision and recall from `LIKELY` on, and the logistic loss for each key."""
        likely = self.score >= LIKELY
        clipped = np.clip(self.score, LEAST, 1 - LEAST)
        missed = self.keys - self.right.sum()
        loss = -np.log(np.where(self.right, clipped, 1 - clipped)).sum() - missed * np.log(LEAST)
        hits = (likely & self.right).sum()
        figures = hits / max(likely.sum(), 1), hits / self.keys, loss / self.keys
        return (str(self.keys), *(f"{figure:.3f}" for figure in figures))

    def shares(self) -> tuple[str, ...]:
        """The share of keys among the pairs of a score, and their number, by `BINS`; the last bin has 1 itself, too."""
        cells = []
        for low, high in pairwise(BINS):
            right = self.right[(self.score >= low) & ((self.score < high) | (high == BINS[-1]))]
            cells.append(f"{right.mean():.3f} ({len(right)})" if len(right) else "(0)")
        return tuple(cells)


def judged(truths: Sequence[NamedTruth]) -> Judged:
    """Databases by the score that the package comes with."""
    evidence = evidence_of(Catalog(table for truth in truths for table in truth.tables))
    scored = edges(evidence, default_score).columns()
    pairs = zip(scored["left"], scored["right"], strict=True)
    return Judged.of(truths, dict(zip(pairs, scored["score"].tolist(), strict=True)))


def joins_grids(sets: Mapping[str, Judged]) -> tuple[Grid, Grid]:
    """How well the score finds keys by names alone, and the share of keys among the pairs of a score."""
    ranked = Grid(
        "",
        ("", "keys", "precision", "recall", "loss"),
        [(name, *some.cells()) for name, some in sets.items()],
    )
    bins = [f"{low:g} to {high:g}" for low, high in pairwise(BINS)]
    return ranked, Grid("", ("scores", *bins), [(name, *some.shares()) for name, some in sets.items()])
