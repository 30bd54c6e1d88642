"""`plot_join_graph`: the picture of a join graph, or of the tables around one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from jar.errors import QueryError
from jar.layout.graph_layout import GraphPart, lay_out_graph
from jar.pictures.painting import check_installed, paint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from jar.index.index import Index
    from joinability import JoinEdge, JoinGraph

MOST = 150
"""Tables of a picture."""


def plot_join_graph(
    index: Index | JoinGraph,
    around: str | None = None,
    depth: int = 1,
    min_score: float = 0.5,
    ax: Axes | None = None,
) -> Axes:
    """Draw which tables join, with the columns and the score of each join.

    The best joins that lead from the first table to all others are blue and have their columns written above them; the
    other joins between the tables are grey. Of several joins between two tables the best is drawn.

    Parameters
    ----------
    index : Index or JoinGraph
    around : str, optional
        The table in the middle, by its id or a short name; by default all tables that join another are drawn, each part
        from the table with the most joins.
    depth : int
        With `around`, how many joins lead to the farthest table, from 1.
    min_score : float
        The least score of a join that is drawn, from 0 to 1.
    ax : Axes, optional
        Where to draw; by default in a new figure of the size that the picture needs.

    Returns
    -------
    Axes

    Raises
    ------
    QueryError
        When `depth` or `min_score` cannot be used, or more than 150 tables would be drawn.
    CatalogError
        When there is no such table, or several.
    JarError
        When matplotlib is not installed.
    """
    check_installed()
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise QueryError(f"depth is {depth!r}; it is a whole number of joins, from 1")
    if not 0 <= min_score <= 1:
        raise QueryError(f"min_score is {min_score!r}; it is between 0 and 1")
    if around is None:
        graph = _scored(index, min_score).best()
        parts = _all_parts(graph)
        title, alone = f"Joins that score {min_score:g} or more", len(graph.tables) - _count(parts)
        notes = [f"{alone} more without such a join"] if alone else []
    else:
        around = _tables_alone(index).table_named(around)
        graph, farther = _neighbourhood(index, around, depth, min_score)
        parts = [_grown(graph, around, depth)]
        title = f"Around {around}: at most {depth} join{'s' * (depth > 1)} away, each of score {min_score:g} or more"
        notes = [f"{farther} more {'tables are' if farther > 1 else 'table is'} a join farther away"] if farther else []
    _check_room(_count(parts))
    return paint(lay_out_graph(title, parts, notes), ax)


def _check_room(tables: int) -> None:
    if tables > MOST:
        ways = "give around=..., a smaller depth or a greater min_score"
        raise QueryError(f"{tables} tables are too many for a picture, which holds {MOST}: {ways}")


def _scored(index: Index | JoinGraph, min_score: float, ends: Collection[str] | None = None) -> JoinGraph:
    """The joins between two tables of an index, or of a graph, that score enough, maybe only those that end at some
    tables; no unions."""
    from joinability import JoinGraph

    graph = index if isinstance(index, JoinGraph) else index.join_graph(min_score, table=ends)
    kept = [edge for edge in graph if edge.score >= min_score and edge.kind != "union"]
    if ends is not None:
        kept = [edge for edge in kept if edge.left_table in ends or edge.right_table in ends]
    return JoinGraph(graph.tables, [edge for edge in kept if edge.left_table != edge.right_table])


def _tables_alone(index: Index | JoinGraph) -> JoinGraph:
    """A graph without joins, which knows the names of the tables."""
    from joinability import JoinGraph

    return JoinGraph(index.tables if isinstance(index, JoinGraph) else index.contents.table_position, ())


def _neighbourhood(index: Index | JoinGraph, root: str, depth: int, min_score: float) -> tuple[JoinGraph, int]:
    """The best joins of the tables at most `depth` joins from a root, and how many tables are a join farther away.

    It looks only at the joins of these tables, ring by ring: most tables of a lake are not among them.

    Raises
    ------
    QueryError
        As soon as there are too many tables.
    """
    from joinability import JoinGraph

    joins: dict[frozenset[str], JoinEdge] = {}
    near, ring = {root}, {root}
    for _ in range(depth):
        joins |= _best_joins(index, min_score, ring)
        ring = {table for pair in joins for table in pair} - near
        near |= ring
        _check_room(len(near))
    joins |= _best_joins(index, min_score, ring)
    tables = near.union(*joins)
    return JoinGraph(sorted(tables), joins.values()), len(tables - near)


def _best_joins(index: Index | JoinGraph, min_score: float, ends: Collection[str]) -> dict[frozenset[str], JoinEdge]:
    """The best join of each two tables of which one is among some, by the two."""
    graph = _scored(index, min_score, ends) if ends else ()
    best: dict[frozenset[str], JoinEdge] = {}
    for edge in graph:
        best.setdefault(frozenset((edge.left_table, edge.right_table)), edge)
    return best


def _count(parts: Sequence[GraphPart]) -> int:
    return sum(1 + sum(map(len, part.joins.values())) for part in parts)


def _all_parts(graph: JoinGraph) -> list[GraphPart]:
    """The connected parts of at least two tables, the largest first, each from the table with the most joins."""
    left = {table for edge in graph for table in (edge.left_table, edge.right_table)}
    order = sorted(left, key=lambda table: (-len(graph.neighbours(table)), table))
    parts = []
    for root in order:
        if root in left:
            part = _grown(graph, root, len(order))
            left -= _tables(part)
            parts.append(part)
    return sorted(parts, key=lambda part: (-len(_tables(part)), part.root))


def _grown(graph: JoinGraph, root: str, depth: int) -> GraphPart:
    """The tables at most `depth` joins from a root; the best join with a table one step nearer leads to each.

    O(E log E) for E joins.
    """
    lead: dict[str, JoinEdge | None] = {root: None}
    joins: dict[str, tuple[JoinEdge, ...]] = {}
    ring = [root]
    for _ in range(depth):
        best: dict[str, JoinEdge] = {}
        for table in ring:
            for edge in graph.neighbours(table):
                far = edge.right_table
                if far not in lead and (far not in best or edge.score > best[far].score):
                    best[far] = edge
        leads = sorted(best.values(), key=lambda edge: (-edge.score, edge.right_table))
        for edge in leads:
            joins[edge.left_table] = (*joins.get(edge.left_table, ()), edge)
        lead |= best
        ring = [edge.right_table for edge in leads]
        if not ring:
            break
    leading = {frozenset((edge.left_table, edge.right_table)) for edge in lead.values() if edge is not None}
    others = [edge for edge in graph if edge.left_table in lead and edge.right_table in lead]
    rest = [edge for edge in others if frozenset((edge.left_table, edge.right_table)) not in leading]
    return GraphPart(root, joins, tuple(sorted(rest, key=lambda edge: (-edge.score, edge.condition))))


def _tables(part: GraphPart) -> set[str]:
    return {part.root} | {edge.right_table for edges in part.joins.values() for edge in edges}
