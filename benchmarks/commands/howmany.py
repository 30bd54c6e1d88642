"""``python -m benchmarks howmany``: the model of how many tables a question needs."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pandas as pd

from benchmarks.commands.options import DATA, EMBEDDER, LIMIT, OUTPUT, NameList, clock
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.howmany.set_figures import (
    answers_frame,
    answers_of_index,
    answers_of_lessons,
    figures,
    reliability_grid,
    summary_grid,
    unanswered_text,
)
from benchmarks.howmany.set_fitting import PATH, fit_set_model, model_document, write_model
from benchmarks.howmany.set_lessons import SEED, SETTINGS, is_held_out, read_set_lessons
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.vectors import VectorCache
from jar.sizes.set_model import SetModel


@click.group("howmany")
def howmany() -> None:
    """How many tables a question needs: fit the model of sets, measure what it chooses."""


@howmany.command("fit")
@DATA
@OUTPUT
@click.option("--embedders", type=NameList(), default="static", show_default=True, help="Lessons of each of them.")
@click.option("--each", type=click.IntRange(1), default=700, show_default=True, help="Questions of each setting.")
def fit_command(data: str | None, output: Path, embedders: list[str], each: int) -> None:
    """Fit the model on three quarters of Spider's training databases; write it to the package."""
    report, root = clock(), data_root(data)
    lessons = []
    for name in embedders:
        cache = VectorCache(name, output / "vectors")
        lessons += read_set_lessons(root, cache.embedder, each, report)
        cache.save()
    learnt = [lesson for lesson in lessons if not is_held_out(lesson.database)]
    held_out = [lesson for lesson in lessons if is_held_out(lesson.database)]
    document = model_document(fit_set_model(learnt), learnt, {"embedders": embedders, "each": each, "seed": SEED})
    write_model(document)
    report(f"written: {PATH}")
    model = SetModel.of(document)
    parts = {
        name: answers_frame(answers_of_lessons([one for one in held_out if one.setting == name], model))
        for name in SETTINGS
    }
    told = pd.concat(parts.values())
    _show({**parts, "all": told}, output / "howmany-held-out.json")
    report(unanswered_text(told))


@howmany.command("measure")
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
    _show(parts, output / f"howmany-{embedder}.json")


def _show(parts: dict[str, pd.DataFrame], path: Path) -> None:
    """Both tables as Markdown, and in a file."""
    click.echo(f"{summary_grid(parts).markdown()}\n\n{reliability_grid(parts).markdown()}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures(parts), indent=1) + "\n", "utf-8")
