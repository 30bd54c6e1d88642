"""The join graph: tables, the edges between them with their evidence, and the best way from one table to another."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from joinability.attributes import cached_property
from joinability.errors import CatalogError
from joinability.graph.diagrams import dot, mermaid
from joinability.graph.edge import JoinEdge, JoinPath, column_edges, condition_text
from joinability.scores.edges import edges
from joinability.scores.score import LEAST_SHOWN, default_score
from joinability.short_names import ambiguous, full_names, nearest_names

if TYPE_CHECKING:
    import networkx

    from joinability.arrays import Vectors
    from joinability.evidence.blocks import PairScore
    from joinability.evidence.evidence import JoinEvidence
    from joinability.scores.verdicts import Verdicts

SHOWN = 20
"""Edges that a notebook shows."""
STEP = 0.9
"""Factor of the value of a path for each of its joins; docs/join-graph.md says by what it is chosen."""

MOST_WAYS = 1_000
"""Ways between two tables that are looked at."""

ATTRIBUTES = ("score", "kind", "conditions", "condition", "evidence", "left_table", "padded", "where")
"""The attributes of an edge in networkx."""


class JoinGraph:
    """Tables and the joins between them, best first; several edges may link two tables.

    Parameters
    ----------
    tables : iterable of str
        Ids; tables without an edge count as well.
    edges : iterable of JoinEdge

    Raises
    ------
    CatalogError
        When an edge ends at a table that is not among `tables`.
    """

    def __init__(self, tables: Iterable[str], edges: Iterable[JoinEdge]) -> None:
        self.tables: tuple[str, ...] = tuple(dict.fromkeys(tables))
        self.edges: tuple[JoinEdge, ...] = tuple(sorted(edges, key=lambda edge: -edge.score))
        known = set(self.tables)
        for edge in self.edges:
            for table in (edge.left_table, edge.right_table):
                if table not in known:
                    raise CatalogError(f"the edge {edge.condition} ends at {table!r}, which is not among the tables")

    @classmethod
    def of(
        cls,
        evidence: JoinEvidence,
        score: PairScore = default_score,
        min_score: float = LEAST_SHOWN,
        *,
        vectors: Vectors | None = None,
        verdicts: Verdicts | None = None,
        tables: Iterable[str] = (),
        more: Iterable[JoinEdge] = (),
        touching: str | Collection[str] | None = None,
    ) -> JoinGraph:
        """The graph of the evidence that a store holds.

        Parameters
        ----------
        evidence : JoinEvidence
        score, min_score, vectors, verdicts
            As in `edges`.
        tables : iterable of str
            Further tables, such as those without columns, which the evidence does not know.
        more : iterable of JoinEdge
            Edges beside those between single columns; those below `min_score` are left out.
        touching : str or collection of str, optional
            Only edges that end at this table, or at one of these: in thousands of tables far less work than all.
        """
        ends = {touching} if isinstance(touching, str) else set(touching or ())
        numbers = None if touching is None else [n for n, name in enumerate(evidence.table_names) if name in ends]
        scored = edges(evidence, score, min_score, vectors=vectors, tables=numbers, verdicts=verdicts)
        kept = [edge for edge in more if edge.score >= min_score]
        if touching is not None:
            kept = [edge for edge in kept if ends & {edge.left_table, edge.right_table}]
        return cls([*evidence.table_names, *tables], [*kept, *column_edges(scored)])

    def __len__(self) -> int:
        return len(self.edges)

    def __iter__(self) -> Iterator[JoinEdge]:
        return iter(self.edges)

    def __repr__(self) -> str:
        return f"<JoinGraph: {len(self.tables)} tables, {len(self.edges)} edges>"

    def _repr_html_(self) -> str:
        """The best edges as a table, for notebooks."""
        from joinability.html_tables import html_table

        rows = [
            (
                f"{edge.score:.2f}",
                edge.left_table,
                edge.right_table,
                edge.kind,
                condition_text(edge.conditions, where=edge.where),
            )
            for edge in self.edges[:SHOWN]
        ]
        notes = [f"and {len(self.edges) - SHOWN} more"] if len(self.edges) > SHOWN else []
        return html_table(("score", "left", "right", "kind", "columns"), rows, title=repr(self)[1:-1], notes=notes)

    def between(self, left: str, right: str) -> tuple[JoinEdge, ...]:
        """All edges between two tables, best first, seen from the left one.

        Raises
        ------
        CatalogError
            When the graph has no such table.
        """
        left, right = self.table_named(left), self.table_named(right)
        return tuple(edge.seen_from(left) for edge in self._at[left] if edge.other(left) == right)

    def neighbours(self, table: str) -> tuple[JoinEdge, ...]:
        """The best edge to each table that joins with `table`, best first, seen from it.

        Raises
        ------
        CatalogError
            When the graph has no such table.
        """
        table = self.table_named(table)
        best: dict[str, JoinEdge] = {}
        for edge in self._at[table]:
            best.setdefault(edge.other(table), edge.seen_from(table))
        return tuple(best.values())

    def path(self, left: str, right: str) -> JoinPath | None:
        """The best way to join two tables; None where no joins connect them.

        The value of a path is the product of its scores, times 0.9 for each join: two certain joins are as good as one
        of score 0.9. So it is the shortest path where joins are certain, and leaves weak joins for a way around. On
        the graph with lengths ``-log(0.9 score)`` this is Dijkstra's shortest path, O(E + T log T). A polymorphic
        reference to n tables, of which a row means one, counts an n-th of its score.

        Raises
        ------
        CatalogError
            When the graph has no such table.
        """
        return next(iter(self.paths(left, right, 1)), None)

    def paths(self, left: str, right: str, limit: int = 3) -> list[JoinPath]:
        """The best ways to join two tables, best first, over different tables each (Yen's algorithm), but for those on
        which a row would have to be of two types.

        Raises
        ------
        CatalogError
            When the graph has no such table, or the limit is no whole number from 0.
        """
        import networkx

        left, right = self.table_named(left), self.table_named(right)
        if not isinstance(limit, int) or limit < 0:
            raise CatalogError(f"limit is {limit!r}; it is how many paths there are at most, from 0")
        try:
            ways = networkx.shortest_simple_paths(self._simple, left, right, weight="length")
            along = (self._along(tables) for tables in islice(ways, MOST_WAYS))
            return list(islice((path for path in along if path.is_possible), limit))
        except networkx.NetworkXNoPath:
            return []

    def best(self) -> JoinGraph:
        """The same tables with the best edge of each pair alone."""
        chosen: dict[frozenset[str], JoinEdge] = {}
        for edge in self.edges:
            chosen.setdefault(frozenset((edge.left_table, edge.right_table)), edge)
        return JoinGraph(self.tables, chosen.values())

    def around(self, table: str) -> JoinGraph:
        """A table, its neighbours, and the edges that end at it, seen from it.

        Raises
        ------
        CatalogError
            When the graph has no such table.
        """
        table = self.table_named(table)
        kept = [edge.seen_from(table) for edge in self._at[table]]
        return JoinGraph([table, *(edge.right_table for edge in kept)], kept)

    def to_networkx(self) -> networkx.MultiGraph[str]:
        """A copy for networkx: nodes are table ids; edges have `score`, `kind`, `conditions`, `condition`, `evidence`,
        `padded`, `where` and `left_table`, which is the side that the first name of each condition belongs to."""
        import networkx

        graph: networkx.MultiGraph[str] = networkx.MultiGraph()
        graph.add_nodes_from(self.tables)
        for edge in self.edges:
            graph.add_edge(edge.left_table, edge.right_table, **{name: getattr(edge, name) for name in ATTRIBUTES})
        return graph

    def to_json(self) -> str:
        """Tables and edges as one JSON document."""
        document = {"tables": self.tables, "edges": [edge.to_dict() for edge in self.edges]}
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)

    def to_csv(self) -> str:
        """A line for each edge, with the names of `JoinEdge.to_dict` (RFC 4180); its lists stand as JSON."""
        rows = [edge.to_dict() for edge in self.edges]
        text = io.StringIO()
        names = dict.fromkeys(name for row in rows for name in row)
        writer = csv.DictWriter(text, names or ["left", "right", "score"], restval="", lineterminator="\r\n")
        writer.writeheader()
        for row in rows:
            lists = {name: json.dumps(row[name], ensure_ascii=False) for name in ("conditions", "padded", "where")}
            writer.writerow(row | lists)
        return text.getvalue()

    def to_mermaid(self) -> str:
        """An entity relationship diagram for Mermaid."""
        return mermaid(self.tables, self.edges)

    def to_dot(self) -> str:
        """A graph for Graphviz."""
        return dot(self.tables, self.edges)

    @cached_property
    def _at(self) -> dict[str, list[JoinEdge]]:
        """The edges of each table, best first."""
        at: dict[str, list[JoinEdge]] = {table: [] for table in self.tables}
        for edge in self.edges:
            for table in {edge.left_table, edge.right_table}:
                at[table].append(edge)
        return at

    @cached_property
    def _simple(self) -> networkx.Graph[str]:
        """The best join of each pair of tables, with its length; edges of the kind "union" are no joins."""
        import networkx

        graph: networkx.Graph[str] = networkx.Graph()
        graph.add_nodes_from(self.tables)
        kinds = Counter(_typed_end(edge) for edge in self.edges if edge.where)
        for edge in self.edges:
            ends = edge.left_table, edge.right_table
            if edge.kind != "union" and ends[0] != ends[1] and not graph.has_edge(*ends):
                value = STEP * edge.score / kinds.get(_typed_end(edge), 1)
                graph.add_edge(*ends, length=-math.log(value), edge=edge)
        return graph

    def _along(self, tables: Sequence[str]) -> JoinPath:
        steps = tuple(self._simple.edges[step]["edge"].seen_from(step[0]) for step in pairwise(tables))
        return JoinPath(tuple(tables), steps)

    def table_named(self, name: str) -> str:
        """The id of a table by its id, or by a short name that no other table has: "loan" for "bank.loan".

        Raises
        ------
        CatalogError
            When the graph has no such table, or several; the message lists them, or the nearest.
        """
        if name in self._at:
            return name
        meant = full_names(name, self.tables) if isinstance(name, str) else []
        if len(meant) > 1:
            raise CatalogError(ambiguous("table", name, meant))
        if not meant:
            near = nearest_names(name, self.tables)
            owner = name.rpartition(".")[0] if isinstance(name, str) else ""
            if owner and (owner in self._at or full_names(owner, self.tables)):
                raise CatalogError(f"{name} is no table: give the table alone, {owner}")
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else f"; it has {len(self.tables)}"
            raise CatalogError(f"no table {name!r} in the join graph{hint}")
        return meant[0]


def _typed_end(edge: JoinEdge) -> str:
    """The column of a polymorphic reference that holds the keys; "" of other edges."""
    if edge.where is None:
        return ""
    return edge.left if edge.where.on_left else edge.right
