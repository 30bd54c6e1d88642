"""A system beside a warehouse: what never joins across, and what does; and columns that loading keeps for itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, JoinEvidence, default_score
from joinability.evidence.blocks import PairBlock

EvidenceOf = Callable[[Catalog], JoinEvidence]


@pytest.fixture
def evidence(evidence_of: EvidenceOf) -> JoinEvidence:
    """Orders and customers, a warehouse of them, and staged rows with the number of their batch."""
    days = pd.date_range("2024-01-01", periods=100).strftime("%Y-%m-%d")
    some = [1 + 7 * place % 40 for place in range(200)]
    frames = {
        "shop.customers": pd.DataFrame({"id": range(1, 41), "name": [f"n{place}" for place in range(40)]}),
        "shop.orders": pd.DataFrame(
            {"id": range(1, 201), "customer_id": some, "order_date": [days[place % 90] for place in range(200)]}
        ),
        "shop.batches": pd.DataFrame({"id": range(1, 41), "label": [f"b{place}" for place in range(40)]}),
        "shop.dim_date": pd.DataFrame({"date_key": range(1, 101), "full_date": days}),
        "shop.dim_customer": pd.DataFrame({"customer_key": range(1, 41), "customer_id": range(1, 41)}),
        "shop.fact_order": pd.DataFrame({"order_id": range(1, 201), "customer_key": some, "date_key": some}),
        "shop.stg_orders": pd.DataFrame({"order_id": range(1, 201), "_batch_id": some}),
    }
    return evidence_of(Catalog.from_frames(frames))


def score(evidence: JoinEvidence, left: str, right: str) -> float:
    ids = [id_.removeprefix("shop.") for id_ in evidence.ids]
    block = PairBlock(evidence, np.array([ids.index(left)]), np.array([ids.index(right)]))
    return float(default_score(block, np.zeros(1, dtype=np.float32))[0])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("orders.order_date", "dim_date.full_date"),
        ("fact_order.customer_key", "customers.id"),
        ("stg_orders._batch_id", "batches.id"),
    ],
)
def test_some_columns_never_meet(evidence: JoinEvidence, left: str, right: str) -> None:
    """Dates of the system, surrogate keys of the warehouse, numbers of batches: though all values are there."""
    assert score(evidence, left, right) == 0
    assert score(evidence, right, left) == 0


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
    assert score(evidence, left, right) > 0.5


def test_without_a_warehouse_nothing_is_apart(evidence_of: EvidenceOf) -> None:
    """A calendar alone is referred to by its days."""
    days = pd.date_range("2024-01-01", periods=100).strftime("%Y-%m-%d")
    frames = {
        "shop.calendar": pd.DataFrame({"day": days, "week": [place // 7 for place in range(100)]}),
        "shop.orders": pd.DataFrame({"id": range(1, 201), "day": [days[place % 90] for place in range(200)]}),
    }
    assert score(evidence_of(Catalog.from_frames(frames)), "orders.day", "calendar.day") > 0.5
