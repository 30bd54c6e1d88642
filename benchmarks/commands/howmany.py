"""``python -m benchmarks howmany``: the model of how many tables a question needs."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.commands.options import DATA, EMBEDDER, LIMIT, OUTPUT, Measuring, NameList, clock
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.howmany.set_figures import answers_frame, answers_of_index, show_sizes
from benchmarks.howmany.set_model_page import write_weights
from benchmarks.howmany.wide_schemas import in_own_words, refit_own_words, refit_wide
from benchmarks.learning.kept_pools import company_pools, public_pools, small_pools, wide_pools
from benchmarks.learning.pool_settings import COMPANIES, PARTS, PLAIN, PLAIN_PARTS
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache


@click.group("howmany")
def howmany() -> None:
    """How many tables a question needs: measure what is chosen, fit what counts in wide schemas or for questions in
    words of their own; `fit-relevance` fits all."""


@howmany.command("measure", cls=Measuring)
@DATA
@OUTPUT
@EMBEDDER
@LIMIT
@click.option("--datasets", type=NameList(), default="spider,bird", show_default=True, help="Data sets to ask.")
def measure_command(data: str | None, output: Path, embedder: str, limit: int | None, datasets: list[str]) -> None:
    """Measure what is chosen with k="auto" beside fixed numbers: tables here, DIR/howmany-EMBEDDER.json."""
    report, root = clock(), data_root(data)
    options = Options(root, output, embedder=embedder)
    cache = VectorCache(embedder, output / "vectors")
    parts = {}
    for name in datasets:
        dataset = load_dataset(name, root).restricted(limit=limit)
        answers = []
        for part in dataset.parts():
            answers += answers_of_index(open_index(part, options, cache), part, cache.embedder)
        parts[name] = answers_frame(answers)
        cache.save()
        report(f"{name}: {len(dataset.questions)} questions")
    show_sizes(parts, output / f"howmany-{embedder}.json")


@howmany.command("fit-wide")
@OUTPUT
@click.option("--embedders", type=NameList(), default="static,minilm", show_default=True, help="Pools of each of them.")
def fit_wide_command(output: Path, embedders: list[str]) -> None:
    """Fit what counts in wide schemas to the questions of companies and of terse schemas, with the other models of the
    package as they are; write it to the package and to docs/set-model.md."""
    report = clock()
    whole, parts = (
        company_pools(output, embedders, report, settings) for settings in ((COMPANIES, PLAIN), (PARTS, PLAIN_PARTS))
    )
    write_weights(refit_wide(whole + wide_pools(output, embedders, report), parts))


@howmany.command("fit-own-words")
@DATA
@OUTPUT
@click.option("--embedders", type=NameList(), default="static,minilm", show_default=True, help="Pools of each of them.")
def fit_own_words_command(data: str | None, output: Path, embedders: list[str]) -> None:
    """Fit what counts for questions in words of their own to those on small databases, and to those among Spider's
    training questions and on warehouses, with the other models of the package as they are; write it to the package and
    to docs/set-model.md."""
    report = clock()
    spider, warehouses = (load_dataset(name, data_root(data)) for name in ("spider-training", "spider2-tuning"))
    own = in_own_words(public_pools(output, embedders, spider, warehouses, report))
    write_weights(refit_own_words([*own, *small_pools(output, embedders, report)]))
