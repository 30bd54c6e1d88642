"""The join graph as plain values for a drawing: tables with their places, and the best join of each two."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from jar.answers.join import Join
from jar.page.join_facts import join_facts

if TYPE_CHECKING:
    import networkx

    from joinability import JoinEdge, JoinGraph

DRAWN = 0.2
"""Least score of a join that is drawn."""
STEPS, WORK = 60, 8_000_000
"""Steps of the layout of a part at most, and about how many pairs of tables all steps look at."""
SPACE = 46.0
"""Pixels between two tables that join, about."""


def graph_model(graph: JoinGraph) -> dict[str, Any]:
    """Tables, their places in pixels, and edges [left, right, score] by the places of tables in the list."""
    place = {table: number for number, table in enumerate(graph.tables)}
    edges = [
        [place[edge.left_table], place[edge.right_table], round(edge.score, 3)]
        for edge in graph.best()
        if edge.kind != "union"
    ]
    return {"tables": list(graph.tables), "places": layout(len(graph.tables), edges), "edges": edges}


def layout(count: int, edges: list[list[Any]]) -> list[list[float]]:
    """Places of `count` tables: each connected part by springs, the parts in rows, tables without joins in a grid."""
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(edges)
    parts = sorted((sorted(part) for part in networkx.connected_components(graph)), key=lambda part: (-len(part), part))
    boxes = [_part(graph.subgraph(part), part) for part in parts]
    width = max([*(box[:, 0].max() for box in boxes), 1.3 * math.sqrt(sum(_area(box) for box in boxes))], default=0.0)
    places = np.zeros((count, 2))
    left = top = height = 0.0
    for part, box in zip(parts, boxes, strict=True):
        wide, high = box.max(axis=0)
        if left and left + wide > width:
            left, top, height = 0.0, top + height + 2 * SPACE, 0.0
        places[part] = box + np.array([left, top])
        left, height = left + wide + 2 * SPACE, max(height, high)
    return [[round(x, 1), round(y, 1)] for x, y in places.tolist()]


def _part(graph: networkx.Graph[int], part: list[int]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Places of a connected part, from (0, 0)."""
    import networkx

    count = len(part)
    if count == 1:
        return np.zeros((1, 2))
    steps = max(5, min(STEPS, WORK // count**2))
    found = networkx.spring_layout(graph, seed=0, iterations=steps)
    places = np.array([found[table] for table in part])
    scale = SPACE * 1.6 * math.sqrt(count) / float(np.ptp(places, axis=0).max())
    return np.asarray((places - places.min(axis=0)) * scale)


def _area(box: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    wide, high = box.max(axis=0) + 2 * SPACE
    return float(wide * high)


def edge_model(edge: JoinEdge) -> dict[str, Any]:
    """A join with what speaks for it."""
    join = Join.of(edge)
    return {
        "left_table": edge.left_table,
        "right_table": edge.right_table,
        "left": edge.left,
        "right": edge.right,
        "condition": edge.condition,
        "score": round(edge.score, 4),
        **join_facts(join),
    }
