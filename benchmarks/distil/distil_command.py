"""``python -m benchmarks distil``: fit the vectors that the package carries to those of MiniLM."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.commands.options import DATA, OUTPUT, WORDNET, clock
from benchmarks.data.dataset_form import fold_of
from benchmarks.data.layout import data_root
from benchmarks.data.wild.wordnet import read_wordnet
from benchmarks.distil.drawn_lessons import Draws
from benchmarks.distil.schema_lessons import SPIDER, schema_lessons
from benchmarks.distil.table_fit import PATH, DistilRecipe, fit_table, write_table
from benchmarks.learning.ablation import HELD_OUT

RECIPE = DistilRecipe()


@click.command("distil")
@DATA
@OUTPUT
@WORDNET
@click.option("--held-out", is_flag=True, help="Leave the last fold of databases out, and write to DIR.")
def distil(data: str | None, output: Path, wordnet: Path, held_out: bool) -> None:
    """Fit the distilled vectors on training databases and drawn texts; write them and their card to the package.

    The seed is fixed. MiniLM's vectors of the texts, which take most of the time, are kept in DIR.
    """
    report = clock()
    known = read_wordnet(wordnet)
    lessons = schema_lessons(data_root(data))
    if held_out:
        lessons = [lesson for lesson in lessons if not _is_held_out(lesson.database)]
    lessons += Draws(lessons, known, RECIPE.seed).lessons()
    report(f"{len(lessons)} texts")
    tables = fit_table(lessons, output / "teacher", RECIPE, report)
    path = output / "held-out.npz" if held_out else PATH
    write_table(tables, lessons, RECIPE, path)
    report(f"written: {path}")


def _is_held_out(database: str) -> bool:
    source, _, name = database.partition(":")
    return source == SPIDER and fold_of(name) == HELD_OUT
