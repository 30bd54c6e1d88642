"""The kinds of arrays that the package passes around, and vectors of norm 1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""Vectors of texts, a row each, or one vector."""
Array = npt.NDArray[np.float64]
"""Scores, similarities and joinabilities."""
IntArray = npt.NDArray[np.int64]
"""Positions of tables and columns in an index."""


def units(vectors: Vectors) -> Vectors:
    """The vectors (n, d) with norm 1; those of zeros stay."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.where(norms > 0, norms, 1)).astype(np.float32)
    return unit
