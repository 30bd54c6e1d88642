"""Fixtures of the tests of joinability."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from joinability import Catalog, EvidenceStore, JoinEvidence
from tests.joinability.servers import mariadb_server, postgres_server, spark_session

Make = Callable[[str, str], Path]
Add = Callable[[Catalog], list[tuple[str, str]]]
EvidenceOf = Callable[[Catalog], JoinEvidence]


@pytest.fixture
def make_sqlite(tmp_path: Path) -> Make:
    """A function that makes a SQLite file of a name from a script."""

    def make(name: str, script: str) -> Path:
        path = tmp_path / f"{name}.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(script)
        return path

    return make


@pytest.fixture
def store() -> Iterator[EvidenceStore]:
    """An empty store in memory."""
    with duckdb.connect() as connection:
        made = EvidenceStore(connection)
        made.create()
        yield made


@pytest.fixture
def add(store: EvidenceStore) -> Add:
    """A function that adds all tables of a catalog to the store, counts overlaps, and returns the failures."""

    def added(catalog: Catalog) -> list[tuple[str, str]]:
        numbered, first = [], 0
        for table in catalog:
            numbered.append((table, first))
            first += len(table.columns)
        failures = store.add_tables(numbered)
        store.update_overlaps()
        return failures

    return added


@pytest.fixture
def evidence_of(store: EvidenceStore, add: Add) -> EvidenceOf:
    """A function that gives the evidence on a catalog, all of whose tables can be read."""

    def evidence(catalog: Catalog) -> JoinEvidence:
        assert add(catalog) == []
        return store.load()

    return evidence


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    with postgres_server() as url:
        yield url


@pytest.fixture(scope="session")
def mariadb() -> Iterator[str]:
    """The URL of a MariaDB server."""
    with mariadb_server() as url:
        yield url


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A Spark session."""
    with spark_session() as session:
        yield session
