"""Results as a table in the terminal, beside targets and published figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from benchmarks.pages.reference import published, targets
from benchmarks.runs.results import Result
from benchmarks.runs.tasks import TASKS


def print_results(results: Sequence[Result], console: Console) -> None:
    """A table for each task and data set, in the order of the results."""
    for task, dataset in dict.fromkeys((result["task"], result["dataset"]) for result in results):
        rows = [result for result in results if (result["task"], result["dataset"]) == (task, dataset)]
        console.print(_table(task, dataset, rows))
        if rows[0]["note"]:
            console.print(f"[dim]{rows[0]['note']}[/dim]")


def _table(task: str, dataset: str, rows: Sequence[Result]) -> Table:
    shown = _columns(task)
    table = Table(title=f"{task}: {dataset}, {rows[0]['questions']} questions", title_justify="left")
    for name in ("system", "sub-queries"):
        table.add_column(name, no_wrap=True)
    for name in [*shown, "s"]:
        table.add_column(name, justify="right", no_wrap=True)
    for result in rows:
        floor = {} if result["limit"] else targets(task, dataset, result["system"], result["decomposition"])
        figures = [_cell(result["metrics"], floor, name) for name in shown]
        table.add_row(result["system"], result["decomposition"] or "", *figures, f"{result['seconds']:.1f}")
    table.add_section()
    for row in published(task, dataset):
        table.add_row(f"[dim]{row.label}[/dim]", "", *(_cell(row.metrics, {}, name) for name in shown), "")
    return table


def print_details(results: Sequence[Result], significance: pd.DataFrame, console: Console) -> None:
    """For each task and data set, the main metric with its interval, its gain on the baseline, and groups of questions.

    Parameters
    ----------
    significance : DataFrame
        As `benchmarks.runs.significance.write_significance` makes it.
    """
    compared = {row["fingerprint"]: row for row in significance.to_dict("records")}
    for task, dataset in dict.fromkeys((result["task"], result["dataset"]) for result in results):
        rows = [result for result in results if (result["task"], result["dataset"]) == (task, dataset)]
        console.print(_details(TASKS[task].main, f"{task}: {dataset}", rows, compared))


def _details(metric: str, title: str, rows: Sequence[Result], compared: Mapping[str, Any]) -> Table:
    groups = [(kind, name) for kind, parts in rows[0]["breakdown"].items() for name in parts]
    baseline = next((compared[row["fingerprint"]]["baseline"] for row in rows if row["fingerprint"] in compared), None)
    table = Table(title=f"{title}, {metric}", title_justify="left")
    for name in ("system", "sub-queries"):
        table.add_column(name, no_wrap=True)
    for name in (metric, "95 %", f"gain on {baseline}" if baseline else "gain", "p (Holm)"):
        table.add_column(name, justify="right", no_wrap=True)
    for kind, name in groups:
        label = f"{name} tables" if kind == "gold_tables" else name
        table.add_column(f"{label}\n({rows[0]['breakdown'][kind][name]['questions']})", justify="right", no_wrap=True)
    for result in rows:
        low, high = result["intervals"][metric]
        found = compared.get(result["fingerprint"])
        table.add_row(
            result["system"],
            result["decomposition"] or "",
            f"{result['metrics'][metric]:.1f}",
            f"{low:.1f}-{high:.1f}",
            "" if found is None else f"{found['difference']:+.1f}",
            "" if found is None else f"{found['p_holm']:.4f}",
            *(f"{result['breakdown'][kind][name][metric]:.1f}" for kind, name in groups),
        )
    return table


def _columns(task: str) -> list[str]:
    """F1 where the task has it, since P and R of K tables follow from it but for rounding; else everything."""
    row = TASKS[task]
    metrics = [metric for metric in row.metrics if metric in {"F1", "CR"}] if "F1" in row.metrics else row.metrics
    return [f"{metric}@{k}" for metric in metrics for k in row.sizes]


def _cell(metrics: dict[str, float], floor: dict[str, float], name: str) -> str:
    if name not in metrics:
        return ""
    figure = f"{metrics[name]:.1f}"
    if name not in floor:
        return figure
    colour = "green" if metrics[name] >= floor[name] else "red"
    return f"[{colour}]{figure}[/{colour}] (≥{floor[name]:g})"
