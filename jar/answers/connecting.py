"""Tables beside an answer whose joins would connect the parts that it falls into."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from jar.answers.join import Join

Flags = npt.NDArray[np.bool_]

STRONG = 0.5
"""Score from which a join connects, and from which one is told that the forest of an answer does without."""
HUB = 4
"""Candidates that refer to a table from which on what two of them have in common of it says little."""
EVENT = 2
"""Tables to which a table refers from which on it is an event or a deal, as a booking of a customer at a venue: what
two tables have in common of such a one belongs together, however many refer to it."""


def connecting_tables(
    joined: Flags, components: Sequence[Sequence[int]], hubs: Flags | None = None
) -> tuple[tuple[int, ...], bool]:
    """The tables on the shortest ways from the first part to the others, one after the other, and whether they connect
    all: parts that no way reaches stay apart.

    Parameters
    ----------
    joined : array (n, n)
        Which candidates join.
    components : sequences of candidates
        The parts of the answer.
    hubs : array (n, n), optional
        Entry (i, j): candidate i refers to j, as many do, and nobody asks for j. What two tables have in common of such
        a one, as customers and suppliers have countries, connects nothing that is asked for: no way leads over it.
    """
    if hubs is None:
        hubs = np.zeros_like(joined)
    connected, others = set(components[0]), [set(part) for part in components[1:]]
    between: list[int] = []
    while others:
        way = _shortest_way(joined, hubs, connected, set().union(*others))
        if not way:
            break
        between += way[:-1]
        reached = next(part for part in others if way[-1] in part)
        others.remove(reached)
        connected |= reached | set(way)
    return tuple(between), not others


def common_hubs(refers: Flags, unasked: Flags) -> Flags:
    """The `hubs` of `connecting_tables`.

    Parameters
    ----------
    refers : array (n, n)
        Which candidates refer to which; both to each other where nothing tells which does.
    unasked : array (n,)
        Candidates for which nobody asks.
    """
    one_way: Flags = refers & ~refers.T
    is_hub: Flags = unasked & (refers.sum(axis=0) >= HUB) & (one_way.sum(axis=1) < EVENT)
    return np.asarray(one_way & is_hub)


def telling_more(joins: Iterable[Join], told: Sequence[Join]) -> list[Join]:
    """Those of some joins which say more than others that are told: their columns are not equal by these, or not in the
    rows that they ask for; the last of equal ones."""
    others = {_asked(join): join for join in joins}
    for join in told:
        others.pop(_asked(join), None)
    equal = equal_columns(told)
    return [
        join
        for join in others.values()
        if join.where or not all(any({*pair} <= group for group in equal) for pair in join.conditions)
    ]


def beside(joins: Iterable[Join], told: Sequence[Join], tables: Collection[str]) -> list[Join]:
    """Those of some joins between some tables, or within one of them, that are not told already."""
    known = {_asked(join) for join in told}
    return [join for join in joins if {join.left_table, join.right_table} <= {*tables} and _asked(join) not in known]


def _asked(join: Join) -> tuple[frozenset[frozenset[str]], tuple[str, ...] | None]:
    """What a join asks for, whichever table stands on the left."""
    return frozenset(map(frozenset, join.conditions)), None if join.where is None else join.where.values


def equal_columns(joins: Sequence[Join]) -> list[set[str]]:
    """Groups of columns that joins make equal, in all rows."""
    groups: list[set[str]] = []
    for pair in (pair for join in joins if join.where is None for pair in join.conditions):
        touched = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group not in touched]
        groups.append({*pair}.union(*touched))
    return groups


def _shortest_way(joined: Flags, hubs: Flags, start: set[int], ends: set[int]) -> list[int]:
    """The candidates from behind the start to one of the ends, by as few joins as there can be, none of them twice; []
    where none leads."""
    steps = [(place, False) for place in sorted(start)]
    before = dict.fromkeys(steps, (-1, False))
    waiting = deque(steps)
    while waiting:
        step = waiting.popleft()
        place, is_hub = step
        way = _way_to(step, before)
        if place in ends:
            return way[1:]
        for follower in np.flatnonzero(joined[place]).tolist():
            further = follower, bool(hubs[place, follower])
            is_new = further not in before and follower not in start and follower not in way
            if is_new and not (is_hub and hubs[follower, place]):
                before[further] = step
                waiting.append(further)
    return []


def _way_to(step: tuple[int, bool], before: Mapping[tuple[int, bool], tuple[int, bool]]) -> list[int]:
    """The candidates from the start to a step."""
    way = []
    while step[0] >= 0:
        way.append(step[0])
        step = before[step]
    return way[::-1]
