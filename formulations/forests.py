"""Maximum spanning forests of many sets at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formulations.validation import Array

Sets = npt.NDArray[np.int64]


def spanning_forests(joins: Array, sets: Sets) -> tuple[Array, Sets]:
    """Return the weight of the maximum spanning forest of each set, and how many joins it has.

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
    earned = forest_joins(joins, sets)
    joined = earned > -np.inf
    return np.where(joined, earned, 0.0).sum(axis=1), joined.sum(axis=1)


def forest_joins(joins: Array, sets: Sets) -> Array:
    """What the joins of the maximum spanning forest of each set earn, shape (s, K - 1), in the order in which Prim's
    algorithm takes them, ``-inf`` where it has fewer.

    The joins of a forest that earn at least w are a spanning forest of all that do (the cut property of maximum
    spanning forests), so that their number tells the components by these joins alone.

    Parameters
    ----------
    joins, sets : arrays (n, n), (s, K)
        As in `spanning_forests`.
    """
    rows = np.arange(len(sets))
    within = joins[sets[:, :, None], sets[:, None, :]]
    outside = np.ones(sets.shape, dtype=np.bool_)
    outside[:, 0] = False
    nearest = within[:, 0].copy()
    earned = np.empty((len(sets), sets.shape[1] - 1))
    for step in range(sets.shape[1] - 1):
        # What is in the forest already lies below all else, also below what joins nothing.
        key = np.where(outside, np.maximum(nearest, -1.0), -2.0)
        pick = key.argmax(axis=1)
        earned[:, step] = nearest[rows, pick]
        outside[rows, pick] = False
        nearest = np.maximum(nearest, within[rows, pick])
    return earned
