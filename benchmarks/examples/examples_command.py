"""``python -m benchmarks examples``: retrieval of examples by the shape of their SQL, and the fit of its head."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from benchmarks.commands.options import DATA, OUTPUT, OutputPath, clock, console
from benchmarks.data.layout import data_root
from benchmarks.examples.example_study import (
    dev_store,
    find_all,
    retrievers,
    study,
    study_variants,
    training_store,
)
from benchmarks.examples.examples_page import level_grid, pair_grid, study_grid, variant_grid, write_part
from benchmarks.examples.examples_plot import plot_by_hardness
from benchmarks.examples.graph_study import graph_ways, schemas_of, study_graphs
from benchmarks.examples.head_fit import (
    GRAPH_PATH,
    PATH,
    FitSettings,
    fit_graph_head,
    fit_head,
    split_databases,
)
from benchmarks.plots.styles import missing, save

NAMES_READING = "sqlite"
"""Read by this dialect, what stands in double quotes is a name wherever it stands."""


@click.command("examples")
@DATA
@OUTPUT
@click.option("--fit", is_flag=True, help="Fit the heads on training questions and write them to the package instead.")
@click.option("--variants", is_flag=True, help="Heads of several settings on held-out training databases instead.")
@click.option("--graphs", is_flag=True, help="Metrics and second stages on held-out training databases instead.")
@click.option("--page", type=OutputPath(folder=False), help="A page with marks for these tables.")
@click.option("--figures", type=OutputPath(folder=True), help="A folder for the plot.")
def examples(
    data: str | None, output: Path, fit: bool, variants: bool, graphs: bool, page: Path | None, figures: Path | None
) -> None:
    """Same skeleton first and among five, and the difference of trees, by retriever: DIR/examples.json.

    Spider's training questions are the store, its development questions are asked.
    """
    root, report = data_root(data), clock()
    output.mkdir(parents=True, exist_ok=True)
    if fit:
        _fit(root, report)
    elif variants:
        _variants(root, output, page, report)
    elif graphs:
        _graphs(root, output, page, report)
    else:
        _measure(root, output, page, figures, report)


def _fit(root: Path, report: Any) -> None:
    store = training_store(root)
    card = _card({example.database for example in store})
    fit_head(list(store), FitSettings(), report, card).save(PATH)
    report(f"written: {PATH}")
    fit_graph_head(list(store), schemas_of(root), FitSettings(), report, card).save(GRAPH_PATH)
    report(f"written: {GRAPH_PATH}")


def _card(databases: set[str]) -> dict[str, Any]:
    """What the file of the head says of itself, beside its settings."""
    held_out = split_databases(databases)[1]
    return {
        "about": "Which shape of SQL a question needs; written by: python -m benchmarks examples --fit",
        "source": "Spider, training questions with their SQL (CC BY-SA 4.0), none over a database of development",
        "use": "finding examples for prompts; its log-odds are calibrated on questions like Spider's",
        "limits": "questions in English; shapes that Spider's training queries lack, such as window functions and "
        "outer joins, are told apart by their parts alone",
        "databases": len(databases),
        "settings_chosen_on": held_out,
    }


def _variants(root: Path, output: Path, page: Path | None, report: Any) -> None:
    figures = study_variants(root, report)
    grid = variant_grid(figures)
    grid.show(console(180))
    plain = {name: {way: asdict(one) for way, one in of.items()} for name, of in figures.items()}
    (output / "example-heads.json").write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    if page is not None:
        write_part(page, "heads", " --variants", grid.markdown())


def _graphs(root: Path, output: Path, page: Path | None, report: Any) -> None:
    measured = study_graphs(root, report)
    grid = study_grid(measured, "27 training databases")
    grid.show(console(180))
    (output / "example-graphs.json").write_text(json.dumps(asdict(measured), indent=1) + "\n", encoding="utf-8")
    if page is not None:
        write_part(page, "graphs", " --graphs", grid.markdown())


def _measure(root: Path, output: Path, page: Path | None, figures: Path | None, report: Any) -> None:
    store, asked, named = training_store(root), dev_store(root), dev_store(root, NAMES_READING)
    ways = retrievers(store, None, output / "vectors") | graph_ways(store, asked, schemas_of(root), (None, None))
    found = find_all(store, asked, ways, report)
    studies = {"values": study(store, asked, found), "names": study(store, named, found)}
    grids = [
        study_grid(studies["values"], "Texts in double quotes as values"),
        level_grid(studies["values"]),
        pair_grid(studies["values"]),
        study_grid(studies["names"], "Texts in double quotes as names"),
    ]
    for grid in grids:
        grid.show(console(180))
    document = json.dumps({name: asdict(one) for name, one in studies.items()}, indent=1)
    (output / "examples.json").write_text(document + "\n", encoding="utf-8")
    if figures is not None and missing() is None:
        save(plot_by_hardness(studies["values"]), figures / "examples-hardness.png")
    if page is not None:
        write_part(page, "dev", "", "\n\n".join(grid.markdown() for grid in grids))
