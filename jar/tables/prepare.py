"""From a question to the problem of its candidates: which tables, how relevant, how joined."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jar.arrays import Array, IntArray, Vectors
from jar.columns.jointly import PRESENCE, Proposal
from jar.tables.problem import build_problem
from jar.tables.query import read_candidates
from jar.tables.relevance import fine_relevance, matched_scores, retrieve, table_relevance, with_databases

if TYPE_CHECKING:
    from formulations import Instance, Reduction
    from jar.index.contents import IndexContents
    from jar.tables.composites import Composites
    from jar.tables.query import Candidates, Limits, Query
    from joinability.scores.score import JoinScore


class Prepared(NamedTuple):
    """The problem of a question, for several numbers of tables.

    Attributes
    ----------
    tables : array (n,)
        Position in the index of each item.
    reduction : Reduction
    composites : mapping
        The composite keys among the joins, by pairs of columns.
    clock : list of float
        Times at the start and at the end of each stage.
    """

    tables: IntArray
    reduction: Reduction
    composites: Composites
    clock: list[float]

    def instances(self, sizes: Sequence[int]) -> list[Instance]:
        """The instance for each number of tables; all candidates where there are fewer."""
        whole = self.reduction.instance
        if len(sizes) == 1:
            return [whole]
        shared = whole.resized(whole.size)
        return [shared.resized(min(k, whole.n)) for k in sizes]

    def clock_from_now(self) -> list[float]:
        """The times as they would be, had the last stage ended just now."""
        waited = time.perf_counter() - self.clock[-1]
        return [moment + waited for moment in self.clock]


def prepare(
    contents: IndexContents,
    query: Query,
    vectors: Vectors,
    k: int,
    count: int,
    limits: Limits,
    *,
    score: JoinScore,
    lexical: float,
    database: float,
    clock: list[float],
    candidates: Candidates | None = None,
    proposal: Proposal | None = None,
) -> Prepared:
    """The problem of choosing k tables.

    Parameters
    ----------
    vectors : array (1 + m, d)
        Embeddings of question and sub-queries.
    count : int
        How many candidates the own first stage proposes.
    lexical, database : float
        Weights of the words that a question and a table share, and of what a database falls short.
    clock : list of float
        Times at the start and after the embedding; those of the stages here are added.
    candidates : optional
        Another retriever's candidates, in place of the own.
    proposal : Proposal, optional
        Tables that columns propose, and how much they are meant.
    """
    relevance = table_relevance(contents, vectors[0], query.question, lexical, database, limits.exclude)
    tables, scores = choose_candidates(contents, relevance, count, limits, candidates, proposal)
    coarse = relevance[tables]
    if scores is not None:
        coarse = matched_scores(table_relevance(contents, vectors[0])[tables], scores)
        coarse = with_databases(coarse, contents.databases[tables], database)
    if proposal is not None:
        coarse = coarse + PRESENCE * proposal.presence[tables]
    clock.append(time.perf_counter())
    columns = contents.columns_of(tables)
    fine = fine_relevance(contents, columns, vectors[1:])
    problem, composites = build_problem(contents, tables, columns, coarse, fine, k, limits, score)
    reduction = problem.reduce()
    clock.append(time.perf_counter())
    return Prepared(tables, reduction, composites, clock)


def choose_candidates(
    contents: IndexContents,
    relevance: Array,
    count: int,
    limits: Limits,
    candidates: Candidates | None,
    proposal: Proposal | None,
) -> tuple[IntArray, list[float] | None]:
    """Positions of the candidates, the retriever's order, and its scores; required tables are added at the end."""
    if candidates is None:
        tables = retrieve(relevance, count, limits.exclude)
        if proposal is not None:
            tables = np.array([*dict.fromkeys([*proposal.tables.tolist(), *tables.tolist()])][:count], dtype=int)
        scores = None
    else:
        tables, scores = read_candidates(contents, candidates)
        keep = ~np.isin(tables, limits.exclude)
        tables = tables[keep]
        scores = None if scores is None else [score for score, kept in zip(scores, keep, strict=True) if kept]
    missing = [table for table in limits.require if table not in tables]
    if scores is not None:
        scores += [min(scores, default=0.0)] * len(missing)
    return np.concatenate([tables, np.array(missing, dtype=np.int64)]), scores
