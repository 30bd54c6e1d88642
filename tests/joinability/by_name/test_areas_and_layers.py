"""References by names among areas, reports, staged tables and masters: what of several tables is meant."""

from __future__ import annotations

import pytest

from joinability.by_name.key_names import NamedKeys, named_references
from joinability.by_name.table_names import NUMBER_KIND, TEXT_KIND, TableNames, case_of


def tables(kind: int = NUMBER_KIND, /, **columns: str) -> list[TableNames]:
    """Tables from "column, column"; the first column is the declared key. All hold values of one kind."""
    return [
        TableNames(name, names, [kind] * len(names), names[:1], (), case_of(names))
        for name, names in ((name, told.split(", ")) for name, told in columns.items())
    ]


def parents(read: list[TableNames], child: str) -> set[str]:
    """The keys to which a column refers."""
    told = [
        [f"{read[table].name}.{read[table].columns[column]}" for table, column in (one.child, one.parent)]
        for one in named_references(read)
    ]
    return {parent for column, parent in told if column == child}


@pytest.mark.parametrize("column", ["term_code_entry", "term_code_2", "first_term_code"])
def test_a_word_for_a_role_stands_before_a_key_or_behind_it(column: str) -> None:
    read = tables(term="term_code, starts", admission=f"admission_id, {column}")
    assert parents(read, f"admission.{column}") == {"term.term_code"}


@pytest.mark.parametrize("column", ["term_code_type", "term_code_description"])
def test_what_is_told_of_a_key_is_no_key(column: str) -> None:
    read = tables(term="term_code, starts", admission=f"admission_id, {column}")
    assert not parents(read, f"admission.{column}")


def test_a_table_is_called_behind_the_letters_of_its_area() -> None:
    """In one word with these letters."""
    read = tables(SLBBLDG="SLBBLDG_CODE, SLBBLDG_FLOORS", halls="hall_id, bldg_code, ward_bldg_code")
    assert parents(read, "halls.bldg_code") == {"SLBBLDG.SLBBLDG_CODE"} == parents(read, "halls.ward_bldg_code")


def test_a_thing_of_an_area_is_that_beside_a_dimension() -> None:
    """What is of the warehouse refers to the dimension."""
    areas = dict.fromkeys(("stv_term", "stv_level", "stv_major"), "code, starts")
    read = tables(**areas, dim_term="term_key, year", fact_exam="exam_key, term_key", loans="loan_id, term_code")
    assert parents(read, "loans.term_code") == {"stv_term.code"}
    assert parents(read, "fact_exam.term_key") == {"dim_term.term_key"}


def test_a_thing_goes_before_what_is_reported_of_it() -> None:
    read = tables(
        rpt_margin="shipment_no, margin", bookings="booking_no, shipment_no", shipment_header="shipment_no, weight"
    )
    assert parents(read, "bookings.shipment_no") == {"shipment_header.shipment_no"}


@pytest.mark.parametrize(("child", "keys"), [("stg_ticket", {"ticket.ticket_id"}), ("call", set())])
def test_what_was_loaded_as_text_may_be_a_number(child: str, keys: set[str]) -> None:
    read = tables(ticket="ticket_id, opened") + tables(TEXT_KIND, **{child: "load_key, ticket_id"})
    assert parents(read, f"{child}.ticket_id") == keys


@pytest.mark.parametrize("column", ["record_no", "patient_record_no"])
def test_a_master_goes_before_others_with_its_number(column: str) -> None:
    read = tables(
        patient_master="record_no, born", death_register="record_no, died", invoices=f"invoice_no, {column}"
    )
    assert parents(read, f"invoices.{column}") == {"patient_master.record_no"}


def test_an_archive_is_a_copy() -> None:
    read = tables(readings="reading_no, level", readings_arc="reading_no, level", alarms="alarm_no, reading_no")
    assert parents(read, "alarms.reading_no") == {"readings.reading_no"}


def test_people_and_things_have_numbers_beside_their_keys() -> None:
    """Dimensions, reports and staged tables have those of others."""
    keys = NamedKeys(
        tables(
            workers="id, employee_id, hired",
            orders="id, order_no, customer_no",
            dim_customer="customer_key, customer_no",
            stg_orders="id, order_no",
        )
    )
    told = [(keys.tables[table].name, keys.tables[table].columns[column]) for table, column in keys.own_numbers]
    assert told == [("workers", "employee_id"), ("orders", "order_no")]


@pytest.mark.parametrize(
    ("column", "keys"), [("customer_number", {"CUSTOMER.CUSTOMER_NO"}), ("customer_ref", {"CUSTOMER.CUSTOMER_NO"})]
)
def test_a_number_is_a_text_in_another_module(column: str, keys: set[str]) -> None:
    """A shop keeps the numbers of an old system as texts; within one module types say what joins."""
    core = tables(CUSTOMER="CUSTOMER_NO, CTRY_CD", ORDERS="ORDER_NO, CUSTOMER_NO", ITEMS="ITEM_NO, UNIT_CD")
    columns = {"accounts": f"account_id, {column}", "carts": "cart_id, opened_on", "tags": "tag_id, tag_name"}
    assert parents([*core, *tables(TEXT_KIND, **columns)], f"accounts.{column}") == keys
    assert not parents([*core, *tables(TEXT_KIND, CALLS="CALL_CD, CUSTOMER_NO")], "CALLS.CUSTOMER_NO")
