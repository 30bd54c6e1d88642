"""Values that stop words would cut stay whole in the sub-queries of a question."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.text.decomposition import phrase_spans
from jar.values.known_values import Mention
from jar.values.whole_values import with_whole_values
from tests.jar.conftest import toy_embedder


@pytest.fixture(scope="module")
def shop() -> Reranker:
    """Products and roles whose names have stop words in them."""
    frames = {
        "shop.products": pd.DataFrame({"id": range(4), "title": ["Summit Down Jacket", "Tent", "Rope", "Stove"]}),
        "shop.roles": pd.DataFrame({"id": range(3), "name": ["read only", "support lead", "owner"]}),
        "shop.sales": pd.DataFrame({"id": range(8), "product_id": [0, 1, 2, 3] * 2, "amount": range(8)}),
    }
    return Reranker(Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False))


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who bought a Summit Down Jacket?", ["bought", "Summit Down Jacket"]),
        ("who has the role read only", ["role", "read only"]),
        ("Sales of the summit down jacket in June", ["Sales", "summit down jacket", "June"]),
        ("Who bought a tent?", ["bought", "tent"]),
        ("Who bought 'Summit Down Jacket'?", ["bought", "Summit Down Jacket"]),
    ],
)
def test_a_value_is_one_sub_query(shop: Reranker, question: str, parts: list[str]) -> None:
    """What stands beside it in a run of words is a sub-query of its own, without the stop words at its ends."""
    assert shop.rank(question, k=2).to_dict()["subqueries"] == parts


def test_the_sub_queries_of_a_caller_stay(shop: Reranker) -> None:
    """And so do those of another decomposer."""
    question = "Who bought a Summit Down Jacket?"
    given = shop.rank(question, k=2, subqueries=["Summit", "Jacket"])
    assert given.to_dict()["subqueries"] == ["Summit", "Jacket"]
    other = Reranker(shop.index, decomposer=lambda text: text.split()[:2])
    assert other.rank(question, k=2).to_dict()["subqueries"] == ["Who", "bought"]


def test_values_that_do_not_count_keep_nothing_whole(shop: Reranker) -> None:
    """With `value=0` a question is cut at its stop words alone."""
    without = Reranker(shop.index, value=0).rank("Who bought a Summit Down Jacket?", k=2)
    assert without.to_dict()["subqueries"] == ["bought", "Summit", "Jacket"]


def test_phrases_without_a_cut_value_stay() -> None:
    """A value within one phrase, words within longer values and what is part of a longer word change nothing."""
    question = "Which red tents have thread only?"
    spans = phrase_spans(question)
    column = np.array([0])
    same = [Mention("red tents", column), Mention("read only", column), Mention("tents have", column, 0.3, "word")]
    assert with_whole_values(question, spans, same) == spans
