"""How the constants of the column search were chosen: ``python -m benchmarks.columns.tuning``.

One constant after the other is moved along its grid, the others as they stand, and keeps the value with the greatest
mean recall at the budgets up to 20 on one half of BIRD's databases. Then both halves are reported, beside the rule of
CRUSH.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import click

from benchmarks.data.datasets import Dataset, load_dataset
from benchmarks.data.layout import data_root
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.metrics import average
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems import Setting
from benchmarks.systems.column_systems import choose, read_given
from formulations import CrushObjective
from jar.columns.probed_question import ProbedQuestion
from jar.columns.search import DEFAULT_SEARCH, PAPER_SEARCH, ColumnSearch

TUNED = (3, 5, 10, 20)
REPORTED = (3, 5, 10, 20, 30, 50, 100)
GRIDS: Mapping[str, tuple[float, ...]] = {
    "temperature": (0.03, 0.04, 0.05, 0.07),
    "consensus": (0.0, 0.5, 1.0, 2.0),
    "joins": (0.0, 0.3, 0.5, 0.7),
    "bridges": (0.0, 0.3, 0.5, 0.8),
    "sharpness": (0.1, 0.3, 1.0),
    "gamma": (0.0, 0.001, 0.01),
}
"""Values that each constant is tried with; the last two are of the objective."""


def moved(search: ColumnSearch, name: str, value: float) -> ColumnSearch:
    """A search with one constant changed."""
    if name in CrushObjective.__dataclass_fields__:
        return replace(search, objective=replace(search.objective, **{name: value}))
    changes: dict[str, Any] = {name: value}
    return replace(search, **changes)


def neighbours(search: ColumnSearch, name: str) -> Iterator[tuple[float, ColumnSearch]]:
    """The searches along the grid of one constant."""
    for value in GRIDS[name]:
        yield value, moved(search, name, value)


class Tuning:
    """Recall of searches on a data set, with the probes that come with it."""

    def __init__(self, dataset: Dataset, options: Options, cache: VectorCache) -> None:
        index = open_index(dataset, options, cache)
        self.setting = Setting(dataset, index, cache.embedder, "given")
        self.probed_questions: list[ProbedQuestion] = read_given(self.setting)

    def recall(self, search: ColumnSearch, solver: str, sizes: tuple[int, ...]) -> list[float]:
        """Recall at each size, in percent."""
        answers = choose(self.setting, sizes, search, solver, probed_questions=self.probed_questions)
        gold = [question.gold_columns for question in self.setting.dataset.questions]
        return [average("R", answers.tables[k], gold, k) for k in sizes]


def tune(tuning: Tuning, search: ColumnSearch) -> ColumnSearch:
    """One round over all constants."""
    for name in GRIDS:
        tried = []
        for value, changed in neighbours(search, name):
            tried.append((fmean(tuning.recall(changed, "exact", TUNED)), value, changed))
            print(f"{name} = {value:g}: {tried[-1][0]:.2f}", file=sys.stderr, flush=True)
        search = max(tried, key=lambda entry: entry[0])[2]
    return search


@click.command()
@click.option("--data", help="Folder with bird/; else JAR_DATA, else ../shared/data.")
@click.option("--output", type=click.Path(path_type=Path), default=Path("build/benchmarks"), show_default=True)
@click.option("--limit", type=click.IntRange(1), help="At most so many questions of each half.")
@click.option("--report-only", is_flag=True, help="Report on the constants as they are.")
def main(data: str | None, output: Path, limit: int | None, report_only: bool) -> None:
    """Choose the constants on one half of the databases, report on both."""
    options = Options(data_root(data), output)
    cache = VectorCache(options.embedder, output / "vectors")
    halves = [
        Tuning(load_dataset(name, options.root).restricted(limit=limit), options, cache)
        for name in ("bird-columns-tuning", "bird-columns-held-out")
    ]
    cache.save()
    search = DEFAULT_SEARCH if report_only else tune(halves[0], DEFAULT_SEARCH)
    print(search)
    for half in halves:
        for name, found, solver in (("rule of CRUSH", PAPER_SEARCH, "sweep"), ("chosen", search, "exact")):
            figures = " ".join(f"{figure:5.1f}" for figure in half.recall(found, solver, REPORTED))
            print(f"{half.setting.dataset.name:21} {name:13} {figures}")


if __name__ == "__main__":
    main()
