"""The tables of the page on examples."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.examples.example_study import ExampleStudy
from benchmarks.examples.figures import MOST, ExampleFigures
from benchmarks.pages.grids import PAIRED_HEADER, Grid, paired_cells
from benchmarks.pages.markdown import between

MARKS = ("<!-- {}: written by `python -m benchmarks examples{}` -->", "<!-- /{} -->")
HEADER = ("retriever", "first", f"any of {MOST}", f"tree difference of {MOST}", "of the nearest")


def study_grid(study: ExampleStudy, title: str) -> Grid:
    """A row for each retriever."""
    rows = [(name, *_cells(figures)) for name, figures in study.figures.items()]
    rows.append(("skeletons that the store has (ceiling)", f"{study.ceiling:.1f}", f"{study.ceiling:.1f}", "", ""))
    return Grid(f"{title}: {study.questions} questions, {study.examples} examples", HEADER, rows)


def level_grid(study: ExampleStudy) -> Grid:
    """First / any of five by hardness."""
    header = ("retriever", *(f"{level} ({count})" for level, count in study.levels.items()))
    rows = [
        (name, *(" / ".join(f"{share:.1f}" for share in figures.by_hardness[level]) for level in study.levels))
        for name, figures in study.figures.items()
    ]
    return Grid(f"First / any of {MOST} by Spider's hardness", header, rows)


def pair_grid(study: ExampleStudy) -> Grid:
    """A row for each pair of retrievers and figure."""
    header = ("retriever", "against", "", *PAIRED_HEADER)
    rows = [(one.retriever, one.baseline, one.figure, *paired_cells(one)) for one in study.comparisons]
    return Grid("Retrievers in pairs on the same questions", header, rows)


def variant_grid(figures: Mapping[str, Mapping[str, ExampleFigures]]) -> Grid:
    """A row for each way to fit the head."""
    header = ("head", "`SkeletonExamples`", "`StructureExamples`", "questions alone", "tree difference")
    rows = [
        (
            name,
            *(f"{of[way].first:.1f} / {of[way].any:.1f}" for way in ("skeleton", "structure", "questions alone")),
            f"{of['structure'].distance:.3f}",
        )
        for name, of in figures.items()
    ]
    return Grid(f"27 training databases, first / any of {MOST}", header, rows)


def write_part(page: Path, name: str, option: str, text: str) -> None:
    """Write tables between the marks of a page that are theirs.

    Raises
    ------
    MissingMarksError
        When the page has no such marks.
    """
    marks = (MARKS[0].format(name, option), MARKS[1].format(name))
    page.write_text(between(page.read_text(encoding="utf-8"), marks, text), encoding="utf-8")


def _cells(figures: ExampleFigures) -> tuple[str, ...]:
    return (f"{figures.first:.1f}", f"{figures.any:.1f}", f"{figures.distance:.3f}", f"{figures.nearest:.3f}")
