"""Joins of a table that skip a third one: both refer to its key, as loans and cards do to that of accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jar.index.frames import later_shards
from joinability import JoinEdge
from joinability.scores.score import describe, join_score

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.index.index import Index
    from joinability.scores.score import JoinScore


def best_joins(index: Index, table: str, least: float) -> list[JoinEdge]:
    """The best join of a table with each other table, seen from it, best first: of the join graph, or past a key.

    Of sharded tables the first stands for the others, which join alike.

    Parameters
    ----------
    table : str
        An id.
    least : float
        The least score.

    Raises
    ------
    CatalogError
        When the index has no such table.
    """
    graph, contents = index.join_graph(least, table=table), index.contents
    table = graph.table_named(table)
    edges, shards = list(graph.neighbours(table)), later_shards(contents)
    edges += sibling_joins(contents, join_score(index.score), contents.table_position[table])
    best: dict[str, JoinEdge] = {}
    for edge in sorted(edges, key=lambda edge: -edge.score):
        if edge.score >= least and edge.right_table not in shards:
            best.setdefault(edge.right_table, edge)
    return list(best.values())


def sibling_joins(contents: IndexContents, score: JoinScore, table: int) -> list[JoinEdge]:
    """The best such join of a table with each other table, seen from it, best first; the join graph has none of them.

    Their scores are those that rankings have, see `joinability.scores.references.References.shared`.

    Parameters
    ----------
    score : JoinScore
        A score without references, such as the paper's, has no such joins.
    table : int
        Position in the index.
    """
    references = contents.joins.references(
        score, contents.columns_of(np.flatnonzero(contents.databases == contents.databases[table]))
    )
    if references is None:
        return []
    keys = references.key[contents.owner[references.child] == table]
    near = references.without(~np.isin(references.key, keys))
    columns = np.unique(near.child)
    one, two, shared = near.shared(contents.evidence, columns)
    kept = contents.owner[columns[one]] == table
    here, there, shared = columns[one[kept]], columns[two[kept]], shared[kept]
    if contents.joins.verdicts is not None:
        left_over = ~contents.joins.verdicts.are_vetoed(contents.evidence.pairs(here, there))
        here, there, shared = here[left_over], there[left_over], shared[left_over]
    best: dict[int, JoinEdge] = {}
    for place in np.lexsort((there, here, -shared)):
        left, right = here[place], there[place]
        to = int(contents.owner[right])
        if to not in best:
            best[to] = JoinEdge(
                contents.tables[table].id,
                contents.tables[to].id,
                ((contents.evidence.name[left], contents.evidence.name[right]),),
                float(shared[place]),
                "column",
                next(iter(describe(contents.evidence, np.array([left]), np.array([right]), contents.joins.verdicts))),
                contents.evidence.padding([left], [right]),
            )
    return list(best.values())
