"""The table of the page on fits to logged questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.pages.grids import Grid
from benchmarks.pages.markdown import between
from benchmarks.runs.fit_study import Outcome, all_gains

MARKS = ("<!-- fit {} -->", "<!-- end -->")


def fit_grid(title: str, outcomes: Sequence[Outcome]) -> Grid:
    """A row for each fit, and one for all of them where there are several."""
    header = ("fitted to questions on", "tables", "fitted to", "measured on", "s", "processor s")
    header += ("CR@5 cosine", "learned", "fitted", "gain", "F1@k cosine", "learned", "fitted", "gain")
    rows = [_row(outcome.name, [outcome]) for outcome in outcomes]
    if len(outcomes) > 1:
        rows.append(_row("all of these", outcomes))
    return Grid(title, header, rows)


def write_fit_table(page: Path, name: str, grid: Grid) -> None:
    """Write a table between the marks of a page that are its own.

    Raises
    ------
    MissingMarksError
        When the page has no such marks.
    """
    start, end = MARKS[0].format(name), MARKS[1]
    page.write_text(between(page.read_text(encoding="utf-8"), (start, end), grid.markdown()), encoding="utf-8")


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """The numbers of some fits together; the gain is that over the shipped model, which ranks by default."""
    counts = [sum(outcome[place] for outcome in outcomes) for place in (2, 3)]
    tables, seconds = (max(outcome[place] for outcome in outcomes) for place in (1, 5))
    processor = max(outcome.processor for outcome in outcomes)
    cells = [str(tables), *map(str, counts), f"{seconds:.1f}", f"{processor:.1f}"]
    for cosine, learned in zip(all_gains(outcomes, 0), all_gains(outcomes, 1), strict=True):
        gain = f"{learned[1] - learned[0]:+.1f} ({learned[2]:+.1f} to {learned[3]:+.1f})"
        cells += [f"{cosine[0]:.1f}", f"{learned[0]:.1f}", f"{cosine[1]:.1f}", gain]
    refused = sum(outcome.refused for outcome in outcomes)
    note = "" if not refused else " (refused)" if len(outcomes) == 1 else f" ({refused} refused)"
    return (name + note, *cells)
