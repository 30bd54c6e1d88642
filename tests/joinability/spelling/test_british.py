"""British and American spellings."""

from __future__ import annotations

import pytest

from jar import Catalog, Index
from jar.text.stop_words import STOP_WORDS
from joinability.spelling.british import other_spelling
from joinability.spelling.common_words import word_ranks


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("licence", "license"),
        ("cheques", "checks"),
        ("colour", "color"),
        ("neighbourhoods", "neighborhoods"),
        ("authorised", "authorized"),
        ("organisation", "organization"),
        ("analysed", "analyzed"),
        ("cancelled", "canceled"),
        ("haemoglobin", "hemoglobin"),
        ("fibre", "fiber"),
    ],
)
def test_each_spelling_has_the_other(british: str, american: str) -> None:
    """In both directions."""
    assert (other_spelling(british), other_spelling(american)) == (american, british)


@pytest.mark.parametrize("word", ["hour", "four", "rise", "seller", "doctor", "order", "filling", "poet", ""])
def test_words_of_one_spelling_have_no_other(word: str) -> None:
    """Though they end as such words do."""
    assert other_spelling(word) == ""


def test_spellings_come_in_pairs() -> None:
    """The other spelling of the other spelling of a common word is the word."""
    for word in word_ranks():
        if other := other_spelling(word):
            assert other_spelling(other) == word


def test_a_question_finds_names_in_the_other_spelling() -> None:
    """And what the names do not have is not added."""
    catalog = Catalog.from_ddl("CREATE TABLE licenses (id INT, colour TEXT); CREATE TABLE repos (id INT, stars INT);")
    index = Index.build(catalog, embedder="distilled")
    assert index.contents.asked_words("Licences by color and centre", STOP_WORDS) == [
        "licence",
        "color",
        "centre",
        "license",
        "colour",
    ]
