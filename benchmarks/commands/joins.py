"""The commands ``python -m benchmarks joins fit`` and ``... joins measure``."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks.commands.paths import OutputFolder
from benchmarks.data.layout import Layout, data_root
from benchmarks.joins.calibration import Bin
from benchmarks.joins.cuts import LOST, choose_cut, try_cuts
from benchmarks.joins.examples import examples
from benchmarks.joins.fitting import PATH, Report, fit_weights, write_weights
from benchmarks.joins.join_figures import Figures, measure_joins, read_figures, write_figures
from benchmarks.joins.joinability_page import write_figures_tables, write_page
from benchmarks.joins.truth import KNOWLEDGE, PARTS, Truth, read_truth
from benchmarks.plots.reliability import plot_reliability
from benchmarks.runs.fingerprints import folder_fingerprint, result_fingerprint
from benchmarks.runs.vectors import VectorCache
from joinability.scores.scores import LEAST, LEAST_SHOWN

SHOWN = ("best_pair", "top_columns", "top_tables", "edges", "precision", "recall")
HEADS = ("best pair", "top, columns", "top, tables", "edges", "precision", "recall")
DOTS_PER_INCH = 150


_data = click.option("--data", help="Folder with spider/; else JAR_DATA, else ../shared/data.")
_output = click.option("--output", type=OutputFolder(), default=Path("build/benchmarks"), show_default=True)


@click.group("joins")
def joins() -> None:
    """The default join score: fit its weights, measure how well it finds declared keys."""


@joins.command("fit")
@_data
def fit_command(data: str | None) -> None:
    """Fit the weights on Spider's training databases and write them to the package."""
    print(run_fit(data_root(data), _clock()))


@joins.command("measure")
@_data
@_output
@click.option("--embedder", default="minilm", show_default=True, help="Of the cosines in the paper's score.")
@click.option("--ablation", is_flag=True, help="Cross-validate with and without each feature as well.")
def measure_command(data: str | None, output: Path, embedder: str, ablation: bool) -> None:
    """Measure the join scores on Spider's declared keys.

    Leaves tables here and on the page on joinability, DIR/joins.json and a reliability diagram.
    """
    console = Console(width=None if sys.stdout.isatty() else 140)
    figures = run_measure(data_root(data), output, embedder, _clock(), console, ablated=ablation, fresh=True)
    write_figures_tables(figures)


def read_truths(root: Path, report: Report) -> dict[str, Truth]:
    """Spider's databases in each state of knowledge."""
    truths = {}
    for state in KNOWLEDGE:
        report(f"reading Spider's databases, known: {state}")
        truths[state] = read_truth(root, state)
    return truths


def run_fit(root: Path, report: Report) -> Path:
    """Fit the weights on the training databases; write them to the package and to the page on joinability.

    What the limits of score and graph should be is told, not written.
    """
    truths = read_truths(root, report)
    fitted = fit_weights(truths, report)
    write_weights(fitted)
    write_page(fitted)
    tried = try_cuts(truths["values"], examples(truths["values"]))
    for cut in tried:
        report(f"cut at {cut.least:g}: best pair {cut.best_pair:.4f}, edges {cut.edges:,.0f}, recall {cut.recall:.4f}")
    for name, set_to in (("score", LEAST), ("graph", LEAST_SHOWN)):
        report(f"limit of the {name}: {choose_cut(tried, LOST[name]):g} by its rule, {set_to:g} in the package")
    return PATH


def run_measure(
    root: Path, output: Path, embedder: str, report: Report, console: Console, *, ablated: bool, fresh: bool
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
    fingerprint = result_fingerprint(
        folder_fingerprint(Layout(root, "spider").folder), settings, "benchmarks.commands.joins"
    )
    figures = None if fresh else read_figures(output, fingerprint)
    if figures is None:
        cache = VectorCache(embedder, output / "vectors")
        figures = measure_joins(read_truths(root, report), cache, report, ablated=ablated)
        figures |= {"fingerprint": fingerprint}
        report(f"written: {write_figures(figures, output)}")
    print_figures(figures, console)
    if importlib.util.find_spec("matplotlib") is None:
        report("no plot: it needs matplotlib")
    else:
        path = output / "joins-reliability.png"
        axes = plot_reliability({part: bins_of(figures, part) for part in figures["calibration"]})
        axes.figure.savefig(path, dpi=DOTS_PER_INCH, metadata={"Software": None})
        report(f"drawn: {path}")
    return figures


def bins_of(figures: Figures, part: str) -> list[Bin]:
    """The reliability table of a part of the databases."""
    return [Bin(**row) for row in figures["calibration"][part]["bins"]]


def print_figures(figures: Figures, console: Console) -> None:
    """A table for each group of figures."""
    for title, group in (
        ("declared keys of Spider", figures["scores"]),
        ("default score as a graph", figures["graph"]),
        ("default score, uncut, by what is known of the contents", figures["knowledge"]),
    ):
        console.print(_table(title, group))
    for part, found in figures["calibration"].items():
        table = Table(title=f"calibration, {part}: error {found['error']:.4f}", title_justify="left")
        for head in ("score", "pairs", "mean score", "share of keys"):
            table.add_column(head, justify="right")
        for row in bins_of(figures, part):
            table.add_row(f"{row.low:g}-{row.high:g}", str(row.pairs), f"{row.score:.3f}", f"{row.declared:.3f}")
        console.print(table)
    if "ablation" in figures:
        table = Table(title="cross-validated on the training databases", title_justify="left")
        for head in ("", "loss", *HEADS[:3]):
            table.add_column(head, justify="left" if not head else "right")
        for row in figures["ablation"]:
            table.add_row(row["label"], f"{row['loss']:.5f}", *(f"{row[name]:.4f}" for name in SHOWN[:3]))
        console.print(table)


def _table(title: str, group: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    table.add_column("databases")
    for head in HEADS:
        table.add_column(head, justify="right")
    for name, parts in group.items():
        for part in ("all", *PARTS):
            found = parts[part]
            cells = [str(found[key]) if key == "edges" else f"{found[key]:.4f}" for key in SHOWN]
            table.add_row(name, f"{part} ({found['databases']})", *cells)
        table.add_section()
    return table


def _clock() -> Report:
    """Messages on standard error with the seconds since now."""
    start = time.perf_counter()
    return lambda message: print(f"[{time.perf_counter() - start:6.1f} s] {message}", file=sys.stderr, flush=True)
