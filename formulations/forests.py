"""Maximum spanning forests of many sets at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formulations.validation import Array

Sets = npt.NDArray[np.int64]


def spanning_forests(joins: Array, sets: Sets) -> tuple[Array, Sets]:
    """Return the weight of the maximum spanning forest of each set, and how many joins it has: Prim's algorithm.

    Parameters
    ----------
    joins : array (n, n)
        What each join earns, from 0 up; ``-inf`` where there is none.
    sets : array (s, K)
        Items of each set, K >= 1.

    Returns
    -------
    arrays (s,), (s,)
        A set of K items with j joins has K - j components.
    """
    rows = np.arange(len(sets))
    within = joins[sets[:, :, None], sets[:, None, :]]
    outside = np.ones(sets.shape, dtype=np.bool_)
    outside[:, 0] = False
    nearest = within[:, 0].copy()
    total, count = np.zeros(len(sets)), np.zeros(len(sets), dtype=np.int64)
    for _ in range(sets.shape[1] - 1):
        # What is in the forest already lies below all else, also below what joins nothing.
        key = np.where(outside, np.maximum(nearest, -1.0), -2.0)
        pick = key.argmax(axis=1)
        weight = nearest[rows, pick]
        joined = weight > -np.inf
        total[joined] += weight[joined]
        count += joined
        outside[rows, pick] = False
        nearest = np.maximum(nearest, within[rows, pick])
    return total, count
