"""Tables beside an answer whose joins would connect the parts that it falls into."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from jar.arrays import Array

STRONG = 0.5
"""Score from which a join connects, and from which one is told that the forest of an answer does without."""


def connecting_tables(joins: Array, components: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The tables on the shortest ways from the first part to the others, one after the other; parts that no way reaches
    stay apart.

    Parameters
    ----------
    joins : array (n, n)
        Scores of the joins of the candidates.
    components : sequences of candidates
        The parts of the answer.
    """
    joined = joins >= STRONG
    connected, others = set(components[0]), [set(part) for part in components[1:]]
    between: list[int] = []
    while others:
        way = _shortest_way(joined, connected, set().union(*others))
        if not way:
            break
        between += way[:-1]
        reached = next(part for part in others if way[-1] in part)
        others.remove(reached)
        connected |= reached | set(way)
    return tuple(between)


def _shortest_way(joined: npt.NDArray[np.bool_], start: set[int], ends: set[int]) -> list[int]:
    """The candidates from behind the start to one of the ends, by as few joins as there can be; [] where none leads."""
    before = {place: place for place in sorted(start)}
    waiting = deque(before)
    while waiting:
        place = waiting.popleft()
        if place in ends:
            way = []
            while place not in start:
                way.append(place)
                place = before[place]
            return way[::-1]
        for follower in np.flatnonzero(joined[place]).tolist():
            if follower not in before:
                before[follower] = place
                waiting.append(follower)
    return []
