"""Editions that a question asks for together: a set has all of them or none, beside an oracle in loops."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from jar.learned.width import unknown_share
from jar.sizes.candidate_sets import candidate_sets
from jar.sizes.set_model import pool_of
from jar.sizes.set_terms import set_terms
from jar.sizes.together import SPLIT, as_likely_as_the_best, counted_once, groups_split, linked_together
from tests.jar.sizes.made_candidates import made_candidates, made_model, made_odds

TOGETHER = np.array([-1, 0, 1, 0, -1, 1, 0])


def test_editions_asked_for_together_count_as_one_table() -> None:
    """Each has the greatest log-odds of its group, and all of a group count as much as that."""
    odds = np.array([3.0, -1.0, 0.5, 2.0, -4.0, 1.5, 0.0])
    likely = as_likely_as_the_best(odds, TOGETHER)
    assert likely.tolist() == [3.0, 2.0, 1.5, 2.0, -4.0, 1.5, 2.0]
    once = counted_once(likely, TOGETHER)
    assert once[TOGETHER == 0].sum() == pytest.approx(2.0)
    assert once[TOGETHER == 1].sum() == pytest.approx(1.5)
    assert once[TOGETHER < 0].tolist() == [3.0, -4.0]


def test_a_group_is_split_where_some_are_missing() -> None:
    """None, all of one group, some of it, and some of both."""
    sets = np.array([[1, 0, 0, 0, 1, 0, 0], [0, 1, 0, 1, 0, 0, 1], [0, 1, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0, 1]])
    assert groups_split(TOGETHER, sets).tolist() == [0, 0, 1, 2]


def test_editions_asked_for_together_are_linked() -> None:
    """No other pair is, and a stronger join stays."""
    joins = np.zeros((7, 7))
    joins[1, 3] = joins[3, 1] = 0.9
    linked = linked_together(joins, TOGETHER)
    assert linked[1, 3] == 0.9
    assert {(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(linked)), strict=True)} == {
        (1, 3), (1, 6), (3, 6), (2, 5)
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("connected", [False, True])
def test_the_probability_of_a_set_with_editions(seed: int, connected: bool) -> None:
    """Equation (12), in loops over all sets, relative to the likeliest; how likely nothing fits stays."""
    model, log_odds = made_model(seed), made_odds(seed)
    seen = replace(made_candidates(seed), together=TOGETHER)
    distribution = model.distribution(seen, log_odds, connected=connected)
    assert distribution is not None
    weights = model.at(seen, log_odds)
    odds = weights.odds(log_odds, unknown_share(seen))
    groups = [{1, 3, 6}, {2, 5}]
    pool, sets = pool_of(as_likely_as_the_best(odds, TOGETHER)), candidate_sets(7)
    joins = seen.joins.copy()
    for group in () if connected else groups:
        for i in group:
            for j in group - {i}:
                joins[i, j] = max(joins[i, j], 0.3)
    terms = set_terms(replace(seen, joins=joins), pool, sets) @ weights.sets
    scores = {}
    for member, term in zip(sets.member, terms.tolist(), strict=True):
        items = frozenset(pool[member > 0].tolist())
        score = term
        for item in items:
            own = next((group for group in groups if item in group), {item})
            score += max(odds[i] for i in own) / len(own)
        score -= SPLIT * sum(0 < len(group & items) < len(group) for group in groups)
        scores[items] = score
    found = dict(distribution.likeliest(len(scores)))
    some = [(items, chance) for items, chance in found.items() if items]
    first, most = some[0]
    for items, chance in some:
        expected = scores[frozenset(items)] - scores[frozenset(first)]
        assert math.log(chance / most) == pytest.approx(expected, abs=1e-9)
    apart = model.distribution(made_candidates(seed), log_odds, connected=connected)
    assert apart is not None
    assert distribution.nothing == pytest.approx(apart.nothing)
