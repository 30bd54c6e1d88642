"""How much each column may keep where all together have too much."""

from __future__ import annotations

from collections.abc import Sequence


def greatest_share(counts: Sequence[int], most: int) -> int:
    """The greatest L with sum_c min(n_c, L) <= most, for counts n_c that sum to more.

    Examples
    --------
    >>> greatest_share([1, 5, 9], 9)
    4
    """
    each, left = 0, most
    for place, count in enumerate(sorted(counts)):
        share = left // (len(counts) - place)
        each = min(count, share)
        if count > share:
            break
        left -= count
    return each
