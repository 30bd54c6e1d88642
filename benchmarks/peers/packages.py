"""The contestants: each function takes a database and answers with scored pairs of columns.

A peer is used as its documentation shows it, with its defaults, but for one thing: no threshold hides its weaker
answers where it has a score for them.
"""

from __future__ import annotations

import itertools
import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing

from benchmarks.data.stored_evidence import evidence_of
from benchmarks.peers.databases import Column, Database
from benchmarks.peers.databases import quoted as _q
from benchmarks.peers.pair_answers import Answer, ranked
from joinability import Catalog, default_score, edges


def this_package(database: Database) -> Answer:
    """`joinability`: profiles, overlaps and the default score, from the SQLite file."""
    return together([database])[database.name]


def together(databases: Sequence[Database]) -> dict[str, Answer]:
    """`joinability` on several databases in one store, as an index has them: the answer for each.

    Joins between databases are counted and scored as well; here they are left out at the end.
    """
    catalog = Catalog.from_sqlite({database.name: database.path for database in databases})
    scored = edges(evidence_of(catalog), default_score)
    owner = [(table.database, (table.name, name)) for table in catalog for name in table.column_names]
    answers: dict[str, Answer] = {database.name: [] for database in databases}
    for left, right, score in zip(scored.left.tolist(), scored.right.tolist(), scored.score.tolist(), strict=True):
        (database, column), (second, other) = owner[left], owner[right]
        if database == second:
            answers[database].append((column, other, score))
    return answers


def schema_linker(database: Database) -> Answer:
    """schema-linker, from the SQLite file; its order is its rank, by the number of its signals, then containment."""
    from schema_linker import inference, metadata
    from schema_linker.models import SchemaLinkOptions
    from sqlalchemy import MetaData, Table, create_engine, inspect

    logging.getLogger("schema_linker").setLevel(logging.ERROR)
    engine = create_engine(f"sqlite:///{database.path}")
    options = SchemaLinkOptions()
    try:
        with engine.connect() as connection:
            described = MetaData()
            tables = [Table(name, described, autoload_with=connection) for name in inspect(engine).get_table_names()]
            columns = metadata.collect_column_refs(connection, tables, options, None)
            links = inference.infer_links(connection, tables, columns, [], options)
    finally:
        engine.dispose()
    return [
        ((link.source.table, link.source.column), (link.target.table, link.target.column), 1 / place)
        for place, link in enumerate(links, 1)
    ]


def smartjoin(database: Database) -> Answer:
    """smartjoin-py, from the Parquet files."""
    from smartjoin.analysis import analyze_path

    report = analyze_path(database.folder, min_confidence=0.0)
    return ranked(
        ((join.left_table, join.left_column), (join.right_table, join.right_column), join.confidence)
        for join in report.joins
    )


def valentine_jaccard(database: Database) -> Answer:
    """valentine's Jaccard matcher on all distinct values, equal ones only, from data frames."""
    from valentine.algorithms import JaccardDistanceMatcher
    from valentine.algorithms.jaccard_distance import StringDistanceFunction

    return _valentine(database, JaccardDistanceMatcher(distance_fun=StringDistanceFunction.Exact))


def valentine_coma(database: Database) -> Answer:
    """valentine's COMA (its Python form) on names and values, from data frames."""
    from valentine.algorithms import Coma

    return _valentine(database, Coma(use_instances=True))


def _valentine(database: Database, matcher: object) -> Answer:
    from valentine import valentine_match

    frames = database.frames
    if len(frames) < 2:
        return []
    matches = valentine_match(list(frames.values()), matcher, df_names=list(frames))
    return ranked(
        ((pair.source_table, pair.source_column), (pair.target_table, pair.target_column), float(score))
        for pair, score in matches.items()
    )


def datasketch_ensemble(database: Database) -> Answer:
    """datasketch's LSH Ensemble over the distinct values of all columns, its candidates ranked by exact containment."""
    from datasketch import MinHash, MinHashLSHEnsemble

    values = _distinct_values(database)
    sketches = {}
    for column, distinct in values.items():
        sketches[column] = MinHash(num_perm=128)
        sketches[column].update_batch([value.encode() for value in distinct])
    ensemble = MinHashLSHEnsemble(threshold=0.5, num_perm=128)
    ensemble.index([(column, sketch, len(values[column])) for column, sketch in sketches.items()])
    pairs: dict[frozenset[Column], tuple[Column, Column, float]] = {}
    for column, sketch in sketches.items():
        for other in ensemble.query(sketch, len(values[column])):
            if other[0] != column[0]:
                containment = len(values[column] & values[other]) / len(values[column])
                key = frozenset((column, other))
                pairs[key] = max(pairs.get(key, (column, other, 0.0)), (column, other, containment), key=lambda p: p[2])
    return ranked(pairs.values())


def _distinct_values(database: Database) -> dict[Column, set[str]]:
    values = {
        (table, str(name)): {str(value) for value in frame[name].dropna().unique()}
        for table, frame in database.frames.items()
        for name in frame.columns
    }
    return {column: distinct for column, distinct in values.items() if distinct}


def query_loop(database: Database) -> Answer:
    """The loop that anybody writes first: one SQL query for each pair of columns, share of values times uniqueness."""
    with closing(sqlite3.connect(database.path)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns: dict[Column, tuple[int, float]] = {}
        for table in tables:
            for (column,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall():
                query = f"SELECT count(DISTINCT {_q(column)}), count(*) FROM {_q(table)}"
                distinct, rows = connection.execute(query).fetchone()
                columns[table, column] = (distinct, distinct / rows)
        return ranked(
            pair
            for left, right in itertools.combinations(columns, 2)
            if left[0] != right[0]
            for pair in _queried(connection, left, right, columns)
        )


def _queried(
    connection: sqlite3.Connection, left: Column, right: Column, columns: dict[Column, tuple[int, float]]
) -> list[tuple[Column, Column, float]]:
    query = (
        f"SELECT count(*) FROM (SELECT {_q(left[1])} FROM {_q(left[0])} WHERE {_q(left[1])} IS NOT NULL "
        f"INTERSECT SELECT {_q(right[1])} FROM {_q(right[0])})"
    )
    (common,) = connection.execute(query).fetchone()
    directions = [(columns[left][0], columns[right][1]), (columns[right][0], columns[left][1])]
    score = max((common / distinct * uniqueness for distinct, uniqueness in directions if distinct), default=0.0)
    return [(left, right, score)] if score > 0 else []
