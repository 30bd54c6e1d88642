"""What hops, forms and rewriters of the multi-hop retriever are worth: complete recall by hops and gold tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.runs.evaluation import Options, Report, open_index, read_questions
from benchmarks.runs.metrics import question_scores
from benchmarks.runs.resampling import paired_p
from benchmarks.runs.tasks import TASKS
from benchmarks.runs.vectors import VectorCache
from benchmarks.systems.multi_hop import in_hops
from benchmarks.systems.rows import Setting
from benchmarks.systems.table_systems import find_system

TASK = TASKS["union"]
HOPS = (2, 3, 4)
MOST_TOLD = 3
"""Questions are told apart by the number of their gold tables, up to so many, and more."""
STUDIED = (
    ("residual", "paper"),
    ("residual", "released"),
    ("residual, covered words removed", "paper"),
    ("concatenation", "paper"),
    ("oracle", "paper"),
    ("oracle", "released"),
)
"""Rewriters and forms."""
RERANKED = ("jar", "jar+retriever=multihop", "jar+retriever=multihop-oracle")
"""The re-ranker as it comes, and on candidates that several hops propose."""
RERANKED_SIZES = TASK.sizes[:-1]
"""Without the last: 20 candidates are all tables of a set of 20."""


@dataclass(frozen=True)
class HopFigures:
    """Complete recall of one way to retrieve.

    Attributes
    ----------
    rewriter, form : str
        Empty for a single hop, which has neither.
    hops : int
    recall : dict
        In percent, by the number of tables that count.
    by_gold : dict
        In percent, at the size of the main metric of the task: by the number of gold tables, `MOST_TOLD` standing for
        more, too.
    p : float, optional
        Of the paired randomisation test against a single hop, at that size.
    """

    rewriter: str
    form: str
    hops: int
    recall: dict[int, float]
    by_gold: dict[int, float]
    p: float | None = None


@dataclass(frozen=True)
class HopStudy:
    """The figures of a data set: a single hop first."""

    dataset: str
    embedder: str
    questions: int
    gold_tables: dict[int, int]
    figures: tuple[HopFigures, ...]


@dataclass(frozen=True)
class RerankedFigures:
    """Complete recall of a re-ranker, in percent, and p of the paired test against `RERANKED[0]`, each by k."""

    system: str
    recall: dict[int, float]
    p: dict[int, float]


@dataclass(frozen=True)
class RerankedStudy:
    """The figures of a data set: the re-ranker as it comes first."""

    dataset: str
    embedder: str
    questions: int
    figures: tuple[RerankedFigures, ...]


def study_hops(name: str, options: Options, report: Report) -> HopStudy:
    """Run the multi-hop retriever on the questions of a data set, one way after the other."""
    setting, cache = _setting(name, options)
    dataset = setting.dataset
    numbers = np.array([min(len(question.gold_tables), MOST_TOLD) for question in dataset.questions])
    report(f"{name}: a single hop")
    single = _complete(setting, *STUDIED[0], 1)
    figures = [_figures(("", "", 1), single, numbers)]
    for rewriter, form, hops in _ways():
        report(f"{name}: {rewriter}, {form} form, {hops} hops")
        found = _complete(setting, rewriter, form, hops)
        figures.append(_figures((rewriter, form, hops), found, numbers, single))
        cache.save()
    counts = {int(number): int((numbers == number).sum()) for number in np.unique(numbers)}
    return HopStudy(dataset.name, options.embedder, len(dataset.questions), counts, tuple(figures))


def study_reranked(name: str, options: Options, report: Report) -> RerankedStudy:
    """Run the re-ranker with and without several hops before it, on the questions of a data set."""
    setting, cache = _setting(name, options)
    golds = [question.gold_tables for question in setting.dataset.questions]
    found: dict[str, dict[int, npt.NDArray[np.float64]]] = {}
    for system in RERANKED:
        report(f"{name}: {system}")
        chosen = find_system(system)[0].answer(setting, RERANKED_SIZES).tables
        found[system] = {k: question_scores(["CR"], chosen[k], golds, k)["CR"] for k in RERANKED_SIZES}
        cache.save()
    base = found[RERANKED[0]]
    figures = (
        RerankedFigures(
            system,
            {k: float(100 * values.mean()) for k, values in recall.items()},
            {} if recall is base else {k: paired_p(values - base[k]) for k, values in recall.items()},
        )
        for system, recall in found.items()
    )
    return RerankedStudy(setting.dataset.name, options.embedder, len(golds), tuple(figures))


def _setting(name: str, options: Options) -> tuple[Setting, VectorCache]:
    dataset, _ = read_questions(TASK, name, options)
    cache = VectorCache(options.embedder, options.output / "vectors")
    return Setting(dataset, open_index(dataset, options, cache), cache.embedder), cache


def main_size() -> int:
    """The size of the main metric of the task."""
    return int(TASK.main.partition("@")[2])


def _ways() -> Iterator[tuple[str, str, int]]:
    for rewriter, form in STUDIED:
        for hops in HOPS:
            yield rewriter, form, hops


def _complete(setting: Setting, rewriter: str, form: str, hops: int) -> dict[int, npt.NDArray[np.float64]]:
    """Whether all gold tables are among the first k, by k, a number for each question."""
    ranked = in_hops(setting, max(TASK.sizes), rewriter, form, hops)
    names: Sequence[Sequence[str]] = [[table for table, _ in tables] for tables in ranked]
    golds = [question.gold_tables for question in setting.dataset.questions]
    return {k: question_scores(["CR"], names, golds, k)["CR"] for k in TASK.sizes}


def _figures(
    way: tuple[str, str, int],
    found: dict[int, npt.NDArray[np.float64]],
    numbers: npt.NDArray[np.int64],
    single: dict[int, npt.NDArray[np.float64]] | None = None,
) -> HopFigures:
    main = found[main_size()]
    recall = {k: float(100 * values.mean()) for k, values in found.items()}
    by_gold = {int(number): float(100 * main[numbers == number].mean()) for number in np.unique(numbers)}
    p = None if single is None else paired_p(main - single[main_size()])
    return HopFigures(*way, recall, by_gold, p)
