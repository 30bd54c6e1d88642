"""Gold tables of hand-written SQL, each with the tables that a reader of the query would name."""

from __future__ import annotations

import pytest

from benchmarks.data.gold_tables import GoldError, gold_tables


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("SELECT count(*) FROM singer", {"singer"}),
        ("SELECT T1.a FROM Client AS T1 JOIN Disp AS T2 ON T1.id = T2.id", {"client", "disp"}),
        ("SELECT a FROM client WHERE id IN (SELECT client_id FROM loan WHERE x > (SELECT avg(x) FROM card))",
         {"client", "loan", "card"}),
        ("SELECT a FROM x UNION SELECT a FROM y EXCEPT SELECT a FROM z", {"x", "y", "z"}),
        ("SELECT (SELECT max(a) FROM b) FROM c ORDER BY (SELECT 1 FROM d)", {"b", "c", "d"}),
        ("SELECT * FROM a, b LEFT JOIN c USING (id), (SELECT * FROM d) AS e", {"a", "b", "c", "d"}),
        ("WITH top AS (SELECT * FROM client) SELECT * FROM top JOIN loan", {"client", "loan"}),
        ("WITH client AS (SELECT * FROM client) SELECT * FROM client JOIN loan", {"client", "loan"}),
        ("WITH a AS (SELECT * FROM x), b AS (SELECT * FROM a JOIN y) SELECT * FROM b", {"x", "y"}),
        ("SELECT * FROM loan JOIN (WITH loan2 AS (SELECT * FROM card) SELECT * FROM loan2) AS s", {"loan", "card"}),
        ('SELECT * FROM "order details" JOIN `Group`', {"order details", "group"}),
        ("SELECT * FROM [Set] JOIN client client2 JOIN client client3", {"set", "client"}),
        ("SELECT 1", set()),
    ],
)  # fmt: skip
def test_tables_of_a_query(sql: str, tables: set[str]) -> None:
    """Every table that is read counts once, case folded; common table expressions and aliases do not."""
    assert gold_tables(sql, "Bank") == {f"bank.{table}" for table in tables}


def test_a_query_that_is_no_sql_is_named() -> None:
    """The error quotes the query and its database."""
    with pytest.raises(GoldError, match=r"bank.*SELECT FROM WHERE"):
        gold_tables("SELECT FROM WHERE (", "bank")
