"""Where the candidate tables of a question come from: the own first stage, a retriever or the caller, probes, joins."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jar.answers.selection import REQUIRED
from jar.arrays import Array, IntArray
from jar.errors import QueryError
from jar.learned.evidence import NEAR
from jar.tables.meant import tables_of_values
from jar.tables.neighbours import Neighbour, join_neighbours
from jar.tables.relevance import ScoredTables, retrieve

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.lookalikes.clients import OtherClients
    from jar.proposals.given_tables import GivenTables
    from jar.tables.query import EmbeddedQuery, Limits
    from jar.tables.relevance import CosineRelevance
    from jar.values.known_values import Mention
    from joinability.scores.score import JoinScore

LEAST, MOST = 20, 50
"""Candidates of small and of large databases."""
NEIGHBOURS = 5
"""Join neighbours of the candidates that are candidates, too."""
BY_VALUES = 3
"""Tables of their databases that are candidates, too, as what a value of theirs means is near to the question."""
EXPAND = 5
"""Join neighbours of candidates that the caller or a retriever proposes."""
MEANT = "meaning of a value"
"""How such a table came in."""
PRESENCE = 0.5
"""Weight of a proposal's probability beside the cosine of question and table, chosen on one half of BIRD's databases
(docs/columns.md)."""


def check_expand(expand: int | bool) -> int:
    """How many join neighbours candidates from elsewhere get; True for `EXPAND`.

    Raises
    ------
    QueryError
        When it is no whole number from 0.
    """
    if isinstance(expand, bool):
        return EXPAND if expand else 0
    if not isinstance(expand, (int, np.integer)) or expand < 0:
        raise QueryError(f"expand is a number of join neighbours, a whole number from 0, or False, not {expand!r}")
    return int(expand)


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
        How each came in: "relevance", "join neighbour of ...", "meaning of a value", "probes", "given", what a
        retriever says, or "required".
    families : mapping
        The sharded tables that some of them stand for.
    mentions : sequence of Mention
        The values that the question names.
    notes : tuple of str
        What was not as asked, in words.
    first_twins : mapping
        From tables behind a twin of theirs to this one.
    clients : OtherClients, optional
        Where the own first stage found many schemas with the same tables: those that are no candidates.
    """

    origins: tuple[str, ...]
    families: Mapping[int, tuple[int, ...]]
    mentions: Sequence[Mention]
    notes: tuple[str, ...] = ()
    first_twins: Mapping[int, int] = MappingProxyType({})
    clients: OtherClients | None = None


class CandidateTables(NamedTuple):
    """The tables to choose from: n positions in the index, in the order of their retriever, and their relevance."""

    tables: IntArray
    coarse: Array
    found: Found


@dataclass(frozen=True)
class Pool:
    """How many tables are candidates.

    Attributes
    ----------
    count : int, optional
        Candidates that the built-in first stage proposes; by default by the size of the database, see `size`, and with
        join neighbours.
    neighbours : int
        Their join neighbours at most, see `join_neighbours`, and with these the tables `BY_VALUES`.
    expand : int
        Join neighbours at most of candidates from elsewhere.
    """

    count: int | None = None
    neighbours: int = NEIGHBOURS
    expand: int = EXPAND

    def least(self, k: int) -> int:
        """The minimum number of candidates for sets of k tables."""
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
    relevance: CosineRelevance,
    question: EmbeddedQuery,
    pool: Pool,
    least: int,
    limits: Limits,
    score: JoinScore,
    given: GivenTables | None = None,
    proposal: Proposal | None = None,
) -> CandidateTables:
    """The candidates of a question with their relevance; required tables that are not among them come last.

    Of a family of sharded tables the own first stage proposes those that stand for it (`jar.lookalikes.sharded`).

    Parameters
    ----------
    pool : Pool
        How many tables are candidates.
    least : int
        Minimum number of candidates. The built-in first stage proposes this many, or tops up a retriever's list to it.
    score : JoinScore
        By which join neighbours join.
    given : GivenTables, optional
        Candidates from elsewhere, without excluded ones.
    proposal : Proposal, optional
        Tables that come before those of the own first stage, and probabilities that raise their relevance.
    """
    seen = _Seen.of(relevance, question, limits, () if given is None else given.tables.tolist())
    found = _own(seen, pool, least, score, proposal) if given is None else _given(seen, pool, least, score, given)
    if proposal is None:
        return found
    return found._replace(coarse=found.coarse + PRESENCE * proposal.presence[found.tables])


