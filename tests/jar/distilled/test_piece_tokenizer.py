"""The pieces of a text are those of the tokenizer that MiniLM reads with."""

from __future__ import annotations

import random
from typing import Any

import pytest

from jar.distilled.piece_tokenizer import LONGEST, PieceTokenizer, words_of

TEXTS = [
    "flights source airport",
    "Which female clients own credit cards and also have loans?",
    "flight_2.airports(City, AirportCode, AirportName, Country, CountryAbbrev)",
    "",
    " \t\n\r ",
    "?",
    "word " * 255,
    "word " * 5000,
    "x" * 100,
    "x" * 101,
    "x" * 5000,
    "unaffable-ness o'clock 1.5% $3,000 a_b__c",
    "Größe ÉCOLE naïve Ærø İstanbul ΣΊΣΥΦΟΣ straße",
    "数据库 表 列 テーブル 한국어",
    "ქართული العربية עברית हिन्दी",
    "🙂👩‍👩‍👧 ¼ ﬁ ™ Ⅷ ½ x² — “quoted” ‘so’",
    "\x00\x01\u200b\ufeff\u202e con\x0btrol \ufffd \x7f\x85\xa0end",
    "a\u0301e\u0300 \u1e9e \u0130",
]
LETTERS = "abcXYZ019_ .,-()$+`~äßÉŁσΣς日本語кИ\t\n\u200b\u00a0\u2003\ufffd'’“”İ😀한글ﬁ\x7f\x1f"


@pytest.fixture(scope="module")
def reference() -> Any:
    """The tokenizer of the package `tokenizers`, as MiniLM has it."""
    pytest.importorskip("tokenizers", reason="the reference is an extra")
    from jar.minilm.encoder import _tokenizer

    return _tokenizer()


@pytest.fixture(scope="module")
def tokenizer() -> PieceTokenizer:
    """Ours."""
    return PieceTokenizer()


@pytest.mark.parametrize("text", TEXTS, ids=[repr(text[:20]) for text in TEXTS])
def test_pieces_are_those_of_the_reference(text: str, reference: Any, tokenizer: PieceTokenizer) -> None:
    """Blanks, marks, accents, scripts, controls, long words and long texts."""
    assert tokenizer(text) == reference.encode(text).ids[1:-1]


def test_pieces_of_any_string_are_those_of_the_reference(reference: Any, tokenizer: PieceTokenizer) -> None:
    """Ten thousand strings of letters that are easily read wrongly."""
    drawn = random.Random(3)
    texts = ["".join(drawn.choices(LETTERS, k=drawn.randint(0, 24))) for _ in range(10_000)]
    read = reference.encode_batch(texts)
    differing = [text for text, pieces in zip(texts, read, strict=True) if tokenizer(text) != pieces.ids[1:-1]]
    assert differing == []


def test_every_old_character_is_read_as_by_the_reference(reference: Any, tokenizer: PieceTokenizer) -> None:
    """All characters up to U+0600, alone and inside a word; later ones depend on a version of Unicode."""
    texts = [f"ab{chr(code)}cd {chr(code)}" for code in range(0x600) if chr(code).isprintable() or code < 0xA1]
    read = reference.encode_batch(texts)
    assert [tokenizer(text) for text in texts] == [pieces.ids[1:-1] for pieces in read]


def test_a_lone_surrogate_is_no_error(tokenizer: PieceTokenizer) -> None:
    """Names of files may hold bytes that are no text."""
    assert tokenizer("a \ud800 b") == tokenizer("a b")


def test_long_texts_are_cut(tokenizer: PieceTokenizer) -> None:
    """What follows the last piece that is read changes nothing."""
    assert len(tokenizer("a b " * 500)) == LONGEST
    assert tokenizer("a b " * 500) == tokenizer("a b " * 500 + "c")


def test_words_are_in_lower_case_and_marks_alone() -> None:
    """As they are looked up."""
    assert words_of("Client_ID, Größe") == ["client", "_", "id", ",", "große"]
