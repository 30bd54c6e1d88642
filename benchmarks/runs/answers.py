"""What a run leaves of each question: a folder with answers.csv, a TREC run for each size, and qrels."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.data.dataset_form import Dataset
from benchmarks.runs.metrics import question_scores
from benchmarks.runs.resampling import mean_interval
from benchmarks.runs.results import ANSWERS, Result
from benchmarks.runs.tasks import TASKS, TaskRow
from benchmarks.runs.trec import QRELS, run_name, write_qrels, write_run
from benchmarks.systems.rows import Answers, Outcome

DECIMALS = 10
"""Of a question's metric in percent: enough for means to be the same, made or read."""
NO_GAP = 1e-9
"""Relative gaps up to here are rounding."""
TYPES = {"question": "string", "database": "string", "difficulty": "string", "status": "string"}
GROUPS = ("gold_tables", "difficulty")


def answer_frame(task: TaskRow, dataset: Dataset, answers: Answers) -> pd.DataFrame:
    """A line for each size and question.

    Columns: question (its id), database, gold_tables (their number), difficulty, size, items (a list, in order),
    seconds, status, gap, and each metric of the task in percent. Difficulty, seconds, status and gap are missing where
    they are not known.
    """
    golds = [task.gold(question) for question in dataset.questions]
    unknown = [Outcome()] * len(golds)
    parts = []
    for k, selections in answers.tables.items():
        rows = [
            {
                "question": question.id,
                "database": question.database,
                "gold_tables": len(question.gold_tables),
                "difficulty": question.difficulty,
                "size": k,
                "items": list(items),
                "seconds": outcome.seconds,
                "status": outcome.status,
                "gap": outcome.gap,
            }
            for question, items, outcome in zip(
                dataset.questions, selections, answers.outcomes.get(k, unknown), strict=True
            )
        ]
        scores = question_scores(task.metrics, selections, golds, k)
        parts.append(_typed(pd.DataFrame(rows)).assign(**{n: (100 * v).round(DECIMALS) for n, v in scores.items()}))
    return pd.concat(parts, ignore_index=True)


def write_answers(folder: Path, frame: pd.DataFrame, golds: dict[str, frozenset[str]], system: str) -> None:
    """Write ``answers.csv``, ``run-K.trec.gz`` for each size K with the tag "system@K", and ``qrels.trec``.

    The folder is there when all of them are: they are written to one beside it, which then takes its place. `golds` are
    the gold items by id of the question.
    """
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    frame.assign(items=frame["items"].map(json.dumps)).to_csv(partial / "answers.csv", index=False)
    for size, part in frame.groupby("size"):
        answers = dict(zip(part["question"], part["items"], strict=True))
        write_run(partial / run_name(int(str(size))), answers, int(str(size)), f"{system}@{size}")
    write_qrels(partial / QRELS, golds)
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(partial, folder)


def read_answers(folder: Path) -> pd.DataFrame:
    """The lines of ``answers.csv``, as `answer_frame` made them."""
    frame = pd.read_csv(folder / "answers.csv", dtype=TYPES, keep_default_na=False, na_values=[""])
    return _typed(frame.assign(items=frame["items"].map(json.loads)))


def whole_answers(output: Path, result: Result) -> pd.DataFrame | None:
    """The answers behind a result; None where they are lost, or not those of each question at each size."""
    task = TASKS[result["task"]]
    try:
        frame = read_answers(output / ANSWERS / str(result["answers"]))
        counts = dict(frame.groupby("size")[[*task.metrics]].size())
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return frame if counts == dict.fromkeys(task.sizes, result["questions"]) else None


def summarise_answers(frame: pd.DataFrame, metrics: Sequence[str], main: str) -> dict[str, Any]:
    """What a line of results says of answers: metrics, intervals, groups of questions, latency and proofs.

    "intervals" are those of the main metric ("F1@2", say) at each size; "breakdown" has the metrics of the questions
    with so many gold tables, and of each difficulty where the data set grades it.
    """
    metric = main.partition("@")[0]
    sizes = frame.groupby("size", sort=False)
    return {
        "metrics": average_metrics(frame, metrics),
        "intervals": {
            f"{metric}@{size}": [round(bound, 4) for bound in mean_interval(np.asarray(part[metric], dtype=np.float64))]
            for size, part in sizes
        },
        "breakdown": {
            name: {
                str(value): {"questions": part["question"].nunique()} | average_metrics(part, metrics)
                for value, part in frame.groupby(name)
            }
            for name in GROUPS
            if frame[name].notna().any()
        },
        **summarise_outcomes(frame),
    }


def average_metrics(frame: pd.DataFrame, metrics: Sequence[str]) -> dict[str, float]:
    """The mean of each metric at each size over the questions: "F1@2" and so on, in percent, to four decimals."""
    means = frame.groupby("size", sort=False)[list(metrics)].mean()
    return {f"{metric}@{size}": round(float(means.loc[size, metric]), 4) for metric in metrics for size in means.index}


def summarise_outcomes(frame: pd.DataFrame) -> dict[str, Any]:
    """What is known of latency and solver: p50 and p95 in milliseconds, statuses by size, answers with a gap."""
    summary: dict[str, Any] = {}
    if (seconds := frame["seconds"].dropna()).size:
        low, high = (1000 * seconds.quantile([0.5, 0.95])).round(4)
        summary["latency_ms"] = {"p50": low, "p95": high}
    if (solved := frame.dropna(subset=["status"])).size:
        summary["statuses"] = {
            f"@{size}": {str(status): int(count) for status, count in part["status"].value_counts().items()}
            for size, part in solved.groupby("size", sort=False)
        }
        summary["gaps"] = int((solved["gap"] > NO_GAP).sum())
    return summary


def _typed(frame: pd.DataFrame) -> pd.DataFrame:
    """The same types whether the lines were made or read."""
    return frame.astype(TYPES | {"seconds": "float64", "gap": "float64"})
