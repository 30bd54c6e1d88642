"""What the score learns from where nothing is known but names and types: the training databases, and those of
companies to choose by, in several copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from benchmarks.data.dataset_form import fold_of
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import Layout
from benchmarks.data.stored_evidence import evidence_of
from benchmarks.data.wild.damage import damage_names, shorten_names
from benchmarks.joins.examples import Examples, examples
from benchmarks.joins.fitting import SHIFTS
from benchmarks.joins.lessons import Lessons
from benchmarks.joins.truth import Truth, training_databases
from benchmarks.joins.validation import held_out_logits
from benchmarks.names.named_truth import NamedTruth, company_truths, truths_of
from joinability import Catalog, Table


def named_truths(root: Path) -> dict[str, list[NamedTruth]]:
    """The training databases that have keys, with names as they are, damaged and shortened, and those of companies.

    Raises
    ------
    MissingDataError
        When a file is not there.
    """
    learnt = training_databases(Layout(root, "spider"))
    dataset = load_dataset("spider-training", root)
    sets = {
        "Spider, as they are": dataset,
        "Spider, damaged": damage_names(dataset),
        "Spider, shortened": shorten_names(dataset),
    }
    truths = {
        name: truths_of(table for table in some.catalog if table.database in learnt) for name, some in sets.items()
    }
    return truths | {"companies": company_truths(held_out=False)}


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
    times = Counter(name for truth in truths for name in truth.databases)
    numbers = {name: number for number, name in enumerate(_names(truths))}
    parts = []
    for truth, copy in zip(truths, copies, strict=True):
        made = _examples(truth, copy, np.array([1 / times[name] for name in truth.databases]))
        parts.append(replace(made, database=np.array([numbers[name] for name in truth.databases])[made.database]))
    return Lessons.stacked(truths, parts)


def _names(truths: Iterable[Truth]) -> list[str]:
    """The names of the databases of several copies, by their numbers in the lessons."""
    return sorted({name for truth in truths for name in truth.databases})


def _truth(databases: Iterable[NamedTruth]) -> Truth:
    """The evidence on databases, whose keys it does not know."""
    tables: list[Table] = [table for database in databases for table in database.tables]
    evidence = evidence_of(Catalog(tables))
    names = tuple(sorted({table.database for table in tables}))
    every = np.ones(len(evidence), dtype=np.bool_)
    return Truth(evidence, names, np.zeros(len(names), dtype=np.int64), every)


def _examples(truth: Truth, databases: Iterable[NamedTruth], weight: npt.NDArray[np.float64]) -> Examples:
    made = examples(truth)
    by_name = {truth.tables[0].database: truth for truth in databases}
    names = [name.partition(".")[2] for name in truth.evidence.ids]
    ends = [(names[child], names[parent]) for child, parent in zip(made.child, made.parent, strict=True)]
    of_pair = [by_name[truth.databases[number]] for number in made.database.tolist()]
    pairs = list(zip(ends, of_pair, strict=True))
    y = np.array([pair in known.references for pair, known in pairs], dtype=np.float64)
    counts = np.array([not known.is_right(frozenset(pair)) for pair, known in pairs]) | (y > 0)
    keys = np.array([len(known.keys) for known in of_pair])
    return replace(made, y=y, weight=np.where(counts, weight[made.database] / keys, 0.0))


def held_out(lessons: Lessons) -> list[dict[tuple[str, str], float]]:
    """For each copy the scores of its pairs of columns, those of each fold of databases by a fit without it."""
    fold = np.array([fold_of(name) for name in _names(lessons.truths)])
    scores = expit(held_out_logits(lessons, fold, shift=SHIFTS["schema"]))
    of_copies: list[dict[tuple[str, str], float]] = []
    for place, (truth, first) in enumerate(zip(lessons.truths, lessons.first_columns.tolist(), strict=True)):
        inside, ids = lessons.copy == place, truth.evidence.ids
        made, best = lessons.examples.where(inside), dict[tuple[str, str], float]()
        for child, parent, score in zip(made.child - first, made.parent - first, scores[inside], strict=True):
            pair = ids[min(child, parent)], ids[max(child, parent)]
            best[pair] = max(float(score), best.get(pair, 0.0))
        of_copies.append(best)
    return of_copies
