"""What columns of a warehouse and of the system beside it never have in common: surrogate keys, and dates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from joinability.by_name.key_words import KEY_ENDINGS, KEYS_APART, about, singular_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joinability.arrays import Flags, Indices

KEYED, SURROGATE, BARE = range(3)
"""Kinds of names: with a word for a key, with one for a surrogate key of a warehouse, and without one."""
OF_SYSTEM = 10
"""Tables of a database that are of no warehouse, for these to be a system beside it, and no facts by another name."""
OF_WAREHOUSES = ("key", "sk")
"""Last words of surrogate keys of a warehouse."""


def layer_kinds(names: Sequence[str]) -> NDArray[np.int8]:
    """The kind of each name of a column.

    Examples
    --------
    >>> layer_kinds(["customer_id", "id", "date_key", "order_date"]).tolist()
    [0, 0, 1, 2]
    """
    return np.array([_kind(words) for words in singular_words(names)], dtype=np.int8)


def _kind(words: tuple[str, ...]) -> int:
    if words[-1:] and words[-1] in OF_WAREHOUSES:
        return SURROGATE
    return KEYED if about(words) or (words and words[-1] in (*KEY_ENDINGS, *KEYS_APART)) else BARE


def never_meet(dimensional: Flags, kinds: NDArray[np.int8], times: Flags, left: Indices, right: Indices) -> Flags:
    """Which pairs of columns of a warehouse and of another table do not join, whatever they have in common: surrogate
    keys stand in the warehouse alone, and a date of the system is none of its calendar.

    Parameters
    ----------
    dimensional : (C,) array of bool
    kinds : (C,) array of int8
    times : (C,) array of bool
        The columns that hold dates and times.
    left, right : arrays of int of one shape
    """
    across = dimensional[left] != dimensional[right]
    one, other = kinds[left], kinds[right]
    surrogate = (one != other) & ((one == SURROGATE) | (other == SURROGATE))
    dates = times[left] & times[right] & (np.where(dimensional[left], other, one) == BARE)
    return np.asarray(across & (surrogate | dates))
