"""How wide a schema is, beside networkx."""

from __future__ import annotations

import math
from dataclasses import replace

import networkx
import numpy as np
import pytest

from jar.learned.width import (
    BROAD,
    FEW,
    JOINED,
    JOINED_UP,
    LOOSE,
    NARROW,
    SEVERAL,
    SLIM,
    WIDE,
    broad_share,
    loose_share,
    wide_share,
)
from tests.jar.sizes.made_candidates import chain, made_candidates, made_odds


@pytest.mark.parametrize("connected", [1, NARROW, NARROW + 3, WIDE - 1, WIDE, WIDE + 4])
def test_it_rises_with_the_tables_that_joins_connect(connected: int) -> None:
    """From 0 to 1 between both limits; of the likeliest table alone, wherever it stands in the chain."""
    seen = chain(30, connected)
    expected = min(max((connected - NARROW) / (WIDE - NARROW), 0), 1)
    for likeliest in {0, connected - 1}:
        assert wide_share(seen, np.eye(30)[likeliest]) == pytest.approx(expected)
    assert wide_share(seen, np.eye(30)[29]) == (1.0 if connected == 30 else 0.0)


@pytest.mark.parametrize("seed", range(6))
def test_the_tables_are_those_of_a_component(seed: int) -> None:
    """By joins of .5 and more between candidates of the database of the likeliest one."""
    n = 34
    seen, odds = made_candidates(seed, n), made_odds(seed, n)
    seen = replace(seen, joins=seen.joins * (np.random.default_rng(seed).uniform(size=(n, n)) < 0.2))
    seen = replace(seen, joins=np.maximum(seen.joins, seen.joins.T))
    same = seen.databases == seen.databases[np.argmax(odds)]
    graph = networkx.from_numpy_array((seen.joins >= JOINED) & same[:, None] & same)
    count = len(networkx.node_connected_component(graph, int(np.argmax(odds))))
    assert wide_share(seen, odds) == pytest.approx(min(max((count - NARROW) / (WIDE - NARROW), 0), 1))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [4, 14, 40])
def test_it_rises_with_the_columns_of_the_tables(seed: int, most: int) -> None:
    """By the geometric mean of the columns, and one, of the likeliest one's database; tables may have none."""
    n = 30
    seen, odds = made_candidates(seed, n), made_odds(seed, n)
    columns = np.random.default_rng(seed).integers(0, most, n)
    seen, likeliest = replace(seen, breadth=columns), int(np.argmax(odds))
    inside = [int(columns[item]) for item in range(n) if seen.databases[item] == seen.databases[likeliest]]
    mean = math.prod(1 + count for count in inside) ** (1 / len(inside)) - 1
    same = seen.databases == seen.databases[likeliest]
    graph = networkx.from_numpy_array((seen.joins >= JOINED) & same[:, None] & same)
    several = (len(networkx.node_connected_component(graph, likeliest)) - FEW) / (SEVERAL - FEW)
    expected = min(max((mean - SLIM) / (BROAD - SLIM), 0), 1) * min(max(several, 0), 1)
    assert broad_share(seen, odds) == pytest.approx(expected)


@pytest.mark.parametrize("connected", [1, FEW, FEW + 2, SEVERAL, SEVERAL + 3])
def test_the_columns_of_few_tables_tell_nothing(connected: int) -> None:
    """Of several broad ones they count in full."""
    seen = replace(chain(20, connected), breadth=np.full(20, BROAD))
    expected = min(max((connected - FEW) / (SEVERAL - FEW), 0), 1)
    assert broad_share(seen, np.eye(20)[0]) == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, FEW, FEW + 2, SEVERAL, 20])
@pytest.mark.parametrize("connected", [1, 2, 5, 8, 14, 20])
def test_it_rises_with_the_tables_that_join_no_other(n: int, connected: int) -> None:
    """By their share of the tables of a database, from 0 to 1 between both limits; of few tables it tells nothing."""
    connected = min(n, connected)
    alone, several = (n - connected) / n if connected > 1 else 1.0, (n - FEW) / (SEVERAL - FEW)
    expected = min(max((alone - JOINED_UP) / (LOOSE - JOINED_UP), 0), 1) * min(max(several, 0), 1)
    assert loose_share(chain(n, connected), np.eye(n)[0]) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(6))
def test_the_tables_that_join_no_other_have_no_edge(seed: int) -> None:
    """Among those of the likeliest one's database, by joins of .5 and more."""
    n = 34
    seen, odds = made_candidates(seed, n), made_odds(seed, n)
    seen = replace(seen, joins=seen.joins * (np.random.default_rng(seed).uniform(size=(n, n)) < 0.1))
    seen = replace(seen, joins=np.maximum(seen.joins, seen.joins.T))
    same = seen.databases == seen.databases[np.argmax(odds)]
    graph = networkx.from_numpy_array((seen.joins >= JOINED) & same[:, None] & same)
    inside = np.flatnonzero(same).tolist()
    alone, several = sum(graph.degree[item] == 0 for item in inside), (len(inside) - FEW) / (SEVERAL - FEW)
    share = (alone / len(inside) - JOINED_UP) / (LOOSE - JOINED_UP)
    expected = min(max(share, 0), 1) * min(max(several, 0), 1)
    assert loose_share(seen, odds) == pytest.approx(expected)
