"""Logistic regression whose weights have given signs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

Array = npt.NDArray[np.float64]

STEPS = 500
FLAT = 1e-6
"""Mean slope of the loss at which it is the least."""


def fit_signed(
    x: Array, y: Array, signs: npt.NDArray[np.int64], penalty: float, weight: Array | float = 1.0
) -> tuple[float, Array]:
    """Intercept b and weights a of the signs s (where these are not 0) that minimise the convex loss

        sum_i w_i log(1 + exp(-(2 y_i - 1) (b + a . x_i))) + penalty / 2 * |a|^2

    with a in units of the standard deviations of the features; b is free (L-BFGS-B; Byrd, Lu, Nocedal and Zhu, 1995).

    Parameters
    ----------
    x : array (n, F)
    y : array (n,) of 0 and 1
    signs : array (F,) of -1, 0 and 1
    penalty : float
    weight : array (n,), optional
        w_i.

    Raises
    ------
    ArithmeticError
        When `STEPS` steps are not enough.
    """
    scale = x.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    design = np.ascontiguousarray((x - x.mean(axis=0)) / scale)
    counts = np.broadcast_to(np.asarray(weight, dtype=np.float64), len(y))
    total = counts.sum()

    def loss(w: Array) -> tuple[float, Array]:
        z = w[0] + design @ w[1:]
        slack = counts * (expit(z) - y)
        value = (counts * np.logaddexp(0, np.where(y > 0, -z, z))).sum() + penalty / 2 * w[1:] @ w[1:]
        slope = np.concatenate([[slack.sum()], design.T @ slack + penalty * w[1:]])
        return float(value / total), slope / total

    bounds = [(None, None), *((0 if sign > 0 else None, 0 if sign < 0 else None) for sign in signs.tolist())]
    found = minimize(
        loss,
        np.zeros(1 + x.shape[1]),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": STEPS, "ftol": 1e-12, "gtol": FLAT},
    )
    if not found.success:
        raise ArithmeticError(f"no minimum after {STEPS} steps: {found.message}")
    weights = found.x[1:] / scale
    return float(found.x[0] - x.mean(axis=0) @ weights), weights
