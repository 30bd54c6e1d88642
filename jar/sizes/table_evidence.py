"""What is known of the candidates of a question, before any weight: arrays that the terms of tables and sets read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jar.arrays import Array, IntArray
from jar.tables.relevance import mixed_vectors, value_relevance
from jar.text.lexical import content_words

if TYPE_CHECKING:
    from jar.tables.relevance import CosineRelevance
    from jar.tables.table_problem import TableProblem


@dataclass(frozen=True)
class Evidence:
    """n candidates of a question with m sub-queries.

    Attributes
    ----------
    coarse : array (n,)
        Relevance, as the objective has it.
    cosine, name_cosine : arrays (n,)
        Of the question with the text of each table, and with the words of its database and name.
    words, values : arrays (n,)
        Shared words relative to the best table of the corpus, and values that the question names.
    coverage : array (m, n)
        Fine relevance of the best column of each table; ``-inf`` for a table without columns.
    joins : array (n, n)
        Joinability, 0 where two tables do not join.
    databases : array (n,)
        Number of the database of each.
    columns, neighbours : arrays (n,)
        Columns of each table, and tables of its database.
    mentions : int
        Values that the question names.
    """

    coarse: Array
    cosine: Array
    name_cosine: Array
    words: Array
    values: Array
    coverage: Array
    joins: Array
    databases: IntArray
    columns: IntArray
    neighbours: IntArray
    mentions: int

    @property
    def n(self) -> int:
        """Number of candidates."""
        return len(self.coarse)


def evidence_of(relevance: CosineRelevance, problem: TableProblem) -> Evidence:
    """The evidence on the candidates of a problem."""
    contents, tables = relevance.contents, problem.tables
    instance, vector = problem.reduction.instance, problem.question.vectors[0]
    words = " ".join(content_words(problem.question.query.question, relevance.stop_words))
    cosine = (mixed_vectors(contents, relevance.names)[tables] @ vector).astype(np.float64)
    names = contents.name_vectors
    return Evidence(
        coarse=instance.relevance,
        cosine=cosine,
        name_cosine=cosine if names is None else (names[tables] @ vector).astype(np.float64),
        words=contents.words.match(words)[tables],
        values=value_relevance(contents, problem.found.mentions)[tables],
        coverage=instance.coverage,
        joins=instance.weights,
        databases=contents.databases[tables],
        columns=np.diff(contents.first_column)[tables],
        neighbours=np.bincount(contents.databases)[contents.databases[tables]],
        mentions=len(problem.found.mentions),
    )
