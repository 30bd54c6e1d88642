"""Joins of a table that skip a third one: both refer to its key, as loans and cards do to that of accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from joinability import JoinEdge
from joinability.scores.score import describe, join_score

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.index.index import Index
    from joinability.scores.score import JoinScore


def best_joins(index: Index, table: str, least: float) -> list[JoinEdge]:
    """The best join of a table with each other table, seen from it, best first: of the join graph, or past a key.

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
    found = list(graph.neighbours(table))
    found += sibling_joins(contents, join_score(index.score), contents.table_position[table])
    best: dict[str, JoinEdge] = {}
    for edge in sorted(found, key=lambda edge: -edge.score):
        if edge.score >= least:
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
    references = contents.references(
        score, contents.columns_of(np.flatnonzero(contents.databases == contents.databases[table]))
    )
    if references is None:
        return []
    keys = references.key[contents.owner[references.child] == table]
    near = references.without(~np.isin(references.key, keys))
    columns = np.unique(near.child)
    shared = near.shared(columns, contents.owner[columns])
    if contents.verdicts is not None:
        shared[contents.verdicts.are_vetoed(contents.evidence.block(columns))] = 0.0
    shared[contents.owner[columns] != table] = 0.0
    best: dict[int, JoinEdge] = {}
    own, other = np.nonzero(shared)
    for place in np.argsort(-shared[own, other], kind="stable"):
        left, right = columns[own[place]], columns[other[place]]
        to = int(contents.owner[right])
        if to not in best:
            best[to] = JoinEdge(
                contents.tables[table].id,
                contents.tables[to].id,
                ((contents.evidence.name[left], contents.evidence.name[right]),),
                float(shared[own[place], other[place]]),
                "column",
                next(iter(describe(contents.evidence, np.array([left]), np.array([right]), contents.verdicts))),
                contents.evidence.padding([left], [right]),
            )
    return list(best.values())
