"""The database of a table in its relevance: as relevant as its best table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar import Catalog, Index, QueryError, Reranker
from jar.tables.relevance import with_databases

SHOP = "CREATE TABLE customer (customer_id INT, city TEXT); CREATE TABLE visit (visit_id INT, customer_id INT);"
BANK = "CREATE TABLE loan (loan_id INT, amount INT); CREATE TABLE visit (visit_id INT, branch TEXT);"
SCORES = st.floats(-1, 2).map(lambda score: round(score, 3))


@given(st.lists(st.tuples(SCORES, st.integers(0, 3), st.booleans()), min_size=1, max_size=12), st.floats(0, 3))
def test_a_table_loses_what_its_database_falls_short(tables: list[tuple[float, int, bool]], weight: float) -> None:
    """Table by table as the formula has it; excluded tables are not the best of anything."""
    scores = np.array([score for score, _, _ in tables])
    databases = np.array([database for _, database, _ in tables])
    excluded = [place for place, (_, _, out) in enumerate(tables) if out]
    found = with_databases(scores, databases, weight, excluded)
    left = [(score, database) for score, database, out in tables if not out]
    for place, (score, database, _) in enumerate(tables):
        own = max((other for other, of in left if of == database), default=None)
        short = 0.0 if own is None else max(other for other, _ in left) - own
        assert found[place] == pytest.approx(score - weight * short)


@given(st.lists(SCORES, min_size=1, max_size=12), st.floats(0, 3))
def test_over_one_database_nothing_changes(scores: list[float], weight: float) -> None:
    """All tables fall short by nothing."""
    given_scores = np.array(scores)
    np.testing.assert_array_equal(with_databases(given_scores, np.zeros(len(scores), dtype=int), weight), given_scores)


@pytest.fixture(scope="module")
def index() -> Index:
    catalog = Catalog.from_ddl(SHOP, database="shop") + Catalog.from_ddl(BANK, database="bank")
    return Index.build(catalog, embedder=lambda texts: np.ones((len(texts), 4)))


def test_tables_of_one_name_follow_their_database(index: Index) -> None:
    """Of two tables named visit, that of the database with customers comes where customers are asked for."""
    question = "the customer of each visit"
    assert set(Reranker(index).rank(question, k=2).tables) == {"shop.customer", "shop.visit"}
    assert set(Reranker(index).rank("the amount of each loan and visit", k=2).tables) == {"bank.loan", "bank.visit"}


def test_the_candidates_of_another_retriever_follow_their_database_too(index: Index) -> None:
    """Scores that a caller gives are moved in the same way; a weight of 0 leaves them."""
    given_candidates = [("shop.customer", 0.9), ("bank.visit", 0.61), ("shop.visit", 0.6), ("bank.loan", 0.1)]

    def chosen(weight: float) -> set[str]:
        reranker = Reranker(index, database=weight)
        return set(reranker.rank("?", k=2, candidates=given_candidates, subqueries=[]).tables)

    assert chosen(0.7) == {"shop.customer", "shop.visit"}
    assert "shop.customer" in chosen(0.0)


@pytest.mark.parametrize("weight", [-0.1, float("nan"), float("inf"), "0.7", True, None])
def test_a_weight_that_is_none_is_said(index: Index, weight: object) -> None:
    """The message names the weight."""
    with pytest.raises(QueryError, match="database is a weight, a number from 0"):
        Reranker(index, database=weight)  # type: ignore[arg-type]
