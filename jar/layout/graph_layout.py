"""The picture of a join graph: tables in columns by their distance from the first, each beside the one before it.

Every table has a height of its own, and the best joins, which lead from the first table to all others, never cross.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jar.layout.drawing import CELL, Anchor, Box, Drawing, Line, Text
from jar.layout.names_shown import cells, cut, shortened

if TYPE_CHECKING:
    from joinability import JoinEdge

SIZE, SMALL, TITLE = 12.0, 10.5, 14.0
"""Sizes of text."""
MARGIN, HEIGHT, SLOT, APART, LEAST_GAP = 16.0, 26.0, 42.0, 16.0, 110.0
"""Around all; of a table; from one to the next; between parts that do not join; between columns."""
NAME, CONDITION = 36, 44
"""Cells that names and conditions take at most."""


@dataclass(frozen=True)
class Node:
    """A table: its id, its distance from the first, and the join that leads to it, seen from the table before it."""

    table: str
    depth: int
    y: float
    join: JoinEdge | None


@dataclass(frozen=True)
class GraphPart:
    """Tables that join each other, from one of them on: the best joins that lead to them, and all others between them.

    Attributes
    ----------
    root : str
    joins : mapping
        Of each table, the joins with tables one step farther, seen from it, in the order in which they are drawn.
    others : tuple of JoinEdge
    """

    root: str
    joins: dict[str, tuple[JoinEdge, ...]]
    others: tuple[JoinEdge, ...]


def lay_out_graph(title: str, parts: Sequence[GraphPart], notes: Sequence[str] = ()) -> Drawing:
    """The picture of parts of a join graph, below each other."""
    top = MARGIN + 34
    nodes = list[Node]()
    others: list[JoinEdge] = []
    for part in parts:
        placed = _placed(part, top)
        nodes += placed
        others += part.others
        top = max(node.y for node in placed) + SLOT + APART
    columns = _columns(nodes)
    at = {node.table: node for node in nodes}
    shapes: list[Box | Line | Text] = [Text(MARGIN, MARGIN + 14, cut(title, 90), TITLE, bold=True, hint=title)]
    for edge in others:
        shapes.append(_other(at[edge.left_table], at[edge.right_table], columns, edge))
    for node in nodes:
        if node.join is not None:
            shapes += _lead(at[node.join.left_table], node, columns)
    roots = {part.root for part in parts}
    for node in nodes:
        x, width = columns[node.depth]
        look = "centre" if node.table in roots else "table"
        shapes.append(Box(x, node.y - HEIGHT / 2, width, HEIGHT, look, node.table))
        name = shortened(node.table, NAME)
        shapes.append(Text(x + 10, node.y + 4, name, SIZE, bold=node.table in roots, hint=node.table))
    bottom = max((node.y for node in nodes), default=top) + HEIGHT / 2
    shapes += [Text(MARGIN, bottom + 34 + 17 * row, note, SMALL, opacity=0.8) for row, note in enumerate(notes)]
    ends = [shape.x + CELL * shape.size * cells(shape.text) for shape in shapes if isinstance(shape, Text)]
    right = max([*(x + width + 40 * bool(others) for x, width in columns), *_starts(shapes, ends)], default=0.0)
    return Drawing(right + MARGIN, bottom + (17 * len(notes) + 17 if notes else 0) + MARGIN, title, tuple(shapes))


def _starts(shapes: Sequence[Box | Line | Text], ends: Sequence[float]) -> Iterator[float]:
    """Where texts end that begin at their place."""
    texts = [shape for shape in shapes if isinstance(shape, Text)]
    yield from (end for text, end in zip(texts, ends, strict=True) if text.anchor == "start")


def _placed(part: GraphPart, top: float) -> list[Node]:
    """The tables of a part, depth first: leaves below each other, every other table in the middle of those that it
    leads to."""
    leaves = 0

    def grown(table: str, depth: int, join: JoinEdge | None) -> list[Node]:
        nonlocal leaves
        below = [grown(edge.right_table, depth + 1, edge) for edge in part.joins.get(table, ())]
        if below:
            y = (below[0][0].y + below[-1][0].y) / 2
        else:
            y = top + HEIGHT / 2 + SLOT * leaves
            leaves += 1
        return [Node(table, depth, y, join), *(node for nodes in below for node in nodes)]

    return grown(part.root, 0, None)


def _columns(nodes: Sequence[Node]) -> list[tuple[float, float]]:
    """Where each column of tables begins and how wide it is; the joins that lead to it have room before it."""
    columns, x = list[tuple[float, float]](), MARGIN
    for depth in range(max((node.depth for node in nodes), default=-1) + 1):
        here = [node for node in nodes if node.depth == depth]
        labels = [cells(_label(node.join)) for node in here if node.join is not None]
        if labels:
            x += max(LEAST_GAP, CELL * SMALL * max(labels) + 44)
        width = CELL * SIZE * max(cells(shortened(node.table, NAME)) for node in here) + 20
        columns.append((x, width))
        x += width
    return columns


def _label(edge: JoinEdge) -> str:
    return f"{cut(edge.short_condition, CONDITION)}  {edge.score:.2f}"


def _lead(before: Node, node: Node, columns: Sequence[tuple[float, float]]) -> Iterator[Line | Text]:
    """The join that leads to a table: a curve, then a straight end with its columns above."""
    assert node.join is not None
    start, end = sum(columns[before.depth]), columns[node.depth][0]
    bend = start + 32
    look = "weak join" if node.join.evidence.get("unverified") else "join"
    middle = (start + bend) / 2
    points = ((start, before.y), (middle, before.y), (middle, node.y), (bend, node.y))
    yield Line(points, look, 3.0 * node.join.score, curved=True)
    yield Line(((bend - 1, node.y), (end, node.y)), look, 3.0 * node.join.score)
    anchor: Anchor = "end"
    yield Text(end - 6, node.y - 6, _label(node.join), SMALL, anchor, 0.85, hint=node.join.condition)


def _other(left: Node, right: Node, columns: Sequence[tuple[float, float]], edge: JoinEdge) -> Line:
    """A join beside those that lead to tables, in the background."""
    if left.depth == right.depth:
        x = sum(columns[left.depth])
        points = ((x, left.y), (x + 36, left.y), (x + 36, right.y), (x, right.y))
    else:
        left, right = sorted((left, right), key=lambda node: node.depth)
        start, end = sum(columns[left.depth]), columns[right.depth][0]
        points = ((start, left.y + 5), (start + 60, left.y + 5), (end - 60, right.y + 5), (end, right.y + 5))
    return Line(points, "other join", 1.5 * edge.score, curved=True)
