"""The tables of the page on SQL, and what they say in words."""

from __future__ import annotations

from pathlib import Path

from benchmarks.pages.grids import PAIRED_HEADER, Grid, paired_cells, wrapped
from benchmarks.pages.markdown import between
from benchmarks.sql.contexts import CONTEXTS
from benchmarks.sql.sql_study import SqlComparison, SqlStudy

MARKS = ("<!-- sql: written by `python -m benchmarks sql` -->", "<!-- /sql -->")
SURE = 0.05


def accuracy_grid(study: SqlStudy) -> Grid:
    """A row for each system."""
    header = (
        *("context", "execution accuracy", "95 %", "all needed tables shown", "accuracy of these", "no result"),
        *("tables", "tokens sent", "seconds"),
    )
    rows = [
        (
            f"`{one.system}`",
            f"{one.accuracy:.1f}",
            f"{one.low:.1f} to {one.high:.1f}",
            f"{one.complete:.1f}",
            "" if one.when_complete is None else f"{one.when_complete:.1f}",
            f"{one.errors:.1f}",
            f"{one.tables:.1f}",
            f"{one.prompt_tokens:.0f}",
            f"{one.seconds:.1f}",
        )
        for one in study.figures
    ]
    title = f"{study.dataset}, {study.questions} of {study.of} questions drawn at random, K = {study.k}, {study.model}"
    empty = f"Gold queries that return no row: {study.empty}." if study.empty else ""
    return Grid(title, header, rows, empty)


def comparison_grid(study: SqlStudy) -> Grid:
    """A row for each pair."""
    header = ("context", "against", *PAIRED_HEADER)
    rows = [(f"`{one.system}`", f"`{one.baseline}`", *paired_cells(one)) for one in study.comparisons]
    return Grid("", header, rows)


def verdict(study: SqlStudy) -> str:
    """What was gained and what was not: differences with p below .05 after Holm's correction, and the others."""
    kinds = {
        "Gained": [one for one in study.comparisons if one.p_holm < SURE and one.difference > 0],
        "Lost": [one for one in study.comparisons if one.p_holm < SURE and one.difference < 0],
        "Not decided by so many questions": [one for one in study.comparisons if one.p_holm >= SURE],
    }
    return "\n".join(
        wrapped(f"- {kind}: {'; '.join(map(_told, pairs))}.").replace("\n", "\n  ")
        for kind, pairs in kinds.items()
        if pairs
    )


def system_list(study: SqlStudy) -> str:
    """What each context is."""
    return "\n".join(f"- `{one.system}`: {CONTEXTS[one.system].summary}" for one in study.figures)


def write_sql_page(page: Path, study: SqlStudy, commit: str | None) -> None:
    """Write the part of a page between its marks.

    Raises
    ------
    MissingMarksError
        When the page has no such marks.
    """
    parts = [
        system_list(study),
        accuracy_grid(study).markdown(),
        *([comparison_grid(study).markdown(), verdict(study)] if study.comparisons else []),
        *([f"Measured at commit {commit.rstrip('+')}."] if commit else []),
    ]
    text = between(page.read_text(encoding="utf-8"), MARKS, "\n" + "\n\n".join(parts) + "\n")
    page.write_text(text, encoding="utf-8")


def _told(one: SqlComparison) -> str:
    p = f"p = {one.p_holm:.3f}" if one.p_holm >= 0.001 else "p < 0.001"
    return f"`{one.system}` against `{one.baseline}` {one.difference:+.1f} points ({p})"
