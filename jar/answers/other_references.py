"""Of several references of one table to another, as of an order to who took it and who approved it, the one meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jar.answers.join import Join
from joinability.evidence.traits import KEY_UNIQUENESS

MUCH_LESS = 0.1
"""A reference whose score is less by more is not taken for the one that is meant."""


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


def worth_of(join: Join, worth: Mapping[str, float]) -> float:
    """What the columns of a join are worth as answers, by "db.table.column"."""
    return sum(worth.get(column, 0.0) for column in (join.left, join.right))


def is_other_reference(join: Join, other: Join) -> bool:
    """Whether another column of the same table refers to the same key: both are declared, or the column that they share
    is a key by its values, and the one in which they differ is none."""
    if len(join.conditions) > 1 or len(other.conditions) > 1 or not (join.is_reference and other.is_reference):
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


def _founded(join: Join) -> int:
    """How well founded a join is: pinned, declared, or neither."""
    return 2 if join.evidence.get("pinned") else int(bool(join.evidence.get("declared")))


def _is_unique(join: Join, side: str) -> bool:
    share = join.evidence.get(f"uniqueness_{side}")
    return isinstance(share, float) and share >= KEY_UNIQUENESS
