"""What the schema filter knows of the tables and columns of a database, for a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import Array, IntArray
from jar.errors import QueryError
from jar.learned.candidates_seen import best_columns
from jar.learned.logistic import expit
from jar.learned.relevance_model import RelevanceModel
from jar.rerank import Reranker
from jar.tables.query import Ask, EmbeddedQuery, Limits
from jar.tables.table_ranker import TableRanker

if TYPE_CHECKING:
    from jar.index.index import Index
    from jar.late.late_relevance import LateRelevance
    from jar.learned.candidates_seen import Candidates
    from jar.tables.table_problem import TableProblem
    from jar.text.embedding import Embedder

TABLE_FEATURES = ("odds", "late", "late_column")
"""Log-odds of the relevance model within databases; S of the table, and of its best column, below those of the best."""
COLUMN_FEATURES = ("late", "cosine", "part", "table", "join")
"""S of the column, its cosine with the question, and that with the sub-query that it fits best, each below those of the
best; log-odds of its table; greatest product of joinability and probability among the tables that it joins."""


@dataclass(frozen=True, eq=False)
class DatabaseSeen:
    """n tables of a database with their C columns, table by table.

    Attributes
    ----------
    tables, columns : arrays (n,), (C,)
        Positions in the index.
    counts : array (n,)
        Columns of each table.
    seen : Candidates
        What the relevance model reads.
    late, late_columns : arrays (n,), (C,)
        S of each with the whole question.
    cosines, parts : arrays (C,)
        Of each column with the question, and with the sub-query that it fits best.
    joined : IntArray, Array
        The columns that may join, by their place among the C; joinability of each pair of these.
    alike : mapping
        By position: other tables of its family, which stand or fall with a table.
    """

    tables: IntArray
    columns: IntArray
    counts: IntArray
    seen: Candidates
    late: Array
    late_columns: Array
    cosines: Array
    parts: Array
    joined: tuple[IntArray, Array]
    alike: dict[int, tuple[int, ...]]

    def of_tables(self, log_odds: Array) -> Array:
        """`TABLE_FEATURES` of each table by the log-odds of the relevance model, shape (n, 3)."""
        best = best_columns(self.late_columns, self.counts)
        return np.stack([log_odds, _below(self.late), _below(best)], axis=-1)

    def of_columns(self, odds: Array) -> Array:
        """`COLUMN_FEATURES` of each column by the log-odds of the tables, shape (C, 5)."""
        owner = np.repeat(np.arange(len(self.tables)), self.counts)
        places, joinability = self.joined
        joins = np.zeros(len(self.columns))
        joins[places] = (joinability * expit(odds)[owner[places]][None, :]).max(axis=1, initial=0.0)
        return np.stack(
            [_below(self.late_columns), _below(self.cosines), _below(self.parts), odds[owner], joins], axis=-1
        )


class SchemaEvidence:
    """Looks at the tables of one database for a question.

    Parameters
    ----------
    index : Index
    late : LateRelevance
    """

    def __init__(self, index: Index, late: LateRelevance) -> None:
        self.index, self.late = index, late
        ranker = Reranker(
            index, candidates=1, embedder=late.embedder, score="default", relevance=RelevanceModel.blank()
        )._ranker()
        if not isinstance(ranker, TableRanker):
            raise TypeError("the filter looks at tables")
        self._ranker = ranker

    @property
    def embedder(self) -> Embedder:
        """That of the questions."""
        return self.late.embedder

    def queries(self, questions: Sequence[str]) -> list[EmbeddedQuery]:
        """Questions with their vectors."""
        return self._ranker.read([Ask(text) for text in questions])

    def __call__(self, query: EmbeddedQuery, database: str) -> DatabaseSeen:
        """What is known of the tables of a database.

        Raises
        ------
        QueryError
            When the index has no such database.
        """
        contents = self.index.contents
        others = [place for place, table in enumerate(contents.tables) if table.database != database]
        count = len(contents.tables) - len(others)
        if not count:
            known = ", ".join(dict.fromkeys(table.database for table in contents.tables))
            raise QueryError(f"the index has no database {database!r}: it has {known}")
        problem = self._ranker.problem(query, 1, count, Limits(exclude=tuple(others)))
        if problem.judged is None:
            raise TypeError("the evidence is that of a relevance model")
        tables = problem.tables
        columns = contents.columns_of(tables)
        vectors = contents.column_vectors[columns]
        cosines = (vectors @ query.vectors.T).astype(np.float64)
        text = query.query.question
        return DatabaseSeen(
            tables=tables,
            columns=columns,
            counts=np.diff(contents.first_column)[tables],
            seen=problem.judged.seen,
            late=self.late.tables(text)[tables],
            late_columns=self.late.columns(text, [text], columns)[0],
            cosines=cosines[:, 0],
            parts=cosines[:, 1:].max(axis=1, initial=-1.0),
            joined=_joins(problem, columns),
            alike={table: members for table, members in problem.found.families.items() if table in tables},
        )


def _joins(problem: TableProblem, columns: IntArray) -> tuple[IntArray, Array]:
    place = {column: number for number, column in enumerate(columns.tolist())}
    joinability = problem.joinability
    return np.array([place[column] for column in joinability.columns.tolist()], dtype=np.int64), joinability.matrix


def _below(scores: Array) -> Array:
    """Scores less the greatest of them."""
    below: Array = scores - scores.max(initial=-np.inf) if len(scores) else scores
    return below
