"""From cosines to the instance that the formulation layer solves: candidates, similarities, edges."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from formulations import entropy_similarity
from jar.arrays import Array, IntArray, Vectors
from jar.columns.probed_question import stack
from jar.tables.fine_relevance import with_bookkeeping, with_values
from jar.tables.posterior import absence, bridge_presence, join_probe, presence, probe_posterior
from jar.tables.problem import joinability_of

if TYPE_CHECKING:
    from jar.columns.probed_question import ProbedQuestion
    from jar.columns.search import ColumnSearch
    from jar.index.contents import IndexContents
    from jar.tables.problem import Joinability
    from jar.tables.query import Limits
    from joinability.scores.score import JoinScore


IN_DATABASE = 2
"""Dots of a probe that names a database, a table and a column."""


@dataclass(frozen=True)
class Pool:
    """The candidate columns of a question.

    Attributes
    ----------
    columns : array (n,)
        Positions in the index, best first.
    owners : array (n,)
        The table of each, as position in the index.
    similarity : array (m, n)
        s_kd, a row for each probe; the last one is the join probe where there is one.
    joinability : array (n, n) or None
        w of each pair, where the search looks at joins.
    scores : array (n,)
        What each column is worth alone, from 0 to 1.
    tables : array
        Positions of the tables that have a candidate, best first.
    table_scores : array
        What each of these is worth, from 0 to 1.
    """

    columns: IntArray
    owners: IntArray
    similarity: Array
    joinability: Array | None
    scores: Array
    tables: IntArray
    table_scores: Array

    def restricted(self, tables: IntArray) -> Pool:
        """The candidates of some tables only."""
        kept = np.flatnonzero(np.isin(self.owners, tables))
        listed = np.isin(self.tables, tables)
        return Pool(
            self.columns[kept],
            self.owners[kept],
            self.similarity[:, kept],
            None if self.joinability is None else self.joinability[np.ix_(kept, kept)],
            self.scores[kept],
            self.tables[listed],
            self.table_scores[listed],
        )


class Folded(NamedTuple):
    """What a question leaves of sharded tables: limits that exclude those that others stand for, and for which they do.
    """

    limits: Limits
    families: Mapping[int, tuple[int, ...]]


def without_shards(contents: IndexContents, question: str, limits: Limits, named: Collection[int] = ()) -> Folded:
    """Limits under which one of several sharded tables stands for them, or those that a question numbers.

    Parameters
    ----------
    named : positions
        Tables that are meant in any case, beside those that are required.
    """
    hidden, families = contents.families.asked(question, (*limits.require, *named), limits.exclude)
    return Folded(replace(limits, exclude=(*limits.exclude, *hidden)), families)


def column_cosines(contents: IndexContents, probed: ProbedQuestion, search: ColumnSearch) -> Vectors:
    """Cosine of each of the m probes of a question with each column of the index, shape (m, C).

    A column has two texts: the words of database, table and column as they are written; and those of table and column
    as they are read, with the description of a column of whose name no word is known. The nearer one counts, but for a
    probe that names a database ("bank.client.gender") and for searches that read names as they are. Then a column is
    nearer to a probe that has one of its values, by equation (7) of docs/ranking.md, and one that tells of the making
    of a row is farther from probes that do not ask for it, by equation (8a).
    """
    probes = stack(probed, question=search.question)
    cosines = contents.schema_vectors.cosines(probes)
    if not search.reads_spelled:
        return cosines
    dots = [probe.count(".") for probe in probed.probes] + [0] * (len(probes) - len(probed.probes))
    spelled = np.array(dots) < IN_DATABASE
    cosines[spelled] = np.maximum(cosines[spelled], contents.column_vectors.cosines(probes[spelled]))
    mentions = contents.mentions(probed.question) if search.values else []
    texts = [*probed.probes, *[probed.question] * (len(probes) - len(probed.probes))]
    columns = np.arange(len(contents.owner))
    return with_values(with_bookkeeping(cosines, contents, columns, texts), contents.owner, columns, texts, mentions)


def build_pool(
    contents: IndexContents,
    cosines: Vectors,
    search: ColumnSearch,
    count: int,
    limits: Limits,
    score: JoinScore,
    joinability: Joinability | None = None,
) -> Pool:
    """The candidates for m probes, and how similar each is to each probe.

    Parameters
    ----------
    cosines : array (m, C)
    count : int
        Candidates; those of required tables come on top.
    joinability : Joinability, optional
        That of tables which may include those of all candidates, where it is at hand.
    """

    def joined(columns: IntArray, owners: IntArray) -> Array:
        known = None if joinability is None else joinability.between(columns, owners)
        return joinability_of(contents, columns, owners, limits, score) if known is None else known

    free = np.flatnonzero(~np.isin(contents.owner, limits.exclude))
    near: Array = np.clip(cosines[:, free].astype(np.float64), -1.0, 1.0)
    if search.similarity != "posterior":
        chosen = _best(near.max(axis=0, initial=-1.0), count, contents.owner[free], limits)
        columns, owners = free[chosen], contents.owner[free[chosen]]
        similarity = (
            entropy_similarity(near[:, chosen]) if search.similarity == "entropy" else (1 + near[:, chosen]) / 2
        )
        scores = similarity.max(axis=0, initial=0.0)
        present = np.zeros(len(contents.tables))
        np.maximum.at(present, owners, scores)
        joins = joined(columns, owners) if search.has_edges else None
        return _pool(columns, owners, similarity, joins, scores, present)
    posterior = probe_posterior(near, contents.column_databases[free], search.temperature, search.consensus)
    chosen = _best(1.0 - absence(posterior), count, contents.owner[free], limits)
    columns, owners = free[chosen], contents.owner[free[chosen]]
    similarity = posterior[:, chosen]
    present = presence(posterior, contents.owner[free], len(contents.tables))
    joins = joined(columns, owners) if search.joins > 0 or search.has_edges else None
    if joins is not None and search.joins > 0:
        present = with_bridges(present, joins, owners, search.bridges)
        asked = search.joins * join_probe(joins, present[owners])
        similarity = np.concatenate([similarity, asked[None]])
        missing = 1.0 - present
        np.multiply.at(missing, owners, 1.0 - asked)
        present = 1.0 - missing
    return _pool(columns, owners, similarity, joins, 1.0 - absence(similarity), present)


def with_bridges(present: Array, joinability: Array, owners: IntArray, weight: float) -> Array:
    """The presence of each table of the index, raised for those that link others, as far as candidates tell.

    Parameters
    ----------
    present : array (tables of the index,)
    joinability : array (n, n)
        Of the candidate columns.
    owners : array (n,)
        Their tables.
    weight : float
        ``bridges`` of equation 3 of `jar.tables.posterior`.
    """
    tables, place = np.unique(owners, return_inverse=True)
    between = np.zeros((len(tables), len(tables)))
    np.maximum.at(between, (place[:, None], place[None, :]), joinability)
    needed = weight * bridge_presence(between, present[tables])
    raised = present.copy()
    raised[tables] = 1.0 - (1.0 - present[tables]) * (1.0 - needed)
    return raised


def _best(closeness: Array, count: int, owners: IntArray, limits: Limits) -> IntArray:
    """The nearest columns, then the others of required tables."""
    ranked = np.argsort(-closeness, kind="stable")
    required = ranked[count:][np.isin(owners[ranked[count:]], limits.require)]
    return np.concatenate([ranked[:count], required])


def _pool(
    columns: IntArray,
    owners: IntArray,
    similarity: Array,
    joinability: Array | None,
    scores: Array,
    present: Array,
) -> Pool:
    tables = np.unique(owners)
    tables = tables[np.argsort(-present[tables], kind="stable")]
    return Pool(columns, owners, similarity, joinability, scores, tables, present[tables])
