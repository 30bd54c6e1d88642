"""Where the candidate tables of a question come from: the own first stage, another retriever, probes, the caller."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jar.arrays import Array, IntArray
from jar.tables.query import read_candidates
from jar.tables.relevance import retrieve

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.tables.query import Candidates, Conditions, EmbeddedQuery, Limits
    from jar.tables.relevance import Relevance

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


class CandidateTables(NamedTuple):
    """The tables to choose from: n positions in the index, in the order of their retriever, and their relevance."""

    tables: IntArray
    coarse: Array


def candidate_tables(
    relevance: Relevance,
    question: EmbeddedQuery,
    count: int,
    conditions: Conditions,
    proposal: Proposal | None = None,
) -> CandidateTables:
    """The candidates of a question with their relevance; required tables that are not among them come last.

    Of a family of sharded tables the own first stage proposes those that stand for it (`jar.text.sharded`).

    Parameters
    ----------
    count : int
        How many candidates the own first stage proposes.
    proposal : Proposal, optional
        Tables that come before those of the own first stage, and probabilities that raise their relevance.
    """
    limits = conditions.limits
    every_table = relevance.tables(question, limits.exclude)
    if conditions.candidates is None:
        families = relevance.contents.families
        hidden = families.hidden(question.query.question, limits.require, limits.exclude)
        left_out = replace(limits, exclude=(*limits.exclude, *hidden)) if hidden else limits
        tables = _with_required(_own_candidates(every_table, count, left_out, proposal), limits)
        coarse = every_table[tables]
    else:
        listed, scores = _given_candidates(relevance.contents, conditions.candidates, limits)
        tables = _with_required(listed, limits)
        if scores is None:
            coarse = every_table[tables]
        else:
            scores += [min(scores, default=0.0)] * (len(tables) - len(listed))
            coarse = relevance.matched(question, tables, scores)
    if proposal is not None:
        coarse = coarse + PRESENCE * proposal.presence[tables]
    return CandidateTables(tables, coarse)


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
