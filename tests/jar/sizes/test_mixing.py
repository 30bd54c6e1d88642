"""How much the weights for wide schemas count, beside networkx."""

from __future__ import annotations

from dataclasses import replace

import networkx
import numpy as np
import pytest

from jar.learned.candidates_seen import Candidates
from jar.sizes.mixing import JOINED, NARROW, WIDE, wide_share
from jar.sizes.set_model import TERMS
from tests.jar.sizes.made_candidates import made_candidates, made_model, made_odds


def chain(n: int, connected: int) -> Candidates:
    """n candidates of one database, the first of which are a chain."""
    joins = np.zeros((n, n))
    place = np.arange(connected - 1)
    joins[place, place + 1] = joins[place + 1, place] = JOINED
    return replace(made_candidates(1, n), joins=joins, databases=np.zeros(n, dtype=np.int64))


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


@pytest.mark.parametrize("connected", [NARROW, NARROW + 3, WIDE])
def test_all_weights_lie_between_those_of_narrow_and_of_wide_schemas(connected: int) -> None:
    """Equation (8) by hand; without weights for wide schemas the others count everywhere."""
    model, wide = made_model(1), replace(made_model(2), more=np.array([1.0, 2, 3, 4]), held=np.array([5.0, 6.0]))
    seen, odds = chain(26, connected), np.eye(26)[0]
    share = (connected - NARROW) / (WIDE - NARROW)
    found = replace(model, wide=wide).at(seen, odds)
    for group in TERMS:
        mixed = share * getattr(wide, group) + (1 - share) * getattr(model, group)
        np.testing.assert_allclose(getattr(found, group), mixed)
        np.testing.assert_array_equal(getattr(model.at(seen, odds), group), getattr(model, group))


def test_more_tables_are_chosen_from_a_wide_schema() -> None:
    """What lies beyond the sets, and what is held of it, goes by the mixed weights, too."""
    model, odds = made_model(1), np.linspace(2.0, -3.0, 26)
    seen = chain(26, 26)
    certain = replace(model, more=np.array([20.0, 0, 0, 0]), held=np.array([-0.25, 0.0]))
    found = replace(model, wide=certain).distribution(seen, odds)
    assert found is not None
    assert found.beyond == pytest.approx(1 - found.nothing)
    assert found.confidence(range(5)) == pytest.approx(found.beyond / (1 + np.exp(0.25)), abs=1e-6)
