"""The tables of the page on retrieval in several hops."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.pages.grids import Grid
from benchmarks.pages.markdown import between
from benchmarks.pages.reference import published
from benchmarks.runs.hop_study import MOST_TOLD, RERANKED_SIZES, HopFigures, HopStudy, RerankedStudy, main_size
from benchmarks.runs.tasks import TASKS

MARKS = ("<!-- {}: written by `python -m benchmarks hops` -->", "<!-- /{} -->")
RERANKED_MARKS = ("<!-- {}: written by `python -m benchmarks hops --reranked` -->", "<!-- /{} -->")
SIZES = TASKS["union"].sizes


def hop_grid(study: HopStudy) -> Grid:
    """A row for each way to retrieve, and below it what was published under the same protocol."""
    labels = {number: f"{number}{' and more' if number == MOST_TOLD else ''} gold" for number in study.gold_tables}
    header = (
        *("rewriter", "form", "hops", *(f"CR@{k}" for k in SIZES), f"p at {main_size()}"),
        *(f"{label} ({study.gold_tables[number]})" for number, label in labels.items()),
    )
    rows = [_row(figures, list(labels)) for figures in study.figures]
    blank = ("",) * (1 + len(labels))
    rows += [
        (f"*{row.label}*", "", "", *(f"{row.metrics[f'CR@{k}']:.1f}" for k in SIZES), *blank)
        for row in published("union", study.dataset)
        if "CRUSH" not in row.label
    ]
    return Grid(f"{study.dataset}, {study.questions} questions, {study.embedder} vectors", header, rows)


def reranked_grid(study: RerankedStudy) -> Grid:
    """A row for each first stage of the re-ranker."""
    header = ("system", *(f"CR@{k}" for k in RERANKED_SIZES), *(f"p at {k}" for k in RERANKED_SIZES))
    rows = [
        (
            f"`{figures.system}`",
            *(f"{figures.recall[k]:.1f}" for k in RERANKED_SIZES),
            *(f"{figures.p[k]:.4f}" if figures.p else "" for k in RERANKED_SIZES),
        )
        for figures in study.figures
    ]
    return Grid(f"{study.dataset}, {study.questions} questions, {study.embedder} vectors", header, rows)


def write_hop_tables(page: Path, studies: Sequence[HopStudy | RerankedStudy]) -> None:
    """Write tables of one embedder between the marks of the page that are theirs.

    Raises
    ------
    MissingMarksError
        When the page has no such marks.
    """
    text = page.read_text(encoding="utf-8")
    for kind, marks in ((HopStudy, MARKS), (RerankedStudy, RERANKED_MARKS)):
        chosen = [study for study in studies if isinstance(study, kind)]
        if chosen:
            start, end = (mark.format(chosen[0].embedder) for mark in marks)
            tables = (hop_grid(one) if isinstance(one, HopStudy) else reranked_grid(one) for one in chosen)
            text = between(text, (start, end), "\n\n".join(table.markdown() for table in tables))
    page.write_text(text, encoding="utf-8")


def _row(figures: HopFigures, numbers: list[int]) -> tuple[str, ...]:
    p = "" if figures.p is None else f"{figures.p:.4f}"
    by_gold = (f"{figures.by_gold[number]:.1f}" for number in numbers)
    recall = (f"{figures.recall[k]:.1f}" for k in SIZES)
    return (figures.rewriter or "(one hop)", figures.form, str(figures.hops), *recall, p, *by_gold)
