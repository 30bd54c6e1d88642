"""References by names in databases of several modules: written otherwise, synced from elsewhere, of other years."""

from __future__ import annotations

import pytest

from joinability.by_name.key_names import named_references
from joinability.by_name.table_names import TableNames, case_of


def tables(**columns: str) -> list[TableNames]:
    """Tables from "column, column"; the first column is the declared key. All hold numbers."""
    return [
        TableNames(name, names, [0] * len(names), names[:1], (), case_of(names))
        for name, names in ((name, told.split(", ")) for name, told in columns.items())
    ]


def parents(read: list[TableNames], child: str) -> set[str]:
    """The tables to which a column refers."""
    table, _, column = child.partition(".")
    return {
        read[one.parent[0]].name
        for one in named_references(read)
        if (read[one.child[0]].name, read[one.child[0]].columns[one.child[1]]) == (table, column)
    }


def test_a_thing_goes_before_what_has_a_key_of_its_name() -> None:
    """An extension of users by one row each is no more the user than the users themselves, nor is a staged copy."""
    read = tables(
        users="id, login",
        user_preferences="user_id, colour",
        stg_users="user_id, login",
        time_entries="id, user_id, minutes",
    )
    assert parents(read, "time_entries.user_id") == {"users"}
    assert parents(read, "user_preferences.user_id") == {"users"}


def test_the_key_of_a_table_that_stands_beside_goes_first() -> None:
    read = tables(crm_account="acct_no, name", crm_call="call_no, acct_no", account="id, name")
    assert parents(read, "crm_call.acct_no") == {"crm_account"}


@pytest.mark.parametrize(
    ("child", "parent"),
    [("tariffs.approved_by", "app_users"), ("Shift.ApprovedBy", "Employee"), ("tariffs.planner_id", "Employee")],
)
def test_who_acts_is_in_a_table_that_is_written_alike(child: str, parent: str) -> None:
    """But an employment is that of an employee, wherever the employees are."""
    read = tables(
        app_users="user_id, login",
        Employee="EmployeeID, FullName, HiredOn",
        tariffs="tariff_id, approved_by, planner_id",
        zones="zone_id, name",
        Shift="ShiftID, ApprovedBy, StartsAt",
        Roster="RosterID, StartsAt",
    )
    assert parents(read, child) == {parent}


@pytest.mark.parametrize(
    ("child", "parent"),
    [
        ("kyc_review.approver_id", "auth_user"),
        ("kyc_review.inspector_id", "StaffMember"),
        ("Loan.ApproverId", "StaffMember"),
    ],
)
def test_who_handles_something_in_a_module_is_one_of_its_users(child: str, parent: str) -> None:
    """Rather than somebody of the staff in a module that is written otherwise, unless by a profession."""
    read = tables(
        auth_user="id, user_name",
        kyc_review="review_id, approver_id, inspector_id",
        kyc_case="case_id, opened_on",
        StaffMember="StaffId, FullName, HiredOn",
        Loan="LoanId, ApproverId, SignedOn",
    )
    assert parents(read, child) == {parent}


@pytest.mark.parametrize("act", ["added_by", "granted_by", "owner_id", "author_id", "requester_id", "archived_by"])
def test_what_is_done_in_a_system_is_done_by_users(act: str) -> None:
    read = tables(users="id, login", employees="id, hired_on", projects=f"id, {act}, name")
    assert parents(read, f"projects.{act}") == {"users"}


def test_tables_synced_from_elsewhere_hold_their_own_owners() -> None:
    """The owners of another system are those of its tables, and not of ours."""
    read = tables(
        users="id, login",
        hs_owners="owner_id, email",
        hs_contacts="contact_id, owner_id",
        hs_companies="company_id, owner_id",
        projects="id, owner_id",
    )
    assert parents(read, "projects.owner_id") == {"users"}
    assert parents(read, "hs_contacts.owner_id") == {"hs_owners"}


def test_tables_of_two_years_have_their_own_rows() -> None:
    read = tables(events_2024_01="event_id, kind", events_2024_02="event_id, kind", notes="note_id, event_id")
    assert not parents(read, "events_2024_02.event_id")
    numbered = tables(T001="bukrs, name", T002="werks, bukrs")
    assert parents(numbered, "T002.bukrs") == {"T001"}


def test_a_slug_says_nothing_without_its_table() -> None:
    read = tables(kb_categories="slug, title", roles="id, slug", kb_articles="id, category_slug")
    assert not parents(read, "roles.slug")
    assert parents(read, "kb_articles.category_slug") == {"kb_categories"}


def test_who_owns_is_in_a_module_of_its_own() -> None:
    """No party of another module, though it is written alike; an employment may be anywhere."""
    read = tables(
        led_party="party_id, name",
        led_entry="entry_id, party_id",
        led_account="account_id, party_id",
        hr_employee="emp_no, hired_on",
        hr_absence="absence_no, emp_no",
        hr_post="post_no, emp_no",
        admin_users="id, login",
        campaigns="id, owner_id, inspector_id",
    )
    assert parents(read, "campaigns.owner_id") == {"admin_users"}
    assert parents(read, "campaigns.inspector_id") == {"hr_employee"}


def test_what_refers_says_so() -> None:
    read = tables(folio="folio_no, opened_on", invoices="invoice_no, folio_ref, reference")
    assert parents(read, "invoices.folio_ref") == {"folio"}
    assert not parents(read, "invoices.reference")
