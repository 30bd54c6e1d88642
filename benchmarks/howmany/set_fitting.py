"""Fits the set model by the likelihood of the gold sets (equations 1 to 4 of `jar.sizes.set_model`)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

import jar
from benchmarks.joins.logistic import fit_logistic
from benchmarks.learning.pools import Pool
from jar.learned.width import unknown_share
from jar.sizes.candidate_sets import LARGEST, POOL, candidate_sets
from jar.sizes.mixing import has_declared
from jar.sizes.set_model import (
    BEYOND_TERMS,
    FILE,
    KINDS,
    TABLE_TERMS,
    TERMS,
    VERSION,
    SetModel,
    beyond_terms,
    pool_of,
    table_terms,
)  # fmt: skip
from jar.sizes.set_terms import NOTHING_TERMS, SET_TERMS, likeliest, nothing_terms, set_terms

Array = npt.NDArray[np.float64]

PATH = Path(jar.__file__).parent / "sizes" / FILE
DIGITS = 3
PENALTY = 1.0
"""Of the squares of the weights."""
MOST_STEPS = 100
NEGATIVES = 0.05
"""Weight of the questions that nothing answers: one in twenty, whatever their number."""
UNANSWERED_IN_OWN_WORDS = 0.11
"""Share of the questions in words of their own that nothing answers. Where one in twenty of all questions has no answer
it is 13 %, since three in four of those are in such words; less refuses fewer questions that have one."""


@dataclass(frozen=True)
class Lesson:
    """The candidates of a question, and the log-odds of them by a relevance model that did not see its database."""

    pool: Pool
    log_odds: Array


@dataclass(frozen=True)
class Batch:
    """Lessons as arrays: Q questions, p tables of a pool, N sets.

    Attributes
    ----------
    tables : array (Q, p, T)
        The terms of each table; 0 where a pool is smaller.
    sets : array (Q, N, G)
    nothing : array (Q, H)
    possible : array (Q, N) of bool
    answer : array (Q,)
        The right set; -1 where it is none of them.
    weight : array (Q,)
        What each question counts.
    """

    tables: Array
    sets: npt.NDArray[np.float32]
    nothing: Array
    possible: npt.NDArray[np.bool_]
    answer: npt.NDArray[np.int64]
    weight: Array


def fit_set_model(
    lessons: Sequence[Lesson], penalty: float = PENALTY, around: SetModel | None = None, unanswered: float = NEGATIVES
) -> SetModel:
    """Fit all weights together by the likelihood of the gold sets, then what lies beyond the sets.

    Parameters
    ----------
    around : SetModel, optional
        Whose weights the ridge draws to; by default to 0.
    unanswered : float
        Share of the questions that nothing answers, whatever their number.
    """
    return _fit_beyond(lessons, _fit_sets(batch_of(lessons), penalty, around, unanswered))


def with_undeclared(model: SetModel, lessons: Sequence[Lesson], penalty: float = PENALTY) -> SetModel:
    """With weights for schemas without declared keys, fitted to lessons on such with rows and without, around those of
    the model."""
    parts = undeclared_parts(lessons).items()
    return replace(model, **{kind: fit_set_model(part, penalty, model) if part else None for kind, part in parts})


def batch_of(lessons: Sequence[Lesson]) -> Batch:
    """The lessons as arrays."""
    whole = candidate_sets(POOL)
    place = {tuple(np.flatnonzero(member).tolist()): row for row, member in enumerate(whole.member)}
    shape = len(lessons), len(whole)
    tables = np.zeros((len(lessons), POOL, len(TABLE_TERMS)))
    sets, possible = np.zeros((*shape, len(SET_TERMS)), np.float32), np.zeros(shape, np.bool_)
    answer = np.full(len(lessons), -1)
    for row, lesson in enumerate(lessons):
        pool = pool_of(lesson.log_odds)
        p = len(pool)
        some = candidate_sets(p)
        rows = [place[tuple(np.flatnonzero(member).tolist())] for member in some.member] if p < POOL else slice(None)
        tables[row, :p] = table_terms(lesson.log_odds[pool], unknown_share(lesson.pool.seen))
        sets[row, rows] = set_terms(lesson.pool.seen, pool, some)
        possible[row, rows] = True
        gold = lesson.pool.y[pool]
        if gold.sum() == lesson.pool.gold:
            answer[row] = place.get(tuple(np.flatnonzero(gold).tolist()), -1)
    nothing = np.array([nothing_terms(lesson.pool.seen, lesson.log_odds) for lesson in lessons])
    weight = np.array([lesson.pool.weight for lesson in lessons])
    return Batch(tables, sets, nothing, possible, answer, weight)


def question_weights(batch: Batch, unanswered: float = NEGATIVES) -> Array:
    """Weight of each question: 0 without a right set; those that nothing answers are a share of all."""
    counted: Array = np.where(batch.answer >= 0, batch.weight, 0.0)
    negative = batch.answer == 0
    if negative.any():
        counted[negative] *= unanswered / (1 - unanswered) * counted[~negative].sum() / counted[negative].sum()
    return counted


def _fit_sets(batch: Batch, penalty: float, around: SetModel | None, unanswered: float) -> SetModel:
    """Minimise the weighted negative log-likelihood of the right sets, with a ridge, by L-BFGS."""
    member = candidate_sets(POOL).member
    weight, right = question_weights(batch, unanswered), np.maximum(batch.answer, 0)
    questions = np.arange(len(right))
    cuts = np.cumsum([len(TABLE_TERMS), len(SET_TERMS)])
    flat, impossible = batch.sets.reshape(-1, len(SET_TERMS)), ~batch.possible
    start, center = _start(around)

    def loss(weights: Array) -> tuple[float, Array]:
        of_tables, of_sets, of_nothing = np.split(weights, cuts)
        values = (batch.tables @ of_tables) @ member.T
        values += batch.sets @ of_sets.astype(np.float32)
        values[:, 0] = batch.nothing @ of_nothing
        values[impossible] = -1e9
        values -= values.max(axis=1, keepdims=True)
        of_right = values[questions, right]
        slope = np.exp(values, out=values)
        total = slope.sum(axis=1)
        off = weights - center
        value = (weight * (np.log(total) - of_right)).sum() + penalty / 2 * off @ off
        slope *= (weight / total)[:, None]
        slope[questions, right] -= weight
        nothing = slope[:, 0].copy()
        slope[:, 0] = 0.0
        each = np.einsum("qp,qpf->f", slope @ member, batch.tables)
        parts = [each, slope.astype(np.float32).ravel() @ flat, nothing @ batch.nothing]
        return float(value), np.concatenate(parts) + penalty * off

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS}).x
    return SetModel(*np.split(found, cuts), np.zeros(len(BEYOND_TERMS)))


def _start(around: SetModel | None) -> tuple[Array, Array]:
    """Where the fit starts, and what the ridge draws to."""
    if around is not None:
        weights = np.concatenate([around.tables, around.sets, around.nothing])
        return weights, weights
    start = np.zeros(len(TABLE_TERMS) + len(SET_TERMS) + len(NOTHING_TERMS))
    center = start.copy()
    start[TABLE_TERMS.index("log_odds")] = 1.0
    return start, center


def _fit_beyond(lessons: Sequence[Lesson], model: SetModel) -> SetModel:
    """With the weights of equation (4): how likely a question needs a table that is not in the pool.

    A logistic regression over the answered questions that need no more tables than the largest set has; how likely a
    question needs more is told by equation (5).
    """
    terms, outside, weight = [], [], []
    for lesson in lessons:
        if 0 < lesson.pool.gold <= LARGEST:
            unknown = unknown_share(lesson.pool.seen)
            odds = model.odds(lesson.log_odds, unknown)
            terms.append(beyond_terms(odds, unknown, likeliest(lesson.log_odds))[1:])
            outside.append(is_beyond(lesson, model))
            weight.append(lesson.pool.weight)
    constant, slope = fit_logistic(np.array(terms), np.array(outside, dtype=np.float64), weight=np.array(weight))
    return replace(model, beyond=np.array([constant, *slope]))


def is_beyond(lesson: Lesson, model: SetModel) -> bool:
    """Whether the needed tables of a question are none of the sets."""
    seen = lesson.pool.seen
    pool = pool_of(model.at(seen, lesson.log_odds).odds(lesson.log_odds, unknown_share(seen)))
    return lesson.pool.gold > LARGEST or int(lesson.pool.y[pool].sum()) < lesson.pool.gold


def model_document(
    model: SetModel,
    lessons: Sequence[Lesson],
    about: dict[str, Any],
    **taught: Sequence[Lesson],
) -> dict[str, Any]:
    """What the data file of the package holds.

    Parameters
    ----------
    lessons, taught : sequences of Lesson
        What the weights are fitted to, those of `KINDS` by their names.
    """
    return {
        "version": VERSION,
        "about": "Probabilities of sets (jar.sizes.set_model); written by: python -m benchmarks fit-relevance",
        "source": "Spider, training questions, warehouses of Spider 2.0-lite, and databases of this project's own; "
        "docs/set-model.md",
        "recipe": {
            **about,
            "penalty": PENALTY,
            "unanswered": NEGATIVES,
            "unanswered_in_own_words": UNANSWERED_IN_OWN_WORDS,
            "steps": MOST_STEPS,
        },
        "fitted_on": _counts(lessons),
        **_weights(model, TERMS),
        **{kind: part_document(model, kind, taught.get(kind, ())) for kind in KINDS},
    }


def wide_documents(model: SetModel, lessons: Sequence[Lesson]) -> dict[str, Any]:
    """The parts of the data file on wide schemas, with rows and without."""
    return {kind: part_document(model, kind, some) for kind, some in wide_parts(lessons).items()}


def part_document(model: SetModel, kind: str, lessons: Sequence[Lesson]) -> dict[str, Any]:
    """The weights of one of `KINDS`, with what they are fitted to."""
    return {"fitted_on": _counts(lessons), **_weights(getattr(model, kind) or model, KINDS[kind])}


def undeclared_parts(lessons: Sequence[Lesson]) -> dict[str, list[Lesson]]:
    """Lessons on schemas without declared keys by the weights that are fitted to them: with rows and without."""
    return dict(zip(("undeclared", "undeclared_without_rows"), by_rows(lessons), strict=True))


def wide_parts(lessons: Sequence[Lesson]) -> dict[str, list[Lesson]]:
    """Lessons on wide schemas by the weights that are fitted to them: with rows, and without rows those without
    declared keys and with such."""
    with_rows, without = by_rows(lessons)
    bare, keyed = (
        [lesson for lesson in without if has_declared(lesson.pool.seen) is declared] for declared in (False, True)
    )
    return {"wide": with_rows, "wide_without_rows": bare, "wide_declared_without_rows": keyed}


def by_rows(lessons: Sequence[Lesson]) -> tuple[list[Lesson], list[Lesson]]:
    """The lessons of which rows are known, and the others."""
    known, others = (
        [lesson for lesson in lessons if lesson.pool.seen.has_rows is has_rows] for has_rows in (True, False)
    )
    return known, others


def _counts(lessons: Sequence[Lesson]) -> dict[str, int]:
    counts = Counter(lesson.pool.setting for lesson in lessons)
    return dict(counts) | {"unanswered": sum(not lesson.pool.gold for lesson in lessons)}


def _weights(model: SetModel, groups: Iterable[str]) -> dict[str, dict[str, float]]:
    return {group: _named(TERMS[group], getattr(model, group)) for group in groups}


def write_model(document: dict[str, Any], path: Path = PATH) -> Path:
    """Write the data file, a line for each number."""
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return path


def _named(names: Iterable[str], weights: Iterable[float]) -> dict[str, float]:
    return {name: round(float(weight), DIGITS) + 0.0 for name, weight in zip(names, weights, strict=True)}
