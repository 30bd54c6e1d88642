"""Joins of a gold query are found wherever SQL can hide them."""

from __future__ import annotations

import pytest

from benchmarks.data.gold_tables import GoldError
from benchmarks.losses.query_joins import query_joins

SCHEMA = {
    "client": frozenset({"id", "name", "city"}),
    "disp": frozenset({"id", "client_id", "card_id"}),
    "card": frozenset({"card_id", "kind"}),
}


def tables(sql: str) -> list[str]:
    """Joins as text: "client.id=disp.client_id"."""
    return [f"{left[5:]}={right[5:]}" for left, right in query_joins(sql, "Bank", SCHEMA)]


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT name FROM client", []),
        ("SELECT name FROM Client AS T1 JOIN disp AS T2 ON T1.ID = T2.client_id", ["client.id=disp.client_id"]),
        ("SELECT name FROM client, disp WHERE client_id = client.id", ["client.id=disp.client_id"]),
        ("SELECT kind FROM disp JOIN card USING (card_id)", ["card.card_id=disp.card_id"]),
        ("SELECT name FROM client WHERE id NOT IN (SELECT client_id FROM disp)", ["client.id=disp.client_id"]),
        ("SELECT name FROM client WHERE id = (SELECT max(client_id) FROM disp)", ["client.id=disp.client_id"]),
        ("SELECT id FROM client EXCEPT SELECT client_id FROM disp", ["client.id=disp.client_id"]),
        ("SELECT id FROM client WHERE id IN (SELECT client_id FROM disp UNION SELECT 1)", ["client.id=disp.client_id"]),
        (
            "WITH owners AS (SELECT client_id AS owner FROM disp) SELECT name FROM client JOIN owners ON owner = id",
            ["client.id=disp.client_id"],
        ),
        (
            "SELECT 1 FROM (SELECT * FROM disp) AS d JOIN card AS c ON d.card_id = c.card_id",
            ["card.card_id=disp.card_id"],
        ),
        (
            "SELECT name FROM client AS c WHERE EXISTS (SELECT 1 FROM disp WHERE client_id = c.id)",
            ["client.id=disp.client_id"],
        ),
        ("SELECT a.name FROM client AS a JOIN client AS b ON a.city = b.city", []),
        ("SELECT name FROM client WHERE city = 'Brno' AND (SELECT count(*) FROM disp) > 3", []),
    ],
)
def test_joins_of_a_query(sql: str, found: list[str]) -> None:
    """Equal columns of two stored tables are a join, a table with itself or with a constant is none."""
    assert tables(sql) == found


def test_a_chain_of_joins_names_each() -> None:
    """Three tables in a row have two joins, sorted."""
    sql = "SELECT 1 FROM client AS c JOIN disp AS d ON c.id = d.client_id JOIN card AS k ON k.card_id = d.card_id"
    assert tables(sql) == ["card.card_id=disp.card_id", "client.id=disp.client_id"]


def test_a_query_that_can_not_be_parsed_is_an_error() -> None:
    """The message has the query."""
    with pytest.raises(GoldError, match="SELECT FROM WHERE"):
        query_joins("SELECT FROM WHERE (", "bank", SCHEMA)
