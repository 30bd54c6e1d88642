"""Columns that tell sorts of one thing refer to no table of sorts of another."""

from __future__ import annotations

import pytest

from jar import Catalog, Index

DDL = """
create table building (building_id int primary key, name varchar(30), type_code varchar(9));
create table building_type (type_code varchar(9) primary key, descr varchar(30));
create table building_permit (permit_id int primary key, building_id int, permit_type_code varchar(9));
create table account (account_code varchar(9) primary key, account_name varchar(30), account_type varchar(9));
create table route (route_id int primary key, waste_type_code varchar(9), new_type_code varchar(9));
"""


@pytest.fixture(scope="module")
def parents_of() -> dict[str, float]:
    """The score of each column with the only table of sorts."""
    joins = Index.build(Catalog.from_ddl(DDL)).joins(min_score=0.01)
    ends = joins[["left", "right"]].to_numpy().tolist()
    scores = dict(zip(map(frozenset, ends), joins["score"], strict=True))
    key = "main.building_type.type_code"
    return {column: score for pair, score in scores.items() if key in pair for column in pair - {key}}


@pytest.mark.parametrize("column", ["main.route.waste_type_code", "main.account.account_type"])
def test_other_sorts_do_not_join(parents_of: dict[str, float], column: str) -> None:
    """Those of waste and of accounts are not among those of buildings."""
    assert parents_of.get(column, 0.0) < 0.3


@pytest.mark.parametrize("column", ["main.building.type_code", "main.route.new_type_code"])
def test_the_same_sorts_join(parents_of: dict[str, float], column: str) -> None:
    """Nor is "new" something of which there are sorts."""
    assert parents_of[column] > 0.5
