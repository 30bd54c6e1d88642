"""Joins between chosen tables beside the forest: told where they are sure and say something new."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker, Selection
from jar.answers.join import Join
from jar.answers.other_references import asked_forest, asked_reference, is_other_reference
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


@pytest.mark.parametrize("asked", ["approved", "taken"])
@pytest.mark.parametrize("keys", [{"taken_by": "employee", "approved_by": "employee"}, {}])
def test_two_references_to_one_table_are_both_told(keys: dict[str, str], asked: str) -> None:
    """Declared or not: the one that the question names first, and the other as another way to join."""
    number = np.random.default_rng(1).integers(0, 60, (2, 300)) + 700
    taken = pd.DataFrame({"bill_id": range(300), "taken_by": number[0], "approved_by": number[1], "total": 1.5})
    people = pd.DataFrame({"employee_id": range(700, 760), "last_name": [f"name {place}" for place in range(60)]})
    catalog = Catalog.from_frames({"shop.bill": taken, "shop.employee": people})
    tables = [
        replace(
            table,
            foreign_keys=tuple(
                ForeignKey((column,), f"shop.{target}", ("employee_id",)) for column, target in keys.items()
            )
            if table.name == "bill"
            else (),
        )
        for table in catalog
    ]
    index = Index.build(Catalog(tables), embedder="static", progress=False)
    answer = Reranker(index).rank(f"By which employees were the bills {asked}?", k=2)
    (join,), (more,) = answer.joins, answer.more_joins
    other = {"approved": "taken", "taken": "approved"}[asked]
    assert join.condition == f"shop.bill.{asked}_by = shop.employee.employee_id"
    assert more.condition == f"shop.bill.{other}_by = shop.employee.employee_id"
    assert f"or {more.condition}" in str(answer)
    context = answer.to_sql_context()
    assert f"-- bill.{asked}_by = employee.employee_id\n" in context
    assert f"-- bill.{other}_by = employee.employee_id  (another way to join these two tables)\n" in context
    assert f"or {more.condition}" in answer.plan().more_joins[0]


def _join(left: str, right: str, score: float = 1.0, **evidence: object) -> Join:
    """A join of two columns "table.column" of a shop, by evidence."""
    tables = [f"shop.{side.partition('.')[0]}" for side in (left, right)]
    known = {"declared": False, "pinned": False, "many_to_many": False, **evidence}
    return Join(f"shop.{left}", f"shop.{right}", score, known, *tables)


TAKEN = _join("bill.taken_by", "person.id", uniqueness_left=0.2, uniqueness_right=1.0)


@pytest.mark.parametrize(
    ("other", "is_one"),
    [
        (_join("bill.approved_by", "person.id", uniqueness_left=0.2, uniqueness_right=1.0), True),
        (_join("person.id", "bill.approved_by", uniqueness_right=0.2, uniqueness_left=1.0), True),
        (_join("bill.taken_by", "person.login", uniqueness_left=0.2, uniqueness_right=1.0), False),  # another key
        (_join("bill.approved_by", "person.id", uniqueness_left=1.0, uniqueness_right=1.0), False),  # two keys
        (_join("bill.approved_by", "person.id"), False),  # nothing is known of the values
        (_join("bill.approved_by", "person.login", uniqueness_left=0.2, uniqueness_right=1.0), False),
        (_join("order.approved_by", "person.id", uniqueness_left=0.2, uniqueness_right=1.0), False),
        (TAKEN, False),
    ],
)
def test_another_reference_is_of_another_column_to_the_same_key(other: Join, is_one: bool) -> None:
    assert is_other_reference(TAKEN, other) is is_one


def test_declared_references_of_unique_columns_are_such_too() -> None:
    """Each team has a captain and a coach of its own."""
    captain, coach = (_join(f"team.{name}", "person.id", declared=True, uniqueness_left=1.0) for name in ("a", "b"))
    assert is_other_reference(captain, coach)


@pytest.mark.parametrize(
    ("first", "score", "stated", "is_taken"),
    [
        ({}, 0.95, {}, True),
        ({}, 0.89, {}, False),
        ({"pinned": True}, 1.0, {"declared": True}, False),
        ({"declared": True}, 1.0, {}, False),
        ({"declared": True}, 1.0, {"pinned": True}, True),
    ],
)
def test_what_is_asked_for_joins_where_it_is_as_well_founded(
    first: dict[str, bool], score: float, stated: dict[str, bool], is_taken: bool
) -> None:
    """Neither a much smaller score nor a guess in place of what somebody states."""
    shares = {"uniqueness_left": 0.2, "uniqueness_right": 1.0}
    join, other = _join("bill.taken_by", "person.id", **shares, **first), _join("bill.by", "person.id", score, **shares)
    other = replace(other, evidence={**other.evidence, **stated})
    assert asked_reference(join, [other], {"shop.bill.by": 1.0}) is (other if is_taken else join)


@pytest.mark.parametrize(
    ("score", "worth", "stated", "is_taken"),
    [
        (0.94, 1.0, {}, True),
        (0.94, 0.4, {}, False),
        (0.8, 1.0, {}, False),
        (0.94, 1.0, {"declared": True}, False),
    ],
)
def test_what_is_asked_for_connects_in_place_of_another_way(
    score: float, worth: float, stated: dict[str, bool], is_taken: bool
) -> None:
    """Who leads a route of a depot joins by its leader, not by where employees work: clearly asked, about as sure, and
    as well founded."""
    shares = {"uniqueness_left": 0.2, "uniqueness_right": 1.0}
    route = _join("route.depot_id", "depot.id", 0.97, **shares, **stated)
    home = _join("employee.home_id", "depot.id", 0.96, **shares, **stated)
    lead = _join("route.lead_id", "employee.id", score, **shares)
    found = asked_forest([route, home], [route, home, lead], {"shop.route.lead_id": worth})
    assert found == ((route, lead) if is_taken else (route, home))
    assert asked_forest([route], [lead], {"shop.route.lead_id": 1.0}) == (route,)
    other = _join("route.start_id", "depot.code", 0.97, **shares)  # between the same tables another rule decides
    assert asked_forest([route], [other], {"shop.route.start_id": 1.0}) == (route,)


def test_columns_of_two_tables_that_refer_to_a_third_are_no_references_of_each_other() -> None:
    """Orders and invoices of the same customers and goods: one such join connects them, and the other is not told."""
    goods = _table("goods", "goods_id title", {})
    order = _table("order", "order_id customer_id goods_id", {"customer_id": "customer", "goods_id": "goods"})
    invoice = _table("invoice", "invoice_id customer_id goods_id", {"customer_id": "customer", "goods_id": "goods"})
    index = Index.build(Catalog([CUSTOMER, goods, order, invoice]), embedder="static", progress=False)
    answer = Reranker(index).rank("orders and invoices", require=["order", "invoice"], k=2)
    (join,) = answer.joins
    assert answer.more_joins == ()
    assert join.doubt == "many to many: rows multiply"
    assert join.is_verified


def test_of_several_the_least_sure_are_left_out_first() -> None:
    answer = _ranked(CUSTOMER, ORDER, ORDER_INVOICE)
    sure, *_ = answer.more_joins
    several = replace(answer, more_joins=(sure, replace(sure, left="shop.invoice.total", conditions=(), score=0.5)))
    least = several.to_sql_context(max_tokens=len(answer.to_sql_context()), tokenizer=len)
    assert least.partition("-- joins\n")[2] == answer.to_sql_context().partition("-- joins\n")[2]


@pytest.mark.parametrize("key", ["a_ref", "a_id"])
def test_a_column_that_meets_a_key_by_its_name_multiplies_no_rows(key: str) -> None:
    """The other side is declared as the primary key of its table, whatever the names are."""
    ddl = f"CREATE TABLE a (id int PRIMARY KEY, name text); CREATE TABLE b (bid int PRIMARY KEY, {key} int);"
    index = Index.build(Catalog.from_ddl(ddl), embedder="static", progress=False)
    (join,) = Reranker(index).rank("a b", k=2).joins
    assert not join.is_many_to_many
    assert join.is_reference
    assert join.doubt == "names alone, not verified"
