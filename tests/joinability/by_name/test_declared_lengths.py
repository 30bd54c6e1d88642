"""References of codes, told by names and by how many letters the declared types allow."""

from __future__ import annotations

import pytest

from joinability.by_name.key_names import named_references
from joinability.by_name.table_names import NUMBER_KIND, TEXT_KIND, TableNames
from tests.joinability.by_name.test_named_joins import of_ddl, scored


def kinds(child: str, length: int, key: str, key_length: int, parent: str = "branch") -> set[str]:
    """The kinds of reference of a text column of customers to the text key of another table."""
    customers = TableNames("customers", ["no", child], [TEXT_KIND] * 2, lengths=[8, length])
    other = TableNames(parent, [key, "name"], [TEXT_KIND] * 2, lengths=[key_length, 60])
    return {told.kind for told in named_references([customers, other]) if told.child == (0, 1)}


@pytest.mark.parametrize(
    ("child", "key", "parent"),
    [
        ("home_branch", "no", "branch"),
        ("home_br", "br_cd", "brnchms"),
        ("guar_br", "br_no", "T07"),
        ("nationality", "iso", "countries"),
    ],
)
def test_codes_of_one_length_behind_other_words_refer(child: str, key: str, parent: str) -> None:
    """To the table of that name, or that whose key has it before its word for a key."""
    assert kinds(child, 4, key, 4, parent) == {"role code"}


@pytest.mark.parametrize(("length", "key_length"), [(60, 4), (60, 60), (0, 4), (4, 0), (0, 0)])
def test_texts_of_other_lengths_and_long_ones_are_names(length: int, key_length: int) -> None:
    """Of those without a declared length it is not known."""
    assert not kinds("home_branch", length, "no", key_length)


def test_what_has_the_name_of_a_table_and_another_length_is_a_name() -> None:
    """What it does not say may be a reference, and a word for a key says that it is one."""
    assert not kinds("branch", 60, "branch_code", 4)
    assert not kinds("branch", 2, "branch_code", 4)
    assert all(kinds("branch", length, "branch_code", 4) == {"bare"} for length in (4, 10, 0))
    assert kinds("branch_code", 6, "branch_code", 4) == {"same"}


def test_who_is_told_by_a_code_is_surely_one_of_those_who_have_such() -> None:
    """A long text may be a name."""
    assert kinds("approver", 6, "emp_no", 6, "emp") == kinds("approver", 36, "id", 36, "emp") == {"numbered person"}
    assert kinds("approver", 60, "emp_no", 60, "emp") == {"bare person"}
    assert not kinds("approver", 60, "emp_no", 6, "emp")


@pytest.mark.parametrize(("length", "told"), [(3, {"SYS_USR"}), (5, set()), (40, set())])
def test_who_is_no_employee_by_the_type_is_one_of_the_users(length: int, told: set[str]) -> None:
    """Their codes are as long as what tells who did it; of those employed nobody has such a key."""
    read = [
        TableNames("HR_EMP", ["EMP_ID", "LNAME"], [NUMBER_KIND, TEXT_KIND], ["EMP_ID"]),
        TableNames("SYS_USR", ["US_CD", "US_NM"], [TEXT_KIND] * 2, ["US_CD"], lengths=[3, 40]),
        TableNames("ORDHS", ["HS_NO", "HS_BY", "HS_DT"], [NUMBER_KIND, TEXT_KIND, TEXT_KIND], lengths=[0, length, 10]),
    ]
    found = [reference for reference in named_references(read) if reference.child == (2, 1)]
    assert {read[reference.parent[0]].name for reference in found} == told


@pytest.mark.parametrize(
    ("column", "length", "parent", "told"),
    [
        ("AC_OFC", 4, "EMOFC", {"short code"}),
        ("AC_OFC", 6, "EMOFC", set()),
        ("AC_FC", 4, "EMOFC", set()),
        ("AC_LIGHT", 4, "FLIGHT", set()),
        ("AC_REF", 4, "OFREF", set()),
        ("AC_TEL", 4, "XHOTEL", set()),
    ],
)
def test_tables_are_named_without_the_letters_of_an_area(
    column: str, length: int, parent: str, told: set[str]
) -> None:
    """Where both hold codes of one length; two letters tell nothing, and words of English have no areas."""
    accounts = TableNames("ACMST", ["AC_NO", column, "AC_BAL"], [TEXT_KIND] * 3, lengths=[10, length, 12])
    other = TableNames(parent, ["OF_ID", "OF_NM"], [TEXT_KIND] * 2, ["OF_ID"], lengths=[4, 40])
    assert {reference.kind for reference in named_references([accounts, other]) if reference.child == (0, 1)} == told


@pytest.mark.parametrize("told", ["driver_id", "nurse_id"])
def test_those_employed_are_no_users_by_their_types(told: str) -> None:
    """Whatever key the employees have."""
    read = [
        TableNames("employees", ["emp_no", "job"], [TEXT_KIND] * 2, ["emp_no"], lengths=[8, 20]),
        TableNames("users", ["id", "login"], [NUMBER_KIND, TEXT_KIND], ["id"]),
        TableNames("trips", ["trip_id", told], [NUMBER_KIND] * 2, ["trip_id"]),
    ]
    assert not [reference for reference in named_references(read) if reference.child == (2, 1)]


