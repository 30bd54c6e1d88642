"""What is chosen by probabilities is what going through all sets finds."""

from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np
import pytest

from jar import QueryError
from jar.sizes.choosing import SetLimits, _grown, _ways, enough_recall, greatest_f1
from jar.sizes.distribution import SetDistribution
from tests.jar.sizes.made_candidates import made_candidates
from tests.jar.sizes.test_distribution import distribution_of

SEEDS = range(6)
LIMITS = [(7, None, ()), (2, None, ()), (7, 40, ()), (3, 60, ()), (7, None, (1,)), (3, 80, (1, 5))]


def bounds_of(limits: tuple[int, int | None, tuple[int, ...]]) -> SetLimits:
    tables, tokens, required = limits
    return SetLimits(required, tables, tokens, np.array([10.0, 20, 30, 15, 25, 12, 8]))


def allowed(bounds: SetLimits, found: SetDistribution, answer: tuple[int, ...]) -> bool:
    price = sum(bounds.prices[item] for item in answer)
    enough = set(bounds.required) <= set(answer)
    return enough and len(answer) <= bounds.tables and (bounds.tokens is None or price <= bounds.tokens)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_set_has_greater_expected_f1(
    seed: int, limits: tuple[int, int | None, tuple[int, ...]]
) -> None:
    """The chosen set keeps the bounds, and no other one that does is expected to be better."""
    bounds = bounds_of(limits)
    found = distribution_of(seed, bounds.required)
    choice = greatest_f1(found, bounds)
    assert allowed(bounds, found, choice.items)
    expected = found.expected_f1()
    others = [
        expected[row]
        for row in range(len(found.sets))
        if allowed(bounds, found, found.items(row)) and (found.items(row) or found.nothing > 0.5)
    ]
    assert choice.expected == pytest.approx(max(others))


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("recall", [0.3, 0.7, 0.95, 0.999])
def test_no_smaller_set_has_enough_recall(
    seed: int, limits: tuple[int, int | None, tuple[int, ...]], recall: float
) -> None:
    """Among all sets of candidates within the bounds none with fewer tables reaches the recall; where none does, none
    has more of it."""
    bounds = bounds_of(limits)
    found = distribution_of(seed, bounds.required)
    shares = found.shares()
    choice = enough_recall(found, recall, bounds)
    sets = [answer for k in range(1, 8) for answer in combinations(range(7), k) if allowed(bounds, found, answer)]
    reached = {answer: shares[list(answer)].sum() for answer in sets}
    assert choice.expected == pytest.approx(reached[choice.items])
    enough = [answer for answer in sets if reached[answer] >= recall - 1e-9]
    if enough:
        assert len(choice.items) == min(map(len, enough))
        assert choice.expected >= recall - 1e-9
    else:
        assert choice.expected == pytest.approx(max(reached.values()))


@pytest.mark.parametrize("seed", SEEDS)
def test_more_recall_takes_no_fewer_tables(seed: int) -> None:
    """The chosen tables for a greater recall hold those for a smaller one."""
    found = distribution_of(seed)
    before: set[int] = set()
    for recall in np.linspace(0.05, 0.99, 20):
        now = set(enough_recall(found, float(recall), bounds_of((7, None, ()))).items)
        assert before <= now
        before = now


@pytest.mark.parametrize("seed", SEEDS)
def test_sets_that_cannot_be_are_not_chosen(seed: int) -> None:
    """Where sets must be connected, both ways of choosing keep to connected ones."""
    found = distribution_of(seed, connected=True)
    possible = {found.items(row) for row in np.flatnonzero(found.possible).tolist()}
    bounds = bounds_of((7, None, ()))
    assert greatest_f1(found, bounds).items in possible
    for recall in (0.5, 0.9, 0.99):
        choice = enough_recall(found, recall, bounds)
        shares = {items: found.shares()[list(items)].sum() for items in possible if items}
        assert choice.items in shares
        enough = [items for items, share in shares.items() if share >= recall - 1e-9]
        if enough:
            assert len(choice.items) == min(map(len, enough))
        else:
            assert choice.expected == pytest.approx(max(shares.values()))


@pytest.mark.parametrize("budget", [None, 60])
@pytest.mark.parametrize("tables", [7, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_connected_sets_grow_along_joins_until_they_hold_enough(seed: int, tables: int, budget: int | None) -> None:
    """Connected, within the limits, and never less recall than the best connected set of four has; where all
    candidates together are connected and may be chosen, any recall is reached."""
    found, joined = distribution_of(seed, connected=True), made_candidates(seed).joins > 0
    graph, before = networkx.from_numpy_array(joined), 0.0
    bounds = bounds_of((tables, budget, ()))
    for recall in (0.5, 0.9, 0.99, 0.9999):
        choice = enough_recall(found, recall, bounds._replace(joined=joined))
        assert networkx.is_connected(graph.subgraph(choice.items))
        assert allowed(bounds, found, choice.items)
        assert choice.expected == pytest.approx(found.shares()[list(choice.items)].sum())
        assert choice.expected >= min(enough_recall(found, recall, bounds).expected, recall) - 1e-9
        assert choice.expected >= before - 1e-9
        before = choice.expected
        if tables == 7 and budget is None and networkx.is_connected(graph):
            assert choice.expected >= recall - 1e-9


def test_a_way_may_lead_over_a_table_that_is_hardly_needed() -> None:
    """From the only required table over a bridge; what nothing joins is not reached."""
    joined = np.zeros((5, 5), dtype=np.bool_)
    for one, two in ((0, 1), (1, 2), (2, 3)):
        joined[one, two] = joined[two, one] = True
    assert sorted(_ways([0], joined)) == [[1], [1, 2], [1, 2, 3]]
    shares = np.array([0.3, 0.0, 0.4, 0.1, 0.2])
    limits = SetLimits((0,), 5, None, np.zeros(5), joined)
    assert _grown([0], joined, shares, 0.6, limits) == [0, 1, 2]
    assert _grown([0], joined, shares, 0.95, limits) == [0, 1, 2, 3]
    assert _grown([0], joined, shares, 0.95, limits._replace(tables=2)) == [0, 1]


@pytest.mark.parametrize("required", [(), (2,)])
def test_a_budget_below_every_table_is_refused(required: tuple[int, ...]) -> None:
    """The error tells the price of the cheapest choice."""
    bounds = bounds_of((7, 5, required))
    found = distribution_of(0, required)
    for choose in (lambda: greatest_f1(found, bounds), lambda: enough_recall(found, 0.9, bounds)):
        with pytest.raises(QueryError, match=r"take.* about (8|30) tokens"):
            choose()


@pytest.mark.parametrize("connected", [False, True])
def test_a_candidate_within_the_budget_is_chosen_wherever_it_stands(*, connected: bool) -> None:
    """Though it is none of the ten that sets are made of, nor of the first twelve."""
    found = distribution_of(3, connected=connected, n=16)
    order = np.argsort(-found.shares(), kind="stable").tolist()
    assert order[-1] not in found.pool.tolist()
    prices = np.full(16, 100.0)
    prices[order[-2:]] = 9.0, 10.0
    bounds = SetLimits((), 16, 12, prices)
    chosen = greatest_f1(found, bounds).items
    assert chosen == (max(order[-2:], key=lambda item: found.presence[item]),)
    assert enough_recall(found, 0.9, bounds).items in {(order[-2],), chosen}
