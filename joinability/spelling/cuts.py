"""The cheapest way to cut a part of a name into pieces."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

LONGEST_PIECE = 18
"""Letters of a piece, at most."""


def cheapest_cut(part: str, cost: Callable[[str], float]) -> list[str]:
    """The cheapest cut of a part into pieces; the part alone where there is none."""
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(part) + 1):
        starts = range(max(0, end - LONGEST_PIECE), end)
        best.append(min((best[start][0] + cost(part[start:end]), start) for start in starts))
    if best[-1][0] == math.inf:
        return [part]
    return list(_pieces(part, [start for _, start in best]))[::-1]


def _pieces(part: str, starts: Sequence[int]) -> Iterator[str]:
    end = len(part)
    while end:
        yield part[starts[end] : end]
        end = starts[end]
