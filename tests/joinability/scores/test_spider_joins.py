"""Joins of the real databases of Spider: what is read, and how often the declared keys are found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from joinability import SCORES, Catalog, EvidenceStore, JoinEvidence

DEVELOPMENT = [
    "battle_death", "car_1", "concert_singer", "course_teach", "cre_Doc_Template_Mgt", "dog_kennels",
    "employee_hire_evaluation", "flight_2", "museum_visit", "network_1", "orchestra", "pets_1", "poker_player",
    "real_estate_properties", "singer", "student_transcripts_tracking", "tvshow", "voter_1", "world_1", "wta_1",
]  # fmt: skip
"""The databases of the development set."""
DIFFERENT = {
    "car_1.car_names.Make", "car_1.car_names.Model", "flight_2.airports.City", "flight_2.airports.CountryAbbrev",
    "world_1.country.HeadOfState", "wta_1.matches.score",
}  # fmt: skip
"""Columns with values that are blank or differ by blanks around them, and one of which these files hold fewer."""


@pytest.fixture(scope="module")
def catalog(data_folder: Path) -> Catalog:
    folder = data_folder / "spider" / "databases"
    return Catalog.from_sqlite([folder / name / f"{name}.sqlite" for name in DEVELOPMENT])


@pytest.fixture(scope="module")
def connection(catalog: Catalog) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        store = EvidenceStore(made)
        store.create()
        numbered, first = [], 0
        for table in catalog:
            numbered.append((table, first))
            first += len(table.columns)
        assert store.add_tables(numbered) == []
        store.update_overlaps()
        yield made


@pytest.fixture(scope="module")
def evidence(connection: duckdb.DuckDBPyConnection) -> JoinEvidence:
    return EvidenceStore(connection).load()


def test_all_tables_are_read(catalog: Catalog, connection: duckdb.DuckDBPyConnection) -> None:
    """The 20 databases hold 80 tables; only `wta_1.rankings` has no rows."""
    assert len(catalog) == 80
    empty = connection.execute("SELECT DISTINCT table_id FROM profiles WHERE row_count = 0").fetchall()
    assert empty == [("wta_1.rankings",)]


def test_uniqueness_is_that_of_the_authors(data_folder: Path, evidence: JoinEvidence) -> None:
    """It is what the authors of JAR measured, once a missing value counts as one more value, as it does there.

    Left out are the table without rows here and SQLite's own.
    """
    told = json.loads((data_folder / "spider" / "dev_uniqueness.json").read_text())
    found = dict(zip(map(str.casefold, evidence.ids), range(len(evidence)), strict=True))
    differing = set()
    for key, uniqueness in told.items():
        column = found.get(key.replace("#sep#", ".").casefold())
        if column is None or evidence.rows[column] == 0:
            continue
        rows, distinct = evidence.rows[column], evidence.distinct[column]
        allowed = [distinct / rows, (distinct + (evidence.nulls[column] > 0)) / rows]
        if not np.isclose(allowed, uniqueness).any():
            differing.add(evidence.ids[column])
    assert differing == DIFFERENT


def test_overlaps_are_those_of_sqlite(data_folder: Path, evidence: JoinEvidence) -> None:
    """Four inclusions that SQLite counts itself with a join."""
    import sqlite3

    found = dict(zip(evidence.ids, range(len(evidence)), strict=True))
    for database, left, right in [
        ("world_1", ("city", "CountryCode"), ("country", "Code")),
        ("car_1", ("model_list", "Maker"), ("car_makers", "Id")),
        ("wta_1", ("matches", "winner_id"), ("players", "player_id")),
        ("dog_kennels", ("Treatments", "dog_id"), ("Dogs", "dog_id")),
    ]:
        path = data_folder / "spider" / "databases" / database / f"{database}.sqlite"
        query = f"SELECT count(DISTINCT a.{left[1]}) FROM {left[0]} a JOIN {right[0]} b ON a.{left[1]} = b.{right[1]}"
        (common,) = sqlite3.connect(path).execute(query).fetchone()
        k, j = (found[f"{database}.{table}.{column}"] for table, column in (left, right))
        assert common > 0
        assert evidence.intersections.csr[k, j] == common


def test_the_default_score_finds_the_declared_keys(evidence: JoinEvidence) -> None:
    """Not told of them, it ranks the declared key first for more pairs of tables than the paper's score does."""
    hits = {name: declared_first(evidence, name) for name in SCORES}
    assert hits["default"] > hits["paper"]
    assert hits["default"] > 0.9


def declared_first(evidence: JoinEvidence, name: str) -> float:
    """Share of the table pairs with a declared key whose best column pair is declared."""
    filled = evidence.rows > 0
    keys = [(k, j) for k, j in np.argwhere(evidence.declared.toarray()) if filled[k] and filled[j]]
    linked = {(evidence.table[k], evidence.table[j]) for k, j in keys if evidence.table[k] != evidence.table[j]}
    found = 0
    for one, other in linked:
        left, right = (np.flatnonzero(evidence.table == table) for table in (one, other))
        pairs = [(k, j) for k in left for j in right]
        block = evidence.pairs(*np.transpose(pairs))
        score = SCORES[name](block, block.token_overlap, trust_declared=False)
        best = int(np.argmax(score))
        found += score[best] > 0 and bool(block.declared[best])
    return found / len(linked)
