"""The plots of the page: which results each is drawn from, and where it goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.pages.markdown import Picture
from benchmarks.pages.measured import Group, system_name
from benchmarks.plots.result_plots import plot_gain_by_gold_tables, plot_quality_against_latency, plot_recall_against_k
from benchmarks.plots.styles import missing, save
from benchmarks.runs.answers import average_metrics
from benchmarks.runs.results import Result
from benchmarks.runs.significance import BOUND

CURVES = 8
"""So many systems in a plot at most, the best ones, beside the oracle."""


def draw(group: Group, folder: Path) -> list[Picture]:
    """The plots of one task on one data set, as PNG files; none without matplotlib, or where the results lack it."""
    if missing() is not None:
        return []
    return [
        Picture(caption, save(axes, folder / f"benchmarks-{group.task.name}-{group.dataset}-{name}.png"))
        for name, caption, axes in _plots(group)
    ]


def _plots(group: Group) -> Iterator[tuple[str, str, Any]]:
    task, dataset, metric = group.task, group.dataset, group.task.main
    if curves := recall_curves(group):
        title = f"Recall of the gold {task.unit} against k, {dataset}"
        yield "recall", title, plot_recall_against_k(curves, title)
    timed = {system_name(result): result for result in group.results if "latency_ms" in result}
    if timed:
        latencies = {
            name: (result["metrics"][metric], result["latency_ms"]["p50"], result["latency_ms"]["p95"])
            for name, result in timed.items()
        }
        found = {name: group.result(name) for name in (BOUND, task.baseline)}
        bounds = {name: result["metrics"][metric] for name, result in found.items() if result is not None}
        axes = plot_quality_against_latency(latencies, bounds, metric)
        yield "latency", f"{metric} against the time of an answer, {dataset}", axes
    if gains := gains_by_gold(group):
        title = f"{metric}: gain on {task.baseline} by the number of gold tables"
        yield "gain", f"{title}, {dataset}", plot_gain_by_gold_tables(gains, title)


def recall_curves(group: Group) -> dict[str, dict[int, float]]:
    """Recall in percent by size, of the systems that are best over all sizes, and of the oracle, which is better."""
    curves = {
        system_name(result): {k: result["metrics"][f"R@{k}"] for k in group.task.sizes}
        for result in group.results
        if {f"R@{k}" for k in group.task.sizes} <= set(result["metrics"])
    }
    kept = sorted(curves, key=lambda name: -sum(curves[name].values()))[: 1 + CURVES]
    return {name: curve for name, curve in curves.items() if name in kept}


def gains_by_gold(group: Group) -> dict[str, dict[str, float]]:
    """Difference to the baseline in percentage points by number of gold tables, from the answers to the questions."""
    baseline = group.result(group.task.baseline)
    base = {} if baseline is None else _means(group, baseline)
    if len(base) < 2:
        return {}
    gains = {}
    for result in group.results:
        means = {} if result["system"] in (BOUND, group.task.baseline) else _means(group, result)
        if set(means) == set(base):
            gains[system_name(result)] = {gold: means[gold] - base[gold] for gold in base}
    kept = sorted(gains, key=lambda name: -sum(gains[name].values()))[:CURVES]
    return {name: by_gold for name, by_gold in gains.items() if name in kept}


def _means(group: Group, result: Result) -> dict[str, float]:
    """The main metric of a result by number of gold tables; empty where it has no answers."""
    frame = group.answers(result)
    if frame is None:
        return {}
    metric = group.task.main
    return {
        f"{gold} ({part['question'].nunique()} questions)": average_metrics(part, [metric.partition("@")[0]])[metric]
        for gold, part in frame.groupby("gold_tables")
    }
