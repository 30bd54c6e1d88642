"""What a run leaves of each question: a folder with answers.csv, a TREC run for each size, and qrels."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.data.dataset_form import Dataset
from benchmarks.runs.metrics import question_scores
from benchmarks.runs.tasks import TaskRow
from benchmarks.runs.trec import QRELS, run_name, write_qrels, write_run
from benchmarks.systems.rows import Answers, Outcome

DECIMALS = 10
"""Of a question's metric in percent: enough for means to be the same, made or read."""

NO_GAP = 1e-9
"""Relative gaps up to here are rounding."""

TYPES = {"question": "string", "database": "string", "difficulty": "string", "status": "string"}
COLUMNS = (*TYPES, "gold_tables", "size", "items", "seconds", "gap")


def answer_frame(task: TaskRow, dataset: Dataset, answers: Answers) -> pd.DataFrame:
    """A line for each size and question.

    Columns: question (its id), database, gold_tables (their number), difficulty, size, items (a list, in order),
    seconds, status, gap, and each metric of the task in percent. Difficulty, seconds, status and gap are missing where
    they are not known.
    """
    golds = [task.gold(question) for question in dataset.questions]
    unknown = [Outcome()] * len(golds)
    rows: list[dict[str, Any]] = []
    for k in answers.tables:
        selections = answers.tables[k]
        scores = question_scores(task.metrics, selections, golds, k)
        outcomes = answers.outcomes.get(k, unknown)
        for place, (question, items, outcome) in enumerate(zip(dataset.questions, selections, outcomes, strict=True)):
            rows.append(
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
                | {name: round(100 * float(values[place]), DECIMALS) for name, values in scores.items()}
            )
    return _typed(pd.DataFrame(rows))


def write_answers(folder: Path, frame: pd.DataFrame, golds: dict[str, frozenset[str]], system: str) -> None:
    """Write ``answers.csv``, ``run-K.trec.gz`` for each size K with the tag "system@K", and ``qrels.trec``.

    The folder is there when all of them are: they are written to one beside it, which then takes its place.

    Parameters
    ----------
    frame : DataFrame
        As `answer_frame` makes it.
    golds : dict
        Gold items by id of the question.
    """
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    frame.assign(items=frame["items"].map(json.dumps)).to_csv(partial / "answers.csv", index=False)
    for size, part in frame.groupby("size"):
        answers = dict(zip(part["question"], part["items"], strict=True))
        write_run(partial / run_name(int(str(size))), answers, int(str(size)), f"{system}@{size}")
    write_qrels(partial / QRELS, golds)
    if folder.exists():
        shutil.rmtree(folder)
    os.replace(partial, folder)


def has_answers(folder: Path, metrics: Iterable[str], sizes: Iterable[int], questions: int) -> bool:
    """Whether a folder has ``answers.csv`` with all that `answer_frame` makes.

    That is these metrics and all other columns, and at each size a line for each of so many questions.
    """
    path = folder / "answers.csv"
    try:
        if not path.read_bytes().endswith(b"\n"):
            return False
        frame = read_answers(folder)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return False
    if not {*COLUMNS, *metrics} <= set(frame.columns):
        return False
    return dict(frame.groupby("size").size()) == dict.fromkeys(sizes, questions)


def read_answers(folder: Path) -> pd.DataFrame:
    """The lines of ``answers.csv``, as `answer_frame` made them.

    Raises
    ------
    FileNotFoundError
        When the folder has none.
    """
    frame = pd.read_csv(folder / "answers.csv", dtype=TYPES, keep_default_na=False, na_values=[""])
    return _typed(frame.assign(items=frame["items"].map(json.loads)))


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
