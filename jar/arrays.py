"""The kinds of arrays that the package passes around."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""Vectors of texts, a row each, or one vector."""
Array = npt.NDArray[np.float64]
"""Scores, similarities and joinabilities."""
IntArray = npt.NDArray[np.int64]
"""Positions of tables and columns in an index."""
