"""A system beside a warehouse: what never joins across, and what does."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from joinability import Catalog, JoinEvidence
from tests.joinability.scores.pair_scores import pair_score

EvidenceOf = Callable[[Catalog], JoinEvidence]


@pytest.fixture
def evidence(evidence_of: EvidenceOf) -> JoinEvidence:
    """Orders and customers, other tables of the system, and a warehouse of them."""
    days = pd.date_range("2024-01-01", periods=100).strftime("%Y-%m-%d")
    some = [1 + 7 * place % 40 for place in range(200)]
    frames = {
        "shop.customers": pd.DataFrame({"id": range(1, 41), "name": [f"n{place}" for place in range(40)]}),
        "shop.orders": pd.DataFrame(
            {"id": range(1, 201), "customer_id": some, "order_date": [days[place % 90] for place in range(200)]}
        ),
        **{f"shop.other_{name}": pd.DataFrame({"remark": [name]}) for name in "abcdefgh"},
        "shop.dim_date": pd.DataFrame({"date_key": range(1, 101), "full_date": days}),
        "shop.dim_customer": pd.DataFrame({"customer_key": range(1, 41), "customer_id": range(1, 41)}),
        "shop.fact_order": pd.DataFrame({"order_id": range(1, 201), "customer_key": some, "date_key": some}),
    }
    return evidence_of(Catalog.from_frames(frames))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("orders.order_date", "dim_date.full_date"),
        ("fact_order.customer_key", "customers.id"),
    ],
)
def test_some_columns_never_meet(evidence: JoinEvidence, left: str, right: str) -> None:
    """Dates of the system and surrogate keys of the warehouse, though all values are there."""
    assert pair_score(evidence, left, right) == 0
    assert pair_score(evidence, right, left) == 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("dim_customer.customer_id", "customers.id"),
        ("fact_order.customer_key", "dim_customer.customer_key"),
        ("fact_order.date_key", "dim_date.date_key"),
        ("orders.customer_id", "customers.id"),
    ],
)
def test_keys_of_the_system_and_those_within_the_warehouse_join(evidence: JoinEvidence, left: str, right: str) -> None:
    assert pair_score(evidence, left, right) > 0.5


def test_a_few_tables_beside_dimensions_are_facts(evidence_of: EvidenceOf) -> None:
    """Whatever they are called: they join by days, and by surrogate keys."""
    days = pd.date_range("2024-01-01", periods=100).strftime("%Y-%m-%d")
    some = [1 + 7 * place % 40 for place in range(200)]
    frames = {
        "shop.dim_date": pd.DataFrame({"full_date": days, "week": [place // 7 for place in range(100)]}),
        "shop.dim_customer": pd.DataFrame({"id": range(1, 41), "name": [f"n{place}" for place in range(40)]}),
        "shop.sales": pd.DataFrame({"customer_key": some, "full_date": [days[place % 90] for place in range(200)]}),
    }
    evidence = evidence_of(Catalog.from_frames(frames))
    assert pair_score(evidence, "sales.full_date", "dim_date.full_date") > 0.5
    assert pair_score(evidence, "sales.customer_key", "dim_customer.id") > 0.5


def test_without_a_warehouse_nothing_is_apart(evidence_of: EvidenceOf) -> None:
    """A calendar alone is referred to by its days."""
    days = pd.date_range("2024-01-01", periods=100).strftime("%Y-%m-%d")
    frames = {
        "shop.calendar": pd.DataFrame({"day": days, "week": [place // 7 for place in range(100)]}),
        "shop.orders": pd.DataFrame({"id": range(1, 201), "day": [days[place % 90] for place in range(200)]}),
    }
    assert pair_score(evidence_of(Catalog.from_frames(frames)), "orders.day", "calendar.day") > 0.5
