"""Questions that ask for somebody, and the tables that hold people."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jar import Index, Reranker
from jar.learned.people import asks_for_somebody, holds_people, names_somebody, people_asked_for
from joinability import Catalog, Column, ForeignKey, Table


@pytest.mark.parametrize(
    "question",
    [
        "Who lives in Leeds?",
        "Whose bills are overdue?",
        "who\u2019s in the Jazz Combo",
        "Show me what was played at the recital, and by whom",
        "List the names of all teachers and who they report to",
        "Is there anyone on staff who can teach the cello?",
        "Which people applied?",
        "names of people without a bill",
        "Whose trip was called off?",
        "Find those who work in Rome",
        "Wer hat zuletzt bestellt?",
        "Con qui\u0065\u0301n vive Ana?",
        "\u2018Who\u2019 lives here?",
        "Name the one who sold the most",
        "Show everyone's names",
        "tell us who paid",
        "WHO BOUGHT CHAIRS",
    ],
)
def test_asks_for_somebody(question: str) -> None:
    assert asks_for_somebody(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many customers who ordered a chair live in Leeds?",
        "the customers to whom we shipped",
        "average price per person",
        "How many people applied?",
        "rooms for 5 people",
        "the number of people who called",
        "Why do people leave?",
        "songs in mp3 and whose length is known",
        "bills that nobody has paid",
        "Can someone tell me the total stock?",
        "WHO guidelines for vaccines",
        "Which parks are open?",
        "",
        "?",
        "WHO_LIST rows",
    ],
)
def test_asks_for_nobody(question: str) -> None:
    assert not asks_for_somebody(question)


@pytest.mark.parametrize(
    ("name", "words", "holds"),
    [
        ("customers", (), True),
        ("shop.vip_customer", (), True),
        ("customer_orders", (), False),
        ("HR_EMPL", (), True),
        ("CUSMST", ("customer", "master"), True),
        ("CLTMST", ("client",), True),
        ("TERTBL", ("teacher",), False),
        ("CUSORD", ("customer", "order"), False),
        ("car_model", (), False),
        ("contract", ("contract", "contractor"), False),
        ("customer_account", (), False),
        ("salary_band", (), False),
        ("children", (), True),
        ("customers_2023", (), True),
        ("users_bak", (), True),
        ("orders_by_user", (), False),
        ("member_info", (), True),
        ("info", (), False),
        ("", (), False),
    ],
)
def test_a_table_holds_people_by_its_name(name: str, words: tuple[str, ...], holds: bool) -> None:
    assert holds_people(Table("shop", name or "x", [Column("id")]), words) is holds


def test_a_table_holds_people_by_two_names_of_theirs() -> None:
    """One name alone may be that of a company."""
    assert holds_people(Table("shop", "KNA1", [Column("FIRSTNAME"), Column("last_name")]))
    assert holds_people(Table("shop", "KNA1", [Column("cust_fname"), Column("cust_lname")]))
    assert not holds_people(Table("shop", "KNA1", [Column("first_name"), Column("FIRST_NAME_2")]))


def test_a_table_names_somebody_in_a_text_that_is_no_key() -> None:
    director = [Column("film"), Column("DIRECTOR_NM", type="VARCHAR(40)")]
    assert names_somebody(Table("shop", "credits", director))
    assert not names_somebody(Table("shop", "credits", director, foreign_keys=[ForeignKey(["DIRECTOR_NM"], "shop.x")]))
    assert not names_somebody(Table("shop", "credits", [Column("director", type="INTEGER"), Column("name", "TEXT")]))


def test_tables_in_any_order() -> None:
    seller = [Column("id"), Column("seller", type="TEXT")]
    columns = {"orders": seller, "customers": seller, "parts": [Column("id")]}
    catalog = Catalog([Table("shop", name, own) for name, own in columns.items()])
    contents = Index.build(catalog, embedder="static", progress=False).contents
    held = {table.name: place for place, table in enumerate(contents.tables)}
    order = np.array([held["parts"], held["customers"], held["orders"]])
    assert people_asked_for(contents, "Who?", order).tolist() == [0, 1, 0.5]
    assert people_asked_for(contents, "What?", order).tolist() == [0, 0, 0]
    assert people_asked_for(contents, "Who?", order[:0]).shape == (0,)


def test_who_is_answered_with_a_table_of_people() -> None:
    """The question names a town, which the table of addresses has, and no customers."""
    towns = ["Bristol", "Leeds", "York"]
    frames = {
        "shop.customer": pd.DataFrame({"id": range(1, 31), "name": [f"Customer {n}" for n in range(30)]}),
        "shop.address": pd.DataFrame(
            {"id": range(101, 131), "customer_id": range(1, 31), "town": [towns[n % 3] for n in range(30)]}
        ),
        "shop.product": pd.DataFrame({"sku": [f"P{n}" for n in range(20)], "price": range(20)}),
    }
    reranker = Reranker(Index.build(Catalog.from_frames(frames), embedder="static", progress=False))
    assert set(reranker.rank("Who lives in Bristol?", "auto").tables) == {"shop.customer", "shop.address"}
    assert set(reranker.rank("How many addresses are in Bristol?", "auto").tables) == {"shop.address"}
