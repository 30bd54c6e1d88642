"""Composite keys that names alone suggest."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from jar import Index, Reranker
from joinability import Catalog

POLICIES = """
CREATE TABLE polmst (pmpoln CHAR(10), pmterm INT, pmlob CHAR(2), pmstat CHAR(1), PRIMARY KEY (pmpoln, pmterm));
CREATE TABLE clmhdr (clclmn INT PRIMARY KEY, clpoln CHAR(10), clterm INT, clldat DATE);
CREATE TABLE agtmst (agcode CHAR(8) PRIMARY KEY, agname TEXT, agcity TEXT, agtown TEXT);
"""


def composites(ddl: str, path: Path) -> dict[str, float]:
    index = Index.build(Catalog.from_ddl(ddl, database="ins"), path=path / "x.jar", embedder="static")
    found = index.joins()
    found = found[found["kind"] == "composite"]
    return {row.condition.replace("ins.", ""): round(row.score, 2) for row in found.itertuples()}


def test_a_table_with_all_columns_of_a_primary_key_refers_to_it(tmp_path: Path) -> None:
    """By names without the prefixes of their tables."""
    assert composites(POLICIES, tmp_path) == {"clmhdr.clpoln = polmst.pmpoln AND clmhdr.clterm = polmst.pmterm": 0.8}


def test_of_several_such_keys_each_is_less_likely(tmp_path: Path) -> None:
    """0.8 * 3 / (2 + n); two tables that have one key refer to each other once."""
    key = "policy_no TEXT, term INT"
    ddl = f"""
    CREATE TABLE policies ({key}, state TEXT, PRIMARY KEY (policy_no, term));
    CREATE TABLE bills ({key}, paid DATE, PRIMARY KEY (policy_no, term));
    CREATE TABLE claims (claim_no INT PRIMARY KEY, {key});
    """
    assert composites(ddl, tmp_path) == {
        "claims.policy_no = policies.policy_no AND claims.term = policies.term": 0.6,
        "claims.policy_no = bills.policy_no AND claims.term = bills.term": 0.6,
        "bills.policy_no = policies.policy_no AND bills.term = policies.term": 0.8,
    }


@pytest.mark.parametrize(
    "key",
    ["id INT, code INT", "order_id INT, seq INT", "order_id INT, line_seq INT", "order_id INT, no INT"],
    ids=["generic", "ordinal", "ordinal of lines", "number"],
)
def test_names_that_any_table_has_tell_nothing(key: str, tmp_path: Path) -> None:
    """An id, a number of a row."""
    names = ", ".join(part.split()[0] for part in key.split(", "))
    ddl = f"CREATE TABLE a ({key}, x TEXT, PRIMARY KEY ({names})); CREATE TABLE b ({key}, y TEXT);"
    assert composites(ddl, tmp_path) == {}


def test_lines_are_numbered_by_the_key_that_they_are_in(tmp_path: Path) -> None:
    """`line_no` of an invoice is no line of its contract; that of a table with the whole key is."""
    lines = "CREATE TABLE contract_line (contract_id INT, line_no INT, qty INT, PRIMARY KEY (contract_id, line_no));"
    rest = "contract_id INT, line_no INT, amount INT"
    invoices = f"CREATE TABLE invoice_line (inv_no INT, {rest}, PRIMARY KEY (inv_no, line_no));"
    assert composites(lines + invoices, tmp_path) == {}
    prices = f"CREATE TABLE line_price (since DATE, {rest}, PRIMARY KEY (contract_id, line_no, since));"
    assert len(composites(lines + prices, tmp_path)) == 1
    visits = f"CREATE TABLE visit (visit_no INT PRIMARY KEY, {rest});"
    assert len(composites(lines + visits, tmp_path)) == 1


def test_a_key_by_names_is_told_as_one(tmp_path: Path) -> None:
    """Nobody has seen its rows."""
    ddl = """
    CREATE TABLE contract_line (contract_id INT, line_no INT, qty INT, PRIMARY KEY (contract_id, line_no));
    CREATE TABLE visit (visit_no INT PRIMARY KEY, contract_id INT, line_no INT, amount INT);
    """
    index = Index.build(Catalog.from_ddl(ddl), path=tmp_path / "x.jar", embedder="static")
    (join,) = Reranker(index).rank("visits of contract lines", 2).joins
    assert len(join.conditions) == 2
    assert not join.is_verified
    assert join.doubt == "names alone, not verified"


def test_a_number_of_something_tells(tmp_path: Path) -> None:
    """Herds are numbered within their farm, and deliveries refer to them so."""
    ddl = "CREATE TABLE HRD (FRMNUM INT, HRDSEQ INT, X INT, PRIMARY KEY (FRMNUM, HRDSEQ));"
    assert len(composites(ddl + "CREATE TABLE DLV (DLVNUM INT, FRMNUM INT, HRDSEQ INT);", tmp_path)) == 1


def test_kinds_that_differ_do_not_join(tmp_path: Path) -> None:
    """A number and a date of one name."""
    assert composites(POLICIES.replace("clterm INT", "clterm DATE"), tmp_path) == {}


def test_rows_decide_where_both_have_them(tmp_path: Path) -> None:
    """Tables of one name for their columns that share no rows."""
    parents = pd.DataFrame({"shop_no": [1, 1, 2, 2], "till_no": [1, 2, 1, 2], "room": list("abcd")})
    children = pd.DataFrame({"sale_no": range(8), "shop_no": [7, 8] * 4, "till_no": [5, 6, 7, 8] * 2})
    rows = Catalog.from_frames({"s.tills": parents, "s.sales": children})
    ddl = (
        "CREATE TABLE tills (shop_no INT, till_no INT, room TEXT, PRIMARY KEY (shop_no, till_no));"
        "CREATE TABLE sales (sale_no INT, shop_no INT, till_no INT);"
    )
    index = Index.build(rows.with_declared(Catalog.from_ddl(ddl)), path=tmp_path / "x.jar", embedder="static")
    assert "composite" not in set(index.joins()["kind"])
