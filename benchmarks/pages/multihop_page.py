"""The tables of the page on retrieval in several hops."""

from __future__ import annotations

from pathlib import Path

from benchmarks.pages.grids import Grid
from benchmarks.pages.markdown import between
from benchmarks.pages.reference import published
from benchmarks.runs.hop_study import MOST_TOLD, HopFigures, HopStudy, main_size
from benchmarks.runs.tasks import TASKS

MARKS = ("<!-- {}: written by `python -m benchmarks hops` -->", "<!-- /{} -->")
SIZES = TASKS["union"].sizes


def hop_grid(study: HopStudy) -> Grid:
    """A row for each way to retrieve, and below it what was published under the same protocol."""
    told = {number: f"{number}{' and more' if number == MOST_TOLD else ''} gold" for number in study.gold_tables}
    header = (
        *("rewriter", "form", "hops", *(f"CR@{k}" for k in SIZES), f"p at {main_size()}"),
        *(f"{label} ({study.gold_tables[number]})" for number, label in told.items()),
    )
    rows = [_row(figures, list(told)) for figures in study.figures]
    blank = ("",) * (1 + len(told))
    rows += [
        (f"*{row.label}*", "", "", *(f"{row.metrics[f'CR@{k}']:.1f}" for k in SIZES), *blank)
        for row in published("union", study.dataset)
        if "CRUSH" not in row.label
    ]
    return Grid(f"{study.dataset}, {study.questions} questions, {study.embedder} vectors", header, rows)


def write_hop_tables(page: Path, studies: list[HopStudy]) -> None:
    """Write the tables between the marks of the page, one pair for each embedder.

    Raises
    ------
    MissingMarksError
        When the page has no such marks.
    """
    text = page.read_text(encoding="utf-8")
    for embedder in dict.fromkeys(study.embedder for study in studies):
        start, end = (mark.format(embedder) for mark in MARKS)
        grids = [hop_grid(study).markdown() for study in studies if study.embedder == embedder]
        text = between(text, (start, end), "\n\n".join(grids))
    page.write_text(text, encoding="utf-8")


def _row(figures: HopFigures, numbers: list[int]) -> tuple[str, ...]:
    p = "" if figures.p is None else f"{figures.p:.4f}"
    by_gold = (f"{figures.by_gold[number]:.1f}" for number in numbers)
    recall = (f"{figures.recall[k]:.1f}" for k in SIZES)
    return (figures.rewriter or "(one hop)", figures.form, str(figures.hops), *recall, p, *by_gold)
