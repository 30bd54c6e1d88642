"""Retrievers of examples beside each other: on held-out training databases, and once on the development questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.data.dev_questions import dev_questions
from benchmarks.data.layout import Layout
from benchmarks.examples.example_pairs import ExampleComparison, compare
from benchmarks.examples.figures import MOST, ExampleFigures, ceiling, measure
from benchmarks.examples.hardness import LEVELS, hardness
from benchmarks.examples.head_fit import FitSettings, fit_head, split_databases
from benchmarks.runs.vectors import VectorCache
from jar.examples import (
    ExampleRetriever,
    ExampleStore,
    FoundExample,
    LexicalExamples,
    MaskedExamples,
    NearestExamples,
    SkeletonExamples,
    StructureExamples,
    StructureHead,
)

Report = Callable[[str], None]
Found = Sequence[Sequence[FoundExample]]

VARIANTS = {
    "as shipped": FitSettings(),
    "64 dimensions": FitSettings(dimensions=64),
    "own skeleton alone as target": FitSettings(temperature=None),
    "a softer target (0.05)": FitSettings(temperature=0.05),
    "words of 3 databases": FitSettings(databases=3),
    "words of 20 databases": FitSettings(databases=20),
}
"""Settings that were tried on held-out training databases."""


@dataclass(frozen=True)
class ExampleStudy:
    """The figures of retrievers by name.

    Attributes
    ----------
    examples, questions : int
        In the store, and asked.
    ceiling : float
        Percent of the questions whose skeleton the store has.
    figures : mapping
        Of each retriever.
    levels : mapping
        How many questions there are of each hardness.
    comparisons : list
        Retrievers in pairs.
    """

    examples: int
    questions: int
    ceiling: float
    figures: Mapping[str, ExampleFigures]
    levels: Mapping[str, int]
    comparisons: Sequence[ExampleComparison] = ()


def training_store(root: Path) -> ExampleStore:
    """The training questions of Spider."""
    return ExampleStore.from_file(Layout(root, "spider").require("train_questions.csv"))


def dev_store(root: Path, dialect: str | None = None) -> ExampleStore:
    """The development questions of Spider; a dialect reads what stands in double quotes as names."""
    rows = dev_questions(Layout(root, "spider"))
    return ExampleStore(
        ({"question": row.text, "sql": row.sql, "database": row.database} for row in rows), dialect=dialect
    )


def retrievers(store: ExampleStore, head: StructureHead | None, vectors: Path) -> dict[str, ExampleRetriever]:
    """The retrievers of the study by the name that its tables have."""
    caches = {name: VectorCache(name, vectors) for name in ("static", "minilm")}
    made: dict[str, ExampleRetriever] = {
        "`NearestExamples`, static": NearestExamples(store, caches["static"].embedder),
        "`NearestExamples`, MiniLM": NearestExamples(store, caches["minilm"].embedder),
        "`MaskedExamples`, static": MaskedExamples(store, caches["static"].embedder),
        "`MaskedExamples`, MiniLM": MaskedExamples(store, caches["minilm"].embedder),
        "`LexicalExamples`": LexicalExamples(store),
        "`LexicalExamples`, distinct": LexicalExamples(store, distinct=True),
        "`SkeletonExamples`": SkeletonExamples(store, head),
        "`StructureExamples`": StructureExamples(store, head),
        "`StructureExamples`, not distinct": StructureExamples(store, head, distinct=False),
        "`StructureExamples`, questions alone": StructureExamples(store, head, odds=0.0),
    }
    for cache in caches.values():
        cache.save()
    return made


def find_all(
    store: ExampleStore, asked: ExampleStore, ways: Mapping[str, ExampleRetriever], report: Report
) -> dict[str, Found]:
    """What each retriever finds, beside random examples and the most frequent skeletons."""
    found: dict[str, Found] = {
        "random examples": _random(store, len(asked)),
        "the most frequent skeletons": [_frequent(store)] * len(asked),
    }
    texts = [example.question for example in asked]
    for name, way in ways.items():
        way.values = True  # masks take longer than the search, and no figure looks at them
        found[name] = way.many(texts, MOST)
        report(f"{name}: found")
    return found


def study(store: ExampleStore, asked: ExampleStore, found: Mapping[str, Found]) -> ExampleStudy:
    """The figures of what some retrievers found."""
    levels = [hardness(example.sql) for example in asked]
    figures = {name: measure(rows, store, list(asked), levels) for name, rows in found.items()}
    counts = Counter(levels)
    ordered = {level: counts[level] for level in LEVELS if counts[level]}
    return ExampleStudy(
        len(store), len(asked), ceiling(store, list(asked)), figures, ordered, compare(found, list(asked))
    )


def study_variants(root: Path, report: Report) -> dict[str, dict[str, ExampleFigures]]:
    """Heads by their settings, fitted on training databases and measured on 27 others of them."""
    store = training_store(root)
    fitted, chosen = split_databases(example.database for example in store)
    lessons, asked = store.of(fitted), store.of(chosen)
    figures = {}
    for name, settings in VARIANTS.items():
        head = fit_head(list(lessons), settings, lambda message: None, {})
        ways = {"skeleton": SkeletonExamples(lessons, head), "structure": StructureExamples(lessons, head)}
        ways["questions alone"] = StructureExamples(lessons, head, odds=0.0)
        measured = study(lessons, asked, find_all(lessons, asked, ways, report)).figures
        figures[name] = {way: measured[way] for way in ways}
        report(f"{name}: done")
    return figures


def _random(store: ExampleStore, count: int) -> list[list[FoundExample]]:
    generator = np.random.default_rng(0)
    return [[_plain(store, place) for place in generator.choice(len(store), MOST, replace=False)] for _ in range(count)]


def _frequent(store: ExampleStore) -> list[FoundExample]:
    first: dict[str, int] = {}
    for place, example in enumerate(store):
        first.setdefault(example.skeleton, place)
    common = Counter(example.skeleton for example in store).most_common(MOST)
    return [_plain(store, first[skeleton]) for skeleton, _ in common]


def _plain(store: ExampleStore, place: int) -> FoundExample:
    example = store[int(place)]
    return FoundExample(example.question, example.sql, example.database, example.skeleton, 0.0, int(place))
