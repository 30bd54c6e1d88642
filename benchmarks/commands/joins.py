"""``python -m benchmarks joins fit`` and ``... joins measure``."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from benchmarks.commands.options import DATA, OUTPUT, clock, console
from benchmarks.commands.peers import peers
from benchmarks.data.layout import Layout, data_root
from benchmarks.joins.cuts import LOST, choose_cut, try_cuts
from benchmarks.joins.examples import examples
from benchmarks.joins.fitting import PATH, Report, fit_weights, write_weights
from benchmarks.joins.join_figures import Figures, measure_joins, read_figures, write_figures
from benchmarks.joins.joinability_page import show_figures, write_figures_tables, write_weights_table
from benchmarks.joins.truth import KNOWLEDGE, Truth, read_truth
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
    """Fit the weights on Spider's training databases and write them to the package."""
    print(run_fit(data_root(data), clock()))


@joins.command("measure")
@DATA
@OUTPUT
@click.option("--embedder", default="minilm", show_default=True, help="Of the cosines in the paper's score.")
@click.option("--ablation", is_flag=True, help="Cross-validate with and without each feature as well.")
def measure_command(data: str | None, output: Path, embedder: str, ablation: bool) -> None:
    """Measure the join scores on Spider's declared keys.

    Leaves tables here and on the page on joinability, DIR/joins.json and a reliability diagram.
    """
    figures = run_measure(data_root(data), output, embedder, clock(), console(), ablated=ablation, fresh=True)
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
    write_weights_table(fitted)
    tried = try_cuts(truths["values"], examples(truths["values"]))
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
    fingerprint = result_fingerprint(folder_fingerprint(Layout(root, "spider").folder), settings, "benchmarks/joins")
    figures = None if fresh else read_figures(output, fingerprint)
    if figures is None:
        cache = VectorCache(embedder, output / "vectors")
        figures = measure_joins(read_truths(root, report), cache, report, ablated=ablated)
        figures |= {"fingerprint": fingerprint}
        report(f"written: {write_figures(figures, output)}")
    show_figures(figures, terminal)
    if (cause := missing()) is not None:
        report(cause)
    else:
        axes = plot_reliability({part: row["bins"] for part, row in figures["calibration"].items()})
        report(f"drawn: {save(axes, output / 'joins-reliability.png')}")
    return figures
