"""The index as pandas data frames and as a join graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jar.index.lookup import full_name, table_position
from joinability import JoinEdge, JoinGraph, condition_text, edges, unions
from joinability.html_tables import html_table
from joinability.scores.score import join_score
from joinability.sparse.sparse_entries import entries_at
from joinability.union_search import MIN_SCORE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    import duckdb
    import pandas as pd

    from jar.arrays import Vectors
    from jar.index.contents import IndexContents
    from jar.index.stated import Verdict
    from joinability.scores.score import JoinScore


SHOWN = 20
"""Tables of an index that a notebook shows."""


def tables_frame(contents: IndexContents) -> pd.DataFrame:
    """A row for each table: id, database, name, columns, rows, primary_key, description."""
    import pandas as pd

    first = contents.first_column[:-1]
    rows = [
        int(contents.table_evidence.rows[start]) if table.columns else 0
        for table, start in zip(contents.tables, first, strict=True)
    ]
    return pd.DataFrame(
        {
            "id": [table.id for table in contents.tables],
            "database": [table.database for table in contents.tables],
            "name": [table.name for table in contents.tables],
            "columns": [len(table.columns) for table in contents.tables],
            "rows": rows,
            "primary_key": [", ".join(table.primary_key) for table in contents.tables],
            "description": [table.description for table in contents.tables],
        }
    )


def spelling_frame(contents: IndexContents, connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """A row for each column that has the values of a key but for their spelling: column, key, ignore."""
    import pandas as pd

    from joinability.store.spelled_otherwise import spelled_otherwise

    found = spelled_otherwise(connection, contents.evidence, contents.meta.get("ignore", "").split())
    ids = contents.evidence.ids
    rows = [(ids[told.column], ids[told.key], told.difference) for told in found]
    return pd.DataFrame(rows, columns=["column", "key", "ignore"])


def index_html(contents: IndexContents, title: str) -> str:
    """The first tables of an index, and what could not be read, for notebooks."""
    frame = tables_frame(contents)
    rows = list(zip(frame["id"][:SHOWN], frame["columns"][:SHOWN], frame["rows"][:SHOWN], strict=True))
    notes = [f"and {len(frame) - SHOWN} more tables"] if len(frame) > SHOWN else []
    notes += [f"not indexed: {source}: {cause}" for source, cause in contents.failures]
    return html_table(("table", "columns", "rows"), rows, title=title, notes=notes)


def join_graph(
    contents: IndexContents,
    score: str,
    min_score: float,
    *,
    with_unions: bool = False,
    table: str | Collection[str] | None = None,
) -> JoinGraph:
    """The graph of the tables and of all that joins them; with unions, also of tables of one kind.

    With a table, or several, the graph has the joins of these alone.
    """
    touching = None if table is None else [full_name(contents, name) for name in _listed(table)]
    of_one_kind = table_unions(contents) if with_unions else []
    composites = _composite_edges(contents, join_score(score), touching)
    graph = JoinGraph.of(
        contents.evidence,
        join_score(score),
        min_score,
        vectors=_compared(contents, join_score(score)),
        verdicts=contents.joins.verdicts,
        tables=[table.id for table in contents.tables],
        more=[*composites, *of_one_kind],
        touching=touching,
    )
    is_part = _is_part(contents, join_score(score), composites)
    if not contents.evidence.named.kinds and is_part is None:
        return graph
    whole = (
        edge
        for edge in graph
        if is_part is None or not _is_plain(edge) or not is_part(edge.left, edge.right, edge.score)
    )
    return JoinGraph(graph.tables, [_named(contents, edge) for edge in whole])


def _is_plain(edge: JoinEdge) -> bool:
    """Whether it joins two tables by one column on each side."""
    return edge.kind == "column" and edge.left_table != edge.right_table


def without_shards(contents: IndexContents, graph: JoinGraph, kept: Collection[str]) -> JoinGraph:
    """A graph of the first ones of sharded tables alone, and of those that are kept by name: all of them join alike."""
    gone = later_shards(contents) - {graph.table_named(name) for name in kept}
    edges = (edge for edge in graph if edge.left_table not in gone and edge.right_table not in gone)
    return JoinGraph([table for table in graph.tables if table not in gone], edges)


def later_shards(contents: IndexContents) -> set[str]:
    """The ids of sharded tables but for the first of each family."""
    return {contents.tables[shard].id for family in contents.joined_families.values() for shard in family[1:]}


def _named(contents: IndexContents, edge: JoinEdge) -> JoinEdge:
    """An edge with the kind of name that speaks for it, where only names can."""
    kind = _kind_of(contents, edge.left, edge.right) if _is_plain(edge) else ""
    return replace(edge, evidence={**edge.evidence, "by_name": kind}) if kind else edge


def _kind_of(contents: IndexContents, left: str, right: str) -> str:
    return contents.evidence.named.kind(contents.column_position[left], contents.column_position[right])


def _listed(table: str | Collection[str]) -> Collection[str]:
    return [table] if isinstance(table, str) else table


def _composite_edges(contents: IndexContents, score: JoinScore, table: Collection[str] | None) -> list[JoinEdge]:
    """The joins on several columns, of some tables or of all."""
    pairs = None
    if table is not None:
        some = [contents.table_position[name] for name in table if name in contents.table_position]
        pairs = {frozenset((one, other)) for one in some for other in range(len(contents.tables))}
    return [join.to_edge(contents.evidence) for join in contents.joins.composites(score, pairs)]


def _is_part(
    contents: IndexContents, score: JoinScore, composites: Iterable[JoinEdge]
) -> Callable[[str, str, float], bool] | None:
    """Tells of two columns and their score whether they join nothing by themselves: they are but a part of a declared
    key of several columns, or one joins no other table (`KnownJoins.alone`). None where all may join."""
    parts = _parts_of_declared(contents, composites)
    alone = set(map(contents.column_name, contents.joins.alone(score)))
    if not parts and not alone:
        return None
    return lambda left, right, scored: (
        frozenset((left, right)) in parts or (scored < 1 and not alone.isdisjoint((left, right)))
    )


def _parts_of_declared(contents: IndexContents, composites: Iterable[JoinEdge]) -> set[frozenset[str]]:
    """The pairs of columns that declared keys of several columns are made of: by themselves they join wrong rows.

    But for those that are declared by themselves, too, or pinned.
    """
    sizes = {
        frozenset((f"{edge.left_table}.{left}", f"{edge.right_table}.{right}")): len(edge.conditions)
        for edge in composites
        if edge.evidence["declared"] and edge.left_table != edge.right_table
        for left, right in edge.conditions
    }
    places = [[contents.column_position[name] for name in pair] for pair in sizes]
    left, right = np.array(places, dtype=np.int64).reshape(-1, 2).T
    declared = contents.evidence.declared
    columns = entries_at(declared, left, right) + entries_at(declared, right, left)
    verdicts = contents.joins.verdicts
    pinned = False if verdicts is None else verdicts.are_pinned(contents.evidence.pairs(left, right))
    are_parts = (columns == list(sizes.values())) & ~np.asarray(pinned)
    return {pair for pair, is_part in zip(sizes, are_parts.tolist(), strict=True) if is_part}


def table_unions(contents: IndexContents, min_score: float = MIN_SCORE) -> list[JoinEdge]:
    """Pairs of tables of one kind, best first; of sharded tables each with the first of them alone."""
    return unions(contents.table_evidence, min_score, families=_families(contents))


def _families(contents: IndexContents) -> list[list[str]]:
    """The ids of sharded tables, family by family, those without rows last."""
    evidence = contents.table_evidence
    filled = np.bincount(evidence.table, weights=evidence.values > 0, minlength=len(evidence.table_names)) > 0
    rows = dict(zip(evidence.table_names, filled.tolist(), strict=True))
    families = [[contents.tables[table].id for table in members] for members in contents.families.members.values()]
    return [sorted(family, key=lambda name: not rows.get(name, False)) for family in families]


def without_later_shards(contents: IndexContents, edges: Iterable[JoinEdge]) -> list[JoinEdge]:
    """Edges between tables of one kind, of those within a family of sharded tables the best one alone."""
    first = {name: family[0] for family in _families(contents) for name in family[1:]}
    kept: dict[str, JoinEdge] = {}
    for edge in edges:
        family = next((first[name] for name in (edge.left_table, edge.right_table) if name in first), "")
        kept.setdefault(family or f"{edge.left_table} {edge.right_table}", edge)
    return list(kept.values())


def unions_frame(contents: IndexContents, min_score: float) -> pd.DataFrame:
    """Pairs of tables whose rows belong under each other, best first, with the columns that correspond."""
    import pandas as pd

    names = ["columns_matched", "columns_left", "columns_right", "name_similarity", "domain_overlap"]
    rows = [
        (edge.left_table, edge.right_table, edge.score, *(edge.evidence[name] for name in names), list(edge.conditions))
        for edge in table_unions(contents, min_score)
    ]
    return pd.DataFrame(rows, columns=["left", "right", "score", *names, "columns"])


def joins_frame(contents: IndexContents, score: str, min_score: float, table: str | None) -> pd.DataFrame:
    """Column pairs that there is evidence on, best score first, each with its evidence.

    Raises
    ------
    QueryError
        When the index has no such table.
    """
    import pandas as pd

    tables = None
    if table is not None:
        table = contents.tables[table_position(contents, table)].id
        tables = [number for number, name in enumerate(contents.evidence.table_names) if name == table]
    pairs = edges(
        contents.evidence,
        join_score(score),
        min_score,
        vectors=_compared(contents, join_score(score)),
        tables=tables,
        verdicts=contents.joins.verdicts,
    )
    frame = pd.DataFrame(pairs.columns())
    frame["by_name"] = [_kind_of(contents, *ends) for ends in zip(frame["left"], frame["right"], strict=True)]
    frame["kind"] = "column"
    marks = zip(frame["padded_left"] > 0, frame["padded_right"] > 0, strict=True)
    conditions = zip(frame["left"], frame["right"], strict=True)
    frame["condition"] = [condition_text([pair], [padded]) for pair, padded in zip(conditions, marks, strict=True)]
    composite_edges = _composite_edges(contents, join_score(score), None if table is None else [table])
    is_part = _is_part(contents, join_score(score), composite_edges)
    if is_part is not None:
        pairs_told = zip(frame["left"], frame["right"], frame["score"], strict=True)
        kept = np.array([not is_part(*pair) for pair in pairs_told], dtype=np.bool_)
        frame = frame.loc[kept].reset_index(drop=True)
    composites = [
        {
            "left": edge.left,
            "right": edge.right,
            "score": edge.score,
            **edge.evidence,
            "by_name": "",
            "kind": edge.kind,
            "condition": edge.condition,
        }
        for edge in composite_edges
        if edge.score >= min_score
    ]
    if not composites:
        return frame
    both = pd.concat([pd.DataFrame(composites, columns=frame.columns), frame], ignore_index=True)
    return both.sort_values("score", ascending=False, kind="stable", ignore_index=True)


def verdicts_frame(contents: IndexContents, verdicts: Iterable[Verdict]) -> pd.DataFrame:
    """A row for each verdict: kind, left, right, and whether the index has both names now."""
    import pandas as pd

    known = contents.column_position.keys() | contents.table_position.keys()
    rows = [(one.kind, one.left, one.right, {one.left, one.right} <= known) for one in verdicts]
    return pd.DataFrame(rows, columns=["verdict", "left", "right", "in_index"])


def _compared(contents: IndexContents, score: JoinScore) -> Vectors | None:
    """The vectors of the columns' texts for a score that reads them."""
    return np.asarray(contents.schema_vectors) if score.reads_texts else None
