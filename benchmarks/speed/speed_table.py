"""Measured times as a table in the terminal, beside what they have to stay under."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

Line = tuple[str, float, str, float | None]


def print_speed(figures: dict[str, Any], console: Console) -> None:
    """Two tables: what was measured once, and `solve` by data set and size."""
    table = Table(title="speed", title_justify="left")
    for name in ("measured", "figure", "at most"):
        table.add_column(name, justify="left" if name == "measured" else "right", no_wrap=True)
    for label, figure, unit, bound in _lines(figures):
        colour = "default" if bound is None else "green" if figure <= bound else "red"
        table.add_row(label, f"[{colour}]{figure:,.2f} {unit}[/{colour}]", "" if bound is None else f"{bound:g} {unit}")
    console.print(table)
    console.print(_solve_table(figures["solve"]))
    load, cores = figures["load_before"], figures["machine"]["cores"]
    if load is not None and load > cores / 2:
        console.print(f"The machine was busy (load {load:g} on {cores} cores): times are longer than on a quiet one.")


def _lines(figures: dict[str, Any]) -> Iterator[Line]:
    first, unchanged, rank = figures["index"]["first"], figures["index"]["unchanged"], figures["rank"]
    yield f"index {first['tables']} tables, all but the embedding", first["other_seconds"], "s", 30
    yield "  embedding", first["embedding_seconds"], "s", None
    yield "  peak memory of the process", first["peak_megabytes"], "MB", 1536
    yield "  again, nothing changed", unchanged["seconds"], "s", 5
    yield f"rank over {rank['tables']} tables, warm, p50", rank["total"]["p50"], "ms", 60
    yield "  p95", rank["total"]["p95"], "ms", None
    yield "  all but the embedding of the question, p50", rank["without_embedding"]["p50"], "ms", 10
    yield "  p95", rank["without_embedding"]["p95"], "ms", None
    yield "import jar", 1e3 * figures["import_seconds"], "ms", 500
    yield "jar rank from a cold shell, static embedder", figures["cold_rank_seconds"], "s", 2.5


def _solve_table(rows: list[dict[str, Any]]) -> Table:
    bounds = {5: 1.0, 10: 5.0}
    table = Table(title="solve, exact, n = 20", title_justify="left")
    for name in ("data set", "K", "instances", "proved", "p50 ms", "p95 ms", "max ms", "at most", "as enumerated"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        times, bound = row["solve"], bounds.get(row["k"])
        table.add_row(
            row["dataset"],
            str(row["k"]),
            str(row["instances"]),
            str(row["proved"]),
            *(f"{times[name]:.2f}" for name in ("p50", "p95", "max")),
            "" if bound is None else f"{bound:g}",
            f"{row['equal']} of {row['enumerated']}",
        )
    return table
