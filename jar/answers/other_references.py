"""The references that a question means: of several of one table to another, as of an order to who took it and who
approved it, and of several ways to connect the tables of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jar.answers.join import Join
from joinability.evidence.traits import KEY_UNIQUENESS

MUCH_LESS = 0.1
"""A reference whose score is less by more is not taken for the one that is meant."""
CLEARLY = 0.5
"""By so much more score and worth together a join takes the place of one between other tables."""


def asked_reference(join: Join, others: Sequence[Join], worth: Mapping[str, float]) -> Join:
    """Of a join and the other references between its tables the one of greatest score and worth as an answer.

    None takes the place of a pinned or declared one that is not as well founded.
    """
    least = join.score - MUCH_LESS
    alike = [
        other
        for other in others
        if is_other_reference(join, other) and other.score >= least and _founded(other) >= _founded(join)
    ]
    return max([join, *alike], key=lambda one: one.score + worth_of(one, worth))


def asked_forest(forest: Sequence[Join], others: Sequence[Join], worth: Mapping[str, float]) -> tuple[Join, ...]:
    """The joins of a forest, where a reference that answers the question clearly better takes the place of a join that
    it makes superfluous: "who leads the route" joins by `route.lead_tech`, not by where these employees work.

    Its score is not much less, and it is as well founded; tables stay as connected as they were.
    """
    told = list(forest)
    for other in sorted(others, key=lambda one: -worth_of(one, worth)):
        if not other.is_reference or other.conditions in [join.conditions for join in told]:
            continue
        way = _between(told, other.left_table, other.right_table)
        if len(way) == 1:  # which of the references between two tables is meant, `asked_reference` tells
            continue
        spared = [
            join
            for join in way
            if other.score >= join.score - MUCH_LESS
            and _founded(other) >= _founded(join)
            and other.score + worth_of(other, worth) >= join.score + worth_of(join, worth) + CLEARLY
        ]
        if spared:
            told[told.index(min(spared, key=lambda join: join.score + worth_of(join, worth)))] = other
    return tuple(told)


def _between(forest: Sequence[Join], start: str, end: str) -> list[Join]:
    """The joins of a forest on the way between two tables; none where they are not connected."""
    waiting: list[tuple[str, list[Join]]] = [(start, [])]
    for table, way in waiting:
        if table == end:
            return way
        for join in forest:
            if table in (join.left_table, join.right_table) and join not in way[-1:]:
                beyond = join.right_table if table == join.left_table else join.left_table
                waiting.append((beyond, [*way, join]))
    return []


def worth_of(join: Join, worth: Mapping[str, float]) -> float:
    """What the columns of a join are worth as answers, by "db.table.column"."""
    return sum(worth.get(column, 0.0) for column in (join.left, join.right))


def is_other_reference(join: Join, other: Join) -> bool:
    """Whether another column of the same table refers to the same key: both are declared, or the column that they share
    is a key by its values, and the one in which they differ is none."""
    if not (_is_plain(join) and _is_plain(other)) or not (join.is_reference and other.is_reference):
        return False
    if {join.left_table, join.right_table} != {other.left_table, other.right_table}:
        return False
    differing = {other.left, other.right}.difference((join.left, join.right))
    if len(differing) != 1:
        return False
    if join.evidence.get("declared") and other.evidence.get("declared"):
        return True
    child, key = ("left", "right") if other.left in differing else ("right", "left")
    return _is_unique(other, key) and not _is_unique(other, child)


def _is_plain(join: Join) -> bool:
    """Whether one pair of columns is all that a join asks."""
    return len(join.conditions) == 1 and join.where is None


def _founded(join: Join) -> int:
    """How well founded a join is: pinned, declared, or neither."""
    return 2 if join.evidence.get("pinned") else int(bool(join.evidence.get("declared")))


def _is_unique(join: Join, side: str) -> bool:
    share = join.evidence.get(f"uniqueness_{side}")
    return isinstance(share, float) and share >= KEY_UNIQUENESS
