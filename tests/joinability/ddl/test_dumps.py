"""Dumps of the programs that most servers come with: all that they say of tables is read, and no dialect is named."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from joinability import Catalog, ForeignKey, SourceError

DUMPS = Path(__file__).parent / "dumps"


class Dump(NamedTuple):
    """What a dump of the shop says: columns with types by table, and comments of columns; the rest all dumps share."""

    dialect: str
    schema: str
    tables: dict[str, dict[str, str]]
    described: dict[str, str]


SAID = {"customers": "who buys in the shop", "order_items": "lines of orders"}
CARD = "number on the card"
OWN_CARD = "number on the card; the shop's own"
SHOPS = {
    "mysqldump": Dump(
        "mysql",
        "shop",
        {
            "customers": {
                "customer_id": "INT UNSIGNED",
                "email": "VARCHAR(80)",
                "place": "POINT",
                "key": "VARCHAR(20)",
            },
            "orders": {
                "order_id": "BIGINT",
                "customer_id": "INT UNSIGNED",
                "status": "ENUM('new', 'paid; sent')",
                "total": "DECIMAL(10, 2)",
                "net": "DECIMAL(10, 2)",
            },
            "order_items": {"order_id": "BIGINT", "position": "SMALLINT", "label": "VARCHAR(200)"},
        },
        {
            "customers.customer_id": CARD,
            "orders.customer_id": "who pays",
            "order_items.label": "as the shop shows it; in English",
        },
    ),
    "pg_dump": Dump(
        "postgres",
        "public",
        {
            "customers": {
                "customer_id": "BIGINT",
                "email": "VARCHAR(80)",
                "tags": "TEXT[]",
                "location": "public.geometry(POINT, 4326)",
                "since": "TIMESTAMPTZ",
            },
            "orders": {
                "order_id": "BIGINT",
                "customer_id": "BIGINT",
                "status": "TEXT",
                "meta": "JSONB",
            },
            "order_items": {"order_id": "BIGINT", "position": "SMALLINT", "label": "TEXT"},
        },
        {"customers.customer_id": OWN_CARD},
    ),
    "ssms": Dump(
        "tsql",
        "dbo",
        {
            "Customers": {
                "CustomerID": "INTEGER",
                "Email": "NVARCHAR(80)",
                "Note": "NVARCHAR(MAX)",
                "Place": "GEOGRAPHY",
                "Since": "DATETIME2(7)",
            },
            "Orders": {
                "OrderID": "BIGINT",
                "CustomerID": "INTEGER",
                "Net": "NUMERIC(10, 2)",
                "Total": "",
                "RowGuid": "UNIQUEIDENTIFIER",
            },
            "Order Items": {"OrderID": "BIGINT", "Position": "SMALLINT", "Label": "VARCHAR(200)"},
        },
        {"Customers.CustomerID": OWN_CARD},
    ),
    "dbms_metadata": Dump(
        "oracle",
        "SHOP",
        {
            "CUSTOMERS": {
                "CUSTOMER_ID": "NUMBER(10, 0)",
                "EMAIL": "VARCHAR2(80 BYTE)",
                "PLACE": "MDSYS.SDO_GEOMETRY",
                "NOTE": "CLOB",
                "SINCE": "TIMESTAMP(6) WITH TIME ZONE",
            },
            "ORDERS": {
                "ORDER_ID": "NUMBER",
                "CUSTOMER_ID": "NUMBER(10, 0)",
                "NET": "NUMBER(10, 2)",
                "TOTAL": "NUMBER",
            },
            "ORDER_ITEMS": {"ORDER_ID": "NUMBER", "POSITION": "NUMBER(5, 0)", "LABEL": "VARCHAR2(200 CHAR)"},
        },
        {"CUSTOMERS.CUSTOMER_ID": OWN_CARD},
    ),
    "sqlite_dump": Dump(
        "sqlite",
        "shop",
        {
            "customers": {"customer_id": "INTEGER", "email": "TEXT", "note": "", "since": "DATETIME"},
            "orders": {"order_id": "INTEGER", "customer_id": "INTEGER", "net": "REAL", "total": "REAL"},
            "order_items": {"order_id": "INTEGER", "position": "INTEGER", "label": "TEXT"},
        },
        {
            "customers.customer_id": CARD,
            "customers.note": "free text",
            "order_items.label": "as the shop shows it",
        },
    ),
}


@pytest.fixture(params=SHOPS)
def dump(request: pytest.FixtureRequest) -> tuple[str, Dump]:
    """The text of a dump, and what it says."""
    return (DUMPS / f"{request.param}.sql").read_text("utf-8"), SHOPS[request.param]


def test_every_table_and_column_of_a_dump_is_read(dump: tuple[str, Dump]) -> None:
    """No table is lost for a clause of its server, none made of an index, a value, a procedure or a partition."""
    text, shop = dump
    catalog = Catalog.from_ddl(text, database="shop")
    assert {table.id: {column.name: column.type for column in table.columns} for table in catalog} == {
        f"{shop.schema}.{name}": columns for name, columns in shop.tables.items()
    }
    assert catalog.failures == ()


def test_every_key_of_a_dump_is_read(dump: tuple[str, Dump]) -> None:
    """Simple and composite primary keys and foreign keys, wherever the program writes them."""
    text, shop = dump
    customers, orders, items = Catalog.from_ddl(text, database="shop")
    (first, *_), (order, second, *_), (line, place, _) = (list(columns) for columns in shop.tables.values())
    assert (customers.primary_key, orders.primary_key) == ((first,), (order,))
    assert items.primary_key == (line, place)
    assert orders.foreign_keys == (ForeignKey((second,), customers.id, (first,)),)
    assert items.foreign_keys == (ForeignKey((line,), orders.id, (order,)),)


def test_every_comment_of_a_dump_is_read_and_nothing_else_is_one(dump: tuple[str, Dump]) -> None:
    """Comments of tables and columns; what the program says of itself, and commands in comments, are none."""
    text, shop = dump
    catalog = Catalog.from_ddl(text, database="shop")
    said = dict(zip(shop.tables, (SAID["customers"], None, SAID["order_items"]), strict=True))
    assert {table.name: table.description for table in catalog} == said
    told = {f"{table.name}.{column.name}": column.description for table, column in catalog.columns}
    assert told == {name: shop.described.get(name) for name in told}
    assert shop.described.keys() <= told.keys()


def test_the_notes_of_a_dump_tell_its_dialect(dump: tuple[str, Dump]) -> None:
    """Which dialect it was read as, and how to name another; nothing where it is the one that is taken anyway."""
    text, shop = dump
    notes = [note for note in Catalog.from_ddl(text, database="shop").notes if "was read as" in note]
    beginning = f"the DDL of shop was read as {shop.dialect};"
    assert all(note.startswith(beginning) and "--dialect" in note for note in notes)
    assert len(notes) == (shop.dialect != "sqlite")


def test_a_named_dialect_reads_the_same(dump: tuple[str, Dump]) -> None:
    """Naming the dialect of a dump changes nothing but that there is no need to tell it."""
    text, shop = dump
    named = Catalog.from_ddl(text, dialect=shop.dialect)
    assert named.tables == Catalog.from_ddl(text).tables
    assert not [note for note in named.notes if "was read as" in note]


def test_a_dump_may_end_anywhere(dump: tuple[str, Dump]) -> None:
    """What is cut off is a failure at most, with its statement; the tables before are those of the whole dump."""
    text, _ = dump
    whole = {table.id: table.column_names for table in Catalog.from_ddl(text, database="shop")}
    for end in range(0, len(text), 211):
        try:
            catalog = Catalog.from_ddl(text[:end], database="shop")
        except SourceError:
            continue
        complete = [table for table in catalog if whole.get(table.id) == table.column_names]
        assert len(catalog) - len(complete) <= 1
