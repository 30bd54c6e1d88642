"""The plots of the page: which results each is drawn from, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.pages.markdown import Picture
from benchmarks.pages.measured import Group, system_name
from benchmarks.plots.gain_by_gold_tables import plot_gain_by_gold_tables
from benchmarks.plots.quality_against_latency import Latency, plot_quality_against_latency
from benchmarks.plots.recall_against_k import plot_recall_against_k
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
    drawn = []
    for name, caption, plot in _plots(group):
        path = folder / f"benchmarks-{group.task.name}-{group.dataset}-{name}.png"
        drawn.append(Picture(caption, save(plot(), path)))
    return drawn


def _plots(group: Group) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    metric = group.task.main
    curves = recall_curves(group)
    if curves:
        title = f"Recall of the gold {group.task.unit} against k, {group.dataset}"
        yield "recall", title, lambda: plot_recall_against_k(curves, title=title)
    latencies = latency_points(group)
    if latencies:
        bounds = {
            name: result["metrics"][metric]
            for name in (BOUND, group.task.baseline)
            if (result := group.result(name)) is not None
        }
        caption = f"{metric} against the time of an answer, {group.dataset}"
        yield "latency", caption, lambda: plot_quality_against_latency(latencies, bounds=bounds, metric=metric)
    gains = gains_by_gold(group)
    if gains:
        caption = f"{metric}: gain on {group.task.baseline} by the number of gold tables, {group.dataset}"
        yield "gain", caption, lambda: plot_gain_by_gold_tables(gains, baseline=group.task.baseline, metric=metric)


def recall_curves(group: Group) -> dict[str, dict[int, float]]:
    """Recall in percent by size, of the systems that are best over all sizes, and of the oracle, which is better."""
    curves = {
        system_name(result): {k: float(result["metrics"][f"R@{k}"]) for k in group.task.sizes}
        for result in group.results
        if {f"R@{k}" for k in group.task.sizes} <= set(result["metrics"])
    }
    kept = sorted(curves, key=lambda name: -sum(curves[name].values()))[: 1 + CURVES]
    return {name: curve for name, curve in curves.items() if name in kept}


def latency_points(group: Group) -> list[Latency]:
    """Systems that tell the time of each answer."""
    return [
        Latency(
            system_name(result),
            float(result["metrics"][group.task.main]),
            float(result["latency_ms"]["p50"]),
            float(result["latency_ms"]["p95"]),
        )
        for result in group.results
        if "latency_ms" in result
    ]


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
