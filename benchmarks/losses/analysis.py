"""The losses of systems on data sets, by size: from names to comparisons, and the file of every lost question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from benchmarks.data.datasets import check_datasets
from benchmarks.losses.losses import ErrorAnalysis, Loss, Size
from benchmarks.losses.recording import check_system, recording_reranker
from benchmarks.runs.evaluation import Options, Report, open_index, read_questions
from benchmarks.runs.tasks import TASKS
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems.rows import Setting, given_subqueries
from benchmarks.systems.table_systems import find_system
from formulations import Terms

FOLDER = "errors"
TASK = TASKS["tables"]
"""Whose questions are asked: those with one gold table are left out."""


@dataclass(frozen=True)
class Analysed:
    """The comparisons of one system on one data set, by size, all questions in the order of its parts.

    The size None is the number of gold tables; the limit is None where all questions were asked.
    """

    dataset: str
    note: str
    system: str
    objective: str
    limit: int | None
    losses: dict[Size, list[Loss]]

    def counts(self, size: Size) -> Counter[str]:
        """How many questions each class has."""
        return Counter(loss.name for loss in self.losses[size])

    def repaired(self, size: Size) -> dict[str, int]:
        """How many questions of a class are won where only its stage is mended; no entry where that is not tried."""
        tried = [loss for loss in self.losses[size] if loss.repaired is not None]
        names = {loss.name for loss in tried}
        return {name: sum(bool(loss.repaired) for loss in tried if loss.name == name) for name in names}


def analyse(
    datasets: Sequence[str], systems: Sequence[str], sizes: Sequence[Size], options: Options, report: Report
) -> list[Analysed]:
    """Compare each answer of each system with the best that the gold tables allow; also written as CSV.

    Systems that are unknown, make no choice of sets that has a value, or lack the sub-queries that they are given are
    refused, and so is a data set without such questions. A set of gold tables that is worth more than the chosen one is
    a `SolverLossError`.
    """
    for system in systems:
        check_system(system)
    check_datasets(datasets)
    cache = VectorCache(options.embedder, options.output / "vectors")
    analysed = []
    for name in datasets:
        report(f"{name}: reading")
        dataset, asked = read_questions(TASK, name, options)
        parts = [(part, open_index(part, options, cache)) for part in dataset.parts()]
        for system in systems:
            decomposition = find_system(system, options.decomposition)[1]
            settings = [Setting(*part, cache.embedder, decomposition, options.candidates) for part in parts]
            analyses = [_analysis(system, setting) for setting in settings]
            losses = {}
            for size in sizes:
                report(f"{name}: {system}, {size_name(size)}")
                losses[size] = [loss for analysis in analyses for loss in analysis.losses(size)]
            weighing = analyses[0].objective
            weights = [f"{name} {getattr(weighing, name):g}" for name in Terms._fields]
            objective = ", ".join([*weights, f"connect {weighing.connect}"])
            analysed.append(Analysed(dataset.name, dataset.note, system, objective, asked.limit, losses))
            write_losses(options.output / FOLDER / f"{dataset.name.replace('/', '-')}-{system}.csv", analysed[-1])
            cache.save()
    return analysed


def _analysis(system: str, setting: Setting) -> ErrorAnalysis:
    given_subqueries(setting)
    given = setting.decomposition == "given"
    return ErrorAnalysis(setting.dataset, recording_reranker(system, setting), given=given)


def size_name(size: Size) -> str:
    """A size in words."""
    return "K = gold" if size is None else f"K = {size}"


def write_losses(path: Path, analysed: Analysed) -> None:
    """A line for each lost question and size: what was wanted, what was chosen, the difference by term."""
    rows = [
        {
            "size": "gold" if size is None else size,
            "question": loss.question.id,
            "database": loss.question.database,
            "class": loss.name,
            "gold": " ".join(sorted(loss.question.gold_tables)),
            "chosen": " ".join(loss.record.selection.tables),
            **({} if loss.rival is None else loss.comparison.differences._asdict()),
            "missing": " ".join(f"{join.left}={join.right}" for join in loss.missing),
            "repaired": loss.repaired,
            "text": loss.question.text,
        }
        for size, losses in analysed.losses.items()
        for loss in losses
        if loss.lost
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = ["size", "question", "database", "class", "gold", "chosen", *Terms._fields, "missing", "repaired", "text"]
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False, float_format="%.6g")
