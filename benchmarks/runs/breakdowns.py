"""What a mean over all questions hides: groups of questions, and how sure the mean is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.runs.answers import average_metrics
from benchmarks.runs.resampling import mean_interval

GROUPS = ("gold_tables", "difficulty")


def break_down(frame: pd.DataFrame, metrics: Sequence[str]) -> dict[str, dict[str, dict[str, float]]]:
    """The metrics of the questions with so many gold tables, and of each difficulty where the data set grades it.

    Parameters
    ----------
    frame : DataFrame
        As `benchmarks.runs.answers.answer_frame` makes it.

    Returns
    -------
    dict
        "gold_tables" and "difficulty" to the groups, in order, with "questions" and the metrics "F1@2" and so on.
    """
    groups: dict[str, dict[str, dict[str, float]]] = {}
    for name in GROUPS:
        parts = {
            str(value): {"questions": part["question"].nunique()} | average_metrics(part, metrics)
            for value, part in frame.groupby(name)
        }
        if parts:
            groups[name] = parts
    return groups


def metric_intervals(frame: pd.DataFrame, metric: str) -> dict[str, list[float]]:
    """Bootstrap interval of the mean of a metric at each size, in percent: "F1@2" to [low, high]."""
    return {
        f"{metric}@{size}": [round(bound, 4) for bound in mean_interval(np.asarray(part[metric], dtype=np.float64))]
        for size, part in frame.groupby("size", sort=False)
    }


def summarise_answers(frame: pd.DataFrame, metrics: Sequence[str], main: str) -> dict[str, Any]:
    """Metrics, intervals and breakdown, as a line of results has them.

    Parameters
    ----------
    main : str
        The metric with intervals, such as "F1@2"; they are made at each size.
    """
    return {
        "metrics": average_metrics(frame, metrics),
        "intervals": metric_intervals(frame, main.partition("@")[0]),
        "breakdown": break_down(frame, metrics),
    }
