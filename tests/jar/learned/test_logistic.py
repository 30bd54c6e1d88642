"""Probabilities of log-odds, and sums of probabilities of which only logarithms are known."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import special

from jar.learned.logistic import expit, logsumexp


def test_probabilities_are_those_of_scipy_without_a_warning() -> None:
    """Also where exp() overflows, at the infinities, and for one number or a matrix."""
    log_odds = np.concatenate([np.linspace(-800, 800, 3201), [-np.inf, np.inf, -5e-324, 0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = expit(log_odds)
        np.testing.assert_allclose(found, special.expit(log_odds), rtol=1e-14, atol=1e-300)
        np.testing.assert_array_equal(expit(log_odds[:3204].reshape(4, -1)).ravel(), found[:3204])
        assert float(expit(0)) == 0.5


@pytest.mark.parametrize("logarithms", [[-3.0], [-math.inf, 0.0, 1.5], [-1000.0, -1001.0], [1000.0, 999.0, -math.inf]])
def test_a_sum_of_exponentials_is_that_of_scipy(logarithms: list[float]) -> None:
    """Also where each exponential by itself overflows or is 0."""
    values = np.array(logarithms)
    assert logsumexp(values) == pytest.approx(float(special.logsumexp(values)), rel=1e-14)
