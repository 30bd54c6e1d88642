"""What the keys of tables tell of the letters in names."""

from __future__ import annotations

import pytest

from joinability.spelling.lexicon import field_weights, reading, readings
from joinability.spelling.read_names import read_names
from joinability.spelling.told_by_keys import agreed_heads, from_and_to, roles_of_keys
from joinability.spelling.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("title", "key", "meant"),
    [
        ("DOCMST", "DRCODE", "doctor"),
        ("CLNT", "CLNO", "client"),
        ("PRCMST", "PROCCD", "process"),
        ("ARTCL", "ART_NO", "article"),
    ],
)
def test_what_a_table_and_its_key_are_both_short_for(title: str, key: str, meant: str) -> None:
    """Neither a document nor a debit, no class, and no price."""
    told = agreed_heads([title, "WARDMST"], [[key, "NAME"], ["WRDCD"]], Vocabulary.of([title, key, "WARDMST"]))
    assert meant in {word for words in told.values() for word in words}


@pytest.mark.parametrize(
    ("title", "key"), [("MNTORD", "MTORDN"), ("PRMT", "PM_NO"), ("ORDHDR", "ORDNO"), ("BOOKS", "PAGE_NO")]
)
def test_what_does_not_agree_stays_as_it_is(title: str, key: str) -> None:
    """Letters of the table's word suit it as they are; no letters are changed by others that stand for nothing."""
    vocabulary = Vocabulary.of([title, key])
    told = agreed_heads([title], [[key]], vocabulary)
    assert all(vocabulary.meaning(short) == words for short, words in told.items() if len(short) > 2)


def test_tables_that_disagree_tell_nothing() -> None:
    """`CL` is a client here and a claim there."""
    titles, columns = ["CLNT", "CLAIM"], [["CLNO"], ["CLNO"]]
    assert "cl" not in agreed_heads(titles, columns, Vocabulary.of(titles))


def test_names_that_nobody_reads_end_with_the_letters_of_a_key() -> None:
    """In front of two letters that are a key somebody has to stand at least three times; words stay words."""
    titles = ["DOCMST", "OPRDTL"]
    columns = [["DRCODE", "DRNAME"], ["OPRNO", "ANEDR", "ATTDR", "OBSDR", "TENDR"]]
    read = read_names(titles, columns)[1][1]
    assert [name.rpartition("_")[2] for name in read[1:4]] == ["doctor"] * 3
    few = read_names(titles, [columns[0], ["OPRNO", "ANEDR"]])[1][1]
    assert few[1] == "ANEDR"


def test_a_letter_says_that_the_other_one_is_above() -> None:
    """`PDIV` is the parent division; other letters say nothing that is known."""
    titles, columns = ["DIVN"], [["DIVCD", "PDIV", "XDIV"]]
    told = roles_of_keys(columns, Vocabulary.of([*titles, *columns[0]]))
    assert told == {"pdiv": ("parent", "division")}


def test_where_something_begins_and_ends() -> None:
    """Only where names tell both."""
    both = Vocabulary.of(["FRHOSP", "TOHOSP", "FRMDT", "TODT", "FRAME"])
    assert from_and_to(both) == {
        "frhosp": ("from", "hospital"),
        "tohosp": ("to", "hospital"),
        "frmdt": ("from", "date"),
        "todt": ("to", "date"),
    }
    assert from_and_to(Vocabulary.of(["FRWRD", "FRAME", "TOTAL", "FRUIT", "TOUIT"])) == {}


def test_the_greatest_of_all_readings_is_the_reading() -> None:
    """By the same weights."""
    weights = field_weights(["patient", "ward", "dx"])
    for short in ("doc", "dr", "adm", "cl"):
        told = readings(short, weights)
        assert told[reading(short, weights)] == max(told.values())
    assert readings("xqz", weights) == {}


def test_names_that_end_with_a_whole_key() -> None:
    """The department above, and that of a salesman."""
    titles = ["DEPMST", "SLSMST"]
    columns = [["DPNO", "DPNM", "PDPNO"], ["SMNO", "SLDPNO"]]
    read = read_names(titles, columns)[1]
    assert read[0][2] == "parent_department_no"
    assert read[1][1].endswith("_department_no")


def test_two_letters_of_a_key_are_those_of_its_table() -> None:
    """A building's number, no bed's; where another table begins with these letters, they may be of either."""
    assert read_names(["BLDMST"], [["BDNO", "BDNM"]])[1] == [["building_no", "building_name"]]
    both = read_names(["BLDMST", "BEDMST"], [["BDNO", "BDNM"], ["BDNO", "BLDNO"]])[1]
    assert both[0][0] != "building_no"
