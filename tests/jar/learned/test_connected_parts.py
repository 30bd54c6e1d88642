"""The parts into which joins connect candidates, beside networkx."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from jar.learned.connected_parts import connected_parts


@pytest.mark.parametrize("n", [0, 1, 5, 40])
@pytest.mark.parametrize("seed", range(5))
def test_a_part_has_the_number_of_its_first_candidate(seed: int, n: int) -> None:
    """Of graphs of many parts, and of few."""
    joined = np.random.default_rng(seed).uniform(size=(n, n)) < seed / 60
    joined |= joined.T
    expected = list(range(n))
    for part in networkx.connected_components(networkx.from_numpy_array(joined)):
        for item in part:
            expected[item] = min(part)
    assert connected_parts(joined).tolist() == expected


def test_a_long_chain_is_one_part() -> None:
    """In whatever order its candidates stand."""
    order = np.random.default_rng(1).permutation(30)
    joined = np.zeros((30, 30), dtype=np.bool_)
    joined[order[:-1], order[1:]] = True
    assert connected_parts(joined | joined.T).tolist() == [0] * 30
