"""``python -m benchmarks howmany``: the model of how many tables a question needs."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.commands.options import DATA, OUTPUT, NameList, clock
from benchmarks.data.layout import data_root
from benchmarks.howmany.set_fitting import PATH, fit_set_model, model_document, write_model
from benchmarks.howmany.set_lessons import SEED, is_held_out, read_set_lessons
from benchmarks.runs.vectors import VectorCache


@click.group("howmany")
def howmany() -> None:
    """How many tables a question needs: fit the model of sets, measure what it chooses."""


@howmany.command("fit")
@DATA
@OUTPUT
@click.option("--embedders", type=NameList(), default="static", show_default=True, help="Lessons of each of them.")
@click.option("--each", type=click.IntRange(1), default=1000, show_default=True, help="Questions of each setting.")
def fit_command(data: str | None, output: Path, embedders: list[str], each: int) -> None:
    """Fit the model on three quarters of Spider's training databases; write it to the package."""
    report, root = clock(), data_root(data)
    lessons = []
    for name in embedders:
        cache = VectorCache(name, output / "vectors")
        lessons += read_set_lessons(root, cache.embedder, each, report)
        cache.save()
    learnt = [lesson for lesson in lessons if not is_held_out(lesson.database)]
    model = fit_set_model(learnt)
    write_model(model_document(model, learnt, {"embedders": embedders, "each": each, "seed": SEED}))
    report(f"written: {PATH}")
