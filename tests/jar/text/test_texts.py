"""The texts that are embedded: what they say, that they never lose a name, and that sub-queries are spelled out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar.text.spelled_names import spell
from jar.text.texts import column_text, schema_text, subquery_text, table_text, words
from joinability import Column, Table

FLIGHTS = Table("flight_2", "Flights", (Column("SourceAirport"), Column("stu_id", natural_name="student id")))


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("AirportCode", ["airport", "code"]),
        ("stu_id", ["stu", "id"]),
        ("FRPM Count (K-12)", ["frpm", "count", "k", "12"]),
        ("HTTPServer", ["http", "server"]),
        ("GasStationIDs", ["gas", "station", "ids"]),
        ("address1", ["address1"]),
        ("größe_über", ["größe", "über"]),
        ("%", ["%"]),
        ("", []),
    ],
)
def test_identifiers_split_at_separators_and_changes_of_case(identifier: str, expected: list[str]) -> None:
    """Separators and camel case end a word, digits and plural acronyms do not, and a lone sign is kept."""
    assert words(identifier) == expected


@given(st.text())
def test_words_keep_every_letter_and_digit(identifier: str) -> None:
    """The words of an identifier hold its letters and digits in order, in lower case, and no word is empty."""
    found = words(identifier)
    assert all(found)
    kept = "".join(word for word in found)
    assert [c for c in kept if c.isalnum()] == [c for c in identifier.lower() if c.isalnum()]


def test_table_text_is_a_signature_in_the_names_of_the_database() -> None:
    """The table reads database.table(column, column), a natural name in place of the identifier it explains."""
    assert table_text(*spell([FLIGHTS])) == "flight_2.Flights(SourceAirport, student id)"


def test_column_text_leaves_the_database_out_and_schema_text_has_it() -> None:
    """Fine relevance sees the words of table and column, schema similarity those of the database too."""
    source, _ = FLIGHTS.columns
    assert column_text(*spell([FLIGHTS]), 0) == "flights source airport"
    assert column_text(*spell([FLIGHTS]), 1) == "flights student id"
    assert schema_text(FLIGHTS, source) == "flight 2 flights source airport"


def test_a_table_without_columns_has_a_text() -> None:
    """A table that has no column is still a signature."""
    assert table_text(*spell([Table("shop", "empty")])) == "shop.empty()"


def test_a_subquery_of_concept_and_attribute_is_spelled_out() -> None:
    """The colon of "concept:attribute" becomes a blank, and blanks are not doubled."""
    assert subquery_text("client: birth  date") == "client birth date"
