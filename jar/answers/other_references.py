"""Of several references of one table to another, as of an order to who took it and who approved it, the one meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jar.answers.join import Join
from joinability.evidence.traits import KEY_UNIQUENESS


def asked_reference(join: Join, others: Sequence[Join], worth: Mapping[str, float]) -> Join:
    """Of a join and the other references between its tables the one of greatest score and worth as an answer."""
    alike = [other for other in others if is_other_reference(join, other)]
    return max([join, *alike], key=lambda one: one.score + worth_of(one, worth))


def worth_of(join: Join, worth: Mapping[str, float]) -> float:
    """What the columns of a join are worth as answers, by "db.table.column"."""
    return sum(worth.get(column, 0.0) for column in (join.left, join.right))


def is_other_reference(join: Join, other: Join) -> bool:
    """Whether another column of the same table refers to the same key."""
    if len(join.conditions) > 1 or len(other.conditions) > 1 or not (join.is_reference and other.is_reference):
        return False
    if {join.left_table, join.right_table} != {other.left_table, other.right_table}:
        return False
    differing = {other.left, other.right}.difference((join.left, join.right))
    side = "left" if other.left in differing else "right"
    share = other.evidence.get(f"uniqueness_{side}")
    return len(differing) == 1 and not (isinstance(share, float) and share >= KEY_UNIQUENESS)
