"""Acts in a question, which find what they make."""

from __future__ import annotations

import pandas as pd
import pytest

from jar import Catalog, Index
from jar.text.stop_words import STOP_WORDS, says_ordered


def test_an_act_counts_as_what_it_makes_where_names_have_that_alone() -> None:
    """Orders and shipments; what names have themselves, as `cancelled`, means itself."""
    frames = {
        "shop.orders": pd.DataFrame({"id": [1], "cancelled": [0]}),
        "shop.shipment": pd.DataFrame({"id": [1], "cancel_no": [2]}),
    }
    index = Index.build(Catalog.from_frames(frames), embedder="distilled", progress=False)
    question = "Which were ordered in May, and which shipped, billed and cancelled?"
    asked = index.contents.asked_words(question, STOP_WORDS)
    assert {"order", "shipment"} <= set(asked)
    assert not {"bill", "cancel", "ship"} & set(asked)
    assert (index.contents.words.match_words(asked) > 0).all()


@pytest.mark.parametrize(
    ("question", "bought"),
    [
        ("Which products were ordered by customers in Oslo?", True),
        ("Items ordered from supplier X", True),
        ("What has been ordered by Mr Smith?", True),
        ("List names ordered descending", False),
        ("films ordered from newest to oldest", False),
        ("an ordered list of all pilots", False),
        ("names ordered  in increasing year", False),
        ("results should be ordered by date", False),
    ],
)
def test_what_is_ordered_is_bought_or_put_in_an_order(question: str, bought: bool) -> None:
    """By the words beside it."""
    assert says_ordered(question) is bought
