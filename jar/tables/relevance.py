"""Coarse and fine relevance, and the first-stage retriever: a question against the texts and names of an index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from jar.arrays import Array, IntArray, Vectors
from jar.lookalikes.clients import numbered_names
from jar.tables.fine_relevance import fine_relevance, with_bookkeeping, with_short_forms, with_values
from jar.text.lexical import content_words
from jar.text.stop_words import ANY_LANGUAGE, StopWords
from joinability.spelling.vocabulary import singular

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.lookalikes.clients import OtherClients
    from jar.tables.query import EmbeddedQuery, Query
    from jar.values.known_values import Mention


WIDE = 50
"""Columns of a table from which half of the weight of names counts."""
EQUAL = 1e-9
"""Standard deviation of scores within 1 up to which they are equal, but for rounding."""


class ScoredTables(NamedTuple):
    """Tables that a retriever scores.

    Attributes
    ----------
    tables : array (n,)
        Positions in the index.
    scores : array (n,)
        In any unit, the greater the better.
    weight : float
        What scores weigh beside the relevance of the index, from 0 to 1.
    """

    tables: IntArray
    scores: Array
    weight: float


@dataclass(frozen=True)
class CosineRelevance:
    """How the tables and the columns of an index are scored for a question, by the cosines of their texts first of all.

    Attributes
    ----------
    contents : IndexContents
    lexical, database, names, value : float
        Weights of shared words, of databases, of the names of tables (`mixed_vectors`) and of values that the question
        names (`value_relevance`), see `tables`; all 0 are the relevance of the JAR paper.
    area : float
        Weight of subject areas, see `with_areas`.
    edition : float
        What a table loses that is an edition which the question does not ask for, see `Editions.unasked`.
    variant : float
        What a table loses that has the columns of others for which the question asks by name, see `Variants.unasked`.
    twin : float
        What a table loses that another schema has, too, for which more speaks, see `Twins.lessened`.
    stop_words : StopWords
        Words of a question that do not count.
    """

    contents: IndexContents
    lexical: float = 0.0
    database: float = 0.0
    names: float = 0.0
    stop_words: StopWords = ANY_LANGUAGE
    value: float = 0.0
    area: float = 0.0
    edition: float = 0.0
    variant: float = 0.0
    twin: float = 0.0

    name: ClassVar[str] = "cosine"

    def tables(
        self,
        question: EmbeddedQuery,
        mentions: Sequence[Mention],
        exclude: Collection[int] = (),
        kept: Collection[int] = (),
    ) -> Array:
        """Relevance of every table of the index, shape (N,), to a question that names some values.

        Equations (2) and (3) of docs/ranking.md, where areas, editions, variants and twins weigh 0:

            s_i = q . v_i + lexical * bm25(q, t_i) / max_j bm25(q, t_j) + value * min(val_i, 1)
            r_i = s_i - database * (max_j s_j - max_{j in i's database} s_j)

        Parameters
        ----------
        exclude : positions
            Tables that are no candidates, and do not count as the best of their area or database.
        kept : positions
            Tables that have to be chosen: they are no other editions, variants or twins.
        """
        return self.lessened(self.similarity(question, mentions, exclude), question, exclude, kept)

    def similarity(
        self, question: EmbeddedQuery, mentions: Sequence[Mention], exclude: Collection[int] = ()
    ) -> Array:
        """What the text, the words and the values of every table say, shape (N,): s_i of equation (2)."""
        similarity = text_cosines(self.contents, question.vectors[0], self.names)
        if self.lexical:
            words = self.contents.asked_words(question.query.question, self.stop_words.of(question.query.question))
            similarity += self.lexical * self.contents.words.match_words(words)
        similarity += self.value * np.minimum(value_relevance(self.contents, mentions), 1.0)
        return similarity

    def lessened(
        self,
        similarity: Array,
        question: EmbeddedQuery,
        exclude: Collection[int] = (),
        kept: Collection[int] = (),
        pool: IntArray | None = None,
    ) -> Array:
        """The same less what areas, databases and lookalikes fall short, shape (N,): r_i of equation (3).

        Parameters
        ----------
        exclude, kept : positions
            As for `tables`.
        pool : array, optional
            The tables to choose from, where these are not all: no other comes before a lookalike among them.
        """
        contents, text, absent = self.contents, question.query.question, self._absent(exclude, pool)
        areas = contents.areas if self.area else None
        similarity = with_areas(similarity, contents.databases, areas, self.area, exclude)
        if self.edition:
            similarity[contents.editions.unasked(text, similarity, absent, kept)] -= self.edition
        if self.variant:
            similarity[contents.variants.unasked(self._said(question), kept, absent)] -= self.variant
        if self.twin:
            behind = contents.twins.behind(self._said(question), similarity, absent, kept)
            similarity = contents.twins.lessened(similarity, behind, self.twin)
        return with_databases(similarity, contents.databases, self.database, exclude)

    def _absent(self, exclude: Collection[int], pool: IntArray | None) -> Collection[int]:
        """The tables that cannot be chosen."""
        if pool is None:
            return exclude
        return {*exclude, *np.setdiff1d(np.arange(len(self.contents.tables)), pool).tolist()}

    def _said(self, question: EmbeddedQuery) -> set[str]:
        """The words of a question that count, in the singular."""
        text = question.query.question
        return {*map(singular, content_words(text, self.stop_words.of(text))), *numbered_names(text)}

    def other_clients(
        self, question: EmbeddedQuery, relevance: Array, exclude: Collection[int] = (), kept: Collection[int] = ()
    ) -> OtherClients | None:
        """The tables of other clients' schemas than that which a question is of, as `Twins.other_clients` has them."""
        if not self.twin:
            return None
        return self.contents.twins.other_clients(self._said(question), relevance, exclude, kept)

    def first_twins(
        self,
        question: EmbeddedQuery,
        relevance: Array,
        exclude: Collection[int] = (),
        kept: Collection[int] = (),
        pool: IntArray | None = None,
    ) -> dict[int, int]:
        """From each table that stands behind a single twin to this one.

        Empty where twins do not count.

        Parameters
        ----------
        relevance : array (N,)
        exclude, kept, pool
            As for `lessened`.
        """
        twins = self.contents.twins
        if not self.twin or not twins.groups:
            return {}
        return twins.behind_one(twins.behind(self._said(question), relevance, self._absent(exclude, pool), kept))

    def twins_of(self, tables: IntArray) -> list[int]:
        """The other twins of some tables; none where twins do not count."""
        if not self.twin:
            return []
        return [twin for twins in self.contents.twins.beside(tables.tolist()).values() for twin in twins]

    def mentions(self, query: Query) -> list[Mention]:
        """The values that a question names; none where they do not count."""
        return self.contents.mentions(query.question) if self.value else []

    def mixed(self, similarity: Array, question: EmbeddedQuery, given: ScoredTables) -> Array:
        """The similarity of every table, shape (N,), where some have scores of their own retriever.

        Equation (2a) of docs/ranking.md: in place of s_i stands

            (1 - weight) s_i + weight u_i

        u_i is the score of table i, with the deviation that the cosines of the scored tables have, and the mean of
        their s_i; of a table without a score it is s_i, and no more than the least of the others.
        """
        tables, own = given.tables, similarity
        cosines = text_cosines(self.contents, question.vectors[0], self.names)[tables]
        scaled = on_scale(given.scores, cosines) + (own[tables].mean() - cosines.mean())
        theirs = np.minimum(own, scaled.min())
        theirs[tables] = scaled
        mixed: Array = (1 - given.weight) * own + given.weight * theirs
        return mixed

    def columns(self, question: EmbeddedQuery, columns: IntArray, mentions: Sequence[Mention]) -> Array:
        """Relevance of C columns to the m sub-queries of a question that names some values, shape (m, C)."""
        subqueries = question.query.subqueries
        cosines = fine_relevance(self.contents, columns, question.vectors[1:])
        if self.lexical:
            cosines = with_bookkeeping(cosines, self.contents, columns, subqueries)
            stop_words = self.stop_words.of(question.query.question)
            cosines = with_short_forms(cosines, self.contents, columns, subqueries, stop_words)
        return with_values(cosines, self.contents.owner, columns, subqueries, mentions)


def mixed_vectors(contents: IndexContents, weight: float) -> Vectors:
    """What a question's vector is multiplied with for the cosines of all tables, shape (N, d).

    Equation (1) of docs/ranking.md:

        v_i = (1 - w_i) t_i + w_i n_i,    w_i = weight * c_i / (c_i + WIDE)

    t_i is the vector of table i's signature, n_i that of the words of its database and its name, c_i the number of its
    columns: the more columns, the less of a signature says what the table is. Where the index has no vectors of names,
    v_i = t_i.
    """
    names = contents.name_vectors
    if not weight or names is None:
        return contents.table_vectors
    mixed = contents.mixed.get(weight)
    if mixed is None:
        columns = np.diff(contents.first_column)
        shares = (weight * columns / (columns + WIDE)).astype(np.float32)[:, None]
        mixed = contents.mixed[weight] = (1 - shares) * contents.table_vectors + shares * names
    return mixed


def text_cosines(contents: IndexContents, vector: Vectors, names: float = 0.0) -> Array:
    """The cosine of a question with the text of every table, shape (N,): coarse relevance as the JAR paper has it.

    Parameters
    ----------
    vector : array (d,)
        Unit vector of the question.
    names : float
        Weight of the names of tables beside their whole texts, see `mixed_vectors`.
    """
    cosines: Array = (mixed_vectors(contents, names) @ vector).astype(np.float64)
    return cosines


def value_relevance(contents: IndexContents, mentions: Sequence[Mention]) -> Array:
    """How many of the values that a question names each table has, rare ones more, shape (N,).

        val_i = sum_v m_v / sqrt(number of tables of i's database that have v), over the values v that table i has

    m_v is 1, or `UNMARKED` for a single word that nothing marks as a name, or `WITHIN` for a word of longer values.
    """
    sums = np.zeros(len(contents.tables))
    for mention in mentions:
        tables = np.unique(contents.owner[mention.columns])
        _, place, count = np.unique(contents.databases[tables], return_inverse=True, return_counts=True)
        sums[tables] += mention.weight / np.sqrt(count[place])
    return sums


def with_databases(relevance: Array, databases: IntArray, weight: float, exclude: Collection[int] = ()) -> Array:
    """Relevance of n tables less what their databases fall short of the best one, shape (n,).

    A database is as relevant as its most relevant table; over one database nothing changes.

    Parameters
    ----------
    relevance : array (n,)
    databases : array (n,)
        Number of the database of each.
    weight : float
    exclude : positions
        Tables that do not count as the best.
    """
    if not weight:
        return relevance
    counted = relevance.copy()
    counted[list(exclude)] = -np.inf
    if counted.max(initial=-np.inf) == -np.inf:
        return relevance
    best = np.full(databases.max() + 1, -np.inf)
    np.maximum.at(best, databases, counted)
    best[best == -np.inf] = best.max()  # a database of excluded tables alone falls short by nothing
    lessened: Array = relevance - weight * (best.max() - best)[databases]
    return lessened


def with_areas(
    relevance: Array, databases: IntArray, areas: IntArray | None, weight: float, exclude: Collection[int] = ()
) -> Array:
    """Relevance of n tables less what their subject areas fall short of the best table of their database, shape (n,).

    Equation (6) of docs/ranking.md:

        s'_i = s_i - area * (max_{j in i's database} s_j - max_{j in i's area} s_j)

    Parameters
    ----------
    relevance : array (n,)
    databases, areas : arrays (n,)
        Numbers of the database and of the area of each; an area of -1 is none, and falls short by nothing. Without
        areas nothing is taken off.
    weight : float
    exclude : positions
        Tables that do not count as the best.
    """
    if areas is None:
        return relevance.copy()
    counted = relevance.copy()
    counted[list(exclude)] = -np.inf
    best, best_of_area = np.full(databases.max(initial=0) + 1, -np.inf), np.full(areas.max(initial=0) + 1, -np.inf)
    np.maximum.at(best, databases, counted)
    inside = areas >= 0
    np.maximum.at(best_of_area, areas[inside], counted[inside])
    inside &= best_of_area[areas] > -np.inf  # an area of excluded tables alone falls short by nothing
    lessened: Array = relevance.copy()
    lessened[inside] -= weight * (best[databases[inside]] - best_of_area[areas[inside]])
    return lessened


def retrieve(relevance: Array, count: int, exclude: Collection[int] = ()) -> IntArray:
    """The most relevant tables: the package's own first stage.

    Parameters
    ----------
    relevance : array (N,)
        Of all tables, as `CosineRelevance.tables` gives it.
    count : int
        Number of tables.
    exclude : positions
        Tables that are left out; the next ones move up.

    Returns
    -------
    array (min(count, tables left),)
        Positions, best first; equally relevant ones in the order of the index.
    """
    gone = set(exclude)
    if gone:
        relevance = relevance.copy()
        relevance[list(gone)] = -np.inf
    count = min(count, len(relevance) - len(gone))
    return np.argsort(-relevance, kind="stable")[:count].astype(np.int64)


def on_scale(scores: Array, cosines: Array, pool: IntArray | slice = slice(None)) -> Array:
    """Scores in any unit on the scale of cosines, in the shape of both.

    Scores of elsewhere come in a unit of their own (BM25, rank fusion, another model's cosines), while the weights of
    an objective are set for cosines: they are moved and stretched so that those of a pool get the mean and the standard
    deviation of its cosines, which keeps their order and their relative distances.

    Parameters
    ----------
    scores, cosines : arrays of one shape
    pool : positions
        All by default.
    """
    greatest = np.abs(scores).max(initial=0.0)
    scores = np.ldexp(scores, -np.frexp(greatest)[1])  # within 1, so that no square overflows or vanishes
    of_pool, wanted = scores[pool], cosines[pool]
    spread = of_pool.std()
    standard = (scores - of_pool.mean()) / spread if spread > EQUAL else np.zeros_like(scores)
    scaled: Array = wanted.mean() + wanted.std() * standard
    return scaled
