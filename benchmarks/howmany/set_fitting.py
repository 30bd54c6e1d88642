"""Fits the set model by the likelihood of the gold sets (equations 1 to 3 of `jar.sizes.set_model`)."""

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
from scipy.special import logsumexp

import jar
from benchmarks.joins.logistic import fit_logistic
from jar.sizes.candidate_sets import LARGEST, POOL, candidate_sets
from jar.sizes.set_model import FILE, VERSION, SetModel, beyond_terms, pool_of
from jar.sizes.set_terms import NOTHING_TERMS, SET_TERMS, nothing_terms, set_terms
from jar.sizes.table_evidence import Evidence
from jar.sizes.table_terms import TABLE_TERMS, table_terms

Array = npt.NDArray[np.float64]

PATH = Path(jar.__file__).parent / "sizes" / FILE
DIGITS = 3
PENALTY = 1.0
"""Of the squares of the weights of standardised terms."""
ROUNDS = 2
"""How often the pools are made anew of the log-odds that were fitted."""
MOST_STEPS = 100
NEGATIVES = 0.05
"""Weight of the questions that nothing answers: one in twenty, whatever their number."""


@dataclass(frozen=True)
class SetLesson:
    """A question with its candidates and its answer.

    Attributes
    ----------
    evidence : Evidence
    gold : array (n,) of bool
        The candidates that are needed.
    gold_tables : int
        Tables that are needed, candidates or not; 0 where nothing answers.
    database : str
        Where the question comes from.
    setting : str
        What it was asked of.
    """

    evidence: Evidence
    gold: npt.NDArray[np.bool_]
    gold_tables: int
    database: str
    setting: str


@dataclass(frozen=True)
class Batch:
    """Lessons as arrays: Q questions, p tables of a pool, N sets.

    Attributes
    ----------
    tables : array (Q, p, F)
        Standardised terms; 0 where a pool is smaller.
    sets : array (Q, N, G)
    nothing : array (Q, H)
    possible : array (Q, N) of bool
    answer : array (Q,)
        The right set; -1 where it is none of them.
    pools : tuple of arrays
    """

    tables: Array
    sets: npt.NDArray[np.float32]
    nothing: Array
    possible: npt.NDArray[np.bool_]
    answer: npt.NDArray[np.int64]
    pools: tuple[npt.NDArray[np.int64], ...]


def fit_set_model(lessons: Sequence[SetLesson], penalty: float = PENALTY, *, joint: bool = True) -> SetModel:
    """Fit log-odds of tables by logistic regression, then all weights together by the likelihood of the gold sets.

    Parameters
    ----------
    joint : bool
        Whether the weights of tables are fitted with those of the sets; otherwise only their common scale is.
    """
    answered = [lesson for lesson in lessons if lesson.gold_tables]
    terms = np.concatenate([table_terms(lesson.evidence) for lesson in answered])
    gold = np.concatenate([lesson.gold for lesson in answered]).astype(np.float64)
    constant, weights = fit_logistic(terms, gold)
    mean, spread = terms.mean(axis=0), np.maximum(terms.std(axis=0), 1e-9)
    nothing = np.zeros(len(NOTHING_TERMS))
    model = SetModel(constant, weights, np.zeros(len(SET_TERMS)), nothing, np.zeros(2))
    for _ in range(ROUNDS if joint else 1):
        batch = batch_of(lessons, model, mean, spread)
        model = _fit_sets(batch, model, mean, spread, penalty, joint)
    return replace(model, beyond=_fit_beyond(answered, model))


def batch_of(lessons: Sequence[SetLesson], model: SetModel, mean: Array, spread: Array) -> Batch:
    """The lessons with the pools that a model's log-odds choose."""
    whole = candidate_sets(POOL)
    place = {tuple(np.flatnonzero(member).tolist()): row for row, member in enumerate(whole.member)}
    shape = len(lessons), len(whole)
    tables = np.zeros((len(lessons), POOL, len(TABLE_TERMS)))
    sets, possible = np.zeros((*shape, len(SET_TERMS)), np.float32), np.zeros(shape, np.bool_)
    answer, pools = np.full(len(lessons), -1), []
    for row, lesson in enumerate(lessons):
        pool = pool_of(model.log_odds(lesson.evidence))
        p = len(pool)
        some = candidate_sets(p)
        rows = [place[tuple(np.flatnonzero(member).tolist())] for member in some.member] if p < POOL else slice(None)
        tables[row, :p] = (table_terms(lesson.evidence)[pool] - mean) / spread
        sets[row, rows] = set_terms(lesson.evidence, pool, some)
        possible[row, rows] = True
        if lesson.gold[pool].sum() == lesson.gold_tables:
            answer[row] = place.get(tuple(np.flatnonzero(lesson.gold[pool]).tolist()), -1)
        pools.append(pool)
    nothing = np.array([nothing_terms(lesson.evidence) for lesson in lessons])
    return Batch(tables, sets, nothing, possible, answer, tuple(pools))


