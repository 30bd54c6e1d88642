"""Type families."""

from __future__ import annotations

import pytest

from jar import Catalog, Index
from joinability.families import declared_family


@pytest.mark.parametrize(
    ("family", "types"),
    [
        ("number", ["INT", "bigint unsigned", "DECIMAL(10, 2)", "numeric", "DOUBLE PRECISION", "real", "number(9)"]),
        ("text", ["VARCHAR(20)", "text", "character varying", "CLOB", "nvarchar2(3)"]),
        ("time", ["DATE", "datetime", "TIMESTAMP WITH TIME ZONE", "year", "interval"]),
        ("boolean", ["bool", "BOOLEAN", "bit"]),
        ("other", ["", "BLOB", "uniqueidentifier", "RAW(16)"]),
        ("opaque", ["geometry(Point,4326)", "POINT", "jsonb", "VARIANT", "int[]", "ARRAY<STRING>", "MAP(TEXT, INT)"]),
    ],
)
def test_declared_types_have_families(family: str, types: list[str]) -> None:
    """The usual spellings of SQL engines fall into the family that one expects."""
    assert {declared_family(type_) for type_ in types} == {family}


def test_no_table_joins_by_places_and_documents() -> None:
    """Neither with columns of their own type nor with those of a key, however much their names are alike."""
    tables = (
        "CREATE TABLE locations (location_id INT PRIMARY KEY, geo GEOGRAPHY);"
        "CREATE TABLE customers (customer_id INT PRIMARY KEY, {} , geo GEOGRAPHY);"
    )

    def joined(columns: str) -> set[tuple[str, str]]:
        joins = Index.build(Catalog.from_ddl(tables.format(columns)), embedder="distilled", progress=False).joins()
        return {tuple(sorted(row[:2])) for row in joins[["left", "right"]].itertuples(index=False)}

    assert joined("location GEOGRAPHY, location_ids INT[]") == set()
    assert joined("location_id INT") == {("main.customers.location_id", "main.locations.location_id")}
