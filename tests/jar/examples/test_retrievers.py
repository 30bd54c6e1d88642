"""Retrievers of examples: order, ties, what they show, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from jar.errors import JarError, QueryError
from jar.examples import (
    ExampleRetriever,
    ExampleStore,
    LexicalExamples,
    MaskedExamples,
    NearestExamples,
    SkeletonExamples,
    StructureExamples,
    StructureHead,
)
from jar.examples.structure_head import shipped_head
from tests.jar.conftest import toy_embedder

ROWS = [
    ("How many singers are there?", "SELECT COUNT(*) FROM singer"),
    ("How many clubs are there?", "SELECT COUNT(*) FROM club"),
    ("List the name of singers from France.", "SELECT name FROM singer WHERE country = 'France'"),
    ("List the names of clubs in order of age.", "SELECT name FROM club ORDER BY age"),
    ("What is the name of the oldest singer?", "SELECT name FROM singer ORDER BY age DESC LIMIT 1"),
    ("Show each country and its number of singers.", "SELECT country, COUNT(*) FROM singer GROUP BY country"),
]
STORE = ExampleStore([{"question": question, "sql": sql, "database": "concert"} for question, sql in ROWS])
RETRIEVERS = {
    "lexical": LexicalExamples(STORE),
    "nearest": NearestExamples(STORE, toy_embedder),
    "masked": MaskedExamples(STORE, toy_embedder),
    "skeleton": SkeletonExamples(STORE),
    "structure": StructureExamples(STORE),
}


@pytest.fixture(params=sorted(RETRIEVERS))
def retriever(request: pytest.FixtureRequest) -> ExampleRetriever:
    """Each retriever over the same store."""
    return RETRIEVERS[request.param]


def test_order(retriever: ExampleRetriever) -> None:
    """By score from the greatest on, the same every time, alone or among others, and fewer are the first of more."""
    questions = ["How many dogs do we have?", "Names of the pets from Peru", "Which dog is the oldest?"]
    together = retriever.many(questions, 4)
    for question, found in zip(questions, together, strict=True):
        scores = [one.score for one in found]
        assert scores == sorted(scores, reverse=True)
        assert [one.position for one in found] == [one.position for one in retriever(question, 4)]
        assert found[:2] == retriever.many(questions, 2)[questions.index(question)]


def test_what_is_shown(retriever: ExampleRetriever) -> None:
    """Values are masked unless the retriever was told to show them."""
    found = {one.position: one for one in retriever("Names of singers from France", 9)}
    masked = found[2]
    assert (masked.question, masked.sql) == (
        "List the name of singers from _.",
        "SELECT name FROM singer WHERE country = ?",
    )
    assert masked.used == (("singer", ("name", "country")),)


def test_values_on_request() -> None:
    """Question and SQL are as in the store."""
    found = LexicalExamples(STORE, values=True)("List the name of singers from France.", 1)[0]
    assert (found.question, found.sql, found.position) == (*ROWS[2], 2)


def test_equal_scores_keep_the_order_of_the_store() -> None:
    """A question that shares nothing with any gets the first examples."""
    assert [one.position for one in LexicalExamples(STORE)("xyzzy", 3)] == [0, 1, 2]


def test_distinct_skeletons() -> None:
    """Of two counts the one whose question is nearer is told, and the other shape comes later."""
    found = LexicalExamples(STORE, distinct=True)("How many clubs are there now?", 9)
    assert found[0].position == 1
    assert len({one.skeleton for one in found}) == len(found) == 5


@pytest.mark.parametrize(
    ("question", "skeleton"),
    [
        ("How many dogs are there?", "SELECT COUNT(*) FROM t"),
        ("What is the name of the youngest teacher?", "SELECT c FROM t ORDER BY c DESC LIMIT 'v'"),
        ("Show each city and the number of teachers.", "SELECT c, COUNT(*) FROM t GROUP BY c"),
    ],
)
@pytest.mark.parametrize("name", ["skeleton", "structure"])
def test_the_shape_of_the_sql_decides(name: str, question: str, skeleton: str) -> None:
    """Words of another database do not lead astray."""
    assert RETRIEVERS[name](question, 1)[0].skeleton == skeleton


def test_lexical_scores_by_hand() -> None:
    """TF-IDF with smoothed rarity, of words and pairs, as cosines."""
    store = ExampleStore([{"question": "a b", "sql": "SELECT 1"}, {"question": "a c", "sql": "SELECT x FROM y"}])
    shared, rare = 1.0, np.log(3 / 2) + 1
    norm = np.sqrt(shared**2 + 2 * rare**2)
    expected = [[(shared**2 + rare**2) / norm / np.hypot(shared, rare), shared**2 / norm / np.hypot(shared, rare)]]
    np.testing.assert_allclose(LexicalExamples(store).scores(["b zzz a"]), expected)


def test_the_score_of_a_skeleton_is_its_log_odds() -> None:
    """The shares of all skeletons of a store add up to one, but for the little that nearness adds."""
    scores = SkeletonExamples(STORE).scores(["How many dogs are there?"])[0]
    first = {example.skeleton: place for place, example in reversed(list(enumerate(STORE)))}
    assert np.exp(scores[list(first.values())]).sum() == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(("question", "k"), [("", 1), ("  ", 1), ("How many?", 0), ("How many?", 1.5)])
def test_what_is_refused(retriever: ExampleRetriever, question: str, k: int) -> None:
    """An empty question, and a number that is none."""
    with pytest.raises(QueryError):
        retriever(question, k)


def test_a_head_is_read_as_it_was_written(tmp_path) -> None:
    """Half precision moves no score by more than a thousandth of the greatest."""
    head = shipped_head()
    head.save(tmp_path / "head.npz")
    again = StructureHead.load(tmp_path / "head.npz")
    questions, skeletons = [question for question, _ in ROWS], [example.skeleton for example in STORE]
    expected = head.log_odds(questions, skeletons)
    np.testing.assert_allclose(again.log_odds(questions, skeletons), expected, atol=1e-3 * np.abs(expected).max())
    assert again.card == head.card


def test_the_card_tells_where_the_head_comes_from() -> None:
    """What it is fitted on, its licence and its limits; it is small."""
    card = shipped_head().card
    assert {"about", "source", "use", "limits", "settings", "seed", "questions", "databases"} <= set(card)
    assert "CC BY-SA" in card["source"]


@pytest.mark.parametrize("text", [b"", b"nonsense", b"PK\x03\x04"])
def test_files_that_are_no_head(text: bytes, tmp_path) -> None:
    """The error names the file."""
    path = tmp_path / "head.npz"
    path.write_bytes(text)
    with pytest.raises(JarError, match="no structure head"):
        StructureHead.load(path)
    with pytest.raises(JarError, match="no structure head"):
        StructureHead.load(tmp_path / "missing.npz")
