"""Calls of SQL Server's `sp_rename`, and changes that are misspelt."""

from __future__ import annotations

import pytest

from joinability import Catalog

SHOP = """
CREATE TABLE dbo.Kunde (KdNr INT PRIMARY KEY, Nam NVARCHAR(50));
CREATE TABLE dbo.Auftrag (AuftragNr INT PRIMARY KEY, KdNr INT REFERENCES dbo.Kunde (KdNr));
"""


def read(*statements: str) -> Catalog:
    """The shop, with statements behind it."""
    return Catalog.from_ddl("\nGO\n".join([SHOP, *statements]), database="shop", dialect="tsql")


def columns(catalog: Catalog) -> dict[str, list[str]]:
    """The names of columns by table."""
    return {table.id: table.column_names for table in catalog}


def test_tables_and_columns_get_other_names() -> None:
    """By arguments in order or by name, in keys, too; what names neither renames something else."""
    catalog = read(
        "EXEC sp_rename 'dbo.Kunde', 'Customer'",
        "EXEC sys.sp_rename 'dbo.Auftrag.AuftragNr', 'OrderNo', 'COLUMN'",
        "EXECUTE sp_rename @objname = N'dbo.[Customer].[Nam]', @newname = N'CustomerName'",
        "EXEC sp_rename 'dbo.Auftrag.PK_Auftrag', 'PK_Order'",
        "EXEC sp_rename N'dbo.PK_Kunde', N'PK_Customer', N'OBJECT'",
    )
    assert columns(catalog) == {"dbo.Customer": ["KdNr", "CustomerName"], "dbo.Auftrag": ["OrderNo", "KdNr"]}
    _, order = catalog
    assert order.primary_key == ("OrderNo",)
    assert [key.target for key in order.foreign_keys] == ["dbo.Customer"]
    assert catalog.failures == ()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("EXEC sp_rename 'dbo.Auftrag.Preis', 'Price', 'COLUMN'", "dbo.Auftrag has no column 'Preis'"),
        ("EXEC sp_rename 'dbo.Kunde.Nam', 'KdNr', 'COLUMN'", "dbo.Kunde has a column 'KdNr' already"),
    ],
)
def test_what_cannot_be_renamed_is_a_failure(call: str, said: str) -> None:
    catalog = read(call)
    assert [reason for _, reason in catalog.failures] == [said]
    assert columns(catalog) == columns(read())


@pytest.mark.parametrize(
    ("change", "meant"),
    [("RENAM TO Customer", "RENAME"), ("ADDD Ort TEXT", "ADD"), ("DORP COLUMN Nam", "DROP")],
)
def test_a_misspelt_change_is_a_failure(change: str, meant: str) -> None:
    """It tells what is meant, and nothing is changed."""
    catalog = read(f"ALTER TABLE dbo.Kunde {change}")
    word = change.split()[0]
    assert [reason for _, reason in catalog.failures] == [f"{word} is not understood: is {meant} meant?"]
    assert columns(catalog) == columns(read())


@pytest.mark.parametrize("change", ["EXCHANGE PARTITION p WITH TABLE dbo.Auftrag", "REBUILD", "SWITCH TO dbo.Auftrag"])
def test_other_changes_are_passed_over(change: str) -> None:
    catalog = read(f"ALTER TABLE dbo.Kunde {change}")
    assert catalog.failures == ()
    assert columns(catalog) == columns(read())
