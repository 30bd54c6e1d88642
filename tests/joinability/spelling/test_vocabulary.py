"""Names in words: by hand, by the cut that an exhaustive search finds, and names that must stay as they are."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joinability.spelling.common_words import ABBREVIATIONS, ACRONYMS, likeliest_words, skeleton, word_ranks
from joinability.spelling.cuts import cheapest_cut
from joinability.spelling.prefixes import shared_prefix
from joinability.spelling.vocabulary import Vocabulary, plain_words, singular
from joinability.spelling.word_forms import made_by_act, stands_for
from joinability.spelling.working_words import WORKING_WORDS

SHOP = Vocabulary.of(["customer_orders", "sales", "contractor"], ["The household of a subscriber"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SALESORDERHEADER", "sales order header"),
        ("custAcctNbr", "customer account number"),
        ("CSTMR_ORDRS", "customer orders"),
        ("CNTRCTR", "contractor"),
        ("hshld", "household"),
        ("PO_HDR", "purchase order header"),
        ("BOMLINE", "bill of materials line"),
        ("unitprice", "unit price"),
        ("DEPTNO", "department number"),
        ("pseudonymous", "pseudonymous"),
        ("xqzvbn", "xqzvbn"),
        ("id", "id"),
        ("größe_名前", "größe 名前"),
        ("address1", "address 1"),
        ("%", "%"),
    ],
)
def test_names_in_words(name: str, expected: str) -> None:
    """Run together, abbreviated, in capitals; what nothing is known of stays as it is."""
    assert " ".join(SHOP.words(name)) == expected


def test_what_the_database_says_itself_comes_first() -> None:
    """A short form means a word of the database before the likeliest one, and a described short form stays."""
    assert Vocabulary.of(["subscriber"]).words("sbscrbr") == ["subscriber"]
    assert Vocabulary.of([], ["The cat of the owner"]).words("cat") == ["cat"]
    assert Vocabulary.of([]).words("cat") == ["category"]


def test_a_word_of_the_database_may_be_short_itself() -> None:
    hotels = Vocabulary.of(["PRP_CD", "prop_code", "last_prop", "property_code", "RSVHDR", "reservation_no"])
    assert hotels.words("PRP_CD") == ["property", "code"]
    assert hotels.words("RSVHDR") == ["reservation", "header"]


def test_other_languages_are_not_cut_into_english_words() -> None:
    """Names of which English reads few are cut into parts of other names alone; a few odd names are no language."""
    german = "kunde_nr kundennummer vertrag vertragsnummer nummer standort_id lieferung rechnungsposition schein gehalt"
    firm = Vocabulary.of([*german.split(), "op_datum", "kunden"])
    assert not firm.english
    assert Vocabulary.of(["standort", "kundennummer"]).english
    assert Vocabulary.of([]).words("standort") == ["stand", "city"]
    assert firm.words("standort_id") == ["standort", "id"]
    assert firm.words("kundennummer") == ["kunden", "nummer"]
    assert firm.words("vertragsnummer") == ["vertrags", "nummer"]
    assert firm.words("rechnungsposition") == ["rechnungsposition"]
    assert firm.words("op_datum") == ["op", "datum"]
    assert firm.words("kunden_txt") == ["kunden", "text"]
    assert firm.words("prov_kunden") == ["prov", "kunden"]


def cuts(part: str) -> Iterator[list[str]]:
    """All ways to cut a part into pieces."""
    yield [part]
    for end in range(1, len(part)):
        for rest in cuts(part[end:]):
            yield [part[:end], *rest]


WORDS = st.sampled_from(["sales", "order", "unit", "price", "date", "of", "to", "qty", "zq", "ment", "customer"])


@settings(deadline=None, max_examples=40)
@given(st.lists(WORDS, min_size=1, max_size=3).map("".join).filter(lambda part: 5 <= len(part) <= 13))
def test_a_cut_is_the_cheapest_of_all(part: str) -> None:
    """The pieces cost as little as those of any cut; where every cut has a piece that is no word, there is none."""
    least = min(sum(map(SHOP._cost, pieces)) for pieces in cuts(part))
    found = cheapest_cut(part, SHOP._cost)
    assert "".join(found) == part
    assert found == [part] if least == math.inf else sum(map(SHOP._cost, found)) == pytest.approx(least)


@given(st.text(max_size=12))
def test_no_name_is_lost(name: str) -> None:
    """Every name that is not blank has words, and none is empty."""
    words = SHOP.words(name)
    assert bool(words) == bool(name.split())
    assert all(words)


@pytest.mark.parametrize(
    ("columns", "table", "prefix"),
    [
        (["l_id", "l_tax", "L_Price", "note", "l_x", "l_y"], "lineitem", "l_"),
        (["loan_id", "loan_sum", "loan_date"], "accounts", ""),
        (["loan_id", "loan_sum", "loan_date"], "loan", "loan_"),
        (["cu_id", "cu_name"], "customer", ""),
        (["cu_id", "name", "city"], "customer", ""),
        ([], "", ""),
    ],
)
def test_prefixes_of_a_table(columns: list[str], table: str, prefix: str) -> None:
    """At least four fifths of three columns and more share it; a word is none unless the table has it."""
    assert shared_prefix(columns, table) == prefix


def test_the_list_of_words_is_sound() -> None:
    """In lower case, most frequent first, small; short forms are no words of it that say the same."""
    ranks = word_ranks()
    assert ranks["the"] == 0 < ranks["customer"] < len(ranks) == 59_974 + len(WORKING_WORDS)
    assert list(WORKING_WORDS) == sorted(set(WORKING_WORDS))
    assert all(skeleton(word) == short for short, word in likeliest_words().items())
    assert all(short != long for short, long in ABBREVIATIONS.items())
    assert ACRONYMS.keys().isdisjoint(ABBREVIATIONS)
    assert all(len(words) > 1 and short.isalpha() for short, words in ACRONYMS.items())


def test_words_of_working_life_stay_whole() -> None:
    """And their plurals; run together they are found."""
    read = Vocabulary.of(["sales"]).words
    for word in ("invoice", "coupons", "assay", "shipper", "ledgers", "carton"):
        assert read(word) == [word]
    assert read("INVOICEHEADER") == ["invoice", "header"]


def test_singulars_and_short_forms() -> None:
    """Plural endings go, other endings on s stay; two letters abbreviate nothing."""
    assert [singular(word) for word in ("buses", "houses", "classes", "series", "bus")][2:] == ["class", "serie", "bus"]
    assert not stands_for("cu", "customer")
    assert plain_words("HTTPServer2") == ["http", "server", "2"]


def test_letters_tell_what_is_done_to_a_row_where_names_tell_both_who_and_when() -> None:
    """`CRDT` is a date beside `CRUSR`, and a credit elsewhere; `insusr` is no user of insurance beside `insdt`."""
    parts = Vocabulary.of(["DCL_CHUSR", "DCL_CHDT", "DCL_CRUSR", "DCL_CRDT", "ADDT"])
    assert parts.words("DCL_CHUSR")[1:] == ["change", "user"]
    assert parts.words("DCL_CRDT")[1:] == ["create", "date"]
    assert Vocabulary.of(["CRDT"]).words("CRDT") == ["credit"]
    assert "add" not in parts.words("ADDT")
    assert Vocabulary.of(["insusr", "insdt"]).words("insusr") == ["insert", "user"]
    assert Vocabulary.of(["insusr", "insno"]).words("insusr") == ["insurance", "user"]


def test_an_act_before_a_flag_is_no_act() -> None:
    """Rows are active or not; who acts, and what is enacted, stays."""
    names = Vocabulary.of(["actflg", "ACT_IND", "act_name"])
    assert names.words("actflg") == ["active", "flag"]
    assert names.words("ACT_IND")[0] == "active"
    assert names.words("act_name") == ["act", "name"]


def test_a_compound_of_another_language_ends_with_what_it_is() -> None:
    """`lieferanschrift` is an address, though nothing else begins so; short endings are no such pieces."""
    names = "anschrift lieferant kunde auftrag artikel bestellung ort strasse mitarbeiter lieferanschrift transport"
    german = Vocabulary.of(names.split())
    assert not german.english
    assert german.meaning("lieferanschrift") == ("liefer", "anschrift")
    assert german.meaning("transport") == ("transport",)


@pytest.mark.parametrize(
    ("act", "made"),
    [("ordered", "order"), ("shipped", "shipment"), ("deliveries", None), ("billing", "bill"), ("approved", "approval"),
     ("sold", "sale"), ("bed", None), ("king", None), ("wing", None), ("copied", "copy"), ("delivered", "delivery")],
)  # fmt: skip
def test_acts_make_things(act: str, made: str | None) -> None:
    """What ends like an act and is none makes nothing."""
    assert made_by_act(act) == () if made is None else made in made_by_act(act)


def test_acts_make_nothing_of_other_words() -> None:
    """A rate is no ration, a state no station, and a united kingdom no unit."""
    assert made_by_act("rated") == ("rate",)
    assert {"stat", "station"}.isdisjoint(made_by_act("stated"))
    assert made_by_act("united") == ("unite",)
    assert made_by_act("billed") == ("bill",)
    assert made_by_act("treated") == ("treat", "treatment")
