"""Names of copies: what a table is a copy of, by the words of its name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from jar.lookalikes.twins import Twins
from joinability.schema import Column, Table

COLUMNS = ("order_id", "client", "amount", "day", "state")


def table(name: str, columns: Sequence[str] = COLUMNS) -> Table:
    """A table of the database shop."""
    return Table("shop", name, [Column(column, "TEXT") for column in columns])


def groups(*names: str) -> set[frozenset[str]]:
    """The names of tables with equal columns that are twins."""
    return {frozenset(names[place] for place in group) for group in Twins.of([table(name) for name in names]).groups}


def left(names: Sequence[str], question: str = "", relevance: Sequence[float] = ()) -> set[str]:
    """The names of the tables that stand behind none."""
    scores = np.array([*relevance, *[0.0] * len(names)][: len(names)])
    behind = Twins.of([table(name) for name in names]).behind(question.split(), scores)
    return {name for place, name in enumerate(names) if place not in behind}


@pytest.mark.parametrize(
    "copy",
    [
        "orders_bkp2021",
        "orders_2021_backup",
        "orders_old2",
        "orders2_old",
        "orders2",
        "orders (1)",
        "orders - Copy (2)",
        "copy of orders",
        "Kopie von orders",
        "Cópia de orders",
        "orders_kopie",
        "orders_copie",
        "orders_sicherung_20210301",
        "orders_alt",
        "orders_oud",
        "orders_respaldo",
        "orders_vecchio",
        "orders_antigo",
        "orders_v2",
        "orders_v2_final",
        "orders__dbt_tmp",
        "_airbyte_raw_orders",
        "tmp_orders_v2",
    ],
)
def test_a_copy_stands_behind_its_original(copy: str) -> None:
    """Whatever its mark is, and wherever it stands; other tables of the database do not matter."""
    names = [copy, "orders", "clients"]
    assert frozenset([copy, "orders"]) in groups(*names)
    assert left(names, relevance=[1, 0, 0]) == {"orders", "clients"}


@pytest.mark.parametrize(
    "names",
    [
        ("orders", "orders_2"),
        ("county", "county_2015"),
        ("events", "events_20210301"),
        ("events", "events_01"),
        ("orders", "order_items"),
        ("orders_v1", "orders_v2"),
        ("orders (1)", "orders (2)"),
        ("orders_alt", "orders_final"),
        ("orders", "orders1", "orders2", "orders3"),
        ("q", "q2"),
    ],
)
def test_numbers_alone_make_no_copy(names: tuple[str, ...]) -> None:
    """They are those of editions and families; and what marks a copy beside an original only needs one."""
    assert groups(*names) == set()


def test_a_doubtful_mark_needs_the_columns_of_both() -> None:
    """A new edition with columns more is none; a table that is called a backup may have fewer."""
    few = COLUMNS[:3]
    assert not Twins.of([table("orders"), table("orders_new", few)]).groups
    assert not Twins.of([table("orders", few), table("orders2")]).groups
    assert Twins.of([table("orders"), table("orders_new")]).groups == ((0, 1),)
    assert Twins.of([table("orders"), table("orders_bkp", few)]).groups == ((0, 1),)


def test_a_history_is_a_copy_where_it_has_the_same_columns() -> None:
    """But for those that tell of the writing and the loading of rows; a question may ask for it."""
    history = table("orders_hist", [*COLUMNS, "load_id", "load_err"])
    told = Twins.of([table("orders", [*COLUMNS, "updated_at"]), history])
    assert told.groups == ((0, 1),)
    assert list(told.behind(["order"], np.zeros(2))) == [1]
    assert list(told.behind(["order", "history"], np.zeros(2))) == [0]
    assert not Twins.of([table("orders"), table("order_history", [*COLUMNS, "valid_from", "valid_to"])]).groups


def test_a_copy_is_that_of_the_longest_name() -> None:
    """Of what is itself no copy: `orders_2021` stays a table of its own, with its backup."""
    assert groups("orders", "orders_2021", "orders_2021_backup") == {frozenset(["orders_2021", "orders_2021_backup"])}
    assert groups("orders", "orders2", "orders2_old") == {frozenset(["orders", "orders2", "orders2_old"])}


def test_of_copies_without_an_original_the_most_relevant_stays() -> None:
    """One of them answers as well as all; copies in another schema are other copies."""
    names = ["products (copy)", "products_old"]
    assert left(names, relevance=[0, 1]) == {"products_old"}
    assert left(names, relevance=[1, 1]) == {"products (copy)"}
    assert left(["a.products_old", "b.products_old"]) == {"a.products_old", "b.products_old"}


def test_a_question_says_the_mark_and_no_number() -> None:
    """Orders of 2021 are not those of a backup that was made then."""
    names = ["orders", "orders_bkp2021", "orders2"]
    assert left(names, "order 2021 2") == {"orders"}
    assert left(names, "bkp order") == {"orders_bkp2021"}
