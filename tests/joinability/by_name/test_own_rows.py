"""Columns that by their names refer to other rows of their own table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from joinability.by_name.key_names import NamedKeys
from joinability.by_name.table_names import TEXT_KIND, TableNames, dimensional
from joinability.names import name_words
from joinability.spelling.product_marks import without_product_mark
from joinability.spelling.vocabulary import plain_words

Schema = dict[str, list[str]]


def told(
    schema: Schema, *, by_values: bool = False, kind: int = 0, lengths: Sequence[int] = ()
) -> set[tuple[str, str]]:
    """The columns that refer within their table, with the keys, of tables whose columns are all of one kind."""
    names = [TableNames(table, columns, [kind] * len(columns), (), lengths) for table, columns in schema.items()]
    return {
        (names[table].columns[column], names[table].columns[key])
        for (table, column), (_, key), is_told in NamedKeys(names).own_references()
        if is_told or by_values
    }


@pytest.mark.parametrize(
    ("columns", "child"),
    [
        (["region_id", "parent_region_id", "name"], "parent_region_id"),
        (["id", "parent_id", "name"], "parent_id"),
        (["region_no", "previous_no", "name"], "previous_no"),
        (["id", "parent", "name"], "parent"),
        (["id", "duplicate_of", "name"], "duplicate_of"),
        (["id", "ReferredByRegionID", "name"], "ReferredByRegionID"),
        (["region_cd", "region_parent_cd", "name"], "region_parent_cd"),
        (["id_region", "id_region_padre", "name"], "id_region_padre"),
        (["region_no", "supersedes_no", "name"], "supersedes_no"),
    ],
)
def test_a_name_says_that_a_row_is_of_the_same_table(columns: list[str], child: str) -> None:
    """The key behind other words, the table behind other words, and how rows stand to each other."""
    assert told({"regions": columns, "shops": ["id", "region_id"]}) == {(child, columns[0])}


@pytest.mark.parametrize(
    "column",
    "best_of original_price parent_name next_day shop_id region_code replies reversed original split next_no "
    "percent_of living_region_count member_of parent_code".split(),
)
def test_other_names_say_no_such_thing(column: str) -> None:
    """Measures, counts, flags, days, other tables and numbers, and what a row is of another table."""
    assert not told({"regions": ["id", column], "shops": ["id"]})


def test_people_lead_each_other() -> None:
    """A manager is one of the employees; a user who made a row of them is one of the users, where there are any."""
    employees = ["id", "manager_id", "created_by_id"]
    assert told({"employees": employees}) == {("manager_id", "id"), ("created_by_id", "id")}
    assert told({"employees": employees, "users": ["id", "login"]}) == {("manager_id", "id")}
    assert told({"mx_engineers": ["engineer_id", "team_lead_id"]}) == {("team_lead_id", "engineer_id")}
    profiles = {"employees": ["id", "name"], "employee_profiles": ["id", "employee_id", "manager_id"]}
    assert not told(profiles)


def test_a_table_of_that_name_goes_before() -> None:
    """Where there are parents, a parent's number is one of theirs; so is what names another key."""
    students = ["id", "parent_id"]
    assert not told({"students": students})
    assert not told({"regions": students, "parents": ["id", "name"]})
    assert not told({"tier_history": ["member_id", "old_tier_id"], "members": ["member_id"], "tiers": ["tier_id"]})


def test_what_numbers_rows_beside_their_key_is_meant_by_its_name() -> None:
    """A parent's code is a code, and a manager's number one of the employees."""
    assert told({"accounts": ["id", "code", "parent_code"]}) == {("parent_code", "code")}
    assert told({"staff": ["id", "emp_no", "manager_emp_no"]}) == {("manager_emp_no", "emp_no")}
    assert told({"products": ["id", "sku", "original_sku"]}, kind=TEXT_KIND) == {("original_sku", "sku")}


def test_texts_without_a_word_for_a_key_need_values() -> None:
    """A parent in a text of unknown length may be a name; in a code as long as the key it is none."""
    schema = {"regions": ["code", "parent"]}
    assert not told(schema, kind=TEXT_KIND)
    assert told(schema, kind=TEXT_KIND, by_values=True) == {("parent", "code")}
    assert told(schema, kind=TEXT_KIND, lengths=[4, 4]) == {("parent", "code")}


def test_a_column_that_refers_to_its_own_table_refers_to_no_other() -> None:
    """The parent of a category is no category of tickets."""
    tables = [
        TableNames("categories", ["category_id", "parent_category_id"], [0, 0]),
        TableNames("ticket_categories", ["category_id", "name"], [0, 1]),
    ]
    assert not [reference for reference in NamedKeys(tables).references() if reference.child == (0, 1)]


def test_tables_of_a_warehouse_are_meant_by_others_of_one() -> None:
    """A system refers to its own ports, and to those of a warehouse where it has none; facts refer to theirs."""
    ports, stored = TableNames("ports", ["port_id"], [0]), TableNames("dim_port", ["port_id"], [0])
    bookings, facts = TableNames("bookings", ["id", "port_id"], [0, 0]), TableNames("fact_booking", ["port_id"], [0])

    def meant(*tables: TableNames) -> set[tuple[str, str]]:
        return {
            (tables[reference.child[0]].name, tables[reference.parent[0]].name)
            for reference in NamedKeys(tables).references()
        }

    assert ("bookings", "ports") in meant(bookings, ports, stored)
    assert ("bookings", "dim_port") not in meant(bookings, ports, stored)
    assert ("bookings", "dim_port") in meant(bookings, stored)
    assert ("fact_booking", "dim_port") in meant(facts, ports, stored)
    assert dimensional(["mart.DimDate", "sales_fact", "dimly_lit", "facts"]) == [True, True, False, False]
    assert dimensional(["agg_type", "fct_mst", "quarry"]) == [False, False, False]


def test_the_mark_of_salesforce_is_no_word() -> None:
    """It is left out of the words of a name, and of its parts; a letter at the end of another name stays."""
    assert name_words("Bill_To_Contact__c") == ("bill", "to", "contact")
    assert plain_words("INVOICE_LINE__C") == ["invoice", "line"]
    assert [without_product_mark(name) for name in ("vitamin_c", "__c", "Region__mdt")] == [
        "vitamin_c",
        "__c",
        "Region",
    ]


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("loyalty_member", "referred_by_id"),
        ("accounts", "invited_by"),
        ("product_review", "reply_to_id"),
        ("articles", "follow_up_to"),
    ],
)
def test_who_brought_a_row_and_what_it_follows_are_of_its_table(table: str, column: str) -> None:
    """Employees and tours elsewhere do not bring members, nor follow reviews."""
    assert told({table: ["id", column], "hr_employee": ["id", "name"], "flt_tour": ["id"]}) == {(column, "id")}


def test_what_is_called_a_parent_may_be_of_its_table() -> None:
    """A station is a stop by its values alone; where there are stations, it is one of these."""
    stops = {"stops": ["stop_id", "parent_station", "name"]}
    assert told(stops, by_values=True) == {("parent_station", "stop_id")}
    assert not told(stops)
    assert not told({**stops, "station": ["id", "name"]}, by_values=True)
