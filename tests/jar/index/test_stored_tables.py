"""Tables of an index are those of its catalog, though their columns are made when they are asked for."""

from __future__ import annotations

import pickle
from dataclasses import replace

import duckdb
import numpy as np
import pytest

from jar import Catalog, Index
from jar.index.text_vectors import read_vectors
from joinability import Column, ForeignKey, Table
from tests.jar.conftest import toy_embedder

LOAN = Table(
    "bank",
    "loan",
    (Column("loan_id", "INTEGER"), Column("client_id", "INTEGER", description="who owes it")),
    primary_key=("loan_id",),
    foreign_keys=(ForeignKey(("client_id",), "bank.client", ("client_id",)),),
    description="money lent",
)
CLIENT = Table("bank", "client", (Column("client_id", "INTEGER", natural_name="client number"), Column("name")))


@pytest.fixture(scope="module")
def stored() -> tuple[Table, ...]:
    """The tables of an index."""
    return Index.build(Catalog([LOAN, CLIENT]), embedder=toy_embedder, progress=False).contents.tables


def test_stored_tables_are_equal_to_those_of_the_catalog(stored: tuple[Table, ...]) -> None:
    """A stored table is equal to the one that was indexed, from either side, and has its hash."""
    by_id = {table.id: table for table in stored}
    for table in (LOAN, CLIENT):
        assert by_id[table.id] == table
        assert table == by_id[table.id]
        assert hash(by_id[table.id]) == hash(table)
    assert by_id[LOAN.id] != CLIENT


def test_names_are_told_without_columns(stored: tuple[Table, ...]) -> None:
    """The names of columns are there before the columns are made, and the same afterwards."""
    for table in stored:
        before = table.column_names
        assert before == [column.name for column in table.columns] == table.column_names


def test_a_stored_table_may_be_replaced(stored: tuple[Table, ...]) -> None:
    """A copy with other columns has these, and their names."""
    for table in stored:
        narrow = replace(table, columns=table.columns[:1], foreign_keys=())
        assert narrow.column_names == table.column_names[:1]
        assert replace(narrow, columns=table.columns, foreign_keys=table.foreign_keys) == table


def test_a_stored_table_is_pickled_without_the_others(stored: tuple[Table, ...]) -> None:
    """What comes back from a pickle is a plain table."""
    for table in stored:
        back = pickle.loads(pickle.dumps(table))
        assert type(back) is Table
        assert back == table


def test_vectors_are_those_of_their_texts() -> None:
    """Each text has its vector, whatever the order of texts and rows; texts without one are left out."""
    vectors = np.random.default_rng(0).random((5, 3)).astype(np.float32)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE embeddings (text VARCHAR, vector FLOAT[3])")
        connection.execute("CREATE TABLE catalog_tables (table_id INTEGER, text VARCHAR)")
        connection.execute("CREATE TABLE catalog_columns (table_id INTEGER, position INTEGER, text VARCHAR)")
        for number in (3, 0, 4, 2, 1):
            connection.execute("INSERT INTO embeddings VALUES (?, ?)", [f"text {number}", vectors[number].tolist()])
        connection.execute("DELETE FROM embeddings WHERE text = 'text 4'")
        connection.execute("INSERT INTO catalog_tables VALUES (1, 'text 2'), (0, 'text 3'), (2, 'text 4')")
        connection.execute("INSERT INTO catalog_columns VALUES (1, 0, 'text 0'), (0, 1, 'text 1'), (0, 0, 'text 0')")
        texts = [("catalog_columns", "text"), ("catalog_tables", "text")]
        columns, tables = (np.asarray(found) for found in read_vectors(connection, 3, texts))
    np.testing.assert_array_equal(columns, vectors[[0, 1, 0]])
    np.testing.assert_array_equal(tables, vectors[[3, 2]])
