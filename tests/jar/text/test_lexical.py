"""BM25 over the names of tables: by hand, against bm25s, and at the edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jar import Catalog, Index, QueryError, Reranker
from jar.text.lexical import WordIndex
from joinability.schema import Column, Table


def table(database: str, name: str, *columns: str) -> Table:
    """A table of text columns."""
    return Table(database, name, [Column(column, "TEXT") for column in columns])


TABLES = [
    table("bank", "clients", "client_id", "gender"),
    table("bank", "loan", "loan_id", "amount"),
    table("library", "loans", "book", "dueDate"),
]


def test_a_score_by_hand() -> None:
    """ "gender" is in one table of three: idf = ln(1 + 2.5 / 1.5); all three tables have 6 words."""
    # bank client client client id gender; bank loan loan loan id amount; library loan loan book due date
    idf = math.log(1 + 2.5 / 1.5)
    weights = WordIndex.of(TABLES).weights
    np.testing.assert_allclose(weights("gender")[1], [idf * 1 * 2.5 / (1 + 1.5)])
    idf = math.log(1 + 1.5 / 2.5)
    np.testing.assert_array_equal(weights("loan")[0], [1, 2])
    np.testing.assert_allclose(weights("loan")[1], [idf * 3 * 2.5 / (3 + 1.5), idf * 2 * 2.5 / (2 + 1.5)])


def test_the_best_match_is_one() -> None:
    """Plural and singular, camelCase and snake_case are one word; what nobody asks for is 0."""
    index = WordIndex.of(TABLES)
    np.testing.assert_array_equal(index.match("Which books are due?") > 0, [False, False, True])
    matched = index.match("What gender have the clients with a loan?")
    assert matched[0] == 1 > matched[1] > matched[2] > 0


def test_acronyms_are_found_by_their_words_and_the_other_way_round() -> None:
    """Whichever of the two the names have."""
    short = WordIndex.of([table("erp", "PO_HDR", "po_no"), table("erp", "WO_HDR", "wo_no")])
    long = WordIndex.of([table("erp", "purchase_orders", "number"), table("erp", "work_sites", "number")])
    for index in (short, long):
        for question in ("Which purchase orders are open?", "Which POs are open?", "the state of PO 4711"):
            matched = index.match(question)
            assert matched[0] == 1 > matched[1]


@pytest.mark.parametrize("question", ["", "???", "the of and", "zebra"])
def test_no_shared_word_is_zero(question: str) -> None:
    """Stop words and unknown words match nothing."""
    np.testing.assert_array_equal(WordIndex.of(TABLES).match(question), np.zeros(3))


def test_an_empty_corpus() -> None:
    """No table, no match."""
    assert WordIndex.of([]).match("loan").shape == (0,)


NAMES = ["river", "stone", "forest", "garden", "mountain", "island"]
WORDS = st.sampled_from(["loan", "book", "gender", "city", "price"])


@settings(deadline=None)
@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=6),
    st.lists(WORDS, min_size=1, max_size=4, unique=True),
)
def test_scores_are_those_of_another_implementation(columns: list[list[str]], question: list[str]) -> None:
    """bm25s in the variant with the same idf (Lucene's, without the constant k_1 + 1) gives the same shares."""
    bm25s = pytest.importorskip("bm25s", reason="bm25s is an extra")
    named = [[f"{word}_{number}" for number, word in enumerate(own)] for own in columns]
    tables = [table("d", NAMES[place], *own) for place, own in enumerate(named)]
    texts = [[NAMES[place], NAMES[place], *own] for place, own in enumerate(columns)]
    other = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    other.index(texts, show_progress=False)
    scores = other.get_scores([word for word in question if any(word in text for text in texts)] or ["river"])
    if any(word in text for text in texts for word in question):
        np.testing.assert_allclose(WordIndex.of(tables).match(" ".join(question)), scores / scores.max(), rtol=1e-5)


DDL = "CREATE TABLE clients (client_id INT, gender TEXT); CREATE TABLE loans (loan_id INT, amount INT);"


def blind(texts: list[str]) -> np.ndarray:
    """An embedder to which all texts are the same."""
    return np.ones((len(texts), 4))


def test_words_choose_where_embeddings_are_blind() -> None:
    """With words the loans come first; without them the order of the index decides."""
    index = Index.build(Catalog.from_ddl(DDL, database="bank"), embedder=blind)
    assert Reranker(index).rank("What is the amount of the loans?", k=1).tables == ("bank.loans",)
    wordless = Reranker(index, lexical=0, names=0, relevance="cosine")
    assert wordless.rank("What is the amount of the loans?", k=1).tables == ("bank.clients",)


@pytest.mark.parametrize("weight", [-0.1, float("nan"), float("inf"), "0.2", True, None])
def test_a_weight_that_is_none_is_said(weight: object) -> None:
    """The weight of shared words is a number from 0."""
    index = Index.build(Catalog.from_ddl(DDL, database="bank"), embedder=blind)
    with pytest.raises(QueryError, match="number from 0"):
        Reranker(index, lexical=weight)  # type: ignore[arg-type]
