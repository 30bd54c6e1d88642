"""How likely one table more is needed: the fit finds what made its questions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from benchmarks.howmany.more_tables import Needs, fit_more


def _drawn(weights: tuple[float, ...], count: int, seed: int) -> list[Needs]:
    """Questions whose number of tables is drawn by equation (5), with no more tables than there are candidates."""
    rng, needs = np.random.default_rng(seed), []
    for _ in range(count):
        subqueries, tables, unknown, needed = int(rng.integers(1, 9)), int(rng.integers(1, 9)), float(rng.random()), 1
        odds = weights[0] + weights[1] * np.log1p(subqueries) + weights[3] * unknown
        while needed < tables and rng.random() < expit(odds + weights[2] * needed):
            needed += 1
        needs.append(Needs(needed, subqueries, unknown, tables))
    return needs


def test_the_fit_finds_the_weights_that_made_its_questions() -> None:
    """All four."""
    weights = (-3.0, 2.5, -1.0, 0.8)
    assert fit_more(_drawn(weights, 12_000, 5)) == pytest.approx(weights, abs=0.2)


def test_a_question_of_weight_two_counts_as_two() -> None:
    """The same weights are fitted."""
    needs = _drawn((-2.0, 1.0, -0.5, 0.5), 400, 7)
    heavy = [one._replace(weight=2.0) for one in needs[:100]]
    assert fit_more([*heavy, *needs[100:]]) == pytest.approx(fit_more([*needs, *needs[:100]]), abs=1e-6)
