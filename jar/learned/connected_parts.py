"""The parts into which joins connect candidates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from jar.arrays import IntArray


def connected_parts(joined: npt.NDArray[np.bool_]) -> IntArray:
    """The part of each candidate, shape (n,): the number of the first candidate of it.

    Parameters
    ----------
    joined : array (n, n)
        Which candidates join; symmetric.
    """
    parts: IntArray = np.arange(len(joined))
    while True:
        least = np.minimum(parts, np.where(joined, parts, len(parts)).min(axis=1, initial=len(parts)))
        if (least == parts).all():
            return parts
        parts = least
