"""How long indexing, ranking, solving, importing and a cold start take, and how much memory indexing takes."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import numpy as np

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import Layout
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.provenance import load_average, provenance
from benchmarks.runs.vectors import VectorCache
from benchmarks.speed.fresh_processes import import_cold, index_afresh, rank_cold
from benchmarks.systems.problems import question_instance
from formulations import Instance, JarObjective, solve
from jar import Index, Reranker

REPEATS = 7
SIZES = (2, 5, 10)
ENUMERATED = {2: 2000, 5: 40, 10: 2}
"""How many instances of each size are at most also enumerated, evenly spaced: 190, 15,504 and 184,756 sets each."""
FEW_ENUMERATED = {2: 20, 5: 2, 10: 0}
"""The same for a quick check."""

Item = TypeVar("Item")
Figures = dict[str, Any]
Report = Callable[[str], None]


def measure_speed(options: Options, report: Report, enumerated: Mapping[int, int] = ENUMERATED) -> Figures:
    """All measurements; also written to ``speed.json`` in the output folder.

    The limit bounds the questions that are ranked and the instances of each data set that are solved; `enumerated` says
    how many instances of each size are also enumerated.
    """
    folder = options.output / "speed"
    folder.mkdir(parents=True, exist_ok=True)
    figures: Figures = {"load_before": load_average()}
    report("index: all Spider databases, in a fresh process")
    figures["index"] = measure_index(options, folder)
    report("rank: warm, over all tables")
    figures["rank"] = measure_rank(folder / f"{options.embedder}.jar", options)
    report("cold start and import, in fresh processes")
    figures |= measure_cold(folder, options)
    report("solve: real instances")
    figures["solve"] = [row for name in ("spider", "bird") for row in measure_solve(name, options, report, enumerated)]
    figures |= provenance()
    (options.output / "speed.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return figures


def measure_index(options: Options, folder: Path) -> Figures:
    """Index the SQLite files of Spider from nothing, then again with nothing changed."""
    path = folder / f"{options.embedder}.jar"
    path.unlink(missing_ok=True)
    arguments = (str(databases_folder(options)), str(path), options.embedder)
    return {"first": index_afresh(*arguments), "unchanged": index_afresh(*arguments)}


def measure_rank(path: Path, options: Options) -> Figures:
    """Milliseconds of `Reranker.rank` with the package's defaults, after warm-up, and those of its stages."""
    index = Index.load(path)
    questions = load_dataset("spider", options.root).restricted(2, options.limit or 200).questions
    reranker = Reranker(index)
    for question in questions[:5]:
        reranker.rank(question.text)
    total, stages = [], []
    for question in questions:
        start = time.perf_counter()
        selection = reranker.rank(question.text)
        total.append(time.perf_counter() - start)
        stages.append(selection.timings)
    other = [seconds - timings["embed"] for seconds, timings in zip(total, stages, strict=True)]
    return {
        "tables": len(index),
        "questions": len(questions),
        "total": _milliseconds(total),
        "without_embedding": _milliseconds(other),
        "stages": {name: _milliseconds(timings[name] for timings in stages) for name in stages[0]},
    }


def measure_cold(folder: Path, options: Options) -> Figures:
    """Import and first answer in fresh processes, taking turns; medians."""
    path = folder / "static.jar"
    if not path.exists():
        index_afresh(str(databases_folder(options)), str(path), "static")
    question = "Which airports have flights to the city of Aberdeen?"
    imports, ranks = [], []
    for _ in range(REPEATS):
        imports.append(import_cold())
        ranks.append(rank_cold(str(path), question))
    return {"import_seconds": median(imports), "cold_rank_seconds": median(ranks)}


def measure_solve(name: str, options: Options, report: Report, enumerated: Mapping[int, int]) -> list[Figures]:
    """Time inside `solve` on the instances of a data set, with the default decomposition; a row for each size K.

    Sizes take turns, so that a slow moment of the machine hits all of them. The first questions of each size are
    solved once before, for the compiler.
    """
    dataset = load_dataset(name, options.root).restricted(2, options.limit)
    objective = JarObjective(**asdict(dataset.weights), connect="require")
    problems = _instances(dataset, options)
    for instance in problems[: 2 * len(SIZES)]:
        solve(instance, objective)
    seconds: dict[int, list[float]] = {k: [] for k in SIZES}
    values: dict[int, list[tuple[Instance, float]]] = {k: [] for k in SIZES}
    proved = dict.fromkeys(SIZES, 0)
    for instance in problems:
        start = time.perf_counter()
        solution = solve(instance, objective)
        seconds[instance.size].append(time.perf_counter() - start)
        values[instance.size].append((instance, solution.value))
        proved[instance.size] += solution.status == "optimal"
    report(f"solve: {name}, checked by enumeration")
    rows = []
    for k in SIZES:
        checked = _spread(values[k], enumerated[k])
        best = [solve(instance, objective, "enumerate").value for instance, _ in checked]
        rows.append(
            {
                "dataset": name,
                "k": k,
                "instances": len(seconds[k]),
                "proved": proved[k],
                "solve": _milliseconds(seconds[k]),
                "enumerated": len(checked),
                "equal": int(np.isclose([value for _, value in checked], best, rtol=1e-9).sum()),
            }
        )
    return rows


def databases_folder(options: Options) -> Path:
    """The folder with the SQLite files of Spider."""
    return Layout(options.root, "spider").require("databases", "database")


def _instances(dataset: Dataset, options: Options) -> list[Instance]:
    """An instance for each question and size, sizes taking turns."""
    cache = VectorCache(options.embedder, options.output / "vectors")
    index = open_index(dataset, options, cache)
    problems = []
    for question in dataset.questions:
        instance = question_instance(index, cache.embedder, question.text, SIZES[0], candidates=options.candidates)
        problems += [instance.replace(size=k) for k in SIZES]
    cache.save()
    return problems


def _spread(items: list[Item], count: int) -> list[Item]:
    """At most so many of the items, evenly spaced."""
    return items[:: math.ceil(len(items) / count)] if count else []


def _milliseconds(seconds: Iterable[float]) -> dict[str, float]:
    times = 1e3 * np.fromiter(seconds, dtype=float)
    p50, p95 = np.percentile(times, [50, 95])
    return {"p50": round(float(p50), 3), "p95": round(float(p95), 3), "max": round(float(times.max()), 3)}
