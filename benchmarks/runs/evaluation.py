"""Run systems on data sets and write what they reach."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from benchmarks.data.corpora import Names
from benchmarks.data.dataset_form import Dataset
from benchmarks.data.datasets import check_datasets, load_dataset
from benchmarks.data.refusal import RefusalError
from benchmarks.runs.answers import answer_frame, summarise_answers, whole_answers, write_answers
from benchmarks.runs.fingerprints import dataset_fingerprint, result_fingerprint, source_fingerprint
from benchmarks.runs.provenance import provenance
from benchmarks.runs.resampling import SEED
from benchmarks.runs.results import ANSWERS, REPEATED, SETTINGS, Result, read_complete, write_results
from benchmarks.runs.tasks import TaskRow
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems.rows import Decomposition, Setting, SystemRow
from benchmarks.systems.table_systems import find_system
from jar import Index

Report = Callable[[str], None]


class NothingToAskError(RefusalError, ValueError):
    """A data set without a question for a task."""


@dataclass(frozen=True)
class Options:
    """What a run is asked for.

    `root` and `output` are the folders of the data and of everything that is written. With a `limit` at most so many
    questions of each data set are asked, evenly spaced. The `decomposition` is for systems whose name does not say it;
    `fresh` makes results again that are there already.
    """

    root: Path
    output: Path
    limit: int | None = None
    names: Names = "original"
    decomposition: Decomposition = "default"
    embedder: str = "minilm"
    candidates: int = 20
    solver: str = "exact"
    fresh: bool = False


def run(
    task: TaskRow, datasets: Sequence[str], systems: Sequence[str], options: Options, report: Report
) -> list[Result]:
    """Results of each system on each data set, also written to ``results.jsonl``.

    A result that is in the file already, of the same data, settings and code, is taken from there. Unknown systems and
    data sets, and two folders of one name, are refused before any work is done.
    """
    for system in systems:
        find_system(system, options.decomposition, task.registry)
    check_datasets(datasets)
    path = options.output / "results.jsonl"
    cache = VectorCache(options.embedder, options.output / "vectors")
    results: list[Result] = []
    for name in datasets:
        report(f"{name}: reading")
        dataset, asked = read_questions(task, name, options)
        data = dataset_fingerprint(dataset)
        known = {result["fingerprint"]: result for result in read_complete(path) if set(result) >= REPEATED}
        parts: list[tuple[Dataset, Index]] = []  # opened for the first system that has to run
        for system in systems:
            row, decomposition = find_system(system, options.decomposition, task.registry)
            if lacking := _lacking(task, dataset, decomposition):
                report(f"{name}: {system} left out, the data set has no {lacking}")
                continue
            settings = {
                "task": task.name,
                "system": system,
                "decomposition": decomposition if row.decomposes else None,
                "sizes": list(task.sizes),
                **{name: getattr(asked, name) for name in ("limit", *SETTINGS)},
            }
            fingerprint = result_fingerprint(data, settings)
            folder = options.output / ANSWERS / fingerprint[:16]
            if options.fresh or fingerprint not in known or whole_answers(options.output, known[fingerprint]) is None:
                report(f"{name}: {system} on {len(dataset.questions)} questions")
                parts = parts or [(part, open_index(part, options, cache)) for part in dataset.parts()]
                asking = cache.embedder, decomposition, options.candidates, options.solver
                made = _result(task, row, dataset, [Setting(*part, *asking) for part in parts], folder, system)
                known[fingerprint] = settings | made | {"data": data, "fingerprint": fingerprint}
                write_results(path, [known[fingerprint]])
                cache.save()
            results.append(known[fingerprint])
    return results


def read_questions(task: TaskRow, name: str, options: Options) -> tuple[Dataset, Options]:
    """A data set with the questions that a task asks, and the options; without a limit where it leaves none out.

    Raises
    ------
    NothingToAskError
        When there is none.
    """
    whole = load_dataset(name, options.root, options.names).restricted(task.minimum_tables)
    dataset = whole.restricted(limit=options.limit)
    if not any(task.gold(question) for question in dataset.questions):
        raise NothingToAskError(
            f"the data set {dataset.name!r} has no question for the task {task.name!r}, which needs gold {task.unit} "
            f"and at least {task.minimum_tables} gold tables: give another --task or --datasets"
        )
    return dataset, options if len(dataset.questions) < len(whole.questions) else replace(options, limit=None)


def open_index(dataset: Dataset, options: Options, cache: VectorCache) -> Index:
    """The index of a corpus with the join score of the paper, kept in the output folder.

    One that other code made is not trusted, since its texts or its profiles may differ: it is replaced.
    """
    folder = options.output / "indexes"
    folder.mkdir(parents=True, exist_ok=True)
    label = re.sub(r"\W+", "-", f"{dataset.name}-{options.names}-{options.embedder}").strip("-")
    path = folder / f"{label}.{source_fingerprint('jar', 'joinability')[:12]}.jar"
    for other in folder.glob(f"{label}.*"):
        if other.name.startswith(path.name):
            continue
        if other.is_dir():  # spilled by a run that was killed
            shutil.rmtree(other)
        else:
            other.unlink(missing_ok=True)
    return Index.build(dataset.catalog, path=path, embedder=cache.embedder, score="paper")


def _lacking(task: TaskRow, dataset: Dataset, decomposition: Decomposition) -> str:
    """What a system takes from the data set that the data set does not have; empty where nothing is missing."""
    if decomposition != "given":
        return ""
    if task.unit == "columns":
        return "imagined schemas" if any(question.imagined_schema is None for question in dataset.questions) else ""
    return "sub-queries" if any(question.subqueries is None for question in dataset.questions) else ""


def _result(
    task: TaskRow, row: SystemRow, dataset: Dataset, parts: Sequence[Setting], folder: Path, system: str
) -> Result:
    """What a system reaches on the parts of a data set, with its answers to each question written to a folder."""
    start = time.perf_counter()
    answers = [row.answer(part, task.sizes) for part in parts]
    seconds = time.perf_counter() - start
    frames = [answer_frame(task, part.dataset, answer) for part, answer in zip(parts, answers, strict=True)]
    frame = pd.concat(frames, ignore_index=True)
    write_answers(folder, frame, {question.id: task.gold(question) for question in dataset.questions}, system)
    return {
        "dataset": dataset.name,
        **summarise_answers(frame, task.metrics, task.main),
        "seeds": {"resampling": SEED},
        "questions": len(dataset.questions),
        "seconds": round(seconds, 3),
        "answers": folder.name,
        "note": dataset.note,
        **({"folder": dataset.folder} if dataset.folder else {}),
        "failures": [list(failure) for part in parts for failure in part.index.failures],
        **answers[0].details,
        **provenance(),
    }
