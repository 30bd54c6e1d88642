"""Names as words and trigrams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joinability.names import endings, header_words, name_words, prefix_free, spelled_out, trigrams, without_s


@pytest.mark.parametrize("name", ["StudentID", "student_id", "student id", "Student-ID", "student.Id", "STUDENT_ID"])
def test_spellings_of_a_name_have_the_same_words(name: str) -> None:
    """Separators and camelCase make no difference."""
    assert name_words(name) == ("student", "id")


def test_words_of_other_scripts_are_kept() -> None:
    """Letters need not be Latin; a name without letters has no words."""
    assert name_words("Größe_名前") == ("größe", "名前")
    assert name_words("%_$") == ()


def test_a_generic_name_is_qualified_by_its_table() -> None:
    """An "id" is that of its table, a "student_id" is its own."""
    assert header_words("id", "Students") == header_words("student_id", "loans") == ("student", "id")
    assert header_words("name", "ship") != header_words("name", "battle")


@given(st.text(max_size=8))
def test_every_text_has_trigrams(text: str) -> None:
    """Even the empty text has one, so that no norm is zero; each has at most three letters."""
    found = trigrams(text)
    assert found
    assert all(len(gram) <= 3 for gram in found)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("in", set()),  # frequent words of English mean themselves
        ("cost", set()),
        ("ship", {"shipper"}),  # and who acts on them
        ("cat", {"category"}),  # frequent, but a known short form
        ("instr", {"instrument"}),
        ("instru", {"instrument"}),
    ],
)
def test_what_a_word_is_short_for(word: str, meant: set[str]) -> None:
    """Names of tables that it cuts off or contracts."""
    tables = ["instrument", "costume", "shipper", "shipment_x", "category"]
    assert spelled_out([(word,)], tables) == [{word, *meant}]


@pytest.mark.parametrize(
    ("words", "known", "meant"),
    [
        (("depot", "code"), ["dpt"], {"dpt"}),  # the table's word is the short one
        (("transaction", "id"), ["txn"], {"txn"}),  # a known short form whose letters are not those of the word
        (("doctor", "id"), ["doc"], {"doc"}),  # documents are nowhere
        (("doctor", "id"), ["doc", "document"], set()),
        (("stat",), ["station", "statu"], {"statu"}),  # a status and no station
        (("emp", "no"), ["employee", "emplmst"], {"employee", "emplmst"}),
        (("approvedby",), ["app"], set()),  # no word that an application would be short for
        (("player1", "id"), ["player"], {"player"}),
        (("v1",), ["v12"], set()),
        (("po", "id"), ["purchase", "order"], {"purchase", "order"}),
        (("po", "id"), ["purchase", "offer"], set()),  # an acronym of which a word is nowhere
    ],
)
def test_one_side_may_be_short(words: tuple[str, ...], known: list[str], meant: set[str]) -> None:
    """Of the words of a column and those of tables, whichever it is."""
    assert spelled_out([words], known)[0] & set(known) == meant


def test_a_name_may_leave_out_the_key_word_that_it_ends_with() -> None:
    """A home team is a team by its id; but an id is no team."""
    names = [("home", "team"), ("team", "id"), ("home", "team", "id"), ("id",)]
    assert [sorted(ends) for ends in endings(names)] == [[0, 1, 2], [1, 3], [1, 2, 3], [3]]


def test_stems_are_singulars() -> None:
    """Plural endings go, short words and words on ss stay."""
    assert [without_s(word) for word in ("stories", "cars", "address", "bus", "ties")] == [
        "story", "car", "address", "bus", "tie",
    ]  # fmt: skip


def test_prefixes_are_taken_off_word_by_word() -> None:
    """Two words that all columns share go, but a name that is nothing but them stays, and so do the words of a few."""
    assert prefix_free(["dim_cu_name", "DimCuCity", "dim_cu_zip"]) == ["name", "city", "zip"]
    assert prefix_free(["cu", "cu_name", "cu_city", "cu_zip"]) == ["cu", "name", "city", "zip"]
    assert prefix_free(["cu_name", "cu_city"]) == ["cu_name", "cu_city"]
    assert prefix_free(["cu_a", "cu_b", "cu_c", "d", "e"]) == ["cu_a", "cu_b", "cu_c", "d", "e"]
    assert prefix_free(["cu_a", "cu_b", "cu_c", "cu_d", "e"]) == ["a", "b", "c", "d", "e"]
    assert prefix_free([]) == []


@given(st.lists(st.text("ab_", max_size=5), max_size=8))
def test_a_name_without_its_prefix_is_its_end(columns: list[str]) -> None:
    """Names end with what is left of them, and something is left."""
    for column, bare in zip(columns, prefix_free(columns), strict=True):
        assert bare == column or name_words(column)[-len(name_words(bare)) :] == name_words(bare) != ()
