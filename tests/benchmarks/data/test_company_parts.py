"""Parts of companies: few tables that refer to one another, with every question once."""

from __future__ import annotations

from dataclasses import replace

import networkx
import pytest

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.wild.companies import companies, company_schemas
from benchmarks.data.wild.company_parts import LARGEST, SMALLEST, company_parts


@pytest.fixture(scope="module")
def some() -> Dataset:
    """Two of the companies to choose by, with the questions that nothing answers."""
    whole = companies(held_out=False, unanswered=True)
    names = list(dict.fromkeys(question.database for question in whole.questions))[:2]
    return replace(whole, questions=tuple(question for question in whole.questions if question.database in names))


def test_every_question_is_asked_once_of_a_part_that_has_its_tables(some: Dataset) -> None:
    """Those that nothing answers, too."""
    parts = list(company_parts(some))
    asked = [question.id for part in parts for question in part.questions]
    assert sorted(asked) == sorted(question.id for question in some.questions)
    for part in parts:
        tables = {table.id.casefold() for table in part.catalog}
        assert all(question.gold_tables <= tables for question in part.questions)
        assert any(question.gold_tables for question in part.questions)
        assert {key.target.casefold() for table in part.catalog for key in table.foreign_keys} <= tables


def test_a_part_is_small_and_hangs_together(some: Dataset) -> None:
    """By references, declared or not; the same parts come again."""
    graph = networkx.Graph()
    for schema in company_schemas(held_out=False):
        graph.add_edges_from(
            (f"{schema.name}.{child}".casefold(), f"{schema.name}.{parent}".casefold())
            for child, _, parent, _ in schema.keys
        )
    parts = [[table.id for table in part.catalog] for part in company_parts(some)]
    assert parts == [[table.id for table in part.catalog] for part in company_parts(some)]
    sizes = [len(part) for part in parts]
    assert min(sizes) >= SMALLEST
    assert max(sizes) <= LARGEST
    hanging = [networkx.is_connected(graph.subgraph(table.casefold() for table in part)) for part in parts]
    assert sum(hanging) > 0.9 * len(hanging)
