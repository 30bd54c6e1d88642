"""How wide a schema is, beside networkx."""

from __future__ import annotations

import math
from dataclasses import replace

import networkx
import numpy as np
import pytest

from jar.learned.candidates_seen import JOINED, JOINED_BY_NAMES, Candidates
from jar.learned.width import (
    BROAD,
    FEW,
    JOINED_UP,
    LOOSE,
    NARROW,
    SEVERAL,
    SLIM,
    WIDE,
    broad_share,
    loose_share,
    own_words_share,
    wide_share,
)
from tests.jar.sizes.made_candidates import chain, made_candidates, made_odds


def share_between(value: float, low: float, high: float) -> float:
    """0 up to a number, 1 from another on."""
    return min(max((value - low) / (high - low), 0), 1)


def share_of_breadth(columns: list[int]) -> float:
    """By the geometric mean of the columns of tables, each counted as one more, so that none is 0."""
    mean = math.prod(1 + count for count in columns) ** (1 / len(columns)) - 1
    return share_between(mean, SLIM, BROAD)


def of_one_database(seen: Candidates, likeliest: int) -> networkx.Graph:
    """The candidates of the likeliest one's database, and their joins of .5 and more, without rows of .2 and more."""
    inside = [item for item in range(seen.n) if seen.databases[item] == seen.databases[likeliest]]
    return networkx.from_numpy_array(seen.joins >= (JOINED if seen.has_rows else JOINED_BY_NAMES)).subgraph(inside)


def thinned(seed: int, n: int, share: float) -> Candidates:
    """Candidates of which a share of the joins is left, with rows or without."""
    seen = replace(made_candidates(seed, n), has_rows=seed % 2 == 0)
    joins = seen.joins * (np.random.default_rng(seed).uniform(size=(n, n)) < share)
    return replace(seen, joins=np.maximum(joins, joins.T))


@pytest.mark.parametrize("connected", [1, NARROW, NARROW + 3, WIDE - 1, WIDE, WIDE + 4])
def test_it_rises_with_the_tables_that_joins_connect(connected: int) -> None:
    """From 0 to 1 between both limits; of the likeliest table alone, wherever it stands in the chain."""
    seen = chain(30, connected)
    for likeliest in {0, connected - 1}:
        assert wide_share(seen, np.eye(30)[likeliest]) == pytest.approx(share_between(connected, NARROW, WIDE))
    assert wide_share(seen, np.eye(30)[29]) == (1.0 if connected == 30 else 0.0)


@pytest.mark.parametrize("seed", range(6))
def test_the_tables_are_those_of_a_component(seed: int) -> None:
    """By the joins that count between candidates of the database of the likeliest one."""
    seen, odds = thinned(seed, 46, 0.3), made_odds(seed, 46)
    likeliest = int(np.argmax(odds))
    count = len(networkx.node_connected_component(of_one_database(seen, likeliest), likeliest))
    assert wide_share(seen, odds) == pytest.approx(share_between(count, NARROW, WIDE))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [4, 14, 18, 20, 24, 40])
def test_it_rises_with_the_columns_of_the_tables(seed: int, most: int) -> None:
    """By the geometric mean of the columns, and one, of the likeliest one's database; tables may have none."""
    columns = np.random.default_rng(seed).integers(0, most, 30)
    seen, odds = replace(made_candidates(seed, 30), breadth=columns), made_odds(seed, 30)
    likeliest = int(np.argmax(odds))
    graph = of_one_database(seen, likeliest)
    several = share_between(len(networkx.node_connected_component(graph, likeliest)), FEW, SEVERAL)
    expected = share_of_breadth([int(columns[item]) for item in graph]) * several
    assert broad_share(seen, odds) == pytest.approx(expected)


@pytest.mark.parametrize("connected", [1, FEW, FEW + 2, SEVERAL, SEVERAL + 3])
def test_the_columns_of_few_tables_tell_nothing(connected: int) -> None:
    """Of several broad ones they count in full."""
    seen = replace(chain(20, connected), breadth=np.full(20, BROAD))
    assert broad_share(seen, np.eye(20)[0]) == pytest.approx(share_between(connected, FEW, SEVERAL))


@pytest.mark.parametrize("n", [1, FEW, FEW + 2, SEVERAL, 20])
@pytest.mark.parametrize("connected", [1, 2, 5, 8, 14, 20])
def test_it_rises_with_the_broad_tables_that_join_no_other(n: int, connected: int) -> None:
    """By their share of the tables of a database, from 0 to 1 between both limits; few or slim ones tell nothing."""
    connected = min(n, connected)
    alone = (n - connected) / n if connected > 1 else 1.0
    expected = share_between(alone, JOINED_UP, LOOSE) * share_between(n, FEW, SEVERAL)
    seen, odds = chain(n, connected), np.eye(n)[0]
    assert loose_share(replace(seen, breadth=np.full(n, BROAD)), odds) == pytest.approx(expected)
    assert loose_share(replace(seen, breadth=np.full(n, SLIM)), odds) == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(6))
def test_the_tables_that_join_no_other_have_no_edge(seed: int) -> None:
    """Among those of the likeliest one's database, by the joins that count."""
    columns = np.random.default_rng(seed).integers(4, 12, 34)
    seen, odds = replace(thinned(seed, 34, 0.06), breadth=columns), made_odds(seed, 34)
    graph = of_one_database(seen, int(np.argmax(odds)))
    alone = sum(graph.degree[item] == 0 for item in graph) / len(graph)
    expected = share_between(alone, JOINED_UP, LOOSE) * share_between(len(graph), FEW, SEVERAL)
    expected *= share_of_breadth([int(columns[item]) for item in graph])
    assert expected > 0
    assert loose_share(seen, odds) == pytest.approx(expected)


@pytest.mark.parametrize(("named", "share"), [(None, 0.0), ("people", 0.0), ("others", 1.0)])
def test_somebody_whom_no_word_names_is_in_words_of_its_own(named: str | None, share: float) -> None:
    """All words of the question are in names, but where it asks for somebody, maybe in none of a table of people."""
    words, people = np.ones((2, 6)), np.array([1.0, 0.0, 0.5, 0.0, 0.0, 0.0])
    if named == "others":
        words[:, people == 1] = 0.0
    seen = replace(made_candidates(1, 6), words=words, length=2, people=people if named else np.zeros(6))
    assert own_words_share(seen) == share
