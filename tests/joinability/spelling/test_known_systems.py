"""What systems are for whose names stand in front of those of tables."""

from __future__ import annotations

import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.text.spelled_names import spell
from jar.text.texts import column_text, name_text, table_text
from joinability.by_name.key_names import named_references
from joinability.by_name.table_names import TableNames
from joinability.spelling.known_systems import OF_SHORT, SYSTEMS, purposes, sap_names
from joinability.spelling.read_names import read_names
from joinability.spelling.vocabulary import Vocabulary


def test_a_system_has_three_tables() -> None:
    """Two with such a word in front may be of anything; what stands behind another word is no system."""
    few = ["stripe_charge", "stripe_refund", "orders"]
    assert purposes("shop", few) == [(), (), ()]
    assert purposes("shop", [*few, "raw_stripe_payout"]) == [SYSTEMS["stripe"]] * 2 + [(), SYSTEMS["stripe"]]
    assert purposes("shop", ["my_stripe_charge", "my_stripe_refund", "my_stripe_payout"]) == [()] * 3


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_what_systems_are_for_is_told_in_words(name: str) -> None:
    """By prefix and by schema, and by the database, where its name stands for nothing else."""
    titles = [*sorted(OF_SHORT.get(name, ["a", "b"]))[:2], "c"]
    assert purposes("lake", [f"{name}_{title}" for title in titles]) == [SYSTEMS[name]] * 3
    assert purposes("lake", [f"public.{name}_{title}" for title in titles]) == [SYSTEMS[name]] * 3
    assert purposes("lake", [f"{name}.{title}" for title in titles]) == [SYSTEMS[name]] * 3
    assert purposes(name, titles) == [() if name in OF_SHORT else SYSTEMS[name]] * 3
    assert all(word.isalpha() and word.islower() for word in SYSTEMS[name])
    assert len(name) < 5 or Vocabulary.of([]).meaning(name) == (name,)


@pytest.mark.parametrize(
    "titles",
    [
        ["hs_chapter", "hs_heading", "hs_code"],
        ["sf_trees", "sf_permits", "sf_bikes"],
        ["qb_stats", "qb_games", "qb_rating"],
        ["recharge_well", "recharge_event", "recharge_zone"],
    ],
)
def test_names_that_stand_for_other_things_need_two_tables_of_the_system(titles: list[str]) -> None:
    """Customs, a city, football and groundwater."""
    assert purposes("db", titles) == [()] * 3


def test_the_purpose_stands_in_texts_and_not_in_names() -> None:
    """What is shown of a table stays as it is written."""
    frames = {
        f"lake.zendesk_{name}": pd.DataFrame({"id": [1], "subject": ["a"]}) for name in ("tickets", "users", "tags")
    }
    tickets = next(table for table in spell(list(Catalog.from_frames(frames))) if table.table.name == "zendesk_tickets")
    assert name_text(tickets) == "lake help desk zendesk tickets"
    assert column_text(tickets, 1) == "help desk zendesk tickets subject"
    assert table_text(tickets) == "lake.zendesk_tickets(id, subject)"


def test_questions_find_a_system_by_what_it_is_for() -> None:
    """The refunds of the payment provider, and not those of the web shop."""
    frames = {
        f"lake.{system}_{name}": pd.DataFrame({"id": [f"{system}{name}{i}" for i in range(5)], "amount": range(5)})
        for system in ("shopify", "stripe")
        for name in ("refund", "customer", "transaction")
    }
    index = Index.build(Catalog.from_frames(frames), embedder="distilled", progress=False)
    rank = Reranker(index).rank
    assert rank("refunds of the payment provider", 1).tables == ("lake.stripe_refund",)
    assert rank("refunds in the web shop", 1).tables == ("lake.shopify_refund",)


SAP = {
    "MARA": ["MANDT", "MATNR", "ERNAM", "MATKL"],
    "MAKT": ["MANDT", "MATNR", "SPRAS", "MAKTX"],
    "KNA1": ["MANDT", "KUNNR", "LAND1", "NAME1"],
    "VBAK": ["MANDT", "VBELN", "KUNNR", "NETWR"],
    "VBAP": ["MANDT", "VBELN", "POSNR", "MATNR"],
    "T001W": ["MANDT", "WERKS", "NAME1"],
}


def test_names_of_sap_are_read_where_its_tables_are() -> None:
    """Whole, with their digits; fields alone may be those of tables that are called otherwise."""
    titles, columns = read_names([*SAP], [*SAP.values()])
    assert titles == [
        *("material_master", "material_description", "customer_master"),
        *("sales_order_header", "sales_order_item", "plant"),
    ]
    assert columns[3] == ["client", "sales_document_number", "customer_number", "net_value"]
    assert read_names(["stg_sap__vbak", "stg_sap__mara"], [[], []])[0][0].endswith("sales_order_header")
    assert "client" not in read_names(["orders"], [SAP["VBAK"]])[1][0]


def test_tables_of_sap_refer_to_each_other() -> None:
    """Without declared foreign keys, by the keys that follow the client."""
    titles, columns = read_names([*SAP], [*SAP.values()])
    keys = {"MARA": 2, "MAKT": 3, "KNA1": 2, "VBAK": 2, "VBAP": 3, "T001W": 2}
    read = [
        TableNames(title, names, [1] * len(names), names[: keys[name]])
        for name, title, names in zip(SAP, titles, columns, strict=True)
    ]
    told = {
        ([*SAP][one.child[0]], [*SAP][one.parent[0]]): SAP[[*SAP][one.child[0]]][one.child[1]]
        for one in named_references(read)
    }
    assert told == {
        ("MAKT", "MARA"): "MATNR",
        ("VBAK", "KNA1"): "KUNNR",
        ("VBAP", "VBAK"): "VBELN",
        ("VBAP", "MARA"): "MATNR",
    }


def test_the_names_of_sap_are_letters_and_digits() -> None:
    """And their words are in small letters."""
    known = sap_names(["MARA", "VBAK"])
    assert len(known) > 200
    assert all(name.isalnum() and name.islower() for name in known)
    assert all(word.isalnum() and word == word.lower() for words in known.values() for word in words)
