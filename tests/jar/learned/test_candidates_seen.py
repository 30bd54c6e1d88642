"""What is seen of candidates of a real index: their values, and what these mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.learned.candidates_seen import Candidates
from jar.tables.meant import values_near
from jar.tables.query import Ask, Limits
from jar.tables.table_ranker import TableRanker

FRAMES = {
    "shop.orders": pd.DataFrame({"order_id": range(9), "state_id": [1, 2, 3] * 3}),
    "shop.state": pd.DataFrame({"id": [1, 2, 3], "label": ["Returned by the customer", "Shipped", "Cancelled"]}),
    "shop.pay": pd.DataFrame({"id": [1, 2], "kind": ["cash", "credit card"]}),
}


def seen_of(catalog: Catalog, question: str) -> tuple[Candidates, list[str]]:
    """What the model sees of the tables of a catalog, and their ids."""
    index = Index.build(catalog, embedder="distilled", progress=False)
    ranker = Reranker(index)._ranker()
    assert isinstance(ranker, TableRanker)
    (asked,) = ranker.read([Ask(question)])
    problem = ranker.problem(asked, 2, 20, Limits())
    assert problem.judged is not None
    np.testing.assert_array_equal(problem.judged.seen.near, values_near(index.contents, asked, problem.tables))
    return problem.judged.seen, [index.contents.tables[table].id for table in problem.tables.tolist()]


def test_the_question_and_its_phrases_are_near_to_values() -> None:
    """A row for the question, first, and one for each phrase; tables without words in their values have 0."""
    seen, ids = seen_of(Catalog.from_frames(FRAMES), "Which orders were sent back, and paid by card?")
    assert len(seen.near) >= 3
    best = {name: seen.near[:, place].max() for place, name in enumerate(ids)}
    assert best["shop.orders"] == 0
    assert min(best["shop.state"], best["shop.pay"]) > 0.4


def test_without_values_nothing_is_near() -> None:
    """And no phrase is read."""
    numbers = {"shop.a": pd.DataFrame({"x": [1, 2]}), "shop.b": pd.DataFrame({"y": [1, 2]})}
    seen, _ = seen_of(Catalog.from_frames(numbers), "Which orders were sent back?")
    assert seen.near.shape == (0, 2)


@pytest.mark.parametrize(("filled", "known"), [(3, True), (1, False), (0, False)])
def test_rows_are_known_where_most_columns_have_values(filled: int, known: bool) -> None:
    frames = {name: frame if place < filled else frame.head(0) for place, (name, frame) in enumerate(FRAMES.items())}
    seen, _ = seen_of(Catalog.from_frames(frames), "Which orders were sent back?")
    assert seen.has_rows is known
