"""``python -m benchmarks fit``: what `Reranker.fit` gives on the questions of a data set that it has not seen."""

from __future__ import annotations

import json
from pathlib import Path

import click

from benchmarks.commands.options import DATA, LIMIT, OUTPUT, Measuring, OutputPath, clock, console
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.pages.fit_page import fit_grid, write_fit_table
from benchmarks.runs.fit_study import Study
from benchmarks.runs.vectors import VectorCache

STUDIES = {"own": Study("own"), "among": Study("among"), "pooled": Study("pooled", 200)}
"""By what is fitted: each database by itself or among all tables, to half of its questions; or all, to 200."""


@click.command("fit", cls=Measuring)
@DATA
@click.option("--dataset", default="bird", show_default=True)
@click.option("--study", type=click.Choice(list(STUDIES)), default="own", show_default=True, help="What is fitted.")
@click.option("--embedder", default="static", show_default=True)
@click.option("--page", type=OutputPath(folder=False), help="A page with marks for this table.")
@OUTPUT
@LIMIT
def fit(
    data: str | None, dataset: str, study: str, embedder: str, page: Path | None, output: Path, limit: int | None
) -> None:
    """Fit to some questions of a data set, measure on the others: a table here, and DIR/fit-STUDY-EMBEDDER.json."""
    cache = VectorCache(embedder, output / "vectors")
    questions = load_dataset(dataset, data_root(data)).restricted(limit=limit)
    outcomes = list(STUDIES[study].outcomes(questions, cache.embedder, clock()))
    cache.save()
    grid = fit_grid(f"{dataset}, {study}, {embedder} vectors", outcomes)
    grid.show(console(160))
    path = output / f"fit-{dataset}-{study}-{embedder}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = [outcome._asdict() | {"figures": outcome.figures.tolist(), "groups": None} for outcome in outcomes]
    path.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    if page is not None:
        write_fit_table(page, f"{dataset} {study} {embedder}", grid)
