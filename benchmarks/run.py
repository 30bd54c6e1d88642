"""Run systems on data sets and write what they reach."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.corpora import Names
from benchmarks.datasets import Dataset, load_dataset
from benchmarks.metrics import average
from benchmarks.provenance import provenance
from benchmarks.results import Result, write_results
from benchmarks.systems import Answers, Decomposition, Setting, find_system
from benchmarks.tasks import TaskRow
from benchmarks.vectors import VectorCache
from jar import Index

Report = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """What a run is asked for.

    Attributes
    ----------
    root, output : Path
        Folders of the data and of everything that is written.
    limit : int or None
        At most so many questions of each data set, evenly spaced.
    names : "original" or "natural"
    decomposition : "default" or "given"
        For systems whose name does not say it.
    embedder, solver : str
    candidates : int
    """

    root: Path
    output: Path
    limit: int | None = None
    names: Names = "original"
    decomposition: Decomposition = "default"
    embedder: str = "minilm"
    candidates: int = 20
    solver: str = "exact"


def run(
    task: TaskRow, datasets: Sequence[str], systems: Sequence[str], options: Options, report: Report
) -> list[Result]:
    """Results of each system on each data set, also written to ``results.jsonl``.

    Raises
    ------
    UnknownSystemError, KeyError
        When a system or a data set is unknown, before any work is done.
    MissingDataError
        When a file is not there.
    """
    for system in systems:
        find_system(system, options.decomposition)
    cache = VectorCache(options.embedder, options.output / "vectors")
    results: list[Result] = []
    for name in datasets:
        report(f"{name}: reading")
        dataset = load_dataset(name, options.root, options.names).restricted(task.minimum_tables, options.limit)
        for result in _run_dataset(task, dataset, systems, options, cache, report):
            results.append(result)
            write_results(options.output / "results.jsonl", [result])
            cache.save()
    return results


def open_index(dataset: Dataset, options: Options, cache: VectorCache) -> Index:
    """The index of a corpus with the join score of the paper, kept in the output folder."""
    label = re.sub(r"\W+", "-", f"{dataset.name}-{options.names}-{options.embedder}").strip("-")
    path = options.output / "indexes" / f"{label}.jar"
    path.parent.mkdir(parents=True, exist_ok=True)
    return Index.build(dataset.catalog, path=path, embedder=cache.embedder, score="paper")


def _run_dataset(
    task: TaskRow,
    dataset: Dataset,
    systems: Sequence[str],
    options: Options,
    cache: VectorCache,
    report: Report,
) -> Iterator[Result]:
    report(f"{dataset.name}: indexing {len(dataset.catalog)} tables")
    index = open_index(dataset, options, cache)
    if index.failures:
        report(f"{dataset.name}: not indexed: {index.failures}")
    for system in systems:
        report(f"{dataset.name}: {system} on {len(dataset.questions)} questions")
        row, decomposition = find_system(system, options.decomposition)
        setting = Setting(dataset, index, cache.embedder, decomposition, options.candidates, options.solver)
        start = time.perf_counter()
        answers = row.answer(setting, task.sizes)
        yield {
            "task": task.name,
            "dataset": dataset.name,
            "system": system,
            "decomposition": decomposition if row.decomposes else None,
            "metrics": measure(task, dataset, answers),
            "questions": len(dataset.questions),
            "sizes": list(task.sizes),
            "names": options.names,
            "embedder": options.embedder,
            "seconds": round(time.perf_counter() - start, 3),
            "note": dataset.note,
            **answers.details,
            **provenance(),
        }


def measure(task: TaskRow, dataset: Dataset, answers: Answers) -> dict[str, Any]:
    """Each metric of a task at each size, "F1@2" and so on, in percent."""
    gold = [question.gold_tables for question in dataset.questions]
    return {f"{metric}@{k}": average(metric, answers.tables[k], gold, k) for metric in task.metrics for k in task.sizes}