@dataclass(frozen=True)
class _Seen:
    """What is known of all N tables before candidates are chosen among them.

    Attributes
    ----------
    relevance : CosineRelevance
    question : EmbeddedQuery
    limits : Limits
    mentions : sequence of Mention
        The values that the question names.
    similarity, lessened : arrays (N,)
        As `CosineRelevance` has them.
    families : mapping
        The sharded tables that one of them stands for.
    clients : OtherClients, optional
        Where many schemas have the same tables: those that are no candidates.
    left_out : frozenset of int
        The excluded tables, those for which others stand, and those of other clients.
    """

    relevance: CosineRelevance
    question: EmbeddedQuery
    limits: Limits
    mentions: Sequence[Mention]
    similarity: Array
    lessened: Array
    families: Mapping[int, tuple[int, ...]]
    clients: OtherClients | None
    left_out: frozenset[int]

    @classmethod
    def of(
        cls, relevance: CosineRelevance, question: EmbeddedQuery, limits: Limits, given: Collection[int]
    ) -> _Seen:
        mentions = question.query.mentions
        similarity = relevance.similarity(question, mentions, limits.exclude)
        lessened = relevance.lessened(similarity, question, limits.exclude, limits.require)
        families = relevance.contents.families
        hidden, standing = families.asked(question.query.question, limits.require, limits.exclude)
        clients = relevance.other_clients(question, lessened, limits.exclude, (*limits.require, *given))
        left_out = frozenset((*limits.exclude, *hidden, *(() if clients is None else clients.behind)))
        return cls(relevance, question, limits, mentions, similarity, lessened, standing, clients, left_out)

    def neighbours(self, proposed: IntArray, relevance: Array, score: JoinScore, most: int) -> list[Neighbour]:
        """The join neighbours of proposed tables that may be candidates, by the relevance of all tables."""
        strange = (*self.left_out, *self.limits.require, *self.relevance.twins_of(proposed))
        return join_neighbours(self.relevance.contents, score, proposed, relevance, most, strange)

    def by_values(self, candidates: IntArray) -> list[int]:
        """The tables beside some candidates, of their databases, that values mean."""
        contents = self.relevance.contents
        free = np.isin(contents.databases, contents.databases[candidates])
        strange = (*self.left_out, *self.limits.require, *self.relevance.twins_of(candidates))
        free[[*candidates.tolist(), *strange]] = False
        return tables_of_values(contents, self.question, np.flatnonzero(free), BY_VALUES, NEAR)

    def first_twins(self, relevance: Array, pool: IntArray | None = None) -> Mapping[int, int]:
        """As `CosineRelevance.first_twins` has them."""
        return self.relevance.first_twins(self.question, relevance, self.limits.exclude, self.limits.require, pool)


def _own(seen: _Seen, pool: Pool, least: int, score: JoinScore, proposal: Proposal | None) -> CandidateTables:
    """The candidates of the own first stage."""
    contents, every_table = seen.relevance.contents, seen.lessened
    count = pool.size(contents.databases, every_table, least)
    proposed = _own_pool(every_table, count, seen.left_out, proposal)
    joined = seen.neighbours(proposed.tables, every_table, score, 0 if pool.count else pool.neighbours)
    proposed = _with_neighbours(proposed, joined, contents)
    if pool.count is None and pool.neighbours:
        meant = seen.by_values(proposed.tables)
        proposed = _with(proposed, meant, [MEANT] * len(meant))
    tables, origins = _with_required(proposed, seen.limits)
    first_twins = seen.first_twins(every_table)
    found = Found(tuple(origins), seen.families, seen.mentions, first_twins=first_twins, clients=seen.clients)
    return CandidateTables(tables, every_table[tables], found)


