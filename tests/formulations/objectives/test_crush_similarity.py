"""Proves that the entropy-guided similarity is that of equations 1 and 2, and refuses what is no cosine."""

from __future__ import annotations

import numpy as np
import pytest
from crush_oracles import similarity_by_equations
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from formulations import InvalidInstanceError, entropy_similarity

COSINES = arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 6)), elements=st.floats(-0.99, 1.0))


@settings(max_examples=150, deadline=None)
@given(COSINES)
def test_it_is_the_transcription_of_the_equations(cosines: np.ndarray) -> None:
    """Loops over probes and columns give the same numbers, all from 0 to 1."""
    similarity = entropy_similarity(cosines)
    assert similarity == pytest.approx(np.array(similarity_by_equations(cosines.tolist())), abs=1e-12)
    assert ((similarity >= 0) & (similarity <= 1)).all()


def test_a_probe_close_to_few_columns_counts_for_more() -> None:
    """Both probes are closest to column 0, by the same cosine; the one that is far from the others has less entropy."""
    similarity = entropy_similarity([[0.8, -0.8, -0.8], [0.8, 0.8, 0.8]])
    assert similarity[0, 0] > similarity[1, 0]


def test_one_probe_is_halved() -> None:
    """Its entropy is the mean, and the sigmoid of zero is a half."""
    assert entropy_similarity([[1.0, 0.0, -1.0]]).tolist() == [[0.5, 0.25, 0.0]]


def test_single_precision_is_rounded_to_a_cosine() -> None:
    """A cosine a little above 1 counts as 1."""
    assert entropy_similarity(np.array([[1.0000001, 0.0]], dtype=np.float32))[0, 0] == 0.5


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_nothing_has_no_similarity(shape: tuple[int, int]) -> None:
    """Without probes, or columns, the array is empty."""
    assert entropy_similarity(np.zeros(shape)).shape == shape


def test_a_probe_opposite_to_all_columns_is_similar_to_none() -> None:
    """Where no column has any closeness there is no distribution; the similarity is zero, not undefined."""
    assert entropy_similarity([[-1.0, -1.0], [0.5, 0.0]])[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("cosines", "complaint"),
    [
        ([[0.1, 1.2]], r"cosines\[0, 1\]: is 1.2; pass cosines"),
        ([[0.1, float("nan")]], r"cosines\[0, 1\]: is nan"),
        ([0.1, 0.2], r"cosines: has shape \(2,\)"),
        ("close", "cosines: not an array of numbers"),
    ],
)
def test_what_is_no_cosine_is_refused(cosines: object, complaint: str) -> None:
    """The error names the place and what to pass."""
    with pytest.raises(InvalidInstanceError, match=complaint):
        entropy_similarity(cosines)  # type: ignore[arg-type]
