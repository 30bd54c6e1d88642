"""Real instances: what the solver is given for a question over tables, as `jar.Reranker` assembles it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from formulations import ColumnProblem, Instance
from jar import Index
from jar.tables.fine_relevance import fine_relevance
from jar.tables.problem import build_problem
from jar.tables.query import Limits
from jar.tables.relevance import retrieve, text_cosines
from jar.text.decomposition import decompose
from jar.text.embedding import Embedder
from jar.text.texts import subquery_text
from joinability.scores.score import join_score


def question_problem(
    index: Index, embedder: Embedder, question: str, k: int, *, candidates: int = 20,
    subqueries: Sequence[str] | None = None, score: str = "paper",
) -> ColumnProblem:  # fmt: skip
    """The column-level problem of a question as the JAR paper has it: n candidates by embedding, k tables to choose.

    With more candidates than the corpus has it is over all tables. `subqueries` stand in place of the decomposition
    without a language model; `score` is the join score.
    """
    contents = index.contents
    parts = decompose(question) if subqueries is None else list(subqueries)
    vectors = embedder([question, *map(subquery_text, parts)])
    relevance = text_cosines(contents, vectors[0])
    tables = retrieve(relevance, candidates)
    columns = contents.columns_of(tables)
    coarse = relevance[tables]
    fine = fine_relevance(contents, columns, vectors[1:])
    return build_problem(contents, tables, columns, coarse, fine, k, Limits(), join_score(score))[0]


def question_instance(index: Index, embedder: Embedder, question: str, k: int, **options: Any) -> Instance:
    """The reduced instance of a question; options as for `question_problem`."""
    return question_problem(index, embedder, question, k, **options).reduce().instance


def corpus_compatibility(index: Index, embedder: Embedder, question: str, score: str) -> npt.NDArray[np.float64]:
    """Joinability of all pairs of tables, in the order of the index; it is the same for every question."""
    tables = index.contents.tables
    problem = question_problem(index, embedder, question, 1, candidates=len(tables), score=score)
    place = {name: position for position, name in enumerate(problem.ids)}
    order = [place[table.id] for table in tables]
    return problem.reduce().instance.compatibility[np.ix_(order, order)]


def corpus_instance(
    index: Index, embedder: Embedder, question: str, k: int, compatibility: npt.NDArray[np.float64], *,
    candidates: int, subqueries: Sequence[str] | None = None,
) -> Instance:  # fmt: skip
    """What `question_instance` gives, from the joins of the whole corpus, in a hundredth of the time."""
    contents = index.contents
    parts = decompose(question) if subqueries is None else list(subqueries)
    vectors = embedder([question, *map(subquery_text, parts)])
    relevance = text_cosines(contents, vectors[0])
    tables = retrieve(relevance, candidates)
    fine = fine_relevance(contents, contents.columns_of(tables), vectors[1:])
    counts = np.diff(contents.first_column)[tables]
    coverage = np.full((len(fine), candidates), -np.inf)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])[counts > 0]
    coverage[:, counts > 0] = np.maximum.reduceat(fine, starts, axis=1)
    ids = [contents.tables[table].id for table in tables]
    return Instance(relevance[tables], coverage, compatibility[np.ix_(tables, tables)], k, ids)
