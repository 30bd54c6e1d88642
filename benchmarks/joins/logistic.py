"""Logistic regression by Newton's method."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

Array = npt.NDArray[np.float64]

STEPS = 50


def fit_logistic(x: Array, y: Array, penalty: float = 1.0, offset: Array | float = 0.0) -> tuple[float, Array]:
    """Intercept b and weights a that minimise the penalised logistic loss

        sum_i log(1 + exp(-(2 y_i - 1) (o_i + b + a . x_i))) + penalty / 2 * sum_f (s_f a_f)^2

    with s_f the standard deviation of feature f, so that the unit of a feature does not matter; b is free. The loss is
    convex; each step solves the normal equations of its second-order model (iteratively reweighted least squares;
    Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 4.4.1), halved until the loss falls.

    Parameters
    ----------
    x : (n, F) array
    y : (n,) array of 0 and 1
    penalty : float
    offset : (n,) array, optional
        o_i, what the log-odds are given to hold already.

    Returns
    -------
    float, (F,) array

    Raises
    ------
    ArithmeticError
        When `STEPS` steps are not enough.
    """
    scale = x.std(axis=0)
    scale[scale == 0] = 1
    design = np.column_stack([np.ones(len(x)), x / scale])
    ridge = penalty * np.ones(design.shape[1])
    ridge[0] = 0
    weights = np.zeros(design.shape[1])
    value = loss(design, y, weights, ridge, offset)
    for _ in range(STEPS):
        p = expit(design @ weights + offset)
        gradient = design.T @ (p - y) + ridge * weights
        curvature = (design * (p * (1 - p))[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.solve(curvature + 1e-12 * np.eye(len(weights)), gradient)
        while (new := loss(design, y, weights - step, ridge, offset)) > value and np.abs(step).max() > 1e-12:
            step /= 2
        weights, fell, value = weights - step, value - new, new
        if fell <= 1e-10 * max(1.0, value):
            return float(weights[0]), weights[1:] / scale
    raise ArithmeticError(f"no minimum after {STEPS} steps: raise the penalty, the classes may be separable")


def loss(design: Array, y: Array, weights: Array, ridge: Array, offset: Array | float = 0.0) -> float:
    """The penalised loss; `design` has a first column of ones."""
    z = design @ weights + offset
    return float(np.logaddexp(0, np.where(y > 0, -z, z)).sum() + ridge @ weights**2 / 2)
