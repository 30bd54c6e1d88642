"""Columns that tell of the making of rows, in fine relevance."""

from __future__ import annotations

import numpy as np
import pytest

from jar import Catalog, Index, Reranker
from jar.tables.fine_relevance import UNASKED, with_bookkeeping

DDL = """
CREATE TABLE lift (lift_id INT, built_on DATE, created_by INT, updated_at TIMESTAMP);
CREATE TABLE depot (depot_id INT, city VARCHAR(30));
"""


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.build(Catalog.from_ddl(DDL, database="d"), embedder="distilled", progress=False)


def test_fine_relevance_is_that_of_the_formula(index: Index) -> None:
    """Equation (8a), column by column and sub-query by sub-query; what was given stays as it was."""
    columns = np.arange(6)[::-1]
    subqueries = ["lifts", "when was the lift created", "cities"]
    fine = np.random.default_rng(0).uniform(-0.2, 1, (3, 6))
    given = fine.copy()
    found = with_bookkeeping(fine, index.contents, columns, subqueries)
    for place in range(3):
        for at, column in enumerate(columns):
            less = place != 1 and index.contents.evidence.name[column] in ("created_by", "updated_at")
            assert found[place, at] == fine[place, at] * (UNASKED if less else 1)
    np.testing.assert_array_equal(fine, given)
    assert with_bookkeeping(fine, index.contents, columns, ["when", "last", "updated"]) is fine


def test_no_such_column_is_told_as_the_answer_unless_it_is_asked_for(index: Index) -> None:
    """Who created a lift is no answer to "lifts"; by the paper's relevance the nearest column is told."""
    told = {
        question: [part.column for part in Reranker(index).rank(question, 1, subqueries=[question]).coverage]
        for question in ("lifts", "lifts by who created them")
    }
    assert told["lifts"] in (["d.lift.lift_id"], ["d.lift.built_on"])
    assert told["lifts by who created them"] == ["d.lift.created_by"]
