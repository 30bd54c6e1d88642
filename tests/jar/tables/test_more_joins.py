"""Joins between chosen tables beside the forest: told where they are sure and say something new."""

from __future__ import annotations

import pytest

from jar import Catalog, Index, Reranker, Selection
from joinability import Column, ForeignKey, Table

QUESTION = "customers with orders and invoices"


def _table(name: str, columns: str, keys: dict[str, str]) -> Table:
    """A table whose first column is its key, and whose keys name the tables that they refer to."""
    names = columns.split()
    foreign = [ForeignKey((column,), f"shop.{target}", (f"{target}_id",)) for column, target in keys.items()]
    return Table("shop", name, [Column(column) for column in names], primary_key=names[:1], foreign_keys=foreign)


def _ranked(*tables: Table, **options: str) -> Selection:
    index = Index.build(Catalog(tables), embedder="static", progress=False)
    return Reranker(index).rank(QUESTION, k=len(tables), **options)


CUSTOMER = _table("customer", "customer_id name", {})
ORDER = _table("order", "order_id customer_id", {"customer_id": "customer"})
INVOICE = _table("invoice", "invoice_id customer_id total", {"customer_id": "customer"})
ORDER_INVOICE = _table(
    "invoice", "invoice_id order_id customer_id total", {"order_id": "order", "customer_id": "customer"}
)


def test_a_join_that_closes_a_circle_is_told_beside_the_forest() -> None:
    answer = _ranked(CUSTOMER, ORDER, ORDER_INVOICE)
    assert len(answer.joins) == 2
    (more,) = answer.more_joins
    conditions = {frozenset((join.left, join.right)) for join in (*answer.joins, more)}
    assert conditions == {
        frozenset({"shop.order.customer_id", "shop.customer.customer_id"}),
        frozenset({"shop.invoice.customer_id", "shop.customer.customer_id"}),
        frozenset({"shop.invoice.order_id", "shop.order.order_id"}),
    }
    assert f"also {more.condition}" in str(answer)
    assert answer.to_dict()["more_joins"][0]["condition"] == more.condition
    assert f"{more.condition}: score" in answer.explain()
    assert len(answer.to_sql_context().partition("-- joins\n")[2].splitlines()) == 3


def test_what_follows_from_the_forest_is_not_told() -> None:
    """Order and invoice have equal customers because both refer to them."""
    answer = _ranked(CUSTOMER, ORDER, INVOICE)
    assert len(answer.joins) == 2
    assert answer.more_joins == ()


@pytest.mark.parametrize("tables", [(CUSTOMER, ORDER), (CUSTOMER,)])
def test_without_a_circle_there_is_none(tables: tuple[Table, ...]) -> None:
    assert _ranked(*tables).more_joins == ()


def test_a_short_prompt_does_without_them_before_it_is_too_long() -> None:
    answer = _ranked(CUSTOMER, ORDER, ORDER_INVOICE)
    whole = answer.to_sql_context()
    least = answer.to_sql_context(max_tokens=len(whole) - 40, tokenizer=len)
    assert len(least) <= len(whole) - 40
    assert [least.count(f"-- {join.condition}".replace("shop.", "")) for join in answer.more_joins] == [0]
