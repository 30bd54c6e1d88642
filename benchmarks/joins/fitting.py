"""Fits the weights of the default score on the training databases and writes them to the package."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import joinability
from benchmarks.joins.examples import Examples, examples
from benchmarks.joins.logistic import fit_logistic
from benchmarks.joins.truth import Indices, Truth
from joinability.scores.features import FEATURES
from joinability.scores.rivals import RIVALS, Rivals
from joinability.scores.weights import FILE, KNOWLEDGE

PENALTY = 1.0
DIGITS = 3
ROUNDS = 50
AGREED = 1e-5
"""Change of a weight, below the digits that are kept, at which weights and rivals agree."""
SIGNS = np.array([float(feature.sign) for feature in FEATURES.values()])
KEY = 0.98
"""Uniqueness from which a column is a key, a few errors in the data aside."""
PATH = Path(joinability.__file__).parent / "scores" / FILE

Array = npt.NDArray[np.float64]
Report = Callable[[str], None]


def fit_weights(truths: Mapping[str, Truth], report: Report) -> dict[str, Any]:
    """What the data file holds: weights by state of knowledge and feature, and what they were fitted on.

    Parameters
    ----------
    truths : mapping
        A truth for each of `KNOWLEDGE`.
    report : callable
    """
    weights, fitted_on = {}, {}
    uniqueness = truths["values"].evidence.uniqueness
    for state in KNOWLEDGE:
        learnt = training(truths[state], examples(truths[state]), uniqueness)
        weights[state] = fit_state(learnt, truths[state].evidence.table)
        fitted_on[state] = {
            "databases": len(truths[state].of_part("train")),
            "examples": len(learnt),
            "references": int(learnt.y.sum()),
        }
        report(f"{state}: {fitted_on[state]}")
    return {
        "about": "Logistic models of 'child refers to parent'; written by: python -m benchmarks joins fit",
        "source": "Spider, training databases, declared foreign keys",
        "penalty": PENALTY,
        "fitted_on": fitted_on,
        "weights": weights,
    }


def training(truth: Truth, made: Examples, uniqueness: npt.NDArray[np.float64]) -> Examples:
    """The examples of the training databases, without declared references to a column that is no key.

    Spider declares composite keys as one reference for each column; a part of a composite key is neither a reference
    by itself nor an example of a pair that is none.

    Parameters
    ----------
    uniqueness : (C,) array
        Of all columns, whatever the state of knowledge of the examples.
    """
    return made.where(made.of(truth.of_part("train")) & whole(made, uniqueness))


def whole(made: Examples, uniqueness: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which examples are no part of a composite key."""
    return np.asarray((made.y == 0) | (uniqueness[made.parent] >= KEY))


def fit_state(learnt: Examples, table: Indices) -> dict[str, float]:
    """Intercept and weights by name."""
    intercept, weights = fit_references(learnt, table, SIGNS)
    named = {"intercept": intercept, **dict(zip(FEATURES, weights.tolist(), strict=True))}
    return {name: round(value, DIGITS) + 0.0 for name, value in named.items()}


def fit_references(
    learnt: Examples, table: Indices, signs: Array, rivals: Collection[str] = RIVALS
) -> tuple[float, Array]:
    """Intercept and weights of the whole score, the rivals included, none of a sign that it can not have.

    Parameters
    ----------
    learnt : Examples
    table : (C,) array of int
        Table of each column.
    signs : (F,) array of 1 and -1
        A feature whose weight comes out with the other sign is left out: it gets 0.
    rivals : names
        Of the kinds of rivals that count.
    """
    kept = np.ones(learnt.x.shape[1], dtype=np.bool_)
    while True:
        intercept, some = _fit_with_rivals(replace(learnt, x=learnt.x[:, kept]), table, rivals)
        right = some * signs[kept] >= 0
        if right.all():
            break
        kept[kept] = right
    weights = np.zeros(len(kept))
    weights[kept] = some
    return intercept, weights


def _fit_with_rivals(learnt: Examples, table: Indices, rivals: Collection[str]) -> tuple[float, Array]:
    """The rivals follow from the weights and the weights from what the rivals take: each in turn until they agree."""
    taken: Array | float = 0.0
    before = np.full(learnt.x.shape[1] + 1, np.inf)
    for _ in range(ROUNDS):
        intercept, weights = fit_logistic(learnt.x, learnt.y, PENALTY, taken)
        now = np.array([intercept, *weights])
        if np.abs(now - before).max() < AGREED:
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
    terms = strongest.terms(made.child, made.parent, alone)
    return np.asarray(terms[:, [name in rivals for name in RIVALS]].sum(axis=-1))


def write_weights(fitted: dict[str, Any], path: Path = PATH) -> None:
    """Write the data file, a line for each number."""
    path.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
