"""Conversion of what a caller passes to Python ints and floats; anything that is no number is refused.

numba compiles one version of a function for each type of argument, and JSON and the native engines accept only Python's
own numbers, so each number is converted once, on entry. Booleans are refused.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

LARGEST_INTEGER = 2**62
"""Largest whole number that compiled code counts to."""


def real_number(value: Any) -> float | None:
    """Return a real number as a float; None for anything else, also for booleans and integers too large for a float."""
    if isinstance(value, float):
        return float(value)
    if not isinstance(value, (int, np.integer, np.floating)) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def whole_number(value: Any) -> int | None:
    """Return an integer as an int; None for anything else, also for booleans and floats."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return int(operator.index(value))
    except TypeError:
        return None


def number_in_range(value: Any, least: float, most: float) -> float | None:
    """Return a real number from `least` to `most` as a float; None for anything else."""
    number = real_number(value)
    return number if number is not None and least <= number <= most and not math.isnan(number) else None
