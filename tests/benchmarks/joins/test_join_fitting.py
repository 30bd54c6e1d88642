"""Fitting of the join score: the logistic model against a general optimiser, weights that agree with their rivals."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize

from benchmarks.joins.examples import Examples
from benchmarks.joins.fitting import FORM, PATH, Form, fit_references, fit_state, lesson_counts, taken_by_rivals
from benchmarks.joins.lessons import CLEAN, copy_weights, read_lessons
from benchmarks.joins.logistic import fit_logistic, loss, spread
from benchmarks.joins.truth import read_truth, training_rows

Array = npt.NDArray[np.float64]
COLUMNS = 24
TABLE = np.arange(COLUMNS) // 4
PENALTIES = np.array([1.0, 2.0, 1.0])


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
    weight = generator.random(len(child)) + 0.5
    unrivalled = np.column_stack([parent % 5 == 3, child % 4 == 3])
    return Examples(x, true, np.zeros(len(child), dtype=np.int64), child, parent, weight, unrivalled)


def gradient(made: Examples, offset: Array | float, intercept: float, weights: Array, penalties: Array) -> Array:
    """Derivative of the penalised loss by intercept and weights, in the units of `fit_logistic`."""
    scale = spread(made.x, made.weight)
    design = np.column_stack([np.ones(len(made)), made.x / scale])
    ridge = np.array([0.0, *penalties])
    at = np.array([intercept, *weights * scale])

    def value(place: Array) -> float:
        return loss(design, made.y, place, ridge, offset, made.weight)

    return np.array([value(at + one) - value(at - one) for one in 1e-5 * np.eye(len(at))]) / (2e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_model_is_the_minimum(seed: int) -> None:
    """Newton's method ends where a general optimiser does, with log-odds that are given and without."""
    made = drawn(seed)
    given = np.random.default_rng(seed).normal(size=len(made))
    mean = np.average(made.x, axis=0, weights=made.weight)
    scale = np.sqrt(np.average((made.x - mean) ** 2, axis=0, weights=made.weight))
    design = np.column_stack([np.ones(len(made)), made.x / scale])
    ridge = np.array([0.0, *PENALTIES])
    for offset in (0.0, given):
        intercept, weights = fit_logistic(made.x, made.y, PENALTIES, offset, made.weight)
        best = minimize(lambda at, o=offset: loss(design, made.y, at, ridge, o, made.weight), np.zeros(4), tol=1e-10)
        np.testing.assert_allclose([intercept, *weights * scale], best.x, atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_weights_and_rivals_agree(seed: int) -> None:
    """With what the rivals take by the weights that were found, the weights are the minimum of the loss."""
    made = drawn(seed)
    intercept, weights = fit_references(made, TABLE, Form(np.array([1.0, -1.0, np.nan]), PENALTIES))
    kept = weights != 0
    assert kept.tolist() == [True, True, False]
    alone = intercept + made.x @ weights
    taken = taken_by_rivals(made, alone, TABLE)
    assert taken.min() < -0.1
    slope = gradient(replace(made, x=made.x[:, kept]), taken, intercept, weights[kept], PENALTIES[kept])
    np.testing.assert_allclose(slope, 0, atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_a_weight_of_the_wrong_sign_is_left_out(seed: int) -> None:
    """What speaks against a reference can not be made to speak for it: its weight is 0, those of others as without."""
    made = drawn(seed)
    intercept, weights = fit_references(made, TABLE, Form(np.array([1.0, 1.0, -1.0]), PENALTIES))
    assert weights[1] == 0
    kept = weights != 0
    fewer = replace(made, x=made.x[:, kept])
    same, others = fit_references(fewer, TABLE, Form(np.sign(weights[kept]), PENALTIES[kept]))
    assert [intercept, *weights[kept]] == pytest.approx([same, *others])


def test_examples_that_count_twice_are_two() -> None:
    """A weight is a number of copies."""
    made = drawn(0)
    twice = Examples.stacked([made, made])
    one = fit_logistic(made.x, made.y, PENALTIES, 0.0, np.full(len(made), 2.0))
    two = fit_logistic(twice.x, twice.y, PENALTIES)
    assert [one[0], *one[1]] == pytest.approx([two[0], *two[1]], abs=1e-6)


def test_the_clean_copy_and_the_damaged_ones_share_the_weight() -> None:
    """Their weights sum up to 1."""
    assert copy_weights(1) == [1.0]
    assert copy_weights(3) == pytest.approx([CLEAN, (1 - CLEAN) / 2, (1 - CLEAN) / 2])


def test_the_weights_of_the_package_are_those_of_the_fit(data_folder: Path) -> None:
    """Who fits the score on Spider's training databases and their damaged copies again gets the data file."""
    truth = read_truth(data_folder, "values")
    learnt = read_lessons({"values": truth}, training_rows(data_folder))["values"]
    shipped = json.loads(PATH.read_text("utf-8"))
    assert lesson_counts(learnt) == shipped["fitted_on"]["values"]
    assert learnt.table.max() + 1 == sum(len(copy.evidence.table_names) for copy in learnt.truths)
    assert fit_state(learnt, "values") == pytest.approx(shipped["weights"]["values"], abs=2e-3)
    assert len(FORM.signs) == learnt.examples.x.shape[1]
