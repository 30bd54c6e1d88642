"""Proofs for single kernels of the search, compiled as they are and compared with networkx or brute force."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations.kernels.compiled import machine_entries
from formulations.kernels.tables.distances import drop_distant
from formulations.kernels.tables.relaxation import new_relaxed
from formulations.kernels.tables.spanning import new_listed
from formulations.kernels.tables.subtrees import best_subtree, new_subtrees

QUARTERS = st.integers(-8, 12).map(lambda k: k / 4)


def subtree_of(gains, forced, left, right, weights, size, noise):  # type: ignore[no-untyped-def]
    """The set that `best_subtree` finds in a graph of listed joins, empty where it finds none."""
    p = len(gains)
    work, listed = new_subtrees(p, len(left), size), new_listed(len(left))
    relaxed = new_relaxed(p, p, size, np.zeros(p * p))
    for i in range(p):
        relaxed.tables[i], relaxed.gains[i], relaxed.need[i], relaxed.forced[i] = i, gains[i], 0.0, forced[i]
    for e in range(len(left)):
        listed.left[e], listed.right[e] = left[e], right[e]
        relaxed.joins[left[e], right[e]] = relaxed.joins[right[e], left[e]] = weights[e]
    items = np.empty(size, np.int64)
    return items if best_subtree(work, relaxed, listed, len(left), p, noise, items) else items[:0]


def dropped(forced, left, right, size):  # type: ignore[no-untyped-def]
    """What `drop_distant` returns, and the tables that it fixes out."""
    p = len(forced)
    listed, relaxed = new_listed(len(left)), new_relaxed(p, p, size, np.zeros(p * p))
    fixed = np.zeros(p, np.int8)
    for i in range(p):
        relaxed.tables[i], relaxed.forced[i] = i, forced[i]
        fixed[i] = forced[i]
    for e in range(len(left)):
        listed.left[e], listed.right[e] = left[e], right[e]
    number = drop_distant(size, fixed, relaxed, listed, len(left), p, np.empty(p, np.int64))
    return number, fixed


subtree_of, dropped = machine_entries([subtree_of, dropped])


@st.composite
def graphs(draw: st.DrawFn, tree: bool) -> nx.Graph:
    """A forest, or any graph, of at most nine tables, with weights at tables and joins and up to two taken tables."""
    p = draw(st.integers(1, 9))
    pairs = list(combinations(range(p), 2))
    graph = nx.Graph()
    graph.add_nodes_from(range(p))
    if tree:
        ends = [(draw(st.integers(-1, child - 1)), child) for child in range(1, p)]
        pairs = [(parent, child) for parent, child in ends if parent >= 0]
    elif pairs:
        pairs = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=14))
    graph.add_edges_from((i, j, {"weight": draw(QUARTERS)}) for i, j in pairs)
    taken = draw(st.sets(st.integers(0, p - 1), max_size=2))
    for i in range(p):
        graph.nodes[i].update(gain=draw(QUARTERS), forced=int(i in taken))
    return graph


def column(graph: nx.Graph, name: str, kind: type = float) -> np.ndarray:
    """An attribute of the tables."""
    return np.array([graph.nodes[i][name] for i in range(len(graph))], dtype=kind)


def ends_of(graph: nx.Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The joins as arrays."""
    joins = list(graph.edges(data="weight"))
    left, right = (np.array([join[side] for join in joins], dtype=np.int64) for side in (0, 1))
    return left, right, np.array([join[2] for join in joins], dtype=float)


def value_of(graph: nx.Graph, items: Sequence[int]) -> float:
    """Gains and joins of a subtree."""
    inside = graph.subgraph(items)
    return sum(inside.nodes[i]["gain"] for i in inside) + sum(w for _, _, w in inside.edges(data="weight"))


def connected_sets(graph: nx.Graph, size: int) -> list[tuple[int, ...]]:
    """All connected sets of a size with the taken tables."""
    taken = {i for i in graph if graph.nodes[i]["forced"]}
    sets = (items for items in combinations(range(len(graph)), size) if taken <= set(items))
    return [items for items in sets if nx.is_connected(graph.subgraph(items))]


@settings(max_examples=150, deadline=None)
@given(graphs(tree=True), st.integers(1, 6), st.sampled_from([0, 1, 2**40]))
def test_the_best_subtree_is_that_of_brute_force(graph: nx.Graph, size: int, noise: int) -> None:
    """In a forest the dynamic program finds a best connected set with the taken tables, whatever the noise."""
    sets = connected_sets(graph, size)
    items = subtree_of(column(graph, "gain"), column(graph, "forced", np.int64), *ends_of(graph), size, noise)
    subtree = tuple(int(i) for i in items)
    if sets:
        assert subtree in sets
        assert value_of(graph, subtree) == pytest.approx(max(value_of(graph, items) for items in sets))
    else:
        assert subtree == ()


def test_a_taken_table_is_in_the_subtree_whatever_the_others_are_worth() -> None:
    """Where nothing is worth anything, and where a join is worth far more than any table."""
    none = np.empty(0, np.int64)
    assert list(subtree_of(np.zeros(2), np.array([0, 1]), none, none, np.empty(0), 1, 0)) == [1]
    left, right = np.array([0, 2]), np.array([1, 3])
    assert list(subtree_of(np.full(4, 1e-3), np.array([0, 0, 1, 0]), left, right, np.array([1e5, 0.0]), 2, 0)) == [2, 3]


@settings(max_examples=100, deadline=None)
@given(graphs(tree=False), st.integers(1, 6), st.integers(0, 10))
def test_a_subtree_is_a_connected_set(graph: nx.Graph, size: int, noise: int) -> None:
    """In any graph the set is connected, of the size asked for, and has the taken tables."""
    items = subtree_of(column(graph, "gain"), column(graph, "forced", np.int64), *ends_of(graph), size, noise)
    assert len(items) == 0 or tuple(int(i) for i in items) in connected_sets(graph, size)


@settings(max_examples=150, deadline=None)
@given(graphs(tree=False), st.integers(1, 6))
def test_no_table_of_a_connected_set_is_too_far(graph: nx.Graph, size: int) -> None:
    """What is fixed out is in no connected set with the taken tables; where those are too far apart, there is none."""
    left, right, _ = ends_of(graph)
    number, fixed = dropped(column(graph, "forced", np.int64), left, right, size)
    sets = connected_sets(graph, size)
    if number < 0:
        assert not sets
    else:
        assert np.count_nonzero(fixed < 0) == number
        assert all(fixed[i] >= 0 for items in sets for i in items)


def test_what_is_just_in_reach_stays() -> None:
    """On a path with one taken end, K tables reach to the K-th; with both ends taken, all or none."""
    left = np.arange(5)
    number, fixed = dropped(np.array([1, 0, 0, 0, 0, 0]), left, left + 1, 4)
    assert (number, fixed.tolist()) == (2, [1, 0, 0, 0, -1, -1])
    assert dropped(np.array([1, 0, 0, 0, 0, 1]), left, left + 1, 6)[0] == 0
    assert dropped(np.array([1, 0, 0, 0, 0, 1]), left, left + 1, 5)[0] == -1
