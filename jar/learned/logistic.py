"""From log-odds to probabilities, without scipy.special, whose import takes longer than a ranking."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from jar.arrays import Array


def expit(log_odds: npt.ArrayLike) -> Array:
    """The probabilities 1 / (1 + exp(-x)) of log-odds x of any shape; 0 and 1 at the infinities."""
    with np.errstate(over="ignore"):
        probability: Array = 1.0 / (1.0 + np.exp(-np.asarray(log_odds, dtype=np.float64)))
    return probability


def logsumexp(logarithms: Array) -> float:
    """log(exp(x_1) + ... + exp(x_n)) of n >= 1 logarithms x, of which one is finite and others may be -inf."""
    most = logarithms.max()
    return float(most + np.log(np.exp(logarithms - most).sum()))
