"""What is chosen with ``k="auto"`` beside fixed numbers of tables, and whether its chances come true."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

from benchmarks.data.dataset_form import Dataset
from benchmarks.howmany.set_fitting import Lesson
from benchmarks.pages.grids import Grid
from jar import Index, Reranker, Selection
from jar.sizes.choosing import SetLimits, enough_recall, greatest_f1
from jar.sizes.set_model import SetModel
from jar.sizes.sizing import Sizing
from jar.tables.query import Ask, Conditions
from jar.text.embedding import Embedder

FIXED = (1, 2, 3, 5)
RECALL = 0.95
AUTO, ENOUGH = "auto", f"auto, recall {RECALL:g}"
EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
HEADER = ("", "questions", "tables", "F1", "several tables: F1", "recall", "all in", "promised", "empty")


@dataclass(frozen=True)
class SizedAnswer:
    """How a question was answered.

    Attributes
    ----------
    way : str
        "auto", "auto, recall 0.95" or "k = 2".
    gold_tables, tables, hits : int
        Tables that are needed, that were chosen, and that are both.
    confidence : float
        The probability, if something fits, that all needed tables are chosen; NaN for a fixed number.
    """

    way: str
    gold_tables: int
    tables: int
    hits: int
    confidence: float = float("nan")


def answers_of_index(index: Index, dataset: Dataset, embedder: Embedder) -> list[SizedAnswer]:
    """The answers to the questions of a data set over its index, in every way, with its problem set up once."""
    sized = Reranker(index, embedder=embedder, score="default")._sized_ranker()
    tables = sized.tables
    asks = [Ask(question.text) for question in dataset.questions]
    answers = []
    for question, query in zip(dataset.questions, tables.read(asks), strict=True):
        problem = sized.problem(query, Conditions())
        ways = {
            AUTO: sized.sized(problem, Sizing()),
            ENOUGH: sized.sized(problem, Sizing(RECALL)),
            **{f"k = {k}": chosen for k, chosen in tables.solved(problem, FIXED, None).items()},
        }
        answers += [_answer(way, question.gold_tables, selection) for way, selection in ways.items()]
    return answers


def _answer(way: str, gold: frozenset[str], selection: Selection) -> SizedAnswer:
    hits = len(gold & {table.casefold() for table in selection.tables})
    nothing, confidence = selection.nothing_fits, selection.confidence
    chance = float("nan")
    if confidence is not None and nothing is not None:
        chance = confidence / max(1 - nothing, 1e-9) if selection.tables else 0.0
    return SizedAnswer(way, len(gold), len(selection.tables), hits, chance)


def answers_of_lessons(lessons: Iterable[Lesson], model: SetModel) -> list[SizedAnswer]:
    """The answers to lessons by a model, without a ranking."""
    answers = []
    for lesson in lessons:
        n, pool = lesson.pool.seen.n, lesson.pool
        distribution = model.distribution(pool.seen, lesson.log_odds)
        assert distribution is not None
        limits = SetLimits((), n, None, np.zeros(n))
        for way, choice in (
            (AUTO, greatest_f1(distribution, limits)),
            (ENOUGH, enough_recall(distribution, RECALL, limits)),
        ):
            items = list(choice.items)
            chance = distribution.confidence(items) / max(1 - distribution.nothing, 1e-9) if items else 0.0
            answers.append(SizedAnswer(way, pool.gold, len(items), int(pool.y[items].sum()), chance))
    return answers


def answers_frame(answers: Sequence[SizedAnswer]) -> pd.DataFrame:
    """A line for each answer, with F1, recall and whether all needed tables are in; an empty answer has F1 0."""
    frame = pd.DataFrame(answers)
    total = frame["tables"] + frame["gold_tables"]
    return frame.assign(
        f1=2 * frame["hits"] / total.clip(lower=1),
        recall=frame["hits"] / frame["gold_tables"].clip(lower=1),
        complete=(frame["hits"] == frame["gold_tables"]).astype(float),
        empty=(frame["tables"] == 0).astype(float),
    )


def summary_rows(name: str, frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """The means of every way over the questions that have an answer, in percent."""
    rows = []
    for way, part in frame[frame["gold_tables"] > 0].groupby("way", sort=False):
        several = part[part["gold_tables"] > 1]
        promised = part["confidence"].mean()
        shares = [part["f1"].mean(), several["f1"].mean(), part["recall"].mean(), part["complete"].mean(), promised]
        cells = ["" if np.isnan(share) else f"{100 * share:.1f}" for share in shares]
        empty = f"{100 * part['empty'].mean():.1f}"
        rows.append((f"{name}, {way}", str(len(part)), f"{part['tables'].mean():.2f}", *cells, empty))
    return rows


def summary_grid(parts: dict[str, pd.DataFrame]) -> Grid:
    """All ways on all data sets."""
    rows = [row for name, frame in parts.items() for row in summary_rows(name, frame)]
    note = (
        "tables: mean number chosen; all in: all needed tables are chosen; promised: mean of the confidence, if "
        "something fits; empty: answered with no table"
    )
    return Grid("", HEADER, rows, note)


def reliability_grid(parts: dict[str, pd.DataFrame]) -> Grid:
    """Of the answers of some confidence, the share that holds all needed tables."""
    rows = []
    for name, frame in parts.items():
        for way in (AUTO, ENOUGH):
            part = frame[(frame["gold_tables"] > 0) & (frame["way"] == way)]
            rows += [(f"{name}, {way}", *row) for row in _reliability(part)]
    return Grid("", ("", "confidence", "questions", "mean confidence", "all in"), rows)


def _reliability(part: pd.DataFrame) -> list[tuple[str, ...]]:
    rows = []
    for low, high in pairwise(EDGES):
        chance = part["confidence"]
        inside = part[(chance >= low) & ((chance < high) | ((high == EDGES[-1]) & (chance <= high)))]
        if len(inside):
            shares = (inside["confidence"].mean(), inside["complete"].mean())
            rows.append((f"{low:g} to {high:g}", str(len(inside)), *(f"{100 * share:.1f}" for share in shares)))
    return rows


def unanswered_text(frame: pd.DataFrame) -> str:
    """How many questions without an answer were told so."""
    strange = frame[(frame["gold_tables"] == 0) & (frame["way"] == AUTO)]
    return f"{len(strange)} questions without an answer, {100 * strange['empty'].mean():.1f} % told so"


def figures(parts: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """The rows of both tables, as JSON has them."""
    return {"summary": list(summary_grid(parts).rows), "reliability": list(reliability_grid(parts).rows)}


def show_sizes(parts: dict[str, pd.DataFrame], path: Path) -> None:
    """Both tables as Markdown, and in a file."""
    click.echo(f"{summary_grid(parts).markdown()}\n\n{reliability_grid(parts).markdown()}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures(parts), indent=1) + "\n", "utf-8")