def question_weights(batch: Batch) -> Array:
    """Weight of each question: 0 without a right set; those that nothing answers are `NEGATIVES` of all."""
    counted = (batch.answer >= 0).astype(np.float64)
    negative = batch.answer == 0
    if negative.any():
        counted[negative] = NEGATIVES / (1 - NEGATIVES) * (batch.answer > 0).sum() / negative.sum()
    return counted


def _fit_sets(batch: Batch, start: SetModel, mean: Array, spread: Array, penalty: float, joint: bool) -> SetModel:
    """Minimise the weighted negative log-likelihood of the right sets, with a ridge, by L-BFGS."""
    member = candidate_sets(POOL).member
    weight, right = question_weights(batch), np.maximum(batch.answer, 0)
    questions = np.arange(len(right))
    filled = np.array([[place < len(pool) for place in range(POOL)] for pool in batch.pools], dtype=np.float64)
    base_constant = start.constant + mean @ start.tables
    base = (batch.tables @ (start.tables * spread) + base_constant) * filled
    features = len(TABLE_TERMS) if joint else 0
    cuts = np.cumsum([1, 1, features, len(SET_TERMS)])

    def scores(parameters: Array) -> Array:
        scale, constant, tables, sets, nothing = np.split(parameters, cuts)
        odds = scale * base + constant * filled
        if joint:
            odds = (batch.tables @ tables + constant) * filled
        values = odds @ member.T + batch.sets @ sets.astype(np.float32)
        values[:, 0] = batch.nothing @ nothing
        values[~batch.possible] = -1e9
        return np.asarray(values)

    def loss(parameters: Array) -> tuple[float, Array]:
        values = scores(parameters)
        total = logsumexp(values, axis=1)
        value = (weight * (total - values[questions, right])).sum() + penalty / 2 * parameters @ parameters
        slope = np.exp(values - total[:, None])
        slope[questions, right] -= 1.0
        slope *= weight[:, None]
        nothing = slope[:, 0].copy()
        slope[:, 0] = 0.0
        each = (slope @ member) * filled
        of_tables = np.einsum("qp,qpf->f", each, batch.tables) if joint else np.zeros(0)
        of_sets = slope.astype(np.float32).ravel() @ batch.sets.reshape(-1, len(SET_TERMS))
        parts = [[0.0 if joint else (each * base).sum()], [each.sum()], of_tables, of_sets, nothing @ batch.nothing]
        return float(value), np.concatenate(parts) + penalty * parameters

    tables = start.tables * spread if joint else np.zeros(0)
    constant = base_constant if joint else 0.0
    first = np.concatenate([[1.0, constant], tables, start.sets, start.nothing])
    found = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS}).x
    scale, constant, tables, sets, nothing = np.split(found, cuts)
    if joint:
        raw = tables / spread
        return SetModel(float(constant[0] - mean @ raw), raw, sets, nothing, start.beyond)
    moved = float(scale[0] * start.constant + constant[0])
    return SetModel(moved, scale[0] * start.tables, sets, nothing, start.beyond)


def _fit_beyond(answered: Sequence[SetLesson], model: SetModel) -> Array:
    """b_0 and b_1: a logistic regression of the questions whose gold tables are none of the sets."""
    terms, outside = [], []
    for lesson in answered:
        odds = model.log_odds(lesson.evidence)
        pool = pool_of(odds)
        whole = lesson.gold[pool].sum() == lesson.gold_tables
        terms.append(beyond_terms(odds)[1:])
        outside.append(not whole or lesson.gold_tables > LARGEST)
    constant, slope = fit_logistic(np.array(terms), np.array(outside, dtype=np.float64))
    return np.array([constant, *slope])


def model_document(model: SetModel, lessons: Sequence[SetLesson], about: dict[str, Any]) -> dict[str, Any]:
    """What the data file of the package holds."""
    counts = Counter(lesson.setting for lesson in lessons)
    return {
        "version": VERSION,
        "about": "Probabilities of sets of tables (jar.sizes.set_model); written by: python -m benchmarks howmany fit",
        "source": "Spider, training questions, three quarters of its training databases; docs/how-many.md",
        "recipe": {**about, "penalty": PENALTY, "unanswered": NEGATIVES, "rounds": ROUNDS, "steps": MOST_STEPS},
        "fitted_on": dict(counts) | {"unanswered": sum(not lesson.gold_tables for lesson in lessons)},
        "tables": _named(("constant", *TABLE_TERMS), [model.constant, *model.tables]),
        "sets": _named(SET_TERMS, model.sets),
        "nothing": _named(NOTHING_TERMS, model.nothing),
        "beyond": _named(("constant", "expected"), model.beyond),
    }


def write_model(document: dict[str, Any], path: Path = PATH) -> None:
    """Write the data file, a line for each number."""
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _named(names: Iterable[str], weights: Iterable[float]) -> dict[str, float]:
    return {name: round(float(weight), DIGITS) + 0.0 for name, weight in zip(names, weights, strict=True)}
