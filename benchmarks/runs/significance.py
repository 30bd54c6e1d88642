"""Each system against the baseline of its task, on the same questions: DIR/significance.csv."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.runs.answers import whole_answers
from benchmarks.runs.resampling import RESAMPLES, SEED, holm, mean_interval, paired_p
from benchmarks.runs.results import SETTINGS, Result, read_complete
from benchmarks.runs.tasks import TASKS

NAME = "significance.csv"
BOUND = "oracle"
"""Bounds the systems and is none, so it is not compared."""
TESTED = ("difference", "low", "high", "p")
KEY = ("metric", "baseline_fingerprint", "fingerprint", "resamples", "seed")
"""A row with the same of these need not be made again."""

Report = Callable[[str], None]
Row = dict[str, Any]


def write_significance(output: Path, report: Report) -> pd.DataFrame:
    """Compare the results of a folder with the baseline of their task, on its main metric, and write the table.

    Columns: task, dataset, names, embedder, limit, metric, baseline, system, decomposition, questions, baseline_mean,
    mean, resamples, seed, the fingerprints of both results, difference (in percentage points), low and high (its 95 %
    bootstrap interval), p (randomisation test), and p_holm (corrected over the systems of the same task and data set).
    What the file has already of the same two results is taken from there. The table is empty where no baseline has been
    run; `report` is told when comparisons have to be made, and which results can not be compared.
    """
    results = [result for result in read_complete(output / "results.jsonl", report) if "answers" in result]
    known = {tuple(row[name] for name in KEY): row for row in read_comparisons(output)}
    rows: list[Row] = []
    for _, group in groupby(sorted(results, key=_group), key=_group):
        rows += _compare(output, list(group), known, report)
    table = pd.DataFrame(rows)
    table.to_csv(output / NAME, index=False)
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
    if not {*KEY, *TESTED, "baseline", "p_holm"} <= set(table.columns):
        return []
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def _compare(output: Path, group: Sequence[Result], known: dict[tuple[Any, ...], Row], report: Report) -> Iterator[Row]:
    """The rows of a group; none where its baseline is not there."""
    task = TASKS[group[0]["task"]]
    base = next((result for result in group if result["system"] == task.baseline), None)
    others = [result for result in group if result["system"] not in (task.baseline, BOUND)]
    if base is None:
        return
    rows = []
    for result in others:
        row = _described(base, result, task.main)
        earlier = known.get(tuple(row[name] for name in KEY))
        if earlier is not None:
            rows.append(row | {name: earlier[name] for name in TESTED})
            continue
        report(f"{task.name}, {result['dataset']}: comparing {result['system']} with {task.baseline}")
        pair = [_scores(output, answered, task.main) for answered in (base, result)]
        if pair[0] is None or pair[1] is None:
            report("  not compared: answers are lost or of another version; a run makes them again")
            continue
        differences = np.asarray(pair[1].loc[pair[0].index] - pair[0], dtype=np.float64)
        low, high = mean_interval(differences)
        tested = (float(differences.mean()), low, high, paired_p(differences))
        rows.append(row | dict(zip(TESTED, tested, strict=True)))
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


def _scores(output: Path, result: Result, main: str) -> pd.Series[float] | None:
    """The main metric by question; None where there are no answers."""
    metric, _, size = main.partition("@")
    frame = whole_answers(output, result)
    return None if frame is None else frame[frame["size"] == int(size)].set_index("question")[metric]
