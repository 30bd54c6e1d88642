"""``python -m benchmarks fit-relevance``: fit the models of relevance and of sets on training questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import pandas as pd

from benchmarks.commands.options import DATA, OUTPUT, NameList, clock
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.howmany.set_figures import answers_frame, answers_of_lessons, show_sizes, unanswered_text
from benchmarks.howmany.set_fitting import Lesson, fit_set_model, model_document, write_model
from benchmarks.learning.ablation import HELD_OUT, ablate
from benchmarks.learning.model_card import model_card
from benchmarks.learning.model_fit import PATH, cross_validated, fit_model
from benchmarks.learning.pool_settings import SETTINGS
from benchmarks.learning.pools import Pool, make_pools
from benchmarks.runs.evaluation import Report
from benchmarks.runs.vectors import VectorCache
from jar.learned.relevance_model import RelevanceModel
from jar.sizes.set_model import SetModel

WEIGHT = 1.5
"""What log-odds weigh beside the objective; docs/relevance.md says by what it is chosen."""


@click.command("fit-relevance")
@DATA
@OUTPUT
@click.option("--embedders", type=NameList(), default="static,minilm", show_default=True, help="Pools of each of them.")
@click.option("--ablation", is_flag=True, help="Cross-validate with and without each family of features as well.")
def fit_relevance(data: str | None, output: Path, embedders: list[str], ablation: bool) -> None:
    """Fit the relevance model on Spider's training questions in many settings, and by its log-odds the model of how
    many tables a question needs; write both to the package.

    The same data give the same models. Vectors of texts are kept in DIR.
    """
    report = clock()
    dataset = load_dataset("spider-training", data_root(data))
    pools: list[Pool] = []
    for name in embedders:
        cache = VectorCache(name, output / "vectors")
        for setting in SETTINGS:
            made = files.read(name, setting)
            if made is None:
                made = make_pools(dataset, [replace(setting, questions=max(setting.questions // part, 1))], cache.embedder, report)
                files.write(name, setting, made)
                cache.save()
            pools += made
    model = fit_model(pools)
    RelevanceModel(model.first, model.second, WEIGHT, model_card(pools, embedders)).save(PATH)
    report(f"written: {PATH}")
    fit_sets(pools, embedders, output, report)
    if ablation:
        for line in ablate(pools, report):
            print(line)


def fit_sets(pools: Sequence[Pool], embedders: Sequence[str], output: Path, report: Report) -> None:
    """Fit the model of sets on log-odds of models without the databases of a pool, and show what it chooses on the
    databases that it was not fitted on."""
    lessons = [Lesson(pool, odds) for pool, odds in zip(pools, cross_validated(pools), strict=True)]
    taught = [lesson for lesson in lessons if lesson.pool.fold != HELD_OUT]
    document = model_document(fit_set_model(taught), taught, {"embedders": list(embedders)})
    report(f"written: {write_model(document)}")
    held, model = [lesson for lesson in lessons if lesson.pool.fold == HELD_OUT], SetModel.of(document)
    parts = {}
    for setting in dict.fromkeys(lesson.pool.setting for lesson in held):
        some = [lesson for lesson in held if lesson.pool.setting == setting]
        parts[setting] = answers_frame(answers_of_lessons(some, model))
    told = pd.concat(parts.values())
    show_sizes({**parts, "all": told}, output / "howmany-held-out.json")
    report(unanswered_text(told))
