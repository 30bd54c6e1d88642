"""The names of one database in words, read together."""

from __future__ import annotations

from joinability.spelling.read_names import read_names
from joinability.spelling.told_by_tables import key_heads, own_prefixes
from joinability.spelling.vocabulary import Vocabulary

TABLES = {
    "BLST_MST": ["BL_NO", "BL_PIT", "BL_FIRE_DT", "CRT_BY", "CRT_DT"],
    "BLST_HIST": ["BL_NO", "BL_PIT", "BL_STS"],
    "ASY_SMPL": ["AS_NO", "AS_BL_NO", "AS_TKN_DT", "CRT_BY"],
}


def test_a_prefix_speaks_of_its_table_elsewhere() -> None:
    """`BL_` is what the columns of blasts begin with, so that `AS_BL_NO` tells one, and no bill of lading."""
    titles, columns = read_names([*TABLES], [*TABLES.values()])
    assert titles[0] == "blast_master"
    assert columns[0][0] == "blast_no"
    assert columns[2][1].endswith("blast_no")
    assert columns[0][3:] == ["created_by", "created_date"]


def test_the_table_of_fewest_words_has_the_prefix() -> None:
    """A table and its history share one; what the name of a table says itself is no prefix that needs words."""
    found = own_prefixes([*TABLES], [*TABLES.values()], Vocabulary.of(["blast", "assay_sample"]))
    assert found["bl"] == ("blast",)
    assert own_prefixes(["LOAN"], [["LOAN_NO", "LOAN_DT", "LOAN_AMT"]], Vocabulary.of([])) == {}


def test_a_key_is_short_for_its_table() -> None:
    """`DPTCD` of DEPOT is no department's, wherever it stands; a head that two tables' names explain says nothing."""
    _, columns = read_names(["DEPOT", "ROUTE"], [["DPTCD", "DPTNM"], ["RTENO", "DPTCD", "START_DPT"]])
    assert columns == [["depot_code", "depot_name"], ["route_number", "depot_code", "start_depot"]]
    assert read_names(["ROUTE"], [["RTENO", "DPTCD"]])[1] == [["route_number", "department_code"]]
    two = ["CONTRACT", "CONTACT"]
    assert key_heads(two, [["CONTR_CD"], ["CONT_ID"]], Vocabulary.of(two)) == {"contr": ("contract",)}
    assert key_heads(two, [["CONT_CD"], ["CONT_ID"]], Vocabulary.of(two)) == {}


def test_initials_of_a_table_are_its_key() -> None:
    """`PTCD` of pay_terms is no postcode, though the database has some."""
    _, columns = read_names(["pay_terms", "site"], [["PTCD", "DESCR"], ["postcode", "PTCD"]])
    assert (columns[0][0], columns[1][1]) == ("pay_terms_code", "pay_terms_code")
    assert read_names(["site"], [["postcode", "PTCD"]])[1][0][1] == "postcode"


def test_where_all_tables_have_areas_those_of_few_are_some_too() -> None:
    """`FL_VEHI` is a vehicle where nearly all names begin with two letters; alone, its letters are short for something.
    Those of `HR_EMPL` never are: tables hold no hours."""
    tables = {
        "HR_EMPL": ["EMP_NO", "EMP_NM", "EMP_DPT"],
        "FL_VEHI": ["VEH_REG", "VEH_TYP", "VEH_KM"],
        "ST_QTY": ["STQ_ITM", "STQ_QTY"],
        "CR_CREW": ["CRW_CD", "CRW_EMP"],
        "GE_DIST": ["DST_CD", "DST_NM", "DST_MGR"],
        "PO_HDR": ["PO_NO", "PO_DT"],
    }
    titles, columns = read_names([*tables], [*tables.values()])
    assert titles == ["hr_employee", "fl_vehicle", "st_quantity", "CR_CREW", "ge_district", "purchase_order_header"]
    assert columns[3] == ["crew_code", "crew_employee"]
    assert columns[4] == ["district_code", "district_name", "district_manager"]
    assert read_names(["FL_VEHI", "vehicles"], [["VEH_REG"], ["id"]])[0][0] == "flag_vehicle"
    assert read_names(["HR_EMPL", "employees"], [["EMP_NO"], ["id"]])[0][0] == "hr_employee"


def test_a_measure_is_not_numbered() -> None:
    """`CSTNO` numbers customers in `CSTMST`, and costs are elsewhere; more than a prefix in common is no prefix."""
    tables = {
        "CSTMST": ["CSTNO", "CSTNM", "TRMCD"],
        "TRMTAB": ["TRMCD", "TRMDS"],
        "TRFHDR": ["THTRFN", "THCARR", "THRATE", "THDATE"],
        "VNDMST": ["VNVNDN", "VNNAME", "VNCITY", "VNSTAT"],
        "PAYMNT": ["PYPAYN", "PYINVN", "PYDATE", "PYAMNT"],
    }
    titles, columns = read_names([*tables, "customer"], [*tables.values(), ["id"]])
    assert (titles[0], columns[0][0]) == ("customer_master", "customer_no")
    assert columns[0][2] == columns[1][0] == "term_code"
    assert columns[3][1] == "name"


def test_numbered_files_have_two_letters_for_what_they_hold() -> None:
    """`CU01` holds customers where its columns begin with `CU`, by a word that the database has before others."""
    files = ["CU01", "AG02", "XQ03"], [["CUNO", "CUCTY", "SUPNO"], ["AGNO", "AGNM"], ["XQNO", "XQNM"]]
    titles, columns = read_names(*files)
    assert titles == ["customer_01", "agent_02", "XQ03"]
    assert columns[0] == ["customer_no", "customer_city", "supplier_no"]
    assert read_names([*files[0], "agreement"], [*files[1], ["id"]])[0][1] == "agreement_02"
    assert read_names(["CU01"], [["KUNO", "CITY"]])[0] == ["CU01"]


def test_plain_names_and_schemas_stay_as_they_are() -> None:
    """So do names of which nothing is known."""
    assert read_names(["sales.OrderLine"], [["orderId", "xqz"]]) == (["sales.OrderLine"], [["orderId", "xqz"]])
    assert read_names(["sales.ORDHDR"], [["ORDNO"]])[0] == ["sales.order_header"]


def test_what_is_staged_is_not_stored() -> None:
    titles = ["stg_customer", "storage_bin", "bin_stg"]
    assert read_names(titles, [["cust_no"], ["bin_no"], ["bin_no"]])[0][0] == "staging_customer"
