"""The terse schemas: what their files say of themselves holds, and their names are read."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from benchmarks.data.wild.terse import terse, terse_schemas, terse_tables
from benchmarks.names.named_truth import terse_truths
from benchmarks.names.read_words import words_read

SCHEMAS = terse_schemas(held_out=False) | terse_schemas(held_out=True)


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_name_is_told_in_words(name: str) -> None:
    """Those of tables and of columns; most of their words are read."""
    tables = terse_tables(name)
    written = {table.name.rpartition(".")[2] for table in tables}.union(*(table.column_names for table in tables))
    assert 65 <= len(tables) <= 70
    assert written <= SCHEMAS[name]["words"].keys()
    found = words_read(name, SCHEMAS[name]["words"])
    assert found.names > found.whole > 0.5 * found.names
    assert found.words > found.read > 0.5 * found.words


@pytest.mark.parametrize("held_out", [False, True])
def test_questions_read_the_tables_that_are_listed(held_out: bool) -> None:
    """Thirty of each schema, with SQL over these tables alone."""
    dataset = terse(held_out=held_out)
    assert len(dataset.questions) == 180
    known = {table.id.casefold() for table in dataset.catalog}
    for question in dataset.questions:
        tree = sqlglot.parse_one(question.sql, read="sqlite")
        inner = {part.alias.casefold() for part in tree.find_all(exp.CTE)}
        named = {table.name.casefold() for table in tree.find_all(exp.Table)} - inner
        assert question.gold_tables <= known
        assert {gold.rpartition(".")[2] for gold in question.gold_tables} == named


@pytest.mark.parametrize("held_out", [False, True])
def test_references_are_of_columns_that_exist(held_out: bool) -> None:
    """Every schema has some hundred between two of its tables."""
    for truth in terse_truths(held_out=held_out):
        assert len(truth.references) > 150
