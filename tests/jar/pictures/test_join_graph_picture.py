"""The picture around a table is cut from the whole join graph, without a look at most of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index
from jar.errors import QueryError
from jar.layout.graph_layout import GraphPart
from jar.pictures.join_graph_picture import MOST, _grown, _neighbourhood
from jar.serve.graph_model import graph_model
from joinability import JoinEdge, JoinGraph
from joinability.scores.rivals_by_table import rivals_by_table
from tests.jar.conftest import toy_embedder


@pytest.fixture(scope="module")
def alike() -> Index:
    """Twelve tables in a circle whose keys, and references, are the same three integers: most scores are equal."""
    frames = {
        f"alike.thing{number}": pd.DataFrame({"id": [0, 1, 2], f"thing{(number + 1) % 12}_id": [2, 0, 1]})
        for number in range(12)
    }
    return Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False)


def told(part: GraphPart) -> Any:
    """A part as plain values, with the order in which it is drawn."""
    joins = {table: [edge.to_dict() for edge in edges] for table, edges in part.joins.items()}
    return part.root, list(joins.items()), [edge.to_dict() for edge in part.others]


@pytest.mark.parametrize("name", ["lake_index", "alike"])
def test_a_neighbourhood_is_that_of_the_whole_graph(name: str, request: pytest.FixtureRequest) -> None:
    """Around every third table, one and two joins far: the same joins, drawn in the same order."""
    index: Index = request.getfixturevalue(name)
    drawn = 0
    for least, depth in ((0.1, 1), (0.1, 2), (0.5, 2)):
        whole = index.join_graph(least)
        for table in whole.tables[::3]:
            graph, farther = _neighbourhood(index, table, depth, least)
            part = _grown(graph, table, depth)
            assert told(part) == told(_grown(whole.best(), table, depth))
            assert _neighbourhood(whole, table, depth, least)[1] == farther
            reached = {table} | {edge.right_table for edges in part.joins.values() for edge in edges}
            ring = {edge.right_table for near in reached for edge in whole.neighbours(near)} - reached
            assert farther == len(ring)
            drawn += len(part.joins)
    assert drawn > 10


def test_joins_of_a_table_with_itself_are_not_drawn() -> None:
    """They lead to no other table."""
    edges = [
        JoinEdge("a.x", "a.x", (("parent_id", "id"),), 0.9),
        JoinEdge("a.x", "a.y", (("id", "x_id"),), 0.8),
    ]
    graph = JoinGraph(["a.x", "a.y", "a.z"], [*edges, JoinEdge("a.z", "a.z", (("parent_id", "id"),), 0.9)])
    neighbourhood, farther = _neighbourhood(graph, "a.x", 1, 0.5)
    assert (neighbourhood.edges, farther) == ((edges[1],), 0)
    assert graph_model(graph, ["a"] * 3)["edges"] == [[0, 1, 0.8, True]]


def test_only_the_joins_of_the_neighbourhood_are_looked_at(lake_index: Index) -> None:
    """The rivals of most tables stay unknown."""
    index = Index.load(lake_index.path, embedder=toy_embedder)
    _neighbourhood(index, "bank.card", 1, 0.5)
    known = rivals_by_table(index.contents.evidence).known
    assert 0 < np.count_nonzero(known) < len(known) / 2


def test_a_neighbourhood_that_is_too_large_is_refused() -> None:
    """A star of 151 tables is one too many, one of 150 is not."""
    tables = [f"t{number}" for number in range(MOST + 1)]
    edges = [JoinEdge("t0", table, (("id", "id"),), 0.9) for table in tables[1:]]
    assert _neighbourhood(JoinGraph(tables[:-1], edges[:-1]), "t0", 1, 0.5)[1] == 0
    with pytest.raises(QueryError, match=f"{MOST + 1} tables are too many"):
        _neighbourhood(JoinGraph(tables, edges), "t1", 2, 0.5)


def test_joins_of_several_tables_are_those_of_each(lake_index: Index) -> None:
    """`join_graph(table=[...])` takes short names, too."""
    each = [lake_index.join_graph(0.2, table=table) for table in ("card", "bank.loan")]
    both = lake_index.join_graph(0.2, table=["card", "bank.loan"])
    assert {edge.condition for edge in both} == {edge.condition for graph in each for edge in graph}
    assert len(lake_index.join_graph(0.2, table=[])) == 0
