"""``python -m benchmarks fit-relevance``: fit the relevance model on training questions."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.commands.options import DATA, OUTPUT, clock
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.learning.ablation import ablate
from benchmarks.learning.model_card import model_card
from benchmarks.learning.model_fit import PATH, fit_model
from benchmarks.learning.pool_settings import SETTINGS
from benchmarks.learning.pools import make_pools
from benchmarks.runs.vectors import VectorCache
from jar.learned.relevance_model import RelevanceModel

WEIGHT = 2.0
"""What log-odds weigh beside the objective; docs/relevance.md says by what it is chosen."""


@click.command("fit-relevance")
@DATA
@OUTPUT
@click.option("--embedder", default="static", show_default=True, help="Of the pools' texts.")
@click.option("--ablation", is_flag=True, help="Cross-validate with and without each family of features as well.")
def fit_relevance(data: str | None, output: Path, embedder: str, ablation: bool) -> None:
    """Fit the relevance model on Spider's training questions in many settings; write it to the package.

    The same data give the same model. Vectors of texts are kept in DIR.
    """
    report = clock()
    cache = VectorCache(embedder, output / "vectors")
    dataset = load_dataset("spider-training", data_root(data))
    pools = make_pools(dataset, SETTINGS, cache.embedder, report)
    cache.save()
    model = fit_model(pools)
    model = RelevanceModel(model.first, model.second, WEIGHT, model_card(pools, embedder))
    model.save(PATH)
    report(f"written: {PATH}")
    if ablation:
        for line in ablate(pools, report):
            print(line)
