"""The tree distance is a metric, and equals the recursion that defines it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jar.examples import tree_distance as of_trees
from jar.examples.sql_structure import SqlTree, read_structure
from jar.examples.tree_distance import tree_difference, tree_differences, tree_distance

LABELS = st.sampled_from("abc")
TREES = st.recursive(
    LABELS.map(SqlTree),
    lambda trees: st.tuples(LABELS, st.lists(trees, max_size=3).map(tuple)).map(lambda parts: SqlTree(*parts)),
    max_leaves=5,
)


@cache
def brute_force(left: tuple[SqlTree, ...], right: tuple[SqlTree, ...]) -> int:
    """The distance of two forests by the recursion over their last roots: delete, insert, or match them."""
    if not left or not right:
        return sum(tree.size for tree in left + right)
    *before, last = left
    *other_before, other = right
    return min(
        brute_force((*before, *last.children), right) + 1,
        brute_force(left, (*other_before, *other.children)) + 1,
        brute_force(tuple(before), tuple(other_before))
        + brute_force(last.children, other.children)
        + (last.label != other.label),
    )


@settings(deadline=None)
@given(TREES, TREES)
def test_the_distance_is_that_of_the_recursion(left: SqlTree, right: SqlTree) -> None:
    """Zhang and Shasha's tables hold what the recursion over forests defines."""
    assert tree_distance(left, right) == brute_force((left,), (right,))


@settings(deadline=None)
@given(TREES, TREES, TREES)
def test_the_distance_is_a_metric(one: SqlTree, two: SqlTree, three: SqlTree) -> None:
    """0 for equal trees alone, the same both ways, and no way round is shorter."""
    assert (tree_distance(one, two) == 0) == (one == two)
    assert tree_distance(one, two) == tree_distance(two, one)
    assert tree_distance(one, three) <= tree_distance(one, two) + tree_distance(two, three)


@settings(deadline=None)
@given(st.lists(TREES, max_size=4), st.lists(TREES, max_size=4))
def test_many_differences_are_those_of_each_pair(lefts: list[SqlTree], rights: list[SqlTree]) -> None:
    """Comparing equal trees once changes nothing."""
    expected = [[tree_difference(left, right) for right in rights] for left in lefts]
    np.testing.assert_array_equal(tree_differences(lefts, rights), np.reshape(expected, (len(lefts), len(rights))))


def test_a_distance_by_hand() -> None:
    """A condition (where, greater, column, value) is four nodes: that many to insert."""
    without, with_ = (read_structure(sql).tree for sql in ("SELECT a FROM b", "SELECT a FROM b WHERE a > 1"))
    assert tree_distance(without, with_) == 4
    assert tree_difference(without, with_) == 4 / with_.size


def test_without_a_compiler_the_distance_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python counts the same edits."""
    left, right = (read_structure(query).tree for query in ("SELECT a FROM t", "SELECT a, b FROM t WHERE c > 1"))
    compiled = tree_distance(left, right)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(of_trees, "_compiled", of_trees._compiled.__wrapped__)
    assert of_trees._compiled() is of_trees._distance
    assert tree_distance(left, right) == compiled > 0
