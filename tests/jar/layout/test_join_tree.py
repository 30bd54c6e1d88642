"""Trees of joins: each table once, below one that it joins, each tree from its best table."""

from __future__ import annotations

import random

import pytest

from jar.layout.join_tree import join_trees
from jar.layout.plan import Plan, PlannedJoin, PlannedTable


@pytest.mark.parametrize("seed", range(20))
def test_a_forest_becomes_its_trees(seed: int) -> None:
    """All tables and joins of a random forest are there, parents before children, turned so that the parent is left."""
    dice = random.Random(seed)
    tables = tuple(PlannedTable(f"t{n}", 1.0) for n in range(dice.randint(1, 25)))
    joins = []
    for number in range(1, len(tables)):
        if dice.random() < 0.8:
            ends = [tables[number].id, tables[dice.randrange(number)].id]
            dice.shuffle(ends)
            joins.append(PlannedJoin(ends[0], ends[1], ((f"of_{ends[0]}", f"of_{ends[1]}"),), 0.5))
    shuffled = dice.sample(tables, len(tables))
    branches = join_trees(Plan("", tuple(shuffled), tuple(joins)))
    assert sorted(branch.table.id for branch in branches) == sorted(table.id for table in tables)
    assert sum(branch.join is not None for branch in branches) == len(joins)
    for position, branch in enumerate(branches):
        assert shuffled[branch.place - 1] == branch.table
        if branch.join is None:
            assert (branch.parent, branch.depth) == (-1, 0)
            continue
        above = branches[branch.parent]
        assert branch.parent < position
        assert (branch.join.left, branch.join.right) == (above.table.id, branch.table.id)
        assert branch.join.pairs == ((f"of_{above.table.id}", f"of_{branch.table.id}"),)
        assert branch.depth == above.depth + 1
        assert branch.is_last == all(other.parent != branch.parent for other in branches[position + 1 :])
