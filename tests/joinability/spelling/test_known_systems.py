"""What systems are for whose names stand in front of those of tables."""

from __future__ import annotations

import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.text.spelled_names import spell
from jar.text.texts import column_text, name_text, table_text
from joinability.spelling.known_systems import OF_SHORT, SYSTEMS, purposes
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
