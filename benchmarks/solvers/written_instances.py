"""Write real instances for research on solvers: the numbers of some questions, without any names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.datasets import load_dataset
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems.problems import question_instance
from formulations import Instance, JarObjective

SIZES = (2, 5, 10)
DIGITS = 6
FEW, ALL = 24, 4
"""Instances of each data set over 20 candidates, and over its whole corpus."""


def write_instances(options: Options, folder: Path, report: Callable[[str], None]) -> list[Path]:
    """Write instances of Spider and BIRD as instance JSON, and return their paths.

    Questions are evenly spaced over those with several gold tables. Half of the instances have the decomposition of the
    data set, half that of `jar`; the sizes 2, 5 and 10 take turns, over a whole corpus 5 and 10.
    """
    cache = VectorCache(options.embedder, options.output / "vectors")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in ("spider", "bird"):
        dataset = load_dataset(name, options.root).restricted(minimum_tables=2)
        for label, instance in _instances(dataset, options, cache):
            objective = JarObjective(**asdict(dataset.weights), connect="require")
            path = folder / f"{label}.json"
            path.write_text(json.dumps(_rounded(instance.to_dict(objective)), separators=(",", ":")) + "\n")
            written.append(path)
        cache.save()
        report(f"{name}: {len(written)} instances in {folder}")
    return written


def _instances(dataset: Dataset, options: Options, cache: VectorCache) -> Iterator[tuple[str, Instance]]:
    index = open_index(dataset, options, cache)
    corpus = len(dataset.catalog)
    for count, candidates, sizes in ((FEW, 20, SIZES), (ALL, corpus, SIZES[1:])):
        for number, question in enumerate(dataset.restricted(limit=count).questions):
            size = sizes[number % len(sizes)]
            instance = question_instance(
                index,
                cache.embedder,
                question.text,
                size,
                candidates=candidates,
                subqueries=question.subqueries if number % 2 else None,
            )
            yield f"{dataset.name}-n{candidates}-k{size:02d}-q{int(question.id):04d}", instance


def _rounded(data: dict[str, Any]) -> dict[str, Any]:
    """The same instance with fewer digits, and numbers in place of the names of tables."""
    return data | {
        "ids": [str(item) for item in range(len(data["ids"]))],
        "relevance": [round(value, DIGITS) for value in data["relevance"]],
        "coverage": [[None if value is None else round(value, DIGITS) for value in row] for row in data["coverage"]],
        "compatibility": [[left, right, round(weight, DIGITS)] for left, right, weight in data["compatibility"]],
    }
