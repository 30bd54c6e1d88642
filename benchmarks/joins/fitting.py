"""Fits the weights of the default score on the training databases and writes them to the package."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import joinability
from benchmarks.joins.examples import Examples
from benchmarks.joins.lessons import CLEAN, Lessons
from benchmarks.joins.logistic import fit_logistic
from benchmarks.joins.truth import Indices
from joinability.scores.features import FEATURES
from joinability.scores.rivals import RIVALS, Rivals
from joinability.scores.weights import FILE, KNOWLEDGE, counting

PENALTY = 1.0
SHIFTS = {"values": 0.5, "samples": 0.5, "schema": 0.25}
"""What is added to the intercepts: of 0, .25, .5, .75 and 1 the one at which scores between .2 and .95 of training
databases, clean and damaged, by models without them, are nearest to the shares of keys; the least penalised loss leaves
pairs of .5 with a share of .6 (clean) and .8 (damaged), as undeclared joins hold down the highest scores."""
DIGITS = 3
ROUNDS = 50
AGREED = 1e-5
"""Change of a weight, below the digits that are kept, at which weights and rivals agree."""
STIFF = {"nameless_counted": 30.0, "nameless_loss": 30.0}
"""Features with a penalty of their own: without it they fit the names of the training databases too well."""
PATH = Path(joinability.__file__).parent / "scores" / FILE

Array = npt.NDArray[np.float64]
Report = Callable[[str], None]


@dataclass(frozen=True)
class Form:
    """What a model of F features may look like.

    Attributes
    ----------
    signs : (F,) array of 1 and -1
        A feature whose weight comes out with the other sign is left out: it gets 0.
    penalties : (F,) array
    rivals : names
        Of the kinds of rivals that count.
    """

    signs: Array
    penalties: Array
    rivals: Collection[str] = tuple(RIVALS)

    def without(self, place: int) -> Form:
        """The form without one of the features."""
        return replace(self, signs=np.delete(self.signs, place), penalties=np.delete(self.penalties, place))

    def extended(self, sign: float) -> Form:
        """The form with one more feature."""
        return replace(self, signs=np.append(self.signs, sign), penalties=np.append(self.penalties, PENALTY))


FORM = Form(
    np.array([float(feature.sign) for feature in FEATURES.values()]),
    np.array([STIFF.get(name, PENALTY) for name in FEATURES]),
)
"""That of the default score."""


def fit_weights(lessons: Mapping[str, Lessons], report: Report) -> dict[str, Any]:
    """What the data file holds: weights by state of knowledge and feature, and what they were fitted on.

    Parameters
    ----------
    lessons : mapping
        Lessons for each of `KNOWLEDGE`.
    report : callable
    """
    weights, fitted_on = {}, {}
    for state in KNOWLEDGE:
        weights[state] = fit_state(lessons[state], state)
        fitted_on[state] = lesson_counts(lessons[state])
        report(f"{state}: {fitted_on[state]}")
    return {
        "about": "Logistic models of 'child refers to parent'; written by: python -m benchmarks joins fit",
        "source": "Spider, training databases, their declared keys, and damaged copies; by names alone, companies, too",
        "penalty": PENALTY,
        "penalties": STIFF,
        "shifts": SHIFTS,
        "clean": CLEAN,
        "fitted_on": fitted_on,
        "weights": weights,
    }


def lesson_counts(learnt: Lessons) -> dict[str, int]:
    """How many copies, databases, examples and references a model is fitted on."""
    counted = learnt.examples.weight > 0
    return {
        "copies": len(learnt.truths),
        "databases": len(np.unique(learnt.examples.database[counted])),
        "examples": int(counted.sum()),
        "references": int(learnt.examples.y[counted].sum()),
    }


def fit_state(learnt: Lessons, state: str) -> dict[str, float]:
    """Intercept and weights by name, of a state of knowledge."""
    used = learnt.examples.where(learnt.examples.weight > 0)
    intercept, weights = fit_references(used, learnt.table, FORM)
    named = {"intercept": intercept + SHIFTS[state], **dict(zip(FEATURES, weights.tolist(), strict=True))}
    return {name: round(named[name], DIGITS) + 0.0 for name in ("intercept", *counting(state))}


def fit_references(learnt: Examples, table: Indices, form: Form) -> tuple[float, Array]:
    """Intercept and weights of the whole score, the rivals included, none of a sign that it can not have.

    Parameters
    ----------
    learnt : Examples
    table : (C,) array of int
        Table of each column.
    form : Form
    """
    kept = np.ones(learnt.x.shape[1], dtype=np.bool_)
    while True:
        some_features = replace(learnt, x=learnt.x[:, kept])
        intercept, some = _fit_with_rivals(some_features, table, form.penalties[kept], form.rivals)
        right = some * form.signs[kept] >= 0
        if right.all():
            break
        kept[kept] = right
    weights = np.zeros(len(kept))
    weights[kept] = some
    return intercept, weights


def _fit_with_rivals(
    learnt: Examples, table: Indices, penalties: Array, rivals: Collection[str]
) -> tuple[float, Array]:
    """The rivals follow from the weights and the weights from what the rivals take: each in turn until they agree."""
    taken: Array | float = 0.0
    before: Array | None = None
    for _ in range(ROUNDS):
        intercept, weights = fit_logistic(learnt.x, learnt.y, penalties, taken, learnt.weight, before)
        now = np.array([intercept, *weights])
        if before is not None and np.abs(now - before).max() < AGREED:
            return intercept, weights
        before = now
        alone = intercept + learnt.x @ weights
        taken = taken_by_rivals(learnt, alone, table, rivals)
    raise ArithmeticError(f"weights and rivals do not agree after {ROUNDS} rounds: raise the penalty")


def taken_by_rivals(made: Examples, alone: Array, table: Indices, rivals: Collection[str] = RIVALS) -> Array:
    """What rivals among the examples take from the log-odds of each.

    Parameters
    ----------
    made : Examples
        All within a database.
    alone : (n,) array
        Log-odds by the evidence on each pair alone.
    table : (C,) array of int
        Table of each column.
    rivals : names
        Of the kinds of rivals that count.
    """
    strongest = Rivals.of(made.child, made.parent, alone, table, np.zeros_like(table))
    terms = strongest.terms(made.child, made.parent, alone, made.unrivalled)
    return np.asarray(terms[:, [name in rivals for name in RIVALS]].sum(axis=-1))


def write_weights(fitted: dict[str, Any]) -> None:
    """Write the data file, a line for each number."""
    PATH.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
