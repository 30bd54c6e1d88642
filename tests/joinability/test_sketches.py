"""Estimates from bottom-k sketches, against the sets themselves, over many hash functions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from joinability.sketches import SketchEstimates, estimate, sampled_error, share_error

DRAWS = 300
SIZES = st.tuples(st.integers(1, 3000), st.integers(1, 3000), st.floats(0, 1))


def sketched(left: int, right: int, common: int, size: int, draws: int) -> NDArray[np.int64]:
    """For each of several hash functions: what two sets have in common and each for itself below the threshold.

    The sets are {0 .. left - 1} and {left - common .. left - common + right - 1}; their sketches are the `size` values
    of least hash.
    """
    random = np.random.default_rng([left, right, common, size])
    told = np.zeros((draws, 3), dtype=np.int64)
    for draw in range(draws):
        hashes = random.random(left + right - common)
        a, b = hashes[:left], hashes[left - common :]
        threshold = min(np.sort(a)[size - 1] if size < left else 2, np.sort(b)[size - 1] if size < right else 2)
        told[draw] = (
            np.count_nonzero(hashes[left - common : left] <= threshold),
            np.count_nonzero(a <= threshold),
            np.count_nonzero(b <= threshold),
        )
    return told


def estimates(left: int, right: int, common: int, size: int, draws: int = DRAWS) -> SketchEstimates:
    x, a, b = sketched(left, right, common, size, draws).T
    return estimate(x, a, b, np.full(draws, left), np.full(draws, right))


@pytest.mark.parametrize(
    ("left", "right", "common"),
    [(1000, 1000, 500), (5000, 50_000, 2500), (300, 4000, 150), (2000, 3000, 100), (900, 900, 880)],
)
def test_errors_are_those_that_occur(left: int, right: int, common: int) -> None:
    """Over 300 hash functions the root mean square error is within a third of the mean standard error.

    The truth is computed from the sets. The mean error is within four of its own standard errors, and a fiftieth of the
    truth for the bias of a bottom-k threshold, which is of the order of one in its size.
    """
    told = estimates(left, right, common, size=256)
    truth = {
        "intersection": common,
        "jaccard": common / (left + right - common),
        "containment_left": common / left,
        "containment_right": common / right,
    }
    for name, exact in truth.items():
        found, error = getattr(told, name), getattr(told, name + "_error")
        deviation = float(np.sqrt(np.mean((found - exact) ** 2)))
        assert deviation == pytest.approx(float(np.mean(error)), rel=1 / 3), name
        assert abs(np.mean(found) - exact) < 4 * deviation / np.sqrt(DRAWS) + exact / 50, name


@given(SIZES, st.integers(3, 400))
@settings(deadline=None, max_examples=60)
def test_estimates_lie_where_they_can(sizes: tuple[int, int, float], size: int) -> None:
    """Proportions are between 0 and 1, intersections at most the smaller set, errors not negative; all of it finite."""
    left, right, share = sizes
    told = estimates(left, right, int(share * min(left, right)), size, draws=3)
    for name in ("jaccard", "containment_left", "containment_right"):
        assert ((getattr(told, name) >= 0) & (getattr(told, name) <= 1)).all()
    assert ((told.intersection >= 0) & (told.intersection <= min(left, right))).all()
    assert all(np.isfinite(values).all() and (values >= 0).all() for values in vars(told).values())


@given(SIZES)
@settings(deadline=None, max_examples=40)
def test_what_is_known_completely_is_exact(sizes: tuple[int, int, float]) -> None:
    """Sketches that hold all values give the truth, with errors of 0."""
    left, right, share = sizes
    common = int(share * min(left, right))
    told = estimates(left, right, common, size=10_000, draws=1)
    assert told.intersection[0] == pytest.approx(common)
    assert told.jaccard[0] == pytest.approx(common / (left + right - common))
    assert told.containment_left[0] == pytest.approx(common / left)
    assert {values[0] for name, values in vars(told).items() if name.endswith("error")} == {0}


def test_a_small_sample_is_never_sure() -> None:
    """Where all of a few sampled values are common, the error says that the next one need not be."""
    told = estimate([3], [3], [3], [1000], [1000])
    assert told.containment_left[0] == 1
    assert told.containment_left_error[0] > 0.2


@pytest.mark.parametrize(
    ("left", "right", "common", "sampled"),
    [(500, 800, 300, (100, 200)), (500, 800, 500, (100, 200)), (400, 400, 200, (400, 50)), (300, 900, 200, (300, 900))],
)
def test_errors_of_independent_samples_are_those_that_occur(
    left: int, right: int, common: int, sampled: tuple[int, int]
) -> None:
    """What samples of two sets have in common spreads over 3,000 draws as the mean error says, within a tenth."""
    random = np.random.default_rng([left, right, common])
    first = random.hypergeometric(common, left - common, sampled[0], 3000)
    found = random.hypergeometric(first, right - first, sampled[1])
    errors = sampled_error(found, *sampled, left, right)
    assert float(np.mean(errors)) == pytest.approx(float(np.std(found)), rel=0.1, abs=1e-9)


def test_a_share_of_no_sample_is_not_known() -> None:
    """Without a sample the error is one half, with a whole one 0."""
    assert share_error([0, 3], [0, 5], [9, 5]).tolist() == [0.5, 0]
