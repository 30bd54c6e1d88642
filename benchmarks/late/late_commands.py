"""``python -m benchmarks fit-late | fit-filter | filter``: fit late interaction and the schema filter, measure this."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from benchmarks.commands.options import DATA, LIMIT, OUTPUT, NameList, OutputPath, clock, console
from benchmarks.data.dataset_form import Dataset, Question, fold_of
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.late.filter_draws import draw
from benchmarks.late.filter_fit import PATH as FILTER_PATH
from benchmarks.late.filter_fit import fit_filter as fitted_filter
from benchmarks.late.filter_study import filter_grid, plot_filter, study_filter, ways_grid
from benchmarks.late.map_fit import HELD_OUT, PATH, fit_head
from benchmarks.pages.markdown import between
from benchmarks.plots.styles import missing, save
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache
from jar import Index
from jar.late import LateRelevance, add_token_vectors
from jar.late.schema_evidence import SchemaEvidence

MARKS = ("<!-- filter: written by `python -m benchmarks filter` -->", "<!-- /filter -->")
TAUGHT, CALIBRATED = 600, 500
"""Questions, evenly spaced, that the filter's relevance model is fitted on, and that the rest of it is."""


@click.command("fit-late")
@DATA
@OUTPUT
def fit_late(data: str | None, output: Path) -> None:
    """Fit the maps of late interaction on Spider's training questions; write them to the package.

    The seed is fixed. Vectors of texts and the index are kept in DIR.
    """
    report = clock()
    dataset, index = _training(data, output)
    report("indexed")
    fit_head(dataset, index, report).save(PATH)
    report(f"written: {PATH}")


@click.command("fit-filter")
@DATA
@OUTPUT
def fit_filter(data: str | None, output: Path) -> None:
    """Fit the schema filter on Spider's training questions, by the maps of the package; write it to the package."""
    report = clock()
    dataset, index = _training(data, output)
    report("indexed")
    held = [question for question in dataset.questions if fold_of(question.database) == HELD_OUT]
    others = [question for question in dataset.questions if fold_of(question.database) != HELD_OUT]
    chosen = [*_evenly(others, TAUGHT), *_evenly(held, CALIBRATED)]
    draws = list(draw(SchemaEvidence(index, LateRelevance(index)), chosen))
    report(f"{len(draws)} questions seen")
    fitted_filter(draws, report).save(FILTER_PATH)
    report(f"written: {FILTER_PATH}")


def _evenly(questions: Sequence[Question], count: int) -> list[Question]:
    """So many questions, evenly spaced; all where there are no more."""
    few = min(count, len(questions))
    return [questions[place * len(questions) // few] for place in range(few)]


def _training(data: str | None, output: Path) -> tuple[Dataset, Index]:
    """The training questions, and an index of their tables with token vectors."""
    options = Options(data_root(data), output)
    cache = VectorCache(options.embedder, output / "vectors")
    dataset = load_dataset("spider-training", options.root)
    index = open_index(dataset, options, cache)
    cache.save()
    add_token_vectors(index)
    return dataset, index


@click.command("filter")
@DATA
@click.option("--datasets", type=NameList(), default="spider,bird", show_default=True)
@click.option("--page", type=OutputPath(folder=False), help="A page with marks for these tables.")
@click.option("--figures", type=OutputPath(folder=True), help="A folder for the plots.")
@OUTPUT
@LIMIT
def filter_schemas(
    data: str | None, datasets: list[str], page: Path | None, figures: Path | None, output: Path, limit: int | None
) -> None:
    """Tables and columns that the schema filter keeps and drops within databases: tables here, and DIR/filter.json."""
    report, terminal = clock(), console(140)
    studies = [study_filter(name, Options(data_root(data), output, limit), report) for name in datasets]
    grids = [*map(filter_grid, studies), ways_grid(studies)]
    for grid in grids:
        grid.show(terminal)
    document = json.dumps([asdict(study) for study in studies], indent=1)
    (output / "filter.json").write_text(document + "\n", encoding="utf-8")
    if figures is not None and missing() is None:
        for study in studies:
            save(plot_filter(study), figures / f"filter-{study.dataset}.png")
    if page is not None:
        text = "\n\n".join(grid.markdown() for grid in grids)
        page.write_text(between(page.read_text(encoding="utf-8"), MARKS, text), encoding="utf-8")
