"""Who made a row or changed it: a user, whatever he is called, and no way to connect tables."""

from __future__ import annotations

import pytest

from jar import Catalog, Index
from tests.jar.conftest import toy_embedder
from tests.joinability.by_name.test_key_names import found

USERS = "sys_usr: usr_id, login, created_by, upd_usr"


@pytest.mark.parametrize("column", ["created_by", "crt_by", "upd_usr", "insert_user", "changed_user", "modby"])
def test_a_user_recorded_a_row(column: str) -> None:
    """He is meant by the key of the users' table, which has such columns itself."""
    tables = [USERS, *(f"{name}: {name}_id, {column}, note" for name in ("bench", "shaft", "crew", "truck", "pit"))]
    told = {one for one in found(*tables) if one[0].endswith(f".{column}") and not one[0].startswith("sys_usr")}
    assert {(child, parent) for child, parent, _ in told} == {
        (f"{name}.{column}", "sys_usr.usr_id") for name in ("bench", "shaft", "crew", "truck", "pit")
    }


def test_other_columns_that_nearly_all_tables_have_refer_to_nothing() -> None:
    """A status that all have is the key of none, nor a reference."""
    tables = [f"{name}: {name}_id, sts, note" for name in ("bench", "shaft", "crew", "truck", "pit")]
    assert not [one for one in found(*tables, "status: sts, text") if one[0].endswith(".sts")]


TERSE = """
CREATE TABLE CUSTMST (CUCUST DECIMAL(7,0), CUNAME CHAR(30), CUCRTU CHAR(10), CUCITY CHAR(20), PRIMARY KEY (CUCUST));
CREATE TABLE ORDHDR (OHORDN DECIMAL(9,0), OHCUST DECIMAL(7,0), OHDATE DECIMAL(8,0), OHCRTU CHAR(10),
                     PRIMARY KEY (OHORDN));
CREATE TABLE ORDLIN (OLORDN DECIMAL(9,0), OLLINE DECIMAL(3,0), OLQTY DECIMAL(7,0), OLCRTU CHAR(10));
CREATE TABLE USRPRF (UPUSID CHAR(10), UPTEXT CHAR(40), UPCLAS CHAR(10), UPEMPN DECIMAL(5,0), PRIMARY KEY (UPUSID));
"""


def test_joins_without_rows_are_told_by_the_words_of_names() -> None:
    """Names of six letters with two of the file in front; those that a join is told by are as they are written."""
    index = Index.build(Catalog.from_ddl(TERSE, database="as400"), embedder=toy_embedder)
    joins = {
        frozenset((f"{edge.left_table}.{left}", f"{edge.right_table}.{right}")): edge.score
        for edge in index.join_graph(0.5).edges
        for left, right in edge.conditions
    }
    assert frozenset(("as400.ORDHDR.OHORDN", "as400.ORDLIN.OLORDN")) in joins
    assert frozenset(("as400.CUSTMST.CUCUST", "as400.ORDHDR.OHCUST")) in joins
    assert frozenset(("as400.USRPRF.UPUSID", "as400.ORDHDR.OHCRTU")) in joins


def test_who_recorded_rows_connects_tables_less() -> None:
    """All such columns are one name: that of many tables, which is taken from joins where sets are chosen."""
    script = "".join(
        f"CREATE TABLE {name} ({name}_id INT PRIMARY KEY, {name}_crt_by INT, {name}_upd_by INT, note TEXT);"
        for name in ("bench", "shaft", "crew", "truck", "tunnel", "blast")
    )
    users = "CREATE TABLE app_user (user_id INT PRIMARY KEY, login TEXT);"
    evidence = Index.build(Catalog.from_ddl(script + users, database="d"), embedder=toy_embedder).contents.evidence
    spread = dict(zip(evidence.name, evidence.named.spread.tolist(), strict=True))
    assert spread["bench_crt_by"] == spread["crew_upd_by"] > 0.4
    assert spread["bench_id"] == 0
