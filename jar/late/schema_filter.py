"""`SchemaFilter`: the tables and columns of a given database that a question may need, without the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jar.errors import QueryError
from jar.late.filter_model import FilterModel, shipped_filter
from jar.late.late_relevance import LateRelevance
from jar.late.schema_evidence import SchemaEvidence

if TYPE_CHECKING:
    from jar.arrays import Array, IntArray
    from jar.index.index import Index
    from jar.tables.query import EmbeddedQuery


@dataclass(frozen=True)
class FilteredSchema:
    """What is kept of a database.

    Attributes
    ----------
    question, database : str
    tables : tuple of str
        Ids, most likely first.
    columns : tuple of str
        "db.table.column", table by table, most likely first within each.
    scores : dict
        Log-odds of each kept table and column, by these names, above those of the best of its kind: 0 and less.
    all_tables, all_columns : int
        How many the database has.
    """

    question: str
    database: str
    tables: tuple[str, ...]
    columns: tuple[str, ...]
    scores: dict[str, float]
    all_tables: int
    all_columns: int

    def columns_of(self, table: str) -> tuple[str, ...]:
        """The names of the kept columns of a table, without that of the table; none of one that is not kept."""
        prefix = f"{table}."
        kept = [column for column in self.columns if column.startswith(prefix)] if table in self.tables else []
        return tuple(column[len(prefix) :] for column in kept)

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON types."""
        return {
            "question": self.question,
            "database": self.database,
            "tables": [
                {"table": table, "score": self.scores[table], "columns": list(self.columns_of(table))}
                for table in self.tables
            ],
            "all_tables": self.all_tables,
            "all_columns": self.all_columns,
        }


class SchemaFilter:
    """Keeps the tables and columns of a given database that lie above calibrated thresholds (MR-SQL, section 3).

    The paper's thresholds are fixed numbers on its late-interaction scores. Here tables and columns have log-odds
    (`jar.late.filter_model`), in which late interaction is one of several terms, and thresholds follow from a wished
    recall: for this share of the questions all tables that they need are kept, and for this share all columns. It holds
    for questions and databases like those of the calibration, held-out training databases of Spider;
    docs/late-interaction.md says what was found elsewhere. What is best of its kind is always kept.

    Parameters
    ----------
    index : Index
        With token vectors (`jar.late.add_token_vectors`).
    recall : float
        Between 0 and 1; at 1 everything is kept.
    columns : float, optional
        The recall of columns; by default the same.
    late : LateRelevance, optional
        By default ``LateRelevance(index)``.
    model : FilterModel, optional
        By default that of the package.

    Raises
    ------
    QueryError
        When a recall is no such number, or the index has no token vectors.
    """

    def __init__(
        self,
        index: Index,
        recall: float = 0.98,
        *,
        columns: float | None = None,
        late: LateRelevance | None = None,
        model: FilterModel | None = None,
    ) -> None:
        self.recall = _checked_recall("recall", recall)
        self.column_recall = self.recall if columns is None else _checked_recall("columns", columns)
        self.index = index
        self.model = shipped_filter() if model is None else model
        self._look = SchemaEvidence(index, LateRelevance(index) if late is None else late)
        self._table_threshold = self.model.tables.threshold(self.recall)
        self._column_threshold = self.model.columns.threshold(self.column_recall)

    def __call__(self, question: str, database: str) -> FilteredSchema:
        """What is kept of a database for a question.

        Raises
        ------
        QueryError
            When the question is empty, or the index has no such database.
        """
        (query,) = self._look.queries([question])
        return self._filtered(query, database)

    def many(self, questions: Sequence[str], databases: Sequence[str]) -> list[FilteredSchema]:
        """The answers to many questions, each of its own database; their texts are embedded together.

        Raises
        ------
        QueryError
            When there is not one database for each question.
        """
        if isinstance(questions, str) or isinstance(databases, str) or len(questions) != len(databases):
            raise QueryError("give a list of questions and a list of databases, one for each question")
        queries = self._look.queries(questions)
        return [self._filtered(query, database) for query, database in zip(queries, databases, strict=True)]

    def _filtered(self, query: EmbeddedQuery, database: str) -> FilteredSchema:
        contents = self.index.contents
        seen = self._look(query, database)
        odds = self.model.table_odds(seen)
        tables, columns = odds - odds.max(), self.model.column_odds(seen, odds)
        columns = columns - columns.max(initial=-np.inf) if len(columns) else columns
        ends = np.cumsum(seen.counts)
        scores: dict[str, float] = {}
        kept_tables: list[str] = []
        kept_columns: list[str] = []
        for item in np.argsort(-tables, kind="stable").tolist():
            if tables[item] < self._table_threshold and tables[item] < 0:
                break
            span = slice(ends[item] - seen.counts[item], ends[item])
            for member in seen.alike.get(int(seen.tables[item]), (int(seen.tables[item]),)):
                table = contents.tables[member]
                kept_tables.append(table.id)
                scores[table.id] = float(tables[item])
                for place in self._kept(columns[span]):
                    name = f"{table.id}.{table.columns[place].name}"
                    kept_columns.append(name)
                    scores[name] = float(columns[span][place])
        counts = self._counts(database)
        return FilteredSchema(query.query.question, database, tuple(kept_tables), tuple(kept_columns), scores, *counts)

    def _kept(self, scores: Array) -> list[int]:
        """The columns of a kept table that are kept, best first: one at least, where there is any."""
        order: IntArray = np.argsort(-scores, kind="stable")
        return [
            place for rank, place in enumerate(order.tolist()) if not rank or scores[place] >= self._column_threshold
        ]

    def _counts(self, database: str) -> tuple[int, int]:
        tables = [table for table in self.index.contents.tables if table.database == database]
        return len(tables), sum(len(table.columns) for table in tables)

    def __repr__(self) -> str:
        return f"SchemaFilter({self.index!r}, recall={self.recall}, columns={self.column_recall})"


def _checked_recall(name: str, recall: float) -> float:
    if isinstance(recall, bool) or not isinstance(recall, (int, float, np.number)) or not 0 < recall <= 1:
        raise QueryError(f"{name} is a share of questions, a number above 0 and at most 1, not {recall!r}")
    return float(recall)
