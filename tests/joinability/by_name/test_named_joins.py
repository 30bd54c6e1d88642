"""Joins of tables without rows: what names tell the score, and what it makes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.data.stored_evidence import evidence_of
from joinability import Catalog, JoinEvidence, Table, default_score, edges
from joinability.by_name.named_joins import MOST_SHARED, Heads, shares

SHOP = {
    "customer": "customer_id INT, name TEXT",
    "product": "id INT, title TEXT, price DECIMAL",
    "orders": "id INT, customer_id INT, product_id INT, pct INT, placed DATE",
    "review": "id INT, product_id INT, customer_id INT, stars INT",
}


def of_ddl(tables: dict[str, str], *, types: bool = True) -> JoinEvidence:
    """The evidence on tables of the database d."""
    catalog = Catalog.from_ddl("".join(f"CREATE TABLE {name} ({tables[name]});" for name in tables), database="d")
    if not types:
        catalog = Catalog([_untyped(table) for table in catalog])
    return evidence_of(catalog)


def _untyped(table: Table) -> Table:
    return replace(table, columns=tuple(replace(column, type="") for column in table.columns))


def scored(evidence: JoinEvidence) -> dict[frozenset[str], float]:
    """The score of each pair, without the name of the database."""
    found = edges(evidence, default_score)
    names = [name.removeprefix("d.") for name in evidence.ids]
    pairs = zip(found.left.tolist(), found.right.tolist(), found.score.tolist(), strict=True)
    return {frozenset((names[left], names[right])): score for left, right, score in pairs}


KEYS = [
    ("orders.customer_id", "customer.customer_id"),
    ("orders.product_id", "product.id"),
    ("review.product_id", "product.id"),
    ("review.customer_id", "customer.customer_id"),
]


@pytest.mark.parametrize("types", [True, False])
def test_keys_are_found_with_types_and_without(types: bool) -> None:
    """And nothing else."""
    found = scored(of_ddl(SHOP, types=types))
    assert {pair for pair, score in found.items() if score >= 0.5} == set(map(frozenset, KEYS))


@pytest.mark.parametrize("types", [True, False])
def test_a_short_name_that_is_hardly_that_of_a_table_is_no_reference(types: bool) -> None:
    """A percentage is no product, though its letters are among those of the word."""
    assert scored(of_ddl(SHOP, types=types)).get(frozenset(("orders.pct", "product.id")), 0) < 0.05


def test_types_that_differ_do_not_join() -> None:
    """A number and a text of one name."""
    tables = {"customer": "customer_id INT, name TEXT", "orders": "id INT, customer_id TEXT"}
    assert frozenset(("orders.customer_id", "customer.customer_id")) not in scored(of_ddl(tables))


def test_a_key_to_which_many_refer_is_no_less_of_one() -> None:
    """The name of the key of one table, in many others, is what references look like."""
    few = {"customer": "cust_no INT, name TEXT", "orders": "order_no INT, cust_no INT"}
    many = few | {f"t{number}": f"t{number}_id INT, cust_no INT" for number in range(8)}
    pair = frozenset(("orders.cust_no", "customer.cust_no"))
    assert scored(of_ddl(many))[pair] >= scored(of_ddl(few))[pair] - 0.02


def test_what_leads_after_the_client_is_a_key() -> None:
    """A column that all tables begin with takes nothing from the next one."""
    tables = {"a": "matnr TEXT, x TEXT", "b": "kunnr TEXT, matnr TEXT", "c": "c_id INT, y TEXT", "d": "d_id INT"}
    with_client = {name: f"mandt TEXT, {columns}" for name, columns in tables.items()}
    pair = frozenset(("a.matnr", "b.matnr"))
    assert scored(of_ddl(with_client))[pair] == pytest.approx(scored(of_ddl(tables))[pair], abs=0.05)


def test_copies_in_other_schemas_do_not_make_a_key_a_client_column() -> None:
    """What leads both copies of two tables is no column that nearly all tables have."""
    clients, orders = "client TEXT, town TEXT", "client TEXT, item TEXT"
    shop = {"public.clients": clients, "public.orders": orders, "public.sites": "site TEXT"}
    copies = {name.replace("public", "archive"): columns for name, columns in shop.items() if "sites" not in name}
    pair = frozenset(("public.orders.client", "public.clients.client"))
    assert scored(of_ddl(shop | copies))[pair] == pytest.approx(scored(of_ddl(shop))[pair], abs=0.15)


def test_shares_count_tables_of_the_own_database() -> None:
    """Each name of a table once, `MOST_SHARED` at most; for a key tables of which it is the key."""
    heads = Heads(np.array([0, 0, 0, 1, 0]), np.array([0, 0, 1, 1, 2]), np.array([0, 0, 0, 0, 1]))
    none = np.zeros(5, dtype=np.bool_)
    assert shares(heads, none).tolist() == pytest.approx([np.log10(2) / 2] * 3 + [0, 0])
    key = np.arange(5) == 2
    assert shares(heads, key).tolist() == pytest.approx([np.log10(2) / 2] * 2 + [0, 0, 0])
    many = 3 * MOST_SHARED
    same = np.zeros(many, dtype=np.int64)
    assert shares(Heads(same, np.arange(many), same), same > 0).max() == pytest.approx(1)


def test_columns_without_values_that_many_tables_have_are_spread() -> None:
    """The decimal logarithm of half the number of tables; keys count as others do."""
    tables = {f"t{number}": f"t{number}_id INT, site INT" for number in range(6)} | {"sites": "site INT, town TEXT"}
    evidence = of_ddl(tables)
    spread = dict(zip(evidence.ids, evidence.named.spread.tolist(), strict=True))
    assert spread["d.t0.site"] == spread["d.sites.site"] == pytest.approx(np.log10(7 / 2))
    assert spread["d.t0.t0_id"] == spread["d.sites.town"] == 0
