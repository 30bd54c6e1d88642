"""Where the candidate tables of a question come from: the own first stage, another retriever, probes, the caller."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jar.arrays import Array, IntArray
from jar.tables.neighbours import join_neighbours
from jar.tables.query import read_candidates
from jar.tables.relevance import retrieve

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.index.known_values import Mention
    from jar.tables.query import Candidates, Conditions, EmbeddedQuery, Limits
    from jar.tables.relevance import Relevance
    from joinability.scores.score import JoinScore

LEAST, MOST = 20, 50
"""Candidates of small and of large databases."""
NEIGHBOURS = 5
"""Join neighbours of the candidates that are candidates, too."""
PRESENCE = 0.5
"""Weight of a proposal's probability beside the cosine of question and table, chosen on one half of BIRD's databases
(docs/columns.md)."""


@dataclass(frozen=True)
class Proposal:
    """The tables that the probes of a question mean.

    Attributes
    ----------
    tables : array
        Positions of those that a column was found of, best first.
    presence : array (tables of the index,)
        Probability that some probe means each; 0 for those that none was found of.
    seconds : float
        What finding them took.
    """

    tables: IntArray
    presence: Array
    seconds: float = 0.0


class Found(NamedTuple):
    """What an answer tells of its candidates.

    Attributes
    ----------
    origins : tuple of str
        How each came in: "relevance", "join neighbour of ...", "probes", "given" or "required".
    families : mapping
        The sharded tables that some of them stand for.
    mentions : list of Mention
        The values that the question names.
    """

    origins: tuple[str, ...]
    families: Mapping[int, tuple[int, ...]]
    mentions: list[Mention]


class CandidateTables(NamedTuple):
    """The tables to choose from: n positions in the index, in the order of their retriever, and their relevance."""

    tables: IntArray
    coarse: Array
    found: Found


@dataclass(frozen=True)
class Pool:
    """How many tables the own first stage proposes.

    Attributes
    ----------
    count : int, optional
        By default by the size of the database, see `size`, with join neighbours.
    neighbours : int
        Join neighbours at most, see `join_neighbours`.
    """

    count: int | None = None
    neighbours: int = NEIGHBOURS

    def least(self, k: int) -> int:
        """The least number for sets of k tables."""
        return max(LEAST if self.count is None else self.count, k)

    def size(self, databases: IntArray, relevance: Array, least: int) -> int:
        """Number of candidates: min(`MOST`, max(`LEAST`, 20 sqrt(n / 40))) for a best database of n tables.

        Parameters
        ----------
        databases, relevance : arrays (N,)
            Of all tables.
        """
        if self.count is not None or not len(relevance):
            return least
        tables = int((databases == databases[np.argmax(relevance)]).sum())
        return max(least, min(MOST, round(LEAST * math.sqrt(tables / 40))))


def candidate_tables(
    relevance: Relevance,
    question: EmbeddedQuery,
    pool: Pool,
    least: int,
    conditions: Conditions,
    score: JoinScore,
    proposal: Proposal | None = None,
) -> CandidateTables:
    """The candidates of a question with their relevance; required tables that are not among them come last.

    Of a family of sharded tables the own first stage proposes those that stand for it (`jar.text.sharded`).

    Parameters
    ----------
    pool : Pool
        How many candidates the own first stage proposes.
    least : int
        Their least number.
    score : JoinScore
        By which join neighbours join.
    proposal : Proposal, optional
        Tables that come before those of the own first stage, and probabilities that raise their relevance.
    """
    limits = conditions.limits
    families: Mapping[int, tuple[int, ...]] = {}
    mentions = relevance.mentions(question)
    every_table = relevance.tables(question, mentions, limits.exclude)
    if conditions.candidates is None:
        contents = relevance.contents
        hidden, families = contents.families.asked(question.query.question, limits.require, limits.exclude)
        left_out = replace(limits, exclude=(*limits.exclude, *hidden)) if hidden else limits
        count = pool.size(contents.databases, every_table, least)
        own = _own_candidates(every_table, count, left_out, proposal)
        more = (
            [] if pool.count else join_neighbours(contents, score, own, every_table, pool.neighbours, left_out.exclude)
        )
        tables = np.concatenate([own, np.array([neighbour.table for neighbour in more], dtype=np.int64)])
        tables = _with_required(tables, limits)
        coarse = every_table[tables]
        probed = set() if proposal is None else set(proposal.tables.tolist())
        origins = ["probes" if table in probed else "relevance" for table in own.tolist()]
        origins += [f"join neighbour of {contents.tables[neighbour.candidate].id}" for neighbour in more]
    else:
        listed, scores = _given_candidates(relevance.contents, conditions.candidates, limits)
        tables = _with_required(listed, limits)
        origins = ["given"] * len(listed)
        if scores is None:
            coarse = every_table[tables]
        else:
            scores += [min(scores, default=0.0)] * (len(tables) - len(listed))
            coarse = relevance.matched(question, tables, scores)
    if proposal is not None:
        coarse = coarse + PRESENCE * proposal.presence[tables]
    origins += ["required"] * (len(tables) - len(origins))
    return CandidateTables(tables, coarse, Found(tuple(origins), families, mentions))


def _own_candidates(relevance: Array, count: int, limits: Limits, proposal: Proposal | None) -> IntArray:
    """The tables of a proposal, then the most relevant ones, `count` in all."""
    tables = retrieve(relevance, count, limits.exclude)
    if proposal is None:
        return tables
    proposed = [table for table in proposal.tables.tolist() if table not in limits.exclude]
    return np.array([*dict.fromkeys([*proposed, *tables.tolist()])][:count], dtype=np.int64)


def _given_candidates(
    contents: IndexContents, candidates: Candidates, limits: Limits
) -> tuple[IntArray, list[float] | None]:
    """Another retriever's tables without the excluded ones, and its scores where it has any."""
    tables, scores = read_candidates(contents, candidates)
    kept = ~np.isin(tables, limits.exclude)
    if scores is not None:
        scores = [score for score, stays in zip(scores, kept, strict=True) if stays]
    return tables[kept], scores


def _with_required(tables: IntArray, limits: Limits) -> IntArray:
    missing = [table for table in limits.require if table not in tables]
    return np.concatenate([tables, np.array(missing, dtype=np.int64)])
