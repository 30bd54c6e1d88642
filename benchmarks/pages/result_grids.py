"""The tables of the page, from results: quality, certainty, groups of questions, time and proofs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.pages.grids import Grid
from benchmarks.pages.measured import Group, system_name
from benchmarks.pages.reference import published
from benchmarks.runs.results import Result
from benchmarks.runs.tasks import TaskRow

SHOWN = {"tables": ("F1", "CR", "ES")}
"""Metrics of a task that stand in the table, where not all do: P and R of K tables follow from F1 but for rounding."""


def shown_metrics(task: TaskRow) -> list[str]:
    """Names such as "F1@2", metric by metric."""
    return [f"{metric}@{k}" for metric in SHOWN.get(task.name, task.metrics) for k in task.sizes]


def quality_grid(group: Group) -> Grid:
    """Each metric of each system, in percent; below, what was published under the same protocol.

    A metric that is 0 for all, the oracle too, is left out: no set of 5 is the gold set of a question with 2 tables.
    """
    names = [name for name in shown_metrics(group.task) if any(result["metrics"].get(name) for result in group.results)]
    rows = [(f"`{system_name(result)}`", *_cells(result["metrics"], names)) for result in group.results]
    rows += [(f"*{row.label}*", *_cells(row.metrics, names)) for row in published(group.task.name, group.dataset)]
    return Grid("", ("system", *names), rows, group.results[0]["note"])


def section_grids(group: Group) -> list[Grid]:
    """All tables of a task on a data set: quality, certainty, groups of questions, time."""
    further = (certainty_grid(group), breakdown_grid(group, "gold_tables"), breakdown_grid(group, "difficulty"))
    return [quality_grid(group), *(grid for grid in (*further, latency_grid(group)) if grid is not None)]


def _cells(metrics: dict[str, float], names: Sequence[str]) -> list[str]:
    return [f"{metrics[name]:.1f}" if name in metrics else "" for name in names]


def certainty_grid(group: Group) -> Grid | None:
    """The main metric with its interval, and the difference to the baseline with its interval and corrected p."""
    metric = group.task.main
    rows, baseline = [], group.task.baseline
    for result in group.results:
        if metric not in result.get("intervals", {}):
            continue
        low, high = result["intervals"][metric]
        comparison = group.compared.get(result["fingerprint"])
        gain = ("", "", "")
        if comparison is not None:
            baseline = str(comparison["baseline"])
            span = f"{comparison['low']:+.1f} to {comparison['high']:+.1f}"
            p = float(comparison["p_holm"])
            gain = (f"{comparison['difference']:+.1f}", span, "< 0.001" if p < 0.001 else f"{p:.3f}")
        rows.append((f"`{system_name(result)}`", f"{result['metrics'][metric]:.1f}", f"{low:.1f} to {high:.1f}", *gain))
    if not rows:
        return None
    header = ("system", metric, "95 %", f"gain on {baseline}", "95 % of the gain", "p (Holm)")
    note = (
        "Intervals: percentile bootstrap over the questions. p: paired randomisation test, two-sided, corrected by "
        "Holm's rule for all systems of this table that were run alike."
    )
    return Grid("", header, rows, note)


def breakdown_grid(group: Group, kind: str) -> Grid | None:
    """The main metric of groups of questions: by "gold_tables" or by "difficulty"; None where they have no groups."""
    first = group.results[0].get("breakdown", {}).get(kind, {})
    if len(first) < 2:
        return None
    label = "{} tables" if kind == "gold_tables" else "{}"
    header = [f"{label.format(name)} ({part['questions']})" for name, part in first.items()]
    rows = [
        (f"`{system_name(result)}`", *(f"{parts[name][group.task.main]:.1f}" for name in first))
        for result in group.results
        if set(first) <= set(parts := result.get("breakdown", {}).get(kind, {}))
    ]
    return Grid(f"{group.task.main} by {kind.replace('_', ' ')}", ("system", *header), rows)


def latency_grid(group: Group) -> Grid | None:
    """Time of an answer, and what the solver proved, of systems that tell; None where none does."""
    rows = [
        (f"`{system_name(result)}`", *_time(result), _statuses(result), str(result.get("gaps", "")))
        for result in group.results
        if "latency_ms" in result or "statuses" in result
    ]
    if not rows:
        return None
    note = "Time of an answer over all sizes K, from the vectors of question and sub-queries to the named tables."
    return Grid("", ("system", "p50, ms", "p95, ms", "answers by status", "with a gap"), rows, note)


def _time(result: Result) -> tuple[str, str]:
    latency = result.get("latency_ms", {})
    low, high = (f"{latency[part]:.2f}" if part in latency else "" for part in ("p50", "p95"))
    return low, high


def _statuses(result: Result) -> str:
    total: Counter[str] = Counter()
    for counts in result.get("statuses", {}).values():
        total.update(counts)
    return ", ".join(f"{status} {count:,}" for status, count in total.items())
