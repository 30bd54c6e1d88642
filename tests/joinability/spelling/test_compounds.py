"""Short forms that run together: read where something is known of their beginning, or the database repeats it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joinability.spelling.common_words import word_ranks
from joinability.spelling.compounds import LEAST_HEAD, MOST, REPEATED, TAILS, heads_and_tails, repeated_heads
from joinability.spelling.vocabulary import Vocabulary

HOUSING = Vocabulary.of(
    "tncmst tncno tncsts fltmst flatno bldmst bldnr building_no tenant tntmst tntnm duedt apprdt fstcd fsttx".split()
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("TNCNO", "tnc no"),
        ("tncsts", "tnc status"),
        ("bldnr", "building number"),
        ("TNTMST", "tenant master"),
        ("flatno", "flat no"),
        ("duedt", "due date"),
        ("apprdttm", "approval datetime"),
        ("fsttx", "first text"),
        ("xqzdt", "xqzdt"),
        ("pseudonymid", "pseudonym id"),
        ("formid", "form id"),
    ],
)
def test_names_in_short_in_words(name: str, expected: str) -> None:
    """By what the database says itself, by the lists, and by what it repeats."""
    assert " ".join(HOUSING.words(name)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("DPTTAB", "department table"),
        ("PORTTAB", "port table"),
        ("ORDHD", "order header"),
        ("CUSMAS", "customer master"),
        ("QRYARC", "query archive"),
    ],
)
def test_tables_end_with_what_they_are(name: str, expected: str) -> None:
    assert " ".join(Vocabulary.of([name, "customer", "order", "query"]).words(name)) == expected


def test_what_is_said_once_is_no_word() -> None:
    """Letters of which nothing is known are one where two endings follow them, or they stand alone."""
    assert Vocabulary.of(["zqkcd"]).words("zqkcd") == ["zqkcd"]
    assert Vocabulary.of(["zqkcd", "zqkdt"]).words("zqkcd") == ["zqk", "code"]
    assert Vocabulary.of(["zqkcd", "zqk_sum"]).words("zqkcd") == ["zqk", "code"]


def test_clinical_names_are_english() -> None:
    """Names of which most are English words with such endings are no other language."""
    names = "apprdt awareusr blindcd blockno chairnm coldfl dispdt duedt errtxt expectfl formcd formid itmcd keytxt"
    assert Vocabulary.of(names.split()).english


@given(st.text("abcdnmtyp", max_size=MOST + 2))
def test_a_cut_leaves_a_beginning_and_an_ending(part: str) -> None:
    """All endings that a part has are found, the longest first."""
    found = list(heads_and_tails(part))
    assert all(head + tail == part and tail in TAILS for head, tail in found)
    ends = [tail for tail in TAILS if part.endswith(tail) and len(part) - len(tail) >= LEAST_HEAD]
    assert [tail for _, tail in found] == sorted(ends if len(part) <= MOST else [], key=len, reverse=True)


@given(st.lists(st.sampled_from(["tncno", "tncmst", "tnc", "fstcd", "fsttx", "odno", "lvltx"]), max_size=7))
def test_repeated_beginnings_are_counted(parts: list[str]) -> None:
    """Each has as many endings as a count by hand finds; standing alone is one of them."""
    heads = {part[:length] for part in parts for length in range(1, len(part) + 1)}
    endings = {head: {part.removeprefix(head) for part in parts if part.startswith(head)} for head in heads}
    known = {head: found & (TAILS.keys() | {""}) for head, found in endings.items()}
    expected = {head for head, found in known.items() if len(found) >= REPEATED and len(head) >= LEAST_HEAD}
    assert repeated_heads(parts) == expected


def test_the_endings_are_words() -> None:
    """Each stands for a word of English, and two letters at least."""
    assert all(len(tail) > 1 and TAILS[tail] in word_ranks() for tail in TAILS)
