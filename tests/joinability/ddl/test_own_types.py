"""Domains, enumerations and aliases: columns have the types that these stand for."""

from __future__ import annotations

import pytest

from jar import Catalog

SCRIPT = """
CREATE DOMAIN app_id AS integer CHECK (VALUE > 0);
CREATE DOMAIN public.email character varying(200) COLLATE "C";
CREATE DOMAIN "Staff Id" AS app_id NOT NULL;
CREATE TYPE public.mood AS ENUM ('sad', 'fine, really; yes');
CREATE TYPE pair AS (a int, b int);
CREATE TABLE customer (customer_id app_id PRIMARY KEY, mail public.email, feels mood DEFAULT 'sad');
CREATE TABLE more (both_ pair, all_ mood[]);
CREATE TABLE sale (customer_id public.app_id, staff "Staff Id" NOT NULL, then_ "mood");
ALTER TABLE sale ADD COLUMN next_ mood;
"""


def types(catalog: Catalog) -> dict[str, str]:
    return {f"{table.name}.{column.name}": column.type for table in catalog for column in table.columns}


@pytest.mark.parametrize("dialect", ["postgres", None])
def test_columns_have_the_types_that_a_script_s_own_stand_for(dialect: str | None) -> None:
    """Of any schema, in quotes or not, and by way of each other; composite types and lists stay as they are."""
    catalog = Catalog.from_ddl(SCRIPT, dialect=dialect, database="d")
    assert not catalog.failures
    assert types(catalog) == {
        "customer.customer_id": "INT",
        "customer.mail": "VARCHAR(200)",
        "customer.feels": "TEXT",
        "more.both_": "pair",
        "more.all_": "mood[]",
        "sale.customer_id": "INT",
        "sale.staff": "INT",
        "sale.then_": "TEXT",
        "sale.next_": "TEXT",
    }


def test_aliases_of_sql_server_are_types_too() -> None:
    """As scripts of its tools write them."""
    script = """
    CREATE TYPE [dbo].[AccountNumber] FROM [nvarchar](15) NULL
    GO
    CREATE TABLE [dbo].[Customer] ([Id] [int] NOT NULL, [Account] [dbo].[AccountNumber] NOT NULL)
    GO
    """
    catalog = Catalog.from_ddl(script, dialect="tsql", database="d")
    assert not catalog.failures
    assert types(catalog)["Customer.Account"].upper() == "NVARCHAR(15)"


ENDLESS = ["CREATE DOMAIN a AS a", "CREATE DOMAIN a AS b; CREATE DOMAIN b AS a", "CREATE DOMAIN a"]


@pytest.mark.parametrize("text", ENDLESS)
def test_types_without_an_end_stay_names(text: str) -> None:
    """They stand for nothing, and nothing goes round for ever."""
    catalog = Catalog.from_ddl(f"{text}; CREATE TABLE t (x a)", dialect="postgres", database="d")
    assert types(catalog)["t.x"] in ("a", "b")
