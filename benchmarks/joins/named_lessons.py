"""What the score learns from where nothing is known but names and types: the training databases, in several copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.special import expit

from benchmarks.data.dataset_form import FOLDS, fold_of
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import Layout
from benchmarks.data.stored_evidence import evidence_of
from benchmarks.data.wild.damage import damage_names, shorten_names
from benchmarks.joins.examples import Examples, examples
from benchmarks.joins.fitting import FORM, SHIFTS, fit_references, taken_by_rivals
from benchmarks.joins.lessons import Lessons
from benchmarks.joins.named_figures import NamedTruth, truths_of
from benchmarks.joins.truth import Truth, training_databases
from joinability import Catalog, Table


def named_truths(root: Path) -> dict[str, list[NamedTruth]]:
    """The training databases that have keys: with their names as they are, damaged and shortened.

    Raises
    ------
    MissingDataError
        When a file is not there.
    """
    learnt = training_databases(Layout(root, "spider"))
    dataset = load_dataset("spider-training", root)
    sets = {"as they are": dataset, "damaged": damage_names(dataset), "shortened": shorten_names(dataset)}
    return {
        name: truths_of(table for table in some.catalog if table.database in learnt) for name, some in sets.items()
    }


def read_named_lessons(root: Path, report: Callable[[str], None] = lambda message: None) -> Lessons:
    """The lessons of names: each copy of `named_truths` with and without types, with and without primary keys.

    Two columns that refer to one key count neither for nor against a reference, and a database weighs as much as it has
    keys, divided by their number.
    """
    report("training databases by their names and types alone")
    return named_lessons(list(copies_of(named_truths(root)).values()))


def copies_of(truths: Mapping[str, Sequence[NamedTruth]]) -> dict[str, list[NamedTruth]]:
    """Databases with their types and without, with their primary keys and without, by what is said of each."""
    return {
        name + ("" if types else ", no types") + (", primary keys" if keys else ""): [
            truth.known(types=types, keys=keys) for truth in some
        ]
        for name, some in truths.items()
        for types in (True, False)
        for keys in (False, True)
    }


def named_lessons(copies: Sequence[Sequence[NamedTruth]]) -> Lessons:
    """The lessons of several copies of databases, which have the same names in all of them."""
    truths = [_truth(copy) for copy in copies]
    parts, tables, columns, seen = [], [], 0, 0
    for truth, copy in zip(truths, copies, strict=True):
        made = _examples(truth, copy, 1 / len(copies))
        parts.append(replace(made, child=made.child + columns, parent=made.parent + columns))
        tables.append(truth.evidence.table + seen)
        columns, seen = columns + len(truth.evidence), seen + len(truth.evidence.table_names)
    copy_of = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return Lessons(tuple(truths), Examples.stacked(parts), copy_of, np.concatenate(tables))


def _truth(databases: Iterable[NamedTruth]) -> Truth:
    """The evidence on databases, whose keys it does not know."""
    tables: list[Table] = [table for one in databases for table in one.tables]
    evidence = evidence_of(Catalog(tables))
    names = tuple(sorted({table.database for table in tables}))
    every = np.ones(len(evidence), dtype=np.bool_)
    return Truth(evidence, names, np.zeros(len(names), dtype=np.int64), every)


def _examples(truth: Truth, databases: Iterable[NamedTruth], weight: float) -> Examples:
    made = examples(truth)
    known = {one.tables[0].database: one for one in databases}
    names = [name.partition(".")[2] for name in truth.evidence.ids]
    ends = [(names[child], names[parent]) for child, parent in zip(made.child, made.parent, strict=True)]
    own = [known[truth.databases[number]] for number in made.database.tolist()]
    y = np.array([pair in one.references for pair, one in zip(ends, own, strict=True)], dtype=np.float64)
    counts = np.array([not one.is_right(frozenset(pair)) for pair, one in zip(ends, own, strict=True)]) | (y > 0)
    keys = np.array([len(one.keys) for one in own])
    return replace(made, y=y, weight=np.where(counts, weight / keys, 0.0))


def held_out(lessons: Lessons) -> list[dict[tuple[str, str], float]]:
    """For each copy the scores of its pairs of columns, those of each fold of databases by a fit without it."""
    made, table = lessons.examples, lessons.table
    fold = np.array([fold_of(name) for name in lessons.truths[0].databases])[made.database]
    scores = np.zeros(len(made))
    for number in range(FOLDS):
        inside = fold == number
        learnt = made.where(~inside & (made.weight > 0))
        intercept, weights = fit_references(learnt, table, FORM)
        some = made.where(inside)
        alone = intercept + SHIFTS["schema"] + some.x @ weights
        scores[inside] = expit(alone + taken_by_rivals(some, alone, table))
    found: list[dict[tuple[str, str], float]] = []
    for place, (truth, first) in enumerate(zip(lessons.truths, lessons.first_columns.tolist(), strict=True)):
        own, ids = np.flatnonzero(lessons.copy == place), truth.evidence.ids
        best: dict[tuple[str, str], float] = {}
        for child, parent, score in zip(made.child[own] - first, made.parent[own] - first, scores[own], strict=True):
            pair = ids[min(child, parent)], ids[max(child, parent)]
            best[pair] = max(float(score), best.get(pair, 0.0))
        found.append(best)
    return found
