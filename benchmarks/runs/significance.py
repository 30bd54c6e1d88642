"""Each system against the baseline of its task, on the same questions: DIR/significance.csv."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.runs.answers import has_answers, read_answers
from benchmarks.runs.resampling import RESAMPLES, SEED, holm, mean_interval, paired_p
from benchmarks.runs.results import ANSWERS, SETTINGS, Result, read_complete
from benchmarks.runs.tasks import TASKS, TaskRow

NAME = "significance.csv"
PRINTS = ("fingerprint", "baseline_fingerprint")
BOUND = "oracle"
"""Bounds the systems and is none, so it is not compared."""

COLUMNS = ("metric", "baseline", "difference", "low", "high", "p", "p_holm", "resamples", "seed", *PRINTS)
"""What is read of a row."""

Report = Callable[[str], None]
Row = dict[str, Any]


def write_significance(output: Path, report: Report, baselines: dict[str, str] | None = None) -> pd.DataFrame:
    """Compare the results of a folder with the baseline of their task, on its main metric, and write the table.

    Columns: task, dataset, names, embedder, limit, metric, baseline, system, decomposition, questions, baseline_mean,
    mean, difference (in percentage points), low and high (its 95 % bootstrap interval), p (randomisation test), p_holm
    (corrected over the systems of the same task and data set), resamples, seed, and the fingerprints of both results.
    What the file has already of the same two results is taken from there.

    Parameters
    ----------
    output : Path
        Folder with ``results.jsonl`` and the answers.
    report : callable
        Told when comparisons have to be made, and which results can not be compared.
    baselines : dict, optional
        Task to system, in place of the baselines of the tasks.

    Returns
    -------
    DataFrame
        Empty where no baseline has been run.
    """
    results = [result for result in read_complete(output / "results.jsonl", report) if "answers" in result]
    known = {_key(row): row for row in read_comparisons(output) if (row["seed"], row["resamples"]) == (SEED, RESAMPLES)}
    rows: list[Row] = []
    for _, group in groupby(sorted(results, key=_group), key=_group):
        rows += _compare(output, list(group), known, baselines or {}, report)
    table = pd.DataFrame(rows)
    partial = output / f"{NAME}.partial"
    table.to_csv(partial, index=False)
    os.replace(partial, output / NAME)
    return table


def _group(result: Result) -> tuple[str, ...]:
    """Results of one group answer the same questions in the same settings; systems are compared inside it."""
    return tuple(str(result.get(name)) for name in ("task", "dataset", *SETTINGS, "limit", "questions", "data"))


def read_comparisons(output: Path) -> list[Row]:
    """The rows that `write_significance` left; none where there is no file, or one with other columns."""
    path = output / NAME
    if not path.exists() or not path.read_text(encoding="utf-8").strip():
        return []
    table = pd.read_csv(path, dtype={"fingerprint": "string", "baseline_fingerprint": "string"})
    if not set(COLUMNS) <= set(table.columns):
        return []
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def _key(row: Row) -> tuple[str, ...]:
    return row["metric"], row["baseline_fingerprint"], row["fingerprint"]


def _compare(
    output: Path, group: Sequence[Result], known: dict[tuple[str, ...], Row], baselines: dict[str, str], report: Report
) -> Iterator[Row]:
    """The rows of a group; none where its baseline is not there."""
    task = TASKS[group[0]["task"]]
    name = baselines.get(task.name, task.baseline)
    bases = [result for result in group if result["system"] == name]
    others = [result for result in group if result["system"] not in (name, BOUND)]
    if not bases or not others:
        return
    metric, _, size = task.main.partition("@")
    base, rows = None, []
    for result in others:
        row = _described(bases[0], result, task.main)
        if _key(row) in known:
            earlier = known[_key(row)]
            row |= {column: earlier[column] for column in ("difference", "low", "high", "p")}
        elif lost := [answered["system"] for answered in (bases[0], result) if not _answered(output, answered, task)]:
            report(
                f"{task.name}, {result['dataset']}: {result['system']} is not compared with {name}, since the answers "
                f"of {' and '.join(lost)} are lost or of another version; a run makes them again"
            )
            continue
        else:
            if base is None:
                report(f"{task.name}, {result['dataset']}: comparing with {name}")
                base = _scores(output, bases[0], metric, int(size))
            scores = _scores(output, result, metric, int(size))
            row |= _tested(scores.loc[base.index] - base)
        rows.append(row)
    for row, corrected in zip(rows, holm([row["p"] for row in rows]), strict=True):
        yield row | {"p_holm": corrected}


def _described(base: Result, result: Result, metric: str) -> Row:
    return {
        **{name: result[name] for name in ("task", "dataset", "names", "embedder", "limit")},
        "metric": metric,
        "baseline": base["system"],
        "system": result["system"],
        "decomposition": result["decomposition"],
        "questions": result["questions"],
        "baseline_mean": base["metrics"][metric],
        "mean": result["metrics"][metric],
        "resamples": RESAMPLES,
        "seed": SEED,
        "fingerprint": result["fingerprint"],
        "baseline_fingerprint": base["fingerprint"],
    }


def _answered(output: Path, result: Result, task: TaskRow) -> bool:
    return has_answers(output / ANSWERS / str(result["answers"]), task.metrics, task.sizes, result["questions"])


def _scores(output: Path, result: Result, metric: str, size: int) -> pd.Series[float]:
    """A metric at a size, by question."""
    frame = read_answers(output / ANSWERS / result["answers"])
    return frame[frame["size"] == size].set_index("question")[metric]


def _tested(differences: pd.Series[float]) -> Row:
    values = np.asarray(differences, dtype=np.float64)
    low, high = mean_interval(values)
    return {"difference": float(values.mean()), "low": low, "high": high, "p": paired_p(values)}
