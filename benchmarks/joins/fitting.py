"""Fits the weights of the default score on the training databases and writes them to the package."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import joinability
from benchmarks.joins.examples import Examples, examples
from benchmarks.joins.logistic import fit_logistic
from benchmarks.joins.truth import Truth
from joinability.features import FEATURES
from joinability.weights import FILE, KNOWLEDGE

PENALTY = 1.0
DIGITS = 3
KEY = 0.98
"""Uniqueness from which a column is a key, a few errors in the data aside."""
PATH = Path(joinability.__file__).with_name(FILE)

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
        weights[state] = fit_state(learnt)
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


def fit_state(learnt: Examples) -> dict[str, float]:
    """Intercept and weights by name."""
    intercept, weights = fit_logistic(learnt.x, learnt.y, PENALTY)
    named = {"intercept": intercept, **dict(zip(FEATURES, weights.tolist(), strict=True))}
    return {name: round(value, DIGITS) + 0.0 for name, value in named.items()}


def write_weights(fitted: dict[str, Any], path: Path = PATH) -> None:
    """Write the data file, a line for each number."""
    path.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
