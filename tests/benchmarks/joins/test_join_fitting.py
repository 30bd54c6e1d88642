"""Fitting of the join score: the logistic model against a general optimiser, weights that agree with their rivals."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize

from benchmarks.joins.examples import Examples, examples
from benchmarks.joins.fitting import PATH, PENALTY, SIGNS, fit_references, fit_state, taken_by_rivals, training
from benchmarks.joins.logistic import fit_logistic, loss
from benchmarks.joins.truth import read_truth

Array = npt.NDArray[np.float64]
COLUMNS = 24
TABLE = np.arange(COLUMNS) // 4


def drawn(seed: int) -> Examples:
    """Each of 24 columns of six tables refers to one other at most; a feature speaks for it, the next one against."""
    generator = np.random.default_rng(seed)
    child, parent = np.nonzero(TABLE[:, None] != TABLE[None, :])
    x = generator.random((len(child), 3))
    odds = np.exp(6 * x[:, 0] - 4 * x[:, 1] - 4)
    true = np.zeros(len(child))
    for column in range(COLUMNS):
        own = np.flatnonzero(child == column)
        chance = np.array([1.0, *odds[own]])
        chosen = generator.choice(len(chance), p=chance / chance.sum())
        true[own] = np.arange(1, len(chance)) == chosen
    return Examples(x, true, np.zeros(len(child), dtype=np.int64), child, parent)


def gradient(made: Examples, offset: Array | float, intercept: float, weights: Array) -> Array:
    """Derivative of the penalised loss by intercept and weights, in the units of `fit_logistic`."""
    scale = made.x.std(axis=0)
    design = np.column_stack([np.ones(len(made)), made.x / scale])
    ridge = PENALTY * np.array([0.0, *np.ones(len(scale))])
    at = np.array([intercept, *weights * scale])
    step = 1e-5 * np.eye(len(at))
    return np.array(
        [loss(design, made.y, at + one, ridge, offset) - loss(design, made.y, at - one, ridge, offset) for one in step]
    ) / (2e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_model_is_the_minimum(seed: int) -> None:
    """Newton's method ends where a general optimiser does, with log-odds that are given and without."""
    made = drawn(seed)
    given = np.random.default_rng(seed).normal(size=len(made))
    scale = made.x.std(axis=0)
    design = np.column_stack([np.ones(len(made)), made.x / scale])
    ridge = np.array([0.0, 1.0, 1.0, 1.0])
    for offset in (0.0, given):
        intercept, weights = fit_logistic(made.x, made.y, 1.0, offset)
        best = minimize(lambda at, o=offset: loss(design, made.y, at, ridge, o), np.zeros(4), tol=1e-10)
        np.testing.assert_allclose([intercept, *weights * scale], best.x, atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_weights_and_rivals_agree(seed: int) -> None:
    """With what the rivals take by the weights that were found, the weights are the minimum of the loss."""
    made = drawn(seed)
    intercept, weights = fit_references(made, TABLE, np.array([1.0, -1.0, np.nan]))
    kept = weights != 0
    assert kept.tolist() == [True, True, False]
    alone = intercept + made.x @ weights
    taken = taken_by_rivals(made, alone, TABLE)
    assert taken.min() < -0.1
    slope = gradient(replace(made, x=made.x[:, kept]), taken, intercept, weights[kept])
    np.testing.assert_allclose(slope, 0, atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_a_weight_of_the_wrong_sign_is_left_out(seed: int) -> None:
    """What speaks against a reference can not be made to speak for it: its weight is 0, those of others as without."""
    made = drawn(seed)
    intercept, weights = fit_references(made, TABLE, np.array([1.0, 1.0, -1.0]))
    assert weights[1] == 0
    fewer = replace(made, x=made.x[:, weights != 0])
    same, others = fit_references(fewer, TABLE, np.sign(weights[weights != 0]))
    assert [intercept, *weights[weights != 0]] == pytest.approx([same, *others])


def test_the_weights_of_the_package_are_those_of_the_fit(data_folder: Path) -> None:
    """Who fits the score on Spider's training databases again gets the data file."""
    truth = read_truth(data_folder, "values")
    learnt = training(truth, examples(truth), truth.evidence.uniqueness)
    shipped = json.loads(PATH.read_text("utf-8"))
    assert len(learnt) == shipped["fitted_on"]["values"]["examples"]
    assert fit_state(learnt, truth.evidence.table) == pytest.approx(shipped["weights"]["values"], abs=2e-3)
    assert len(SIGNS) == learnt.x.shape[1]