def test_users_are_no_persons_by_their_types() -> None:
    """Who made a row is none of the patients."""
    read = [
        TableNames("users", ["id", "login"], [TEXT_KIND] * 2, ["id"], lengths=[36, 40]),
        TableNames("person", ["person_id", "blood"], [NUMBER_KIND, TEXT_KIND], ["person_id"]),
        TableNames("visit", ["visit_id", "created_by"], [NUMBER_KIND] * 2, ["visit_id"]),
    ]
    assert not [reference for reference in named_references(read) if reference.child == (2, 1)]


WORKERS = {
    "wd_worker": "id VARCHAR(32) PRIMARY KEY, user_id VARCHAR(7), employee_id VARCHAR(7), email VARCHAR(60)",
    "wd_pay": "id VARCHAR(32) PRIMARY KEY, worker_id VARCHAR(32)",
    "visits": "visit_no INTEGER PRIMARY KEY, approved_by VARCHAR(7), noted_by VARCHAR(32), sales_employee_no CHAR(7)",
}


@pytest.mark.parametrize(
    ("child", "key"),
    [
        ("visits.approved_by", "employee_id"),
        ("visits.sales_employee_no", "employee_id"),
        ("visits.noted_by", "id"),
        ("wd_pay.worker_id", "id"),
    ],
)
def test_who_is_told_by_the_number_of_people_refers_to_it(child: str, key: str) -> None:
    """Rather than to what a system gave its rows for a key, by the name or the type; the number refers to nothing."""
    found = scored(of_ddl(WORKERS))
    assert max(found, key=lambda pair: found[pair] if child in pair else 0.0) == frozenset((child, f"wd_worker.{key}"))
    assert found.get(frozenset(("wd_worker.employee_id", "wd_worker.id")), 0.0) < 0.5


@pytest.mark.parametrize(
    ("declared", "is_found"),
    [
        ("NUMBER(8)", True),
        ("INTEGER", True),
        ("NUMBER(4)", False),
        ("NUMBER(10)", False),
        ("NUMBER(8,2)", False),
        ("DECIMAL(10, 4)", False),
    ],
)
def test_who_is_told_by_a_number_has_as_many_digits(declared: str, is_found: bool) -> None:
    """As those who are numbered; numbers with digits behind the point are sums."""
    tables = {"empl": "empl_no NUMBER(8), name VARCHAR(60)", "audits": f"audit_no NUMBER(9), inspector {declared}"}
    assert (scored(of_ddl(tables)).get(frozenset(("audits.inspector", "empl.empl_no")), 0) > 0.5) is is_found


def test_sums_refer_to_nothing_though_they_are_called_so() -> None:
    """`rate_lift` is what a lift costs."""
    tables = {"lift": "lift_id BIGINT", "tariffs": "tariff_no BIGINT, rate_lift NUMERIC(8,2), price_lift DECIMAL(8, 2)"}
    assert {pair for pair in scored(of_ddl(tables)) if "lift.lift_id" in pair} == set()


def test_lengths_are_read_from_declared_types() -> None:
    """Of whatever dialect."""
    found = scored(
        of_ddl(
            {
                "BRNCHMS": "BR_CD CHAR(4), BR_NM VARCHAR2(60 CHAR)",
                "CUSTMST": "CUST_NO CHAR(8), HOME_BR VARCHAR(4), OLD_BR VARCHAR(40)",
            }
        )
    )
    assert {pair for pair, score in found.items() if score >= 0.5} == {frozenset(("CUSTMST.HOME_BR", "BRNCHMS.BR_CD"))}


def test_a_first_column_named_as_its_table_is_its_key() -> None:
    """Whatever the name is: `loan_typ` of `loantyp`."""
    tables = {"loantyp": "loan_typ CHAR(3), descr VARCHAR(60)", "loanmst": "loan_no CHAR(10), loan_typ CHAR(3)"}
    assert scored(of_ddl(tables))[frozenset(("loanmst.loan_typ", "loantyp.loan_typ"))] > 0.5


def test_references_stay_in_their_schema_where_others_have_copies() -> None:
    """A copy of the orders refers to the copy of the customers."""
    customers, orders = "customer_id INT, name TEXT", "order_id INT, customer_id INT"
    shop = {"shop.customers": customers, "shop.orders": orders}
    archive = {name.replace("shop", "archive"): columns for name, columns in shop.items()}
    found = scored(of_ddl(shop | archive))
    within = [
        frozenset((f"{schema}.orders.customer_id", f"{schema}.customers.customer_id")) for schema in ("shop", "archive")
    ]
    across = frozenset(("shop.orders.customer_id", "archive.customers.customer_id"))
    assert min(found[pair] for pair in within) > 0.5 > found.get(across, 0)


def test_sorts_of_one_thing_are_none_of_another() -> None:
    """A type of fuel is no type of branches, whatever its length."""
    assert not kinds("fuel_typ", 2, "branch_typ_cd", 2, "branch_typ")
    assert kinds("home_branch_typ", 2, "branch_typ_cd", 2, "branch_typ") == {"role code"}
