"""Subject areas of a large database: which tables are of one, and what they do to relevance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar import Catalog, Index, Reranker
from jar.tables.relevance import with_areas
from jar.text.areas import table_areas
from joinability import Column, Table

SCORES = st.floats(-1, 2).map(lambda score: round(score, 3))
TABLES = st.tuples(SCORES, st.integers(0, 2), st.integers(-1, 2), st.booleans())


def areas_of(*names: str, database: str = "wh") -> list[int]:
    return table_areas([Table(database=database, name=name, columns=(Column("id"),)) for name in names]).tolist()


def test_a_prefix_of_three_tables_is_an_area() -> None:
    """Two tables are none, and a prefix of all says nothing; case does not count."""
    assert areas_of("FAC_BUILDING", "fac_room", "FAC_FLOOR", "HR_STAFF", "HR_LEAVE", "calendar") == [
        0,
        0,
        0,
        -1,
        -1,
        -1,
    ]
    assert areas_of("olist_orders", "olist_items", "olist_sellers") == [-1, -1, -1]


def test_a_schema_is_an_area_where_there_are_several() -> None:
    """Tables of a prefix are an area of their own within it."""
    assert areas_of("dbo.a", "dbo.b") == [-1, -1]
    names = ["sales.fac_a", "sales.fac_b", "sales.fac_c", "sales.order", "hr.staff"]
    assert areas_of(*names) == [0, 0, 0, 1, 2]
    assert areas_of() == []


@given(st.lists(TABLES, min_size=1, max_size=9), st.floats(0, 3))
def test_a_table_loses_what_its_area_falls_short(tables: Sequence[tuple[float, int, int, bool]], weight: float) -> None:
    """Table by table as equation (6) of docs/ranking.md has it; areas are numbered within their databases."""
    scores = np.array([score for score, *_ in tables])
    databases = np.array([database for _, database, _, _ in tables])
    areas = np.array([area if area < 0 else 3 * database + area for _, database, area, _ in tables])
    out = [place for place, (*_, is_out) in enumerate(tables) if is_out]
    found = with_areas(scores, databases, areas, weight, out)
    left = [place for place in range(len(tables)) if place not in out]
    for place, area in enumerate(areas):
        own = [scores[other] for other in left if areas[other] == area]
        short = 0.0
        if area >= 0 and own:
            short = max(scores[other] for other in left if databases[other] == databases[place]) - max(own)
        assert found[place] == pytest.approx(scores[place] - weight * short)


def test_the_area_that_a_question_means_comes_first() -> None:
    """Of tables called note, the one of the area with rooms."""
    names = ["fac_room", "fac_note", "fac_key", "hr_leave", "hr_note", "hr_pay"]
    catalog = Catalog.from_ddl(";".join(f"CREATE TABLE {name} (id INT, text TEXT)" for name in names), database="wh")
    index = Index.build(catalog, embedder=lambda texts: np.ones((len(texts), 4)))
    question = "notes on each room"
    chosen = Reranker(index, area=0.7, candidates=2).rank(question, k=2, subqueries=[]).tables
    assert set(chosen) == {"wh.fac_room", "wh.fac_note"}
    assert "wh.fac_note" not in Reranker(index, area=0.7).rank("notes on pay", k=2, subqueries=[]).tables
