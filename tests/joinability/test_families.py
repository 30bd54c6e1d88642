"""Type families."""

from __future__ import annotations

import pytest

from joinability.families import declared_family


@pytest.mark.parametrize(
    ("family", "types"),
    [
        ("number", ["INT", "bigint unsigned", "DECIMAL(10, 2)", "numeric", "DOUBLE PRECISION", "real", "number(9)"]),
        ("text", ["VARCHAR(20)", "text", "character varying", "CLOB", "nvarchar2(3)"]),
        ("time", ["DATE", "datetime", "TIMESTAMP WITH TIME ZONE", "year", "interval"]),
        ("boolean", ["bool", "BOOLEAN", "bit"]),
        ("other", ["", "BLOB", "geometry"]),
    ],
)
def test_declared_types_have_families(family: str, types: list[str]) -> None:
    """The usual spellings of SQL engines fall into the family that one expects."""
    assert {declared_family(type_) for type_ in types} == {family}
