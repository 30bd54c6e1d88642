"""The join graph as plain values for a drawing: tables with their places, and the best join of each two."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from jar.answers.join import Join
from jar.page.join_facts import join_facts

if TYPE_CHECKING:
    import networkx

    from joinability import JoinEdge, JoinGraph

Places: TypeAlias = npt.NDArray[np.float64]
Edge: TypeAlias = tuple[int, int, float]

DRAWN = 0.2
"""Least score of a join that is drawn."""
STEPS, WORK = 60, 8_000_000
"""Steps of the layout of a part at most, and about how many pairs of tables all steps look at."""
SPACE = 46.0
"""Pixels between two tables that join, about."""


def graph_model(graph: JoinGraph, databases: Sequence[str]) -> dict[str, Any]:
    """Tables, their places in pixels, and the best join of each two.

    Parameters
    ----------
    databases : sequence of str
        That of each table of the graph, in their order.

    Returns
    -------
    dict
        `edges` are [left, right, score] by the places of tables in the list; `databases` are [name, x, y].
    """
    place = {table: number for number, table in enumerate(graph.tables)}
    edges = [
        (place[edge.left_table], place[edge.right_table], round(edge.score, 3))
        for edge in graph.best()
        if edge.kind != "union" and edge.left_table != edge.right_table
    ]
    places, corners = layout(databases, edges)
    return {
        "tables": list(graph.tables),
        "places": [[round(x, 1), round(y, 1)] for x, y in places.tolist()],
        "edges": [[*edge, databases[edge[0]] == databases[edge[1]]] for edge in edges],
        "databases": [[name, round(x, 1), round(y, 1)] for name, (x, y) in corners.items()],
    }


def layout(databases: Sequence[str], edges: Iterable[Edge]) -> tuple[Places, dict[str, tuple[float, float]]]:
    """Places of tables, shape (n, 2), and of the upper left corner of each database.

    Tables of a database stand together: each part that its joins connect by springs, the parts in rows. So the joins
    between databases, of which a lake has many that mean little, do not pull everything into one knot.
    """
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(len(databases)))
    graph.add_weighted_edges_from(edge for edge in edges if databases[edge[0]] == databases[edge[1]])
    parts: dict[str, list[list[int]]] = {}
    for part in sorted(
        (sorted(part) for part in networkx.connected_components(graph)), key=lambda each: (-len(each), each)
    ):
        parts.setdefault(databases[part[0]], []).append(part)
    places: Places = np.zeros((len(databases), 2))
    names = sorted(parts, key=lambda name: (-sum(map(len, parts[name])), name))
    members = [[table for part in parts[name] for table in part] for name in names]
    boxes = [_in_rows([_part(graph.subgraph(part), part) for part in parts[name]], SPACE) for name in names]
    corners = {}
    for name, tables, box, whole in zip(names, members, boxes, _rows(boxes, 2 * SPACE), strict=True):
        places[tables] = box + whole
        corners[name] = (float(whole[0]), float(whole[1]))
    return places, corners


def _part(graph: networkx.Graph[int], part: list[int]) -> Places:
    """Places of a connected part, from (0, 0)."""
    if len(part) == 1:
        return np.zeros((1, 2))
    place = {table: number for number, table in enumerate(part)}
    edges = sorted((*sorted((place[left], place[right])), score) for left, right, score in graph.edges(data="weight"))
    return _springs(len(part), tuple(edges))


@lru_cache(maxsize=4096)
def _springs(count: int, edges: tuple[Edge, ...]) -> Places:
    """Places of tables that springs connect; kept, since one pin or veto leaves most parts of a graph as they were."""
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(edges)
    steps = max(5, min(STEPS, WORK // count**2))
    layout = networkx.spring_layout(graph, seed=0, iterations=steps)
    places = np.array([layout[table] for table in range(count)])
    scale = SPACE * 1.6 * math.sqrt(count) / float(np.ptp(places, axis=0).max())
    return np.asarray((places - places.min(axis=0)) * scale)


def _in_rows(boxes: list[Places], gap: float) -> Places:
    """The places of several parts as those of one, in rows."""
    return np.concatenate([box + corner for box, corner in zip(boxes, _rows(boxes, gap), strict=True)])


def _rows(boxes: list[Places], gap: float) -> list[Places]:
    """The corners of boxes that stand in rows, which together are somewhat wider than high."""
    sides = [box.max(axis=0) + gap for box in boxes]
    width = max([1.3 * math.sqrt(sum(float(wide * high) for wide, high in sides)), *(float(side[0]) for side in sides)])
    corners, left, top, height = [], 0.0, 0.0, 0.0
    for wide, high in sides:
        if left and left + wide > width:
            left, top, height = 0.0, top + height, 0.0
        corners.append(np.array([left, top]))
        left, height = left + float(wide), max(height, float(high))
    return corners


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
        "kind": edge.kind,
        "pinned": bool(edge.evidence.get("pinned")),
        **join_facts(join),
    }
