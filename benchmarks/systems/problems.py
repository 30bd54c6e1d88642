"""Real instances: what the solver is given for a question, as `jar.Reranker` assembles it."""

from __future__ import annotations

from collections.abc import Sequence

from formulations import ColumnProblem, Instance
from jar import Index
from jar.tables.problem import build_problem
from jar.tables.query import Limits
from jar.tables.relevance import fine_relevance, retrieve, table_relevance
from jar.text.decomposition import decompose
from jar.text.embedding import Embedder
from jar.text.texts import subquery_text
from joinability.scores.score import join_score


def question_problem(
    index: Index,
    embedder: Embedder,
    question: str,
    k: int,
    *,
    candidates: int = 20,
    subqueries: Sequence[str] | None = None,
    score: str = "paper",
) -> ColumnProblem:
    """The column-level problem of a question as the JAR paper has it: n candidates by embedding, k tables to choose.

    Parameters
    ----------
    candidates : int
        As many or more than the corpus has: all tables.
    subqueries : list of str, optional
        In place of the decomposition without a language model.
    score : str
        Join score.
    """
    contents = index.contents
    parts = decompose(question) if subqueries is None else list(subqueries)
    vectors = embedder([question, *map(subquery_text, parts)])
    relevance = table_relevance(contents, vectors[0])
    tables = retrieve(relevance, candidates)
    columns = contents.columns_of(tables)
    coarse = relevance[tables]
    fine = fine_relevance(contents, columns, vectors[1:])
    return build_problem(contents, tables, columns, coarse, fine, k, Limits(), join_score(score))[0]


def question_instance(
    index: Index,
    embedder: Embedder,
    question: str,
    k: int,
    *,
    candidates: int = 20,
    subqueries: Sequence[str] | None = None,
    score: str = "paper",
) -> Instance:
    """The reduced instance of a question; parameters as for `question_problem`."""
    problem = question_problem(index, embedder, question, k, candidates=candidates, subqueries=subqueries, score=score)
    return problem.reduce().instance
