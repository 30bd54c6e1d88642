"""DDL beside files of the same tables: each table once, with the keys of the one and the rows of the other."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from joinability import Catalog, ForeignKey

DDL = """
CREATE TABLE Customers (cu_no INT PRIMARY KEY, cu_nm TEXT /* name of the customer */);
CREATE TABLE orders (or_no INT PRIMARY KEY, cu_no INT REFERENCES Customers (cu_no), note TEXT);
CREATE TABLE returns (re_no INT PRIMARY KEY, or_no INT REFERENCES orders (or_no));
COMMENT ON TABLE orders IS 'what was bought';
"""


def rows(**frames: pd.DataFrame) -> Catalog:
    return Catalog.from_frames({f"shop.{name}": frame for name, frame in frames.items()})


CUSTOMERS = pd.DataFrame({"CU_NO": [1, 2], "cu_nm": ["Ann", "Ben"]})
ORDERS = pd.DataFrame({"or_no": [10, 11], "cu_no": [1, 1]})


def test_a_declared_table_that_has_rows_elsewhere_is_there_once() -> None:
    """Rows and keys of one table, under the id of the rows; a table without rows moves beside them."""
    both = rows(customers=CUSTOMERS, orders=ORDERS).with_declared(Catalog.from_ddl(DDL, dialect="mysql"))
    assert [table.id for table in both] == ["shop.customers", "shop.orders", "shop.returns"]
    assert [table.id for table in both if table.source is None] == ["shop.returns"]
    assert both.notes[-1] == "2 tables of main have their rows from shop, keys and comments from DDL"


def test_keys_and_comments_come_from_the_declaration_in_the_spelling_of_the_rows() -> None:
    """A primary key, a foreign key and a comment, whatever the case of the names."""
    both = rows(customers=CUSTOMERS, orders=ORDERS).with_declared(Catalog.from_ddl(DDL, dialect="mysql"))
    assert both["shop.customers"].primary_key == ("CU_NO",)
    assert both["shop.customers"].columns[1].description == "name of the customer"
    assert both["shop.orders"].foreign_keys == (ForeignKey(("cu_no",), "shop.customers", ("CU_NO",)),)
    assert both["shop.returns"].foreign_keys == (ForeignKey(("or_no",), "shop.orders", ("or_no",)),)


def test_a_key_whose_column_the_rows_lack_is_dropped() -> None:
    """A file may have fewer columns than its declaration."""
    both = rows(customers=CUSTOMERS[["cu_nm"]], orders=ORDERS).with_declared(Catalog.from_ddl(DDL))
    assert both["shop.orders"].foreign_keys == ()
    assert both["shop.customers"].primary_key == ()


def test_a_renamed_column_leaves_a_table_what_it_is() -> None:
    """Most columns tell which table it is; the key of the column that the rows call otherwise is dropped."""
    renamed = ORDERS.rename(columns={"cu_no": "customer"})
    wide = DDL.replace("or_no", "placed_on DATE, or_no", 1)
    both = rows(customers=CUSTOMERS, orders=renamed.assign(placed_on="2024-01-01")).with_declared(
        Catalog.from_ddl(wide, dialect="mysql")
    )
    assert [table.id for table in both] == ["shop.customers", "shop.orders", "shop.returns"]


def test_what_the_rows_declare_themselves_stays() -> None:
    """A description of the rows' owner counts before the declaration's."""
    held = rows(customers=CUSTOMERS, orders=ORDERS).with_descriptions({"shop.orders": "mine"})
    declared = Catalog.from_ddl(DDL).with_descriptions({"main.orders": "theirs"})
    assert held.with_declared(declared)["shop.orders"].description == "mine"


def test_a_schema_that_shares_few_tables_is_another_database() -> None:
    """One shared name among many is chance."""
    others = {f"t{place}": ORDERS for place in range(3)}
    both = rows(customers=CUSTOMERS, **others).with_declared(Catalog.from_ddl(DDL))
    assert {"main.Customers", "shop.customers", "main.orders"} <= {table.id for table in both}


def test_tables_of_one_name_with_other_columns_stay_two() -> None:
    """A name alone makes no twin."""
    held = rows(customers=CUSTOMERS, returns=ORDERS, orders=pd.DataFrame({"id": [1], "day": [2]}))
    both = held.with_declared(
        Catalog.from_ddl(
            "CREATE TABLE customers (cu_no INT); CREATE TABLE returns (or_no INT); CREATE TABLE orders (or_no INT);"
        )
    )
    assert [table.id for table in both] == ["shop.customers", "shop.returns", "shop.orders", "main.orders"]


def test_where_two_databases_would_do_none_is_taken() -> None:
    """A guess would give the rows of one database to the other."""
    held = Catalog.from_frames({"a.customers": CUSTOMERS, "b.customers": CUSTOMERS})
    both = held.with_declared(Catalog.from_ddl("CREATE TABLE customers (cu_no INT, cu_nm TEXT);"))
    assert len(both) == 3


def test_the_schemas_of_a_warehouse_may_be_one_database_with_rows() -> None:
    """Exports of all schemas in one folder; a copy in a schema for staging, and what was not exported, stay."""
    ddl = """
    CREATE TABLE staging.orders (id INT);
    CREATE TABLE crm.clients (id INT PRIMARY KEY, name TEXT);
    CREATE TABLE sales.orders (id INT PRIMARY KEY, client_id INT REFERENCES crm.clients (id));
    CREATE TABLE sales.lines (order_id INT REFERENCES sales.orders (id), goods TEXT);
    CREATE TABLE sales.refunds (id INT, order_id INT REFERENCES sales.orders (id));
    """
    rows = {
        "clients": {"id": [1, 2], "name": ["a", "b"]},
        "orders": {"id": [7], "client_id": [1]},
        "lines": {"order_id": [7], "goods": ["cup"]},
    }
    folder = Catalog.from_frames({f"out.{name}": pd.DataFrame(columns) for name, columns in rows.items()})
    schemas = {"clients": "crm", "orders": "sales", "lines": "sales"}
    file = Catalog(replace(one, database="shop", name=f"{schemas[one.name]}.{one.name}") for one in folder)
    tables = (folder, "out.orders", "out.clients"), (file, "shop.sales.orders", "shop.crm.clients")
    for held, orders, clients in tables:
        catalog = held.with_declared(Catalog.from_ddl(ddl))
        others = {"staging.orders", "sales.refunds"}
        assert {table.id for table in catalog} == {table.id for table in held} | others
        assert [key.target for key in catalog[orders].foreign_keys] == [clients]
        assert [key.target for key in catalog["sales.refunds"].foreign_keys] == [orders]
        assert {table.warehouse for table in catalog} == {"crm+"}
        assert catalog.notes[-1].startswith("3 tables of staging, crm, sales have their rows from")


def test_schemas_with_rows_stay_in_the_warehouse_of_those_without() -> None:
    """Each in a folder of its own, beside one that was not exported."""
    ddl = "CREATE TABLE crm.clients (id INT, name TEXT); CREATE TABLE sales.orders (id INT, client_id INT);"
    rows = Catalog.from_frames({"crm.clients": pd.DataFrame({"id": [1], "name": ["a"]})})
    catalog = rows.with_declared(Catalog.from_ddl(ddl))
    assert {table.id: table.warehouse for table in catalog} == {"crm.clients": "crm+", "sales.orders": "crm+"}
    assert [table.warehouse for table in rows] == [None]
