"""Layers of tables by their names, and what they say of references without rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from joinability import Catalog, JoinEvidence, default_score
from joinability.evidence.layers import MART, ORDINARY, STAGED, WAREHOUSE, table_layers

EvidenceOf = Callable[[Catalog], JoinEvidence]


@pytest.mark.parametrize(
    ("names", "layers"),
    [
        (
            ["orders", "clients", "stg_orders", "stg_clients", "fct_orders"],
            [ORDINARY, ORDINARY, STAGED, STAGED, ORDINARY],
        ),
        (
            ["orders", "clients", "staging.orders", "orders_stg", "dim_client"],
            [ORDINARY, ORDINARY, STAGED, STAGED, MART],
        ),
        (["orders", "clients", "stg_orders", "dim_client"], [ORDINARY, ORDINARY, ORDINARY, WAREHOUSE]),
        (["stg_a", "stg_b", "int_x", "int_y"], [ORDINARY] * 4),
        (["stage_play", "stage_actor", "play", "theatre"], [ORDINARY] * 4),
        (["int_rates", "bonds", "trades"], [ORDINARY] * 3),
        ([], []),
    ],
)
def test_layers_are_told_by_names(names: list[str], layers: list[int]) -> None:
    """Two staged tables and two of systems make layers; facts are of a warehouse where it has a dimension."""
    assert table_layers(names).tolist() == layers


def test_systems_keep_their_references_without_rows_beside_their_staged_copies(evidence_of: EvidenceOf) -> None:
    """A charge is that of a customer of the same system, by a name without a word for a key."""
    script = """
        CREATE TABLE stripe_customer (id TEXT, email TEXT);
        CREATE TABLE stripe_charge (id TEXT, customer TEXT, amount REAL);
        CREATE TABLE stripe_refund (id TEXT, charge TEXT);
        CREATE TABLE stg_stripe__customers (customer_id TEXT, email TEXT);
        CREATE TABLE stg_stripe__charges (charge_id TEXT, customer_id TEXT, amount REAL);
    """
    evidence = evidence_of(Catalog.from_ddl(script, database="lake"))
    pairs = [
        ("stripe_charge.customer", "stripe_customer.id"),
        ("stripe_refund.charge", "stripe_charge.id"),
        ("stg_stripe__charges.customer_id", "stg_stripe__customers.customer_id"),
        ("stripe_charge.customer", "stg_stripe__customers.customer_id"),
        ("stripe_refund.charge", "stg_stripe__charges.charge_id"),
    ]
    sides = [[evidence.ids.index(f"lake.{pair[side]}") for pair in pairs] for side in (0, 1)]
    scores = default_score(evidence.pairs(*sides), np.zeros(len(pairs), dtype=np.float32))
    assert (scores[:3] > 0.5).all()
    assert (scores[3:] < 0.5).all()
