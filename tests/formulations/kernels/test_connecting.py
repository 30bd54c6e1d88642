"""Proves that connecting sets connect, and those of the Steiner program are smallest: against brute force."""

from __future__ import annotations

import itertools

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations.kernels.tables.connecting import any_connected_set, connecting_set, connection, short_paths


@st.composite
def graphs(draw: st.DrawFn) -> np.ndarray:
    """The join matrix of a random graph of up to eight tables."""
    n = draw(st.integers(1, 8))
    joined = np.zeros((n, n), dtype=bool)
    upper = np.triu_indices(n, 1)
    joined[upper] = draw(st.lists(st.booleans(), min_size=len(upper[0]), max_size=len(upper[0])))
    return joined | joined.T


def is_connected(joined: np.ndarray, items: tuple[int, ...]) -> bool:
    """Whether networkx calls the set connected."""
    return networkx.is_connected(networkx.from_numpy_array(joined).subgraph(items))


@settings(max_examples=150, deadline=None)
@given(graphs(), st.data())
def test_no_smaller_set_connects_the_terminals(joined: np.ndarray, data: st.DataObject) -> None:
    """The set contains the terminals, is connected, and is as small as the smallest by brute force."""
    n = len(joined)
    terminals = data.draw(st.lists(st.integers(0, n - 1), unique=True, min_size=1, max_size=5))
    most = data.draw(st.integers(len(terminals), n))
    sizes = [
        size
        for size in range(len(terminals), n + 1)
        for items in itertools.combinations(range(n), size)
        if set(terminals) <= set(items) and is_connected(joined, items)
    ]
    connected = connecting_set(joined, terminals, most)
    if not sizes or sizes[0] > most:
        assert connected is None
    else:
        assert connected is not None
        assert len(connected) == sizes[0]
        assert set(terminals) <= set(connected)
        assert is_connected(joined, connected)


@settings(max_examples=100, deadline=None)
@given(graphs(), st.data())
def test_a_connected_set_is_found_where_there_is_one(joined: np.ndarray, data: st.DataObject) -> None:
    """Of the right size, with the required tables, connected; or there is none."""
    n = len(joined)
    size = data.draw(st.integers(2, max(2, n)))
    required = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=min(3, size, n)))
    exists = any(
        set(required) <= set(items) and is_connected(joined, items) for items in itertools.combinations(range(n), size)
    )
    connected, impossible = any_connected_set(joined, required, size)
    assert bool(connected) == exists == (not impossible)
    if connected:
        assert len(connected) == size
        assert set(required) <= set(connected)
        assert is_connected(joined, connected)


@pytest.mark.parametrize("length", [2, 5, 9])
def test_the_ends_of_a_path_need_all_of_it(length: int) -> None:
    """On a path the connecting set is the path, and one table less is not enough."""
    path = networkx.to_numpy_array(networkx.path_graph(length)) > 0
    assert connecting_set(path, [0, length - 1], length) == tuple(range(length))
    assert connecting_set(path, [0, length - 1], length - 1) is None


@settings(max_examples=100, deadline=None)
@given(graphs(), st.data())
def test_short_paths_connect_what_can_be_connected(joined: np.ndarray, data: st.DataObject) -> None:
    """There is none exactly where the terminals lie in different components."""
    n = len(joined)
    terminals = data.draw(st.lists(st.integers(0, n - 1), unique=True, min_size=1, max_size=5))
    graph = networkx.from_numpy_array(joined)
    connected = short_paths(joined, terminals)
    assert (connected is not None) == all(networkx.has_path(graph, terminals[0], other) for other in terminals)
    if connected is not None:
        assert set(terminals) <= set(connected)
        assert is_connected(joined, connected)


def test_without_time_a_hard_connection_is_left_open() -> None:
    """Two levels of a star: short paths from its leaves are longer than need be, and the program has no time."""
    spokes = networkx.Graph([(0, spoke) for spoke in range(1, 10)])
    # Each neighbour in a ring of the ends is two steps away over a table of its own, as it is over the hub.
    ring = [(1 + k, 10 + k) for k in range(9)] + [(10 + k, 1 + (k + 1) % 9) for k in range(9)]
    spokes.add_edges_from(ring)
    order = sorted(spokes, key=lambda table: (table == 0, table))
    joined = networkx.to_numpy_array(spokes, nodelist=order) > 0
    terminals = list(range(9))
    assert len(short_paths(joined, terminals) or ()) == 17
    assert connection(joined, terminals, 10, -1.0) == ((), False)
    assert connection(joined, terminals, 10).tables == (*terminals, 18)
    assert connection(joined, terminals, 9) == ((), True)
