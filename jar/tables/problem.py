"""From candidates to the column-level problem that the formulation layer reduces and solves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from formulations import ColumnProblem
from jar.arrays import Array, IntArray
from jar.errors import QueryError
from jar.tables.composites import composites_between, one_of_each_list, place_composites
from jar.tables.fine_relevance import schema_similarity

if TYPE_CHECKING:
    from formulations import Instance, JarObjective, Reduction
    from jar.index.contents import IndexContents
    from jar.tables.composites import Composites
    from jar.tables.query import Limits
    from joinability.scores.score import JoinScore

BEHIND = 4.0
"""Log-odds that a table loses behind a twin of it."""
LEAST_BY_VALUES = 0.2
"""Score below which a join connects nothing where the values of both columns are known: they speak against it."""
HUB = 2.0
"""Log-odds that a join of a column without values loses for each tenfold of tables that have a column of its name."""


class Joinability(NamedTuple):
    """The joinability of each pair of the columns of some tables, before composite keys have their say.

    Attributes
    ----------
    tables : array (n,)
        Positions in the index.
    columns : array (C,)
        Those of the columns that join others of them, and maybe some that join none.
    matrix : array (C, C)
    """

    tables: IntArray
    columns: IntArray
    matrix: npt.NDArray[Any]

    def between(self, columns: IntArray, owners: IntArray) -> npt.NDArray[Any] | None:
        """The joinability of c columns of some of its tables, in their order; None where it does not have all tables.

        Parameters
        ----------
        columns, owners : arrays (c,)
            Positions of the columns and of their tables.
        """
        if not np.isin(owners, self.tables).all():
            return None
        part = np.zeros((len(columns), len(columns)), dtype=self.matrix.dtype)
        order = np.argsort(self.columns)
        places = np.searchsorted(self.columns, columns, sorter=order)
        known = np.flatnonzero(np.isin(columns, self.columns))
        places = order[places[known]]
        part[np.ix_(known, known)] = self.matrix[np.ix_(places, places)]
        return part


class AssembledProblem(NamedTuple):
    """A problem of candidates, the composite keys among its joins, and the joinability that it was made from.

    Attributes
    ----------
    problem : ColumnProblem
        Items in the order of the candidates.
    composites : mapping
        By the pairs of columns (positions in the index) that stand for them.
    joinability : Joinability
        What the joins of the answer are told to score.
    """

    problem: ColumnProblem
    composites: Composites
    joinability: Joinability


def build_problem(
    contents: IndexContents,
    tables: IntArray,
    columns: IntArray,
    coarse: Array,
    fine: Array,
    k: int,
    limits: Limits,
    score: JoinScore,
) -> AssembledProblem:
    """Assemble relevance and joinability of the candidates by array operations.

    Parameters
    ----------
    tables, columns : arrays (n,), (C,)
        Positions of the candidates and of their columns that count, table by table.
    coarse, fine : arrays (n,), (m, C)
    k : int
        Tables to choose; at most n are.

    Raises
    ------
    QueryError
        When no candidate is left, or more tables are required than shall be chosen.
    """
    if len(tables) == 0:
        raise QueryError(f"no candidates are left: {_none_left(contents, limits)}")
    size = min(k, len(tables))
    if len(limits.require) > size:
        raise QueryError(f"{len(limits.require)} tables are required, but only {size} shall be chosen: raise k")
    place = {int(table): item for item, table in enumerate(tables)}
    owner = np.array([place[table] for table in contents.owner[columns].tolist()], dtype=np.int64)
    pairwise = joinability_of(contents, columns, tables[owner], limits, score)
    keys = one_of_each_list(contents, composites_between(contents, tables, limits, score), place, coarse)
    joinability = pairwise.copy()
    composites = place_composites(joinability, columns, owner, keys, contents.joins.fanned)
    if score.has_references:
        _take_from_hubs(contents, joinability, columns, composites)
    problem = ColumnProblem(
        relevance=coarse,
        fine=fine,
        owner=owner,
        joinability=joinability,
        size=size,
        ids=[contents.tables[table].id for table in tables],
        require=[place[table] for table in limits.require],
    )
    return AssembledProblem(problem, composites, Joinability(tables, columns, pairwise))


def _none_left(contents: IndexContents, limits: Limits) -> str:
    """Why no candidates are left."""
    if not contents.tables:
        return "the index has no tables"
    if len(set(limits.exclude)) == len(contents.tables):
        return f"all {len(contents.tables)} tables of the index are excluded"
    return "the list of candidates is empty, or all its tables are excluded"


def without_twin_joins(contents: IndexContents, tables: IntArray, limits: Limits) -> Limits:
    """Limits that let no twins among some tables join, for copies join by all their columns and connect nothing.

    But for those of which a join is declared or pinned, and those that are both required.
    """
    pairs = contents.twins.pairs(tables.tolist())
    if not pairs:
        return limits
    required, stated = frozenset(limits.require), contents.joins.stated_pairs
    pairs += contents.twins.mixed_pairs(tables.tolist())
    apart = [pair for pair in pairs if not required.issuperset(pair) and frozenset(pair) not in stated]
    return replace(limits, forbid_tables=(*limits.forbid_tables, *apart))


def with_first_twins(log_odds: Array, tables: IntArray, first_twins: Mapping[int, int]) -> Array:
    """Log-odds of n tables, where of twins the one that comes first has the greatest, and the others have `BEHIND` less
    than it had, or than they had: a question needs one of them.

    Parameters
    ----------
    log_odds, tables : arrays (n,)
    first_twins : mapping
        From tables behind a twin of theirs to this one.
    """
    place = {int(table): item for item, table in enumerate(tables)}
    told = log_odds.copy()
    for table, first in first_twins.items():
        if table in place and first in place:
            own, others = place[first], place[table]
            told[own] = max(told[own], log_odds[others])
            told[others] = min(log_odds[others], log_odds[own]) - BEHIND
    return told


def with_log_odds(reduction: Reduction, objective: JarObjective, log_odds: Array, weight: float) -> Reduction:
    """The same problem with log-odds L_i of its n tables beside their coarse relevance:

        coarse r_i + weight (L_i - min_j L_j)

    A set of K tables is worth so much more, and nothing else changes: what is proved of a set holds as before. The
    least likely table gets nothing, so that none has a negative relevance for being unlikely. Without a weight of
    coarse relevance nothing changes.
    """
    return replace(reduction, instance=with_relevance(reduction.instance, objective, log_odds, weight))


def with_relevance(instance: Instance, objective: JarObjective, log_odds: Array, weight: float) -> Instance:
    """The same instance with log-odds beside coarse relevance, as `with_log_odds` says."""
    if not objective.coarse or not len(log_odds):
        return instance
    return instance.replace(relevance=instance.relevance + weight / objective.coarse * (log_odds - log_odds.min()))


def joinability_of(
    contents: IndexContents, columns: IntArray, owners: IntArray, limits: Limits, score: JoinScore
) -> npt.NDArray[Any]:
    """Joinability of each pair of c columns, shape (c, c): the score, with the pins and vetoes of user and caller.

    Two columns that refer to one key by joins that are left join each other (the paper's score has them anyway).

    Parameters
    ----------
    columns, owners : arrays (c,)
        Positions of the columns and of their tables.
    """
    joinability = _scores(contents, columns, owners, score)
    if score.has_references:
        known = ~contents.evidence.silent[columns]
        joinability[(joinability < LEAST_BY_VALUES) & known[:, None] & known[None, :]] = 0.0
    _place_shared(contents, joinability, columns, limits, score)
    if score.has_composites:
        _drop_doubtful(joinability, np.isin(columns, list(contents.joins.alone(score))))
    _forbid(joinability, columns, owners, limits)
    return joinability


def _scores(contents: IndexContents, columns: IntArray, owners: IntArray, score: JoinScore) -> npt.NDArray[Any]:
    """The score of each pair, shape (c, c), with the pins and vetoes of the user."""
    if score.reads_texts:
        judged = score if contents.joins.verdicts is None else contents.joins.verdicts.applied(score)
        return np.asarray(judged(contents.evidence.block(columns), schema_similarity(contents, columns)))
    left, right, scores = contents.joins.remembered(score).connecting(np.unique(owners))
    place = np.full(len(contents.owner), -1, dtype=np.int64)
    place[columns] = np.arange(len(columns))
    one, other = place[left], place[right]
    wanted = (one >= 0) & (other >= 0)
    one, other = one[wanted], other[wanted]
    joinability = np.zeros((len(columns), len(columns)))
    joinability[one, other] = joinability[other, one] = scores[wanted]
    return joinability


def _place_shared(
    contents: IndexContents, joinability: Array, columns: IntArray, limits: Limits, score: JoinScore
) -> None:
    """Raise the joinability of columns that refer to one key by joins that are not vetoed, in place; the paper's score
    has no such joins."""
    references = contents.joins.references(score, columns)
    if references is None:
        return
    gone = np.zeros(len(references), dtype=np.bool_)
    for sides, pairs in (
        ((references.child, references.key), limits.forbid_columns),
        ((contents.owner[references.child], contents.owner[references.key]), limits.forbid_tables),
    ):
        for pair in pairs:
            gone |= np.isin(sides[0], pair) & np.isin(sides[1], pair)
    one, other, shared = references.without(gone).shared(contents.evidence, columns)
    if contents.joins.verdicts is not None:
        shared[contents.joins.verdicts.are_vetoed(contents.evidence.pairs(columns[one], columns[other]))] = 0.0
    np.maximum.at(joinability, (one, other), shared)


def _drop_doubtful(joinability: Array, alone: npt.NDArray[np.bool_]) -> None:
    """Take, in place, what joins columns that join no other table by themselves, but for stated joins."""
    if alone.any():
        joinability[(alone[:, None] | alone[None, :]) & (joinability < 1)] = 0.0


def _take_from_hubs(contents: IndexContents, joinability: Array, columns: IntArray, composites: Composites) -> None:
    """Lessen, in place, what joins of columns without values count, where many tables have a column of that name:

        logit w'_kl = logit w_kl - HUB max(log10(n_k / 2), log10(n_l / 2), 0)

    with n the number of names of tables of the database with a column of the name, and 1 of a column with values. What
    every table has connects any two of them and chooses none. What is certain, and composite keys, stay as they are.

    Parameters
    ----------
    joinability : array (C, C)
    columns : array (C,)
    """
    spread = contents.evidence.named.spread[columns].astype(np.float64)
    if not spread.any():
        return
    single = (joinability > 0) & (joinability < 1)
    place = {int(column): row for row, column in enumerate(columns)}
    for left, right in composites:
        if left in place and right in place:
            single[place[left], place[right]] = single[place[right], place[left]] = False
    one, other = np.nonzero(single)
    odds = joinability[one, other] / (1 - joinability[one, other])
    odds *= np.exp(-HUB * np.maximum(spread[one], spread[other]))
    joinability[one, other] = odds / (1 + odds)


def _forbid(joinability: npt.NDArray[Any], columns: IntArray, owner: IntArray, limits: Limits) -> None:
    """Take vetoed pairs of columns and of tables out of the joinability, in place."""
    for left, right in limits.forbid_columns:
        pair = np.ix_(columns == left, columns == right)
        joinability[pair] = 0.0
        joinability.T[pair] = 0.0
    for left, right in limits.forbid_tables:
        pair = np.ix_(owner == left, owner == right)
        joinability[pair] = 0.0
        joinability.T[pair] = 0.0
