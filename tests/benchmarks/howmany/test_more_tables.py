"""How likely one table more is needed: the fit finds what made its questions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.howmany.more_tables import Needs, fit_more, needs_of
from joinability import Catalog, Column, Table


def test_the_fit_finds_the_weights_that_made_its_questions() -> None:
    """Questions whose number of tables is drawn by equation (4), with no more tables than their database has."""
    rng, weights = np.random.default_rng(5), (-3.0, 2.5, -1.0)
    needs = []
    for _ in range(8000):
        subqueries, tables, needed = int(rng.integers(1, 9)), int(rng.integers(1, 9)), 1
        while needed < tables and rng.random() < expit(weights[0] + weights[1] * np.log1p(subqueries) - needed):
            needed += 1
        needs.append(Needs(needed, subqueries, tables))
    assert fit_more(needs) == pytest.approx(weights, abs=0.2)


def test_questions_are_counted_by_database() -> None:
    """With the sub-queries of the package's own decomposition."""
    tables = [Table("shop", name, [Column("id")]) for name in ("orders", "clients")]
    question = Question("0", "Which clients have orders?", "shop", frozenset({"shop.orders"}), None, "")
    dataset = Dataset("made", Catalog(tables), (question,), SPIDER_WEIGHTS)
    assert needs_of(dataset) == {"shop": [Needs(1, 2, 2)]}
