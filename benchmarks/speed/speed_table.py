"""Measured times as tables in the terminal, beside what they have to stay under."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console

from benchmarks.pages.grids import Grid

Line = tuple[str, float, str, float | None]


def show_speed(figures: dict[str, Any], console: Console) -> None:
    """Two tables: what was measured once, and `solve` by data set and size."""
    rows = [
        (label, f"{figure:,.2f} {unit}", "" if bound is None else f"{bound:g} {unit}")
        for label, figure, unit, bound in _lines(figures)
    ]
    Grid("speed", ("measured", "figure", "at most"), rows).show(console)
    _solve_grid(figures["solve"]).show(console)
    load, cores = figures["load_before"], figures["machine"]["cores"]
    if load is not None and load > cores / 2:
        console.print(f"The machine was busy (load {load:g} on {cores} cores): times are longer than on a quiet one.")


def _lines(figures: dict[str, Any]) -> Iterator[Line]:
    first, unchanged, rank = figures["index"]["first"], figures["index"]["unchanged"], figures["rank"]
    yield f"index {first['tables']} tables, beyond the embedding", first["other_seconds"], "s", 30
    yield "  embedding", first["embedding_seconds"], "s", None
    yield "  peak memory of the process", first["peak_megabytes"], "MB", 1536
    yield "  again, nothing changed", unchanged["seconds"], "s", 5
    yield f"rank over {rank['tables']} tables, warm, p50", rank["total"]["p50"], "ms", 60
    yield "  p95", rank["total"]["p95"], "ms", None
    yield "  all but the embedding of the question, p50", rank["without_embedding"]["p50"], "ms", 10
    yield "  p95", rank["without_embedding"]["p95"], "ms", None
    yield "import jar", 1e3 * figures["import_seconds"], "ms", 500
    yield "jar rank from a cold shell, static embedder", figures["cold_rank_seconds"], "s", 2.5


def _solve_grid(measured: list[dict[str, Any]]) -> Grid:
    bounds = {5: "1", 10: "5"}
    header = ("data set", "K", "instances", "proved", "p50 ms", "p95 ms", "max ms", "at most", "as enumerated")
    rows = [
        (
            row["dataset"],
            str(row["k"]),
            str(row["instances"]),
            str(row["proved"]),
            *(f"{row['solve'][name]:.2f}" for name in ("p50", "p95", "max")),
            bounds.get(row["k"], ""),
            f"{row['equal']} of {row['enumerated']}",
        )
        for row in measured
    ]
    return Grid("solve, exact, n = 20", header, rows)
