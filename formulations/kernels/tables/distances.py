"""What is too far away: tables that no connected set of K tables can hold together with those already taken.

A path from a taken table to table v through the tables in play needs all its tables in the set. Its *distance* counts
those that are not taken yet, v itself included; so v is out of reach where it exceeds the number of free places.
"""

from __future__ import annotations

from formulations.kernels.compiled import kernel
from formulations.kernels.tables.relaxation import Relaxed
from formulations.kernels.tables.spanning import Listed
from formulations.validation import IntArray, SignArray


@kernel
def drop_distant(
    size: int, fixed: SignArray, relaxed: Relaxed, listed: Listed, count: int, p: int, distance: IntArray
) -> int:
    """Fix out each table that is out of reach of a taken one; return their number, -1 where a taken table is.

    `distance` is room for p integers. O(K^2 count) at most, count the number of listed joins.
    """
    room = size
    for c in range(p):
        room -= relaxed.forced[c]
    dropped = 0
    for first in range(p):
        if relaxed.forced[first] == 0:
            continue
        measure(first, room, relaxed.forced, listed, count, p, distance)
        for c in range(p):
            if distance[c] > room:
                if relaxed.forced[c] == 1:
                    return -1
                dropped += fixed[relaxed.tables[c]] == 0
                fixed[relaxed.tables[c]] = -1
    return dropped


@kernel
def measure(
    first: int, room: int, forced: IntArray, listed: Listed, count: int, p: int, distance: IntArray
) -> None:
    """Fill the distances from one taken table, ``room + 1`` for what is farther; by passes over all joins."""
    for c in range(p):
        distance[c] = room + 1
    distance[first] = 0
    changed = True
    while changed:
        changed = False
        for e in range(count):
            c, d = listed.left[e], listed.right[e]
            if distance[c] + 1 - forced[d] < distance[d]:
                distance[d] = distance[c] + 1 - forced[d]
                changed = True
            elif distance[d] + 1 - forced[c] < distance[c]:
                distance[c] = distance[d] + 1 - forced[c]
                changed = True