def _given(seen: _Seen, pool: Pool, least: int, score: JoinScore, given: GivenTables) -> CandidateTables:
    """The candidates from elsewhere, with what the own first stage tops them up by."""
    relevance, question, limits = seen.relevance, seen.question, seen.limits
    proposed = _given_pool(seen.lessened, given, least, seen.left_out)
    similarity = _with_scores(relevance, seen.similarity, question, given)
    choice = _with_required(proposed, limits).tables
    every_table = relevance.lessened(similarity, question, limits.exclude, limits.require, choice)
    joined = seen.neighbours(
        proposed.tables, every_table, score, pool.expand if given.expand is None else given.expand
    )
    tables, origins = _with_required(_with_neighbours(proposed, joined, relevance.contents), limits)
    if joined:
        new = [neighbour.table for neighbour in joined]
        beside = relevance.lessened(similarity, question, limits.exclude, proposed.tables.tolist(), tables)
        every_table[new] = beside[new]
    families = {table: members for table, members in seen.families.items() if table not in given.tables}
    first_twins = seen.first_twins(every_table, choice)
    found = Found(tuple(origins), families, seen.mentions, given.notes, first_twins)
    return CandidateTables(tables, every_table[tables], found)


def _with_scores(
    relevance: CosineRelevance, similarity: Array, question: EmbeddedQuery, given: GivenTables
) -> Array:
    """The similarity of all tables, with what scores of candidates say."""
    if given.scores is None:
        return similarity
    return relevance.mixed(similarity, question, ScoredTables(given.tables, np.array(given.scores), given.weight))


class _Proposed(NamedTuple):
    """Candidates before join neighbours and required tables are added, and where each comes from."""

    tables: IntArray
    origins: list[str]


def _own_pool(relevance: Array, count: int, exclude: Collection[int], proposal: Proposal | None) -> _Proposed:
    """The tables of a proposal, then the most relevant ones, `count` in all."""
    tables = retrieve(relevance, count, exclude)
    if proposal is None:
        return _Proposed(tables, ["relevance"] * len(tables))
    gone, probed = frozenset(exclude), set(proposal.tables.tolist())
    first = [table for table in proposal.tables.tolist() if table not in gone]
    tables = np.array([*dict.fromkeys([*first, *tables.tolist()])][:count], dtype=np.int64)
    return _Proposed(tables, ["probes" if table in probed else "relevance" for table in tables.tolist()])


def _given_pool(relevance: Array, given: GivenTables, least: int, exclude: Collection[int]) -> _Proposed:
    """The tables from elsewhere, then the most relevant others up to `least`, unless the list is all that may be."""
    missing = 0 if given.bounds else max(least - len(given.tables), 0)
    more = retrieve(relevance, missing, {*exclude, *given.tables.tolist()})
    return _Proposed(np.concatenate([given.tables, more]), [*given.origins, *["relevance"] * len(more)])


def _with_neighbours(proposed: _Proposed, joined: Sequence[Neighbour], contents: IndexContents) -> _Proposed:
    origins = [f"join neighbour of {contents.tables[neighbour.candidate].id}" for neighbour in joined]
    return _with(proposed, [neighbour.table for neighbour in joined], origins)


def _with_required(proposed: _Proposed, limits: Limits) -> _Proposed:
    """With the required tables that are missing."""
    missing = [table for table in limits.require if table not in proposed.tables]
    return _with(proposed, missing, [REQUIRED] * len(missing))


def _with(proposed: _Proposed, more: Sequence[int], origins: Sequence[str]) -> _Proposed:
    tables = np.concatenate([proposed.tables, np.array(more, dtype=np.int64)])
    return _Proposed(tables, [*proposed.origins, *origins])
