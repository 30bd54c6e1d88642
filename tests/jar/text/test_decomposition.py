"""Decomposition without a model: which chunks a question gives, and what holds for any question."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar.text.decomposition import MAXIMUM, Decomposer, decompose
from jar.text.stop_words import language_words

FILLERS = st.sampled_from(["show", "the", "Which", "of", "and", ",", "?", "1997", "HOW"])
CONTENTS = st.sampled_from(["clients", "credit cards", "loan", "K-12", "élèves", "Prague", "client's"])
QUESTIONS = st.lists(FILLERS | CONTENTS | st.text(max_size=5), max_size=30).map(" ".join)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Which female clients own credit cards and also have loans?",
            ["female clients", "credit cards", "loans"],
        ),
        ("How many male clients in 'Hl.m. Praha' district?", ["male clients", "Hl.m. Praha", "district"]),
        ('List films by "The Director of the Year"', ["films", "The Director of the Year"]),
        ("Which schools are in Fresno County Office of Education?", ["schools", "Fresno County Office of Education"]),
        ("What's the client's loan?", ["client's loan"]),
        ("Don't count K-12 schools before 1997.", ["K-12 schools"]),
        ("Airports, airports and AIRPORTS", ["Airports"]),
        ("students' names and teachers' names", ["students", "names", "teachers"]),
    ],
)
def test_chunks_of_content_words(question: str, expected: list[str]) -> None:
    """Stop words, marks and lone numbers end a chunk; quoted strings and names stay whole; no chunk comes twice."""
    assert decompose(question) == expected


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_has_no_subquery(question: str) -> None:
    """Where there is no text there is no part of it."""
    assert decompose(question) == []


def test_a_question_is_cut_at_the_stop_words_of_its_language() -> None:
    """Those of the language that it has most of, of several where they tie; small letters with accents are no names."""
    assert decompose("Quels clients n'ont pas de facture ?") == ["clients", "facture"]
    assert decompose("Quantité d'articles de l’entrepôt") == ["Quantité", "articles", "entrepôt"]
    assert decompose("Welche Kunden haben ein Konto?") == ["Kunden", "Konto"]
    assert decompose("Montant des factures par client") == ["Montant", "factures", "client"]
    assert decompose("clients de Banco Ágora, últimas épocas") == ["clients", "Banco Ágora", "últimas épocas"]
    assert decompose("der Kunde", frozenset()) == ["der Kunde"]


@pytest.mark.parametrize("question", ["How many are there?", "1997", "?", "list all of them"])
def test_a_question_without_content_words_is_its_own_subquery(question: str) -> None:
    """Something is always looked for, so that the fine term never vanishes."""
    assert decompose(question) == [question]


def test_a_long_question_has_at_most_the_documented_number() -> None:
    """The first MAXIMUM chunks are kept."""
    topics = [f"topic{letter}" for letter in "abcdefghijklmnopqrst"]
    assert decompose(" and ".join(topics)) == topics[:MAXIMUM]


@given(QUESTIONS | st.text())
def test_what_holds_for_any_question(question: str) -> None:
    """Chunks are deterministic, not blank, without surrounding blanks, distinct, few, and stand in the question."""
    chunks = decompose(question)
    assert chunks == decompose(question)
    assert len(chunks) <= MAXIMUM
    assert len({chunk.casefold() for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        assert chunk == chunk.strip() != ""
        assert chunk in question
    assert bool(chunks) == bool(question.strip())


@given(QUESTIONS)
def test_no_stop_word_is_a_chunk(question: str) -> None:
    """A stop word alone is a sub-query only where it is the whole question, or stands between quotes."""
    chunks = decompose(question)
    quoted = {text.strip().casefold() for text in re.findall(r"""(?=['"`]([^'"`]*)['"`])""", question)}
    alone = {chunk.casefold() for chunk in chunks} - quoted
    assert chunks == [question.strip()] or not alone & language_words(question)


@given(st.text(alphabet="abc XYZ.of", min_size=1, max_size=20).filter(str.strip), st.sampled_from(['""', "“”", "``"]))
def test_a_quoted_string_is_a_chunk_of_its_own(inside: str, quotes: str) -> None:
    """Whatever stands between quotes is kept whole, stop words and all."""
    chunks = decompose(f"clients of {quotes[0]}{inside}{quotes[1]} and loans")
    assert inside.strip().casefold() in {chunk.casefold() for chunk in chunks}


def test_a_plain_function_is_a_decomposer() -> None:
    """Any callable from a question to texts serves in place of the default."""

    def by_comma(question: str) -> list[str]:
        return question.split(",")

    decomposer: Decomposer = by_comma
    assert decomposer("client,loan") == ["client", "loan"]
