"""How much each column may keep."""

from __future__ import annotations

import numpy as np
import pytest

from jar.values.shares import greatest_share


@pytest.mark.parametrize("seed", range(10))
def test_the_share_is_the_greatest_that_fits(seed: int) -> None:
    """As found by trying all."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 20, 8).tolist()
    most = int(rng.integers(0, sum(counts)))
    fits = [share for share in range(21) if sum(min(count, share) for count in counts) <= most]
    assert greatest_share(counts, most) == max(fits)
