"""The kinds of arrays that this package passes around."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""Quantities of pairs of columns, scores, and the vectors of texts."""
Array: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.int64]
"""Numbers of columns or of tables."""
AnyArray: TypeAlias = NDArray[Any]
