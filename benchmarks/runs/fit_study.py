"""What `Reranker.fit` gives: an index fitted to some questions of a data set, measured on the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.data.dataset_form import Dataset, Question
from jar import FitRefusedError, Index, Reranker
from jar.fitting.validation import gains
from jar.text.embedding import Embedder
from joinability import Catalog

Array = npt.NDArray[np.float64]
Report = Callable[[str], None]
Scope = Literal["own", "among", "pooled"]
"""Fitted to questions on a database in an index of its tables, or of all; or to questions on all databases."""

SIZE = 5
SEED = 11


class Outcome(NamedTuple):
    """A fit, and what it gives on the questions that it has not seen.

    Attributes
    ----------
    name : str
    tables, fitted, measured : int
        Of the index; questions that the fit is made from, and that it is measured on.
    refused : bool
        Whether the fit was refused: then nothing changes.
    seconds, processor : float
        What the fit took, cross-validation and all, by the clock and of processor time.
    figures : array (measured, 3, 2)
        Complete recall at 5 and F1 of as many tables as are needed, of each question: by the cosines, by the shipped
        model, and as the fitted index ranks.
    groups : tuple of str
        Of the questions: equal for equal SQL.
    """

    name: str
    tables: int
    fitted: int
    measured: int
    refused: bool
    seconds: float
    processor: float
    figures: Array
    groups: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """Which questions of a data set teach, and which are measured.

    Attributes
    ----------
    scope : "own", "among" or "pooled"
    count : int, optional
        Questions to fit to; by default half.
    """

    scope: Scope
    count: int | None = None

    def outcomes(self, dataset: Dataset, embedder: Embedder, report: Report) -> Iterator[Outcome]:
        """An outcome for each database with enough questions, or one for all."""
        parts = [dataset] if self.scope == "pooled" else _by_database(dataset, alone=self.scope == "own")
        index: Index | None = None
        for part in parts:
            if index is None or self.scope == "own":
                index = Index.build(part.catalog, embedder=embedder, progress=False)
            taught, measured = divided(part.questions, self.count)
            yield (outcome := _outcome(part.name, index, taught, measured))
            report(f"{self.scope}, {outcome.name}: {outcome.seconds:.1f} s")


def divided(questions: Sequence[Question], count: int | None) -> tuple[list[Question], list[Question]]:
    """Questions to fit to, at most `count` or else half, and others; those of one SQL are on one side."""
    groups = np.unique([_group(question) for question in questions], return_inverse=True)[1]
    order = np.random.default_rng(SEED).permutation(groups.max() + 1)
    sizes = np.bincount(groups)[order].cumsum()
    taught = set(order[sizes <= (len(questions) // 2 if count is None else count)].tolist())
    sides: tuple[list[Question], list[Question]] = ([], [])
    for question, group in zip(questions, groups.tolist(), strict=True):
        sides[group not in taught].append(question)
    return sides


def all_gains(outcomes: Sequence[Outcome], before: int) -> tuple[tuple[float, float, float, float], ...]:
    """Of both figures over all questions: without (by 0, the cosines, or 1, the model), with the fit, and the 95 %
    bootstrap interval of the difference."""
    figures = np.concatenate([outcome.figures for outcome in outcomes])
    groups = np.unique([group for outcome in outcomes for group in outcome.groups], return_inverse=True)[1]
    gained = gains(figures[:, before], figures[:, 2], groups)
    return tuple((gain.before, gain.after, gain.low, gain.high) for gain in gained)


def _outcome(name: str, index: Index, taught: Sequence[Question], measured: Sequence[Question]) -> Outcome:
    start, processor, refused = time.perf_counter(), time.process_time(), False
    reranker = Reranker(index)
    try:
        reranker.fit([question.text for question in taught], [_gold(index, question) for question in taught])
    except FitRefusedError:
        refused = True
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    rerankers = (Reranker(index, relevance="cosine"), Reranker(index, relevance="learned"), reranker)
    figures = np.stack([_figures(one, measured) for one in rerankers], axis=1)
    if not refused:
        reranker.unfit()
    groups = tuple(_group(question) for question in measured)
    return Outcome(name, len(index), len(taught), len(measured), refused, seconds, processor, figures, groups)


def _figures(reranker: Reranker, questions: Sequence[Question]) -> Array:
    """Complete recall at 5 and F1 of as many tables as are needed, in parts of 1, shape (Q, 2)."""
    sizes = sorted({SIZE, *(len(question.gold_tables) for question in questions)})
    figures = np.zeros((len(questions), 2))
    for size in sizes:
        here = [
            place
            for place, question in enumerate(questions)
            if size in (SIZE, len(question.gold_tables))
        ]
        answers = reranker.rank_many([questions[place].text for place in here], size)
        for place, answer in zip(here, answers, strict=True):
            gold = questions[place].gold_tables
            found = len(gold & {table.casefold() for table in answer.tables}) / len(gold)
            if size == SIZE:
                figures[place, 0] = found == 1
            if size == len(gold):
                figures[place, 1] = found
    return figures


def _by_database(dataset: Dataset, *, alone: bool) -> Iterator[Dataset]:
    """The questions on each database, over its tables alone or over all."""
    for database in sorted({question.database for question in dataset.questions}):
        tables = [table for table in dataset.catalog if table.database == database or not alone]
        questions = tuple(question for question in dataset.questions if question.database == database)
        yield replace(dataset, name=database, catalog=Catalog(tables), questions=questions)


def _gold(index: Index, question: Question) -> list[str]:
    ids = {table.id.casefold(): table.id for table in index.contents.tables}
    return [ids.get(table, table) for table in sorted(question.gold_tables)]


def _group(question: Question) -> str:
    return " ".join(f"{question.database} {question.sql}".casefold().split())
