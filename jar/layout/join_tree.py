"""A forest of joins as trees: each from its best table on, a table below the one that it joins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jar.layout.plan import Plan, PlannedJoin, PlannedTable


class Branch(NamedTuple):
    """A table in its tree.

    Attributes
    ----------
    place : int
        Among the tables of the plan, from 1: the best is 1.
    table : PlannedTable
    depth : int
        Joins between it and the root.
    parent : int
        Position of the branch above it in the list of branches; -1 of a root.
    join : PlannedJoin or None
        That with its parent, which is on the left; None of a root.
    is_last : bool
        Whether no other child of its parent comes after it.
    """

    place: int
    table: PlannedTable
    depth: int = 0
    parent: int = -1
    join: PlannedJoin | None = None
    is_last: bool = True


def join_trees(plan: Plan) -> list[Branch]:
    """The tables of a plan, each tree from its best table downwards; children in the order of the plan.

    O(T log T + J) for T tables and J joins.
    """
    place = {table.id: number for number, table in enumerate(plan.tables, 1)}
    joins: dict[str, list[PlannedJoin]] = {table.id: [] for table in plan.tables}
    for join in plan.joins:
        joins[join.left].append(join)
        joins[join.right].append(join.seen_from(join.right))
    for table in joins:
        joins[table].sort(key=lambda join: place[join.right])
    branches, reached = list[Branch](), set[str]()
    for root in plan.tables:
        if root.id not in reached:
            branches += _grown(plan, joins, place, reached, root, len(branches))
    return branches


def _grown(
    plan: Plan,
    joins: dict[str, list[PlannedJoin]],
    place: dict[str, int],
    reached: set[str],
    root: PlannedTable,
    before: int,
) -> Iterator[Branch]:
    """One tree, depth first; the number of branches `before` it makes positions of parents."""
    stack, count = [Branch(place[root.id], root)], before
    reached.add(root.id)
    while stack:
        branch = stack.pop()
        yield branch
        further = [join for join in joins[branch.table.id] if join.right not in reached]
        reached.update(join.right for join in further)
        children = [
            Branch(place[join.right], plan.tables[place[join.right] - 1], branch.depth + 1, count, join, is_last)
            for join, is_last in zip(further, [*[False] * (len(further) - 1), True], strict=False)
        ]
        stack += reversed(children)
        count += 1
