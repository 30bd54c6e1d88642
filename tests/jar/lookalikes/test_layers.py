"""Layers: tables of a warehouse that hold one entity, raw and refined, of which an answer holds one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from jar import Catalog, Index, Reranker
from jar.lookalikes.twins import Twins
from jar.tables.problem import BEHIND, with_first_twins
from joinability.schema import Column, Table

WAREHOUSE = {
    "raw_web.customers": "id email country created_at _synced",
    "raw_web.orders": "id customer_id created_at status total _synced",
    "raw_web.order_lines": "id order_id product_id quantity price _synced",
    "raw_pay.charges": "id order_id amount_cents status",
    "staging.stg_web__customers": "customer_id email country created_at",
    "staging.stg_web__orders": "order_id customer_id ordered_at status total",
    "staging.stg_web__order_lines": "order_line_id order_id product_id quantity price",
    "staging.stg_pay__charges": "charge_id order_id amount status",
    "marts.dim_customers": "customer_key email country signup_at",
    "marts.fct_orders": "order_key customer_key order_date_key total",
    "marts.fct_order_lines": "order_line_id order_key product_key quantity price",
    "marts.fct_orders_monthly": "month_no total",
    "marts.dim_customers__dbt_tmp": "customer_key email country signup_at",
}
"""Columns of the tables of a warehouse."""
ENTITIES = [
    {"raw_web.customers", "staging.stg_web__customers", "marts.dim_customers", "marts.dim_customers__dbt_tmp"},
    {"raw_web.orders", "staging.stg_web__orders", "marts.fct_orders"},
    {"raw_web.order_lines", "staging.stg_web__order_lines", "marts.fct_order_lines"},
    {"raw_pay.charges", "staging.stg_pay__charges"},
]


def tables(columns: Mapping[str, str], database: str = "wh") -> list[Table]:
    """Tables of one database."""
    return [Table(database, name, [Column(one) for one in own.split()]) for name, own in columns.items()]


def groups(columns: Mapping[str, str]) -> list[set[str]]:
    """The names of tables that are twins."""
    names = list(columns)
    return [{names[place] for place in group} for group in Twins.of(tables(columns)).groups]


def by_size(sets: Sequence[set[str]]) -> list[list[str]]:
    """Sets in an order of their own."""
    return sorted(map(sorted, sets))


def left(question: str, excluded: Sequence[str] = ()) -> set[str]:
    """The names of the tables of the warehouse that stand behind none."""
    names = list(WAREHOUSE)
    gone = [names.index(name) for name in excluded]
    behind = Twins.of(tables(WAREHOUSE)).behind(question.split(), np.zeros(len(names)), gone)
    return {name for place, name in enumerate(names) if place not in behind}


def test_layers_hold_the_same_entities() -> None:
    """By the words of names but for those of layers and sources, and a share of columns; no aggregate is among them."""
    assert by_size(groups(WAREHOUSE)) == by_size(ENTITIES)


def test_layers_are_told_by_prefixes_alone() -> None:
    """Of one schema, and at the ends of names; a source begins names that are no entities."""
    renamed = {
        "raw_web.": "raw_web_",
        "raw_pay.": "raw_pay_",
        "staging.stg_web__": "stg_web_",
        "staging.stg_pay__": "stg_pay_",
        "marts.": "",
    }

    def short(name: str) -> str:
        start = next(start for start in renamed if name.startswith(start))
        return renamed[start] + name.removeprefix(start)

    found = groups({short(name): own for name, own in WAREHOUSE.items()})
    assert by_size(found) == by_size([set(map(short, entity)) for entity in ENTITIES])
    staged = {"stg_sales": "id shop total", "stg_shops": "id town"}
    ends = groups(staged | {"sales_fact": "sale_sk shop total", "shops_dim": "shop_sk town"})
    assert by_size(ends) == [["sales_fact", "stg_sales"], ["shops_dim", "stg_shops"]]


def test_schemas_may_be_databases() -> None:
    """As DDL has them: the databases of a warehouse are one; another warehouse is none of it."""
    dotted = [name.split(".") for name in WAREHOUSE]
    apart = [
        Table(schema, own, [Column(one) for one in columns.split()])
        for (schema, own), columns in zip(dotted, WAREHOUSE.values(), strict=True)
    ]
    names = list(WAREHOUSE)
    found = [{names[place] for place in group} for group in Twins.of(apart).groups]
    assert by_size(found) == by_size(ENTITIES)
    other = [
        Table(f"{'one' if 'raw' in table.database else 'two'}.{table.database}", table.name, table.columns)
        for table in apart
    ]
    assert not any("raw" in other[place].database for group in Twins.of(other).groups for place in group)


def test_a_table_of_no_layer_is_refined_beside_raw_and_staged_ones() -> None:
    """Where no other tables are; `base` and `source` alone, which are words of names, tell of none."""
    plain = {"customers": "customer_id first_name orders", "orders": "order_id customer_id status amount"}
    staged = {
        "stg_customers": "customer_id first_name",
        "raw_orders": "id user_id status",
        "raw_customers": "id first_name",
        "stg_orders": "order_id user_id status",
    }
    expected = [["customers", "raw_customers", "stg_customers"], ["orders", "raw_orders", "stg_orders"]]
    assert by_size(groups(plain | staged)) == expected
    marts = {"dim_customers": "customer_key first_name", "fct_orders": "order_key status"}
    assert not any("orders" in group for group in groups(plain | staged | marts))
    words = {"base_rates": "id rate day", "base_fees": "id fee day"}
    assert not groups(words | {"rates": "id rate day", "fees": "id fee day"})


@pytest.mark.parametrize(
    "columns",
    [
        {"raw.a": "id x y", "marts.dim_a": "a_key x y"},
        {"marts.dim_a": "id x y", "marts.fct_a": "id x y", "marts.dim_b": "id z", "stg.c": "id q"},
        {"raw.a": "id x y", "raw.b": "id", "marts.dim_a": "id height width weight", "marts.dim_b": "key"},
        {"raw.order_items": "id x y", "raw.orders": "id z", "marts.dim_items": "id x y", "marts.fct_orders": "key w"},
    ],
)
def test_what_is_no_layer(columns: Mapping[str, str]) -> None:
    """One table of each; one layer; other columns; an entity whose name another one begins with."""
    assert not groups(columns)


def test_a_staged_table_is_that_of_the_one_that_it_is_most_like() -> None:
    """Two refined tables of one name are two things."""
    same = {"marts.dim_sale": "sale_key shop kind", "marts.fct_sale": "sale_key shop total day"}
    found = groups(same | {"raw.sales": "id shop total day", "raw.shops": "id town"})
    assert found == [{"marts.fct_sale", "raw.sales"}]


def test_the_most_refined_layer_comes_first() -> None:
    """Then the next, where it is excluded; unless the question says a layer, in short or in full, or a source."""
    first = {"marts.dim_customers", "marts.fct_orders", "marts.fct_order_lines", "marts.fct_orders_monthly"}
    assert left("order of customer") == first | {"staging.stg_pay__charges"}
    assert "staging.stg_web__orders" in left("order", excluded=["marts.fct_orders"])
    assert left("staging order") >= {"staging.stg_web__orders", "staging.stg_web__customers"}
    assert left("raw order").isdisjoint({"marts.fct_orders", "staging.stg_web__orders"})
    assert "raw_pay.charges" in left("raw pay charge")
    assert "staging.stg_pay__charges" in left("charge of pay")


def test_the_first_layer_stands_for_the_others() -> None:
    """It gets the greatest log-odds, and the others lose; tables without layers keep theirs."""
    told = with_first_twins(np.array([-2.0, 1.0, -3.0, 0.5]), np.array([7, 3, 9, 4]), {3: 7, 9: 7, 8: 7, 4: 6})
    assert told.tolist() == [1.0, -2.0 - BEHIND, -3.0 - BEHIND, 0.5]


@pytest.fixture(scope="module")
def index() -> Index:
    """The warehouse, to an embedder that prefers raw tables."""
    return Index.build(
        Catalog(tables(WAREHOUSE)),
        embedder=lambda texts: np.array([[1.0, 0.5] if "raw" in text else [1.0, 0.4] for text in texts]),
    )


def test_an_answer_holds_an_entity_once(index: Index) -> None:
    """And tells of the other layers and copies; a weight of 0 has them all, and a required table comes before them."""
    answer = Reranker(index).rank("total of orders by country of the customer", k=2)
    assert set(answer.tables) == {"wh.marts.fct_orders", "wh.marts.dim_customers"}
    (note,) = answer.notes
    assert note.startswith("other layers and copies of tables are left out: ")
    assert "wh.raw_web.orders, wh.staging.stg_web__orders beside wh.marts.fct_orders" in note
    both = Reranker(index, twin=0).rank("total of orders by country of the customer", k=2)
    assert set(both.tables) != set(answer.tables)
    required = Reranker(index).rank("total of orders", k=2, require=["wh.raw_web.customers"])
    assert set(required.tables) == {"wh.raw_web.customers", "wh.raw_web.orders"}
