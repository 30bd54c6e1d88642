"""Damaged names: what they look like, that questions and keys follow, and that names in words undo most of it."""

from __future__ import annotations

import pytest

from benchmarks.data.dataset_form import SPIDER_WEIGHTS, Dataset, Question
from benchmarks.data.wild.damage import (
    damage_names,
    run_short_names_together,
    run_together,
    shorten_names,
    shortened,
    without_vowels,
)
from jar.text.spelled_names import spell
from joinability import Catalog, Column, ForeignKey, Table, TableStatistics


def corpus(database: str) -> Dataset:
    """Two tables with a key and statistics, and a question about both."""
    customers = Table(
        database,
        "CustomerAccount",
        (Column("account_id"), Column("first_name"), Column("city")),
        primary_key=("account_id",),
    )
    orders = Table(
        database,
        "sales_order",
        (Column("order_id"), Column("account_id"), Column("unit_price")),
        foreign_keys=(ForeignKey(("account_id",), customers.id, ("account_id",)),),
        statistics=TableStatistics.of({"row_count": 2, "columns": {"unit_price": {"distinct": 2}}}),
    )
    gold = frozenset(table.id.casefold() for table in (customers, orders))
    question = Question("0", "Which customers bought what?", database, gold, None, "")
    return Dataset("small", Catalog([customers, orders]), (question,), SPIDER_WEIGHTS)


def test_the_kinds_of_damage() -> None:
    """Run together, and without vowels but in short words; a name without letters stays."""
    assert (run_together("sales_order"), run_together("%")) == ("SALESORDER", "%")
    assert without_vowels("CustomerAccount_id") == "CSTMR_ACCNT_ID"


def test_shortened_words_of_a_database_are_always_the_same() -> None:
    """Words of five letters and more are cut, contracted or left, in keys and questions alike; shorter ones stay."""
    kinds = {shortened("department", str(number)) for number in range(50)}
    assert kinds == {"DEP", "DEPA", "DPR", "DPRT", "DEPARTMENT"}
    assert shortened("dept_id") == "DEPT_ID"
    short = shorten_names(corpus("a"))
    customers, orders = short.catalog.tables
    assert short.name == "small-shortened"
    assert orders.foreign_keys[0].target_columns == customers.primary_key == (orders.column_names[1],)
    assert short.questions[0].gold_tables == {customers.id.casefold(), orders.id.casefold()}
    together = run_short_names_together(corpus("a")).catalog.tables
    assert [table.name for table in together] == [table.name.replace("_", "") for table in short.catalog.tables]


@pytest.mark.parametrize("database", ["a", "b", "c", "d", "e", "f", "g"])
def test_questions_and_keys_follow_the_names(database: str) -> None:
    """Gold tables are those of the copy, keys refer to its columns, and the same seed gives the same names."""
    damaged = damage_names(corpus(database))
    customers, orders = damaged.catalog.tables
    assert damaged.questions[0].gold_tables == {customers.id.casefold(), orders.id.casefold()}
    assert orders.foreign_keys[0].target == customers.id
    assert orders.foreign_keys[0].target_columns == customers.primary_key == (customers.column_names[0],)
    assert orders.statistics is not None
    assert set(orders.statistics.columns) == {orders.column_names[2]}
    assert orders.column_names[2] != "unit_price"
    assert [table.id for table in damage_names(corpus(database)).catalog] == [customers.id, orders.id]


@pytest.mark.parametrize("database", ["a", "b", "c", "d", "e", "f", "g"])
def test_words_undo_the_damage(database: str) -> None:
    """The words of the damaged names are those of the names before."""
    before, after = (spell(data.catalog.tables) for data in (corpus(database), damage_names(corpus(database))))
    assert [table.name for table in after] == [table.name for table in before]
    assert [table.columns for table in after] == [table.columns for table in before]


def test_names_stay_apart() -> None:
    """Two columns whose damaged names are one keep theirs."""
    table = Table("x", "t", (Column("unit_price"), Column("unitprice"), Column("UNIT_PRICE_")))
    names = damage_names(Dataset("small", Catalog([table]), (), SPIDER_WEIGHTS)).catalog.tables[0].column_names
    assert len({name.casefold() for name in names}) == 3
