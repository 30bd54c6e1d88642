"""Logistic regression by Newton's method, with signs of weights where they are known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import lsq_linear
from scipy.special import expit

Array = npt.NDArray[np.float64]

STEPS = 50


def fit_logistic(
    x: Array,
    y: Array,
    penalty: Array | float = 1.0,
    offset: Array | float = 0.0,
    weight: Array | float = 1.0,
    start: Array | None = None,
    signs: npt.NDArray[np.int64] | None = None,
) -> tuple[float, Array]:
    """Intercept b and weights a that minimise the penalised logistic loss

        sum_i w_i log(1 + exp(-(2 y_i - 1) (o_i + b + a . x_i))) + sum_f penalty_f / 2 * (s_f a_f)^2

    with w_i the weight of example i and s_f the weighted standard deviation of feature f, so that the unit of a feature
    does not matter; b is free. The loss is convex; each step solves the normal equations of its second-order model
    (iteratively reweighted least squares; Hastie, Tibshirani and Friedman, The Elements of Statistical Learning,
    4.4.1), halved until the loss falls. With signs it is the least of that model among the weights that have them.

    Parameters
    ----------
    x : (n, F) array
    y : (n,) array of 0 and 1
    penalty : (F,) array, or one for all
    offset : (n,) array, optional
        o_i, what the log-odds are given to hold already.
    weight : (n,) array, optional
        w_i.
    start : (F + 1,) array, optional
        b and a from where the search begins; of the signs.
    signs : (F,) array of -1, 0 and 1, optional
        Of the weights, any for 0.

    Returns
    -------
    float, (F,) array

    Raises
    ------
    ArithmeticError
        When `STEPS` steps are not enough.
    """
    counts = np.broadcast_to(weight, len(x))
    scale = spread(x, counts)
    design = np.column_stack([np.ones(len(x)), x / scale])
    ridge = np.concatenate([[0.0], np.broadcast_to(penalty, x.shape[1])])
    weights = np.zeros(design.shape[1]) if start is None else start * np.append(1.0, scale)
    value = loss(design, y, weights, ridge, offset, counts)
    for _ in range(STEPS):
        p = expit(design @ weights + offset)
        gradient = design.T @ (counts * (p - y)) + ridge * weights
        curvature = (design * (counts * p * (1 - p))[:, None]).T @ design + np.diag(ridge)
        curvature += 1e-12 * np.eye(len(weights))
        step = _newton_step(weights, curvature, gradient, signs)
        while (new := loss(design, y, weights - step, ridge, offset, counts)) > value and np.abs(step).max() > 1e-12:
            step /= 2
        weights, fell, value = weights - step, value - new, new
        if fell <= 1e-10 * max(1.0, value):
            return float(weights[0]), weights[1:] / scale
    raise ArithmeticError(f"no minimum after {STEPS} steps: raise the penalty, the classes may be separable")


def _newton_step(weights: Array, curvature: Array, gradient: Array, signs: npt.NDArray[np.int64] | None) -> Array:
    """What is taken from the weights to get to the least of the second-order model, among those of the signs."""
    if signs is None:
        step: Array = np.linalg.solve(curvature, gradient)
        return step
    root = cholesky(curvature)
    target = solve_triangular(root, curvature @ weights - gradient, trans="T")
    bounds = np.append(-np.inf, np.where(signs > 0, 0.0, -np.inf)), np.append(np.inf, np.where(signs < 0, 0.0, np.inf))
    least: Array = lsq_linear(root, target, bounds, method="bvls").x
    return weights - least


def spread(x: Array, weight: Array) -> Array:
    """Weighted standard deviation of each feature, 1 where it is constant."""
    mean = np.average(x, axis=0, weights=weight)
    scale = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weight))
    return np.where(scale < 1e-9, 1.0, scale)  # of equal numbers rounding leaves something


def loss(
    design: Array,
    y: Array,
    weights: Array,
    ridge: Array,
    offset: Array | float = 0.0,
    counts: Array | float = 1.0,
) -> float:
    """The penalised loss; `design` has a first column of ones, and `counts` are the weights of the examples."""
    z = design @ weights + offset
    return float((counts * np.logaddexp(0, np.where(y > 0, -z, z))).sum() + ridge @ weights**2 / 2)
