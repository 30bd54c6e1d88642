"""Intervals and tests against numbers worked out by hand and by textbook formulas."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.runs.resampling import RESAMPLES, holm, mean_interval, paired_p


def test_an_interval_is_near_the_one_of_the_normal_distribution() -> None:
    """For the mean of many values the bootstrap gives about mean +- 1.96 standard errors."""
    values = np.random.default_rng(1).choice([0.0, 40.0, 100.0], 1000)
    half = 1.96 * values.std() / np.sqrt(len(values))
    low, high = mean_interval(values)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.1 * half)


def test_equal_values_leave_no_doubt() -> None:
    """A mean of equal values has an interval without width."""
    assert mean_interval(np.full(5, 100.0)) == (100.0, 100.0)


def test_the_interval_is_the_same_each_time() -> None:
    """The resamples are seeded."""
    values = np.arange(20.0)
    assert mean_interval(values) == mean_interval(values)


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([1, 1, 1, 1], 2 / 16),  # only all signs as they are, or all turned, are as far from zero
        ([1, 1, 1, -1], 10 / 16),  # sums of 2 and more come 5 times in 16, of -2 and less as often
        ([0, 0, 1, 1, 1, 1, 0], 2 / 16),  # questions without a difference say nothing
        ([3], 1.0),
        ([0, 0], 1.0),
    ],
)
def test_the_randomisation_test_on_few_questions(differences: list[float], expected: float) -> None:
    """With few questions all signs are tried, and p is a count."""
    assert paired_p(np.array(differences, dtype=float)) == pytest.approx(expected)


def test_the_randomisation_test_on_many_questions() -> None:
    """A plain gain has the least p there can be, noise a great one."""
    random = np.random.default_rng(2)
    assert paired_p(random.normal(5, 10, 400)) <= 2 / (RESAMPLES + 1)
    noise = random.normal(0, 10, 400)
    assert paired_p(noise - noise.mean() + 0.05) > 0.5


def test_holm_multiplies_the_least_most() -> None:
    """0.01 * 4, then 0.03 * 3 and 0.04 * 2, of which the second may not be less than the first, then 0.5."""
    assert holm([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert holm([0.4, 0.9]) == pytest.approx([0.8, 0.9])
    assert holm([0.7, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
