"""The references that an index tells of a database whose references are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.data.join_schemas import RowSchema, RowSource
from benchmarks.data.wild.companies import AGES, ages, company_schemas
from benchmarks.names.told_figures import MARKS, Told, told, write_told_table
from benchmarks.pages.grids import Grid
from joinability import Column, Table

ROWS = {
    "customers": {"customer_id": [1000 + 3 * place for place in range(40)], "name": [f"n{p}" for p in range(40)]},
    "orders": {"order_id": list(range(1, 81)), "customer_id": [1000 + 3 * (place % 40) for place in range(80)]},
    "calls": {"call_id": list(range(1, 61)), "customer_id": [1000 + 3 * (place % 30) for place in range(60)]},
}


def shop() -> tuple[tuple[Table, ...], RowSchema]:
    """Orders and calls of customers; of the references one is not told, for its column has other values."""
    keys = (
        ("orders", "customer_id", "customers", "customer_id"),
        ("calls", "customer_id", "customers", "customer_id"),
        ("calls", "call_id", "orders", "customer_id"),
    )
    tables = tuple(
        Table("shop", name, tuple(Column(column) for column in rows), source=RowSource(rows))
        for name, rows in ROWS.items()
    )
    return tables, RowSchema("shop", ROWS, keys, (), {})


def test_told_references_are_counted() -> None:
    """Two columns that refer to one key are neither right nor wrong."""
    found = told(*shop())
    assert (found.references, found.right) == (3, 2)
    assert found.pairs == found.right + found.alike
    assert (found.precision, found.recall) == (1.0, pytest.approx(2 / 3))
    assert Told(4, 5, 3, 1).precision == 0.75


def test_the_databases_are_those_of_their_page() -> None:
    """Each has 60 questions, whose tables it has, and references between columns that it has."""
    for held_out, count in ((False, 10), (True, 2)):
        schemas, asked = company_schemas(held_out=held_out, folder=AGES), ages(held_out=held_out)
        assert len(schemas) == count
        assert len(asked.questions) == 60 * count
        ids = {table.id.casefold() for table in asked.catalog}
        assert all(question.gold_tables <= ids for question in asked.questions)
        for schema in schemas:
            assert all(
                column in schema.rows[child] and key in schema.rows[parent]
                for child, column, parent, key in schema.keys
            )


def test_the_table_is_written_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{MARKS[0]}\nstale\n{MARKS[1]}\n\nafter\n", encoding="utf-8")
    write_told_table(Grid("", ("database", "told"), [("shop", "2")]), page)
    assert "| shop | 2 |" in page.read_text(encoding="utf-8")
    assert "stale" not in page.read_text(encoding="utf-8")
