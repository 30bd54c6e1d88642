"""``python -m benchmarks fit-late``: fit the maps of late interaction."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.commands.options import DATA, OUTPUT, clock
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.late.head_fit import PATH, fit_head
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache
from jar.late import add_token_vectors


@click.command("fit-late")
@DATA
@OUTPUT
def fit_late(data: str | None, output: Path) -> None:
    """Fit the maps of late interaction on Spider's training questions; write them to the package.

    The seed is fixed. Vectors of texts and the index are kept in DIR.
    """
    report = clock()
    options = Options(data_root(data), output)
    cache = VectorCache(options.embedder, output / "vectors")
    dataset = load_dataset("spider-training", options.root)
    report("indexing")
    index = open_index(dataset, options, cache)
    cache.save()
    add_token_vectors(index)
    fit_head(dataset, index, report).save(PATH)
    report(f"written: {PATH}")
