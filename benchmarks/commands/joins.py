"""``python -m benchmarks joins fit``, ``... measure``, ``... names`` and ``... told``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console

from benchmarks.commands.options import DATA, OUTPUT, clock, console
from benchmarks.commands.peers import peers
from benchmarks.data.datasets import load_dataset
from benchmarks.data.join_schemas import FOLDER, read_join_schemas
from benchmarks.data.layout import data_root
from benchmarks.data.wild.companies import FOLDER as COMPANIES
from benchmarks.joins.cuts import LOST, choose_cut, try_cuts
from benchmarks.joins.fitting import PATH, Report, fit_weights, write_weights
from benchmarks.joins.join_figures import Figures, measure_joins, read_figures, write_figures
from benchmarks.joins.joinability_page import show_figures, write_figures_tables, write_weights_table
from benchmarks.joins.lessons import read_lessons
from benchmarks.joins.schema_figures import read_schema_truths
from benchmarks.joins.truth import KNOWLEDGE, Truth, read_truth, training_rows
from benchmarks.names.named_figures import Judged, joins_grids, judged, kinds_grid, within_grid
from benchmarks.names.named_lessons import copies_of, held_out, named_lessons, named_truths, read_named_lessons
from benchmarks.names.named_truth import NamedTruth, company_truths, terse_truths, truths_of
from benchmarks.names.read_words import words_grid
from benchmarks.names.told_figures import told_grid, write_told_table
from benchmarks.pages.names_pages import PAGES, write_named_tables
from benchmarks.plots.reliability import plot_reliability
from benchmarks.plots.styles import missing, save
from benchmarks.runs.fingerprints import folder_fingerprint, result_fingerprint
from benchmarks.runs.vectors import VectorCache
from joinability.scores.odds import LEAST
from joinability.scores.score import LEAST_SHOWN


@click.group("joins")
def joins() -> None:
    """The default join score: fit its weights, measure how well it finds declared keys."""


joins.add_command(peers)


@joins.command("fit")
@DATA
def fit_command(data: str | None) -> None:
    """Fit the weights on Spider's training databases and damaged copies of them; write them to the package."""
    print(run_fit(data_root(data), clock()))


@joins.command("measure")
@DATA
@OUTPUT
@click.option("--embedder", default="minilm", show_default=True, help="Of the cosines in the paper's score.")
@click.option("--ablation", is_flag=True, help="Cross-validate with and without each feature as well.")
def measure_command(data: str | None, output: Path, embedder: str, ablation: bool) -> None:
    """Measure the join scores on Spider's declared keys and on the schemas of joins/, as they are and damaged.

    Leaves tables here and on the page on joinability, DIR/joins.json and a reliability diagram.
    """
    figures = run_measure(data_root(data), output, embedder, clock(), console(), ablated=ablation, fresh=True)
    write_figures_tables(figures)


@joins.command("names")
@DATA
def names_command(data: str | None) -> None:
    """Measure the joins that names alone suggest, without rows and keys, and the words that are read."""
    root, report = data_root(data), clock()
    report("training databases")
    truths = named_truths(root)
    copies = copies_of(truths)
    report("models without a part of them")
    scores = held_out(named_lessons(list(copies.values())))
    sets = {
        f"training: {name}": Judged.of(some, of_copy)
        for (name, some), of_copy in zip(copies.items(), scores, strict=True)
    }
    report("databases that no model saw")
    unseen = unseen_truths(root)
    ranked, shares = joins_grids(sets | {name: judged(some) for name, some in unseen.items()})
    within = within_grid({name: truths[name] for name in (next(iter(truths)), "companies")} | unseen)
    grids = {"kinds": kinds_grid(truths), "within": within, "joins": ranked, "shares": shares}
    write_named_tables({**grids, "words": words_grid()})
    report(f"written to {' and '.join(PAGES)} in docs/")


@joins.command("told")
def told_command() -> None:
    """Measure which references an index tells of databases in modules of several ages, with rows and without."""
    grid = told_grid(clock())
    grid.show(console())
    write_told_table(grid)


def unseen_truths(root: Path) -> dict[str, list[NamedTruth]]:
    """The databases to which no weight is fitted."""
    others = {
        "Spider, development": truths_of(load_dataset("spider", root).catalog),
        "BIRD, development": truths_of(load_dataset("bird", root).catalog),
    }
    if (root / FOLDER).is_dir():
        others["six schemas"] = [NamedTruth.of(schema.tables()) for schema in read_join_schemas(root)]
    others["companies, held out"] = company_truths(held_out=True)
    others["terse schemas"] = terse_truths(held_out=False)
    others["terse schemas, held out"] = terse_truths(held_out=True)
    return others


def read_truths(root: Path, report: Report, states: Iterable[str] = KNOWLEDGE) -> dict[str, Truth]:
    """Spider's databases in states of knowledge."""
    truths = {}
    for state in states:
        report(f"reading Spider's databases, known: {state}")
        truths[state] = read_truth(root, state)
    return truths


def run_fit(root: Path, report: Report) -> Path:
    """Fit the weights on the training databases; write them to the package and to the page on joinability.

    What the limits of score and graph should be is reported, not written.
    """
    lessons = read_lessons(read_truths(root, report, ("values", "samples")), training_rows(root), report)
    lessons["schema"] = read_named_lessons(root, report)
    fitted = fit_weights(lessons, report)
    write_weights(fitted)
    write_weights_table(fitted)
    tried = try_cuts(lessons["values"])
    for cut in tried:
        report(f"cut at {cut.least:g}: best pair {cut.best_pair:.4f}, edges {cut.edges:,.0f}, recall {cut.recall:.4f}")
    for name, limit in (("score", LEAST), ("graph", LEAST_SHOWN)):
        report(f"limit of the {name}: {choose_cut(tried, LOST[name]):g} by its rule, {limit:g} in the package")
    return PATH


def run_measure(
    root: Path, output: Path, embedder: str, report: Report, terminal: Console, *, ablated: bool, fresh: bool
) -> Figures:
    """Measure the scores: tables in the terminal, ``joins.json`` and the reliability diagram in the output folder.

    Parameters
    ----------
    ablated : bool
        With and without each feature as well.
    fresh : bool
        Measure although ``joins.json`` has the figures of this data and code.
    """
    settings = {"embedder": embedder, "ablated": ablated}
    folders = [folder for folder in (root / "spider", root / FOLDER, COMPANIES) if folder.is_dir()]
    data = "".join(map(folder_fingerprint, folders))
    fingerprint = result_fingerprint(data, settings, "benchmarks/joins")
    figures = None if fresh else read_figures(output, fingerprint)
    if figures is None:
        cache = VectorCache(embedder, output / "vectors")
        truths = read_truths(root, report)
        learnt = read_lessons({"values": truths["values"]}, training_rows(root), report)["values"] if ablated else None
        figures = measure_joins(truths, read_schema_truths(root, report), cache, report, learnt)
        figures |= {"fingerprint": fingerprint}
        report(f"written: {write_figures(figures, output)}")
    show_figures(figures, terminal)
    if (cause := missing()) is not None:
        report(cause)
    else:
        axes = plot_reliability({part: row["bins"] for part, row in figures["calibration"].items()})
        report(f"drawn: {save(axes, output / 'joins-reliability.png')}")
    return figures
