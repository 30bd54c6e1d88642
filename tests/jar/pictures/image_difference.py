"""How far two images are apart."""

from __future__ import annotations

import shutil
from pathlib import Path


def difference(expected: Path, actual: Path, folder: Path) -> float:
    """How far two pictures are apart; infinite when their sizes differ."""
    from matplotlib.testing.compare import compare_images
    from matplotlib.testing.exceptions import ImageComparisonFailure

    copy = shutil.copy(expected, folder / f"expected-{expected.name}")
    try:
        told = compare_images(str(copy), str(actual), tol=0, in_decorator=True)
    except ImageComparisonFailure:
        return float("inf")
    return 0.0 if told is None else float(told["rms"])
