"""Dialects by the names that people know."""

from __future__ import annotations

import pytest

from joinability import Catalog, CatalogError
from joinability.ddl.dialect_names import ALIASES, checked_dialect, meant, plain_name


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("PostgreSQL", "postgres"),
        ("postgres", "postgres"),
        ("mariadb", "mysql"),
        ("MySQL", "mysql"),
        ("mssql", "tsql"),
        ("SQLServer", "tsql"),
        ("SQL Server", "tsql"),
        ("t-sql", "tsql"),
        ("oracle", "oracle"),
        ("sqlite", "sqlite"),
        ("duckdb", "duckdb"),
    ],
)
def test_common_names_are_known(name: str, plain: str) -> None:
    assert checked_dialect(name) == plain_name(name) == plain
    (table,) = Catalog.from_ddl("CREATE TABLE a (id INT)", dialect=name)
    assert table.name == "a"


def test_another_name_is_refused_with_what_may_be_meant() -> None:
    for name, close in (("postgresq", "postgresql"), ("mysqll", "mysql"), ("orcale", "oracle"), ("mariad", "mariadb")):
        with pytest.raises(CatalogError, match=rf"'{name}' is no dialect .* \(did you mean {close}\?\): leave"):
            checked_dialect(name)
    with pytest.raises(CatalogError, match="'klingon' is no dialect that sqlglot reads: leave it out"):
        checked_dialect("klingon")
    assert meant("mssq", ["sqlite"]) == ""


def test_settings_stay_behind_a_name() -> None:
    assert checked_dialect("mysql, normalization_strategy = case_sensitive").startswith("mysql,")
    assert set(map(checked_dialect, ALIASES)) == set(ALIASES.values())
