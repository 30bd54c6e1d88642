"""Coarse and fine relevance, and the first-stage retriever: a question against the texts and names of an index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

import numpy as np

from jar.arrays import Array, IntArray, Vectors
from jar.index.known_values import folded_words
from jar.text.lexical import content_words
from jar.text.stop_words import ANY_LANGUAGE, STOP_WORDS, StopWords
from joinability.spelling.vocabulary import singular

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.index.known_values import Mention
    from jar.tables.query import EmbeddedQuery


Cosines = TypeVar("Cosines", Array, Vectors)
"""Of sub-queries or probes with columns, in single or double precision."""
WIDE = 50
"""Columns of a table from which half of the weight of names counts."""
SHORT_FORM = 0.6
"""How near a column comes to a sub-query all of whose words its name has in short, as a share of the way."""


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
        pool: IntArray | None = None,
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
        pool : array, optional
            The tables to choose from, where these are not all: no other comes before an edition or a twin among them.
        """
        similarity = with_areas(self._similarity(question, mentions), *self._areas, exclude)
        similarity = self._without_lookalikes(similarity, question, self._absent(exclude, pool), kept)
        return with_databases(similarity, self.contents.databases, self.database, exclude)

    def _similarity(self, question: EmbeddedQuery, mentions: Sequence[Mention]) -> Array:
        """What the text, the words and the values of every table say, shape (N,): s_i of equation (2)."""
        similarity = text_cosines(self.contents, question.vectors[0], self.names)
        if self.lexical:
            words = content_words(question.query.question, self.stop_words.of(question.query.question))
            similarity += self.lexical * self.contents.words.match(" ".join(words))
        similarity += self.value * np.minimum(value_relevance(self.contents, mentions), 1.0)
        return similarity

    @property
    def _areas(self) -> tuple[IntArray, IntArray, float]:
        """Databases, areas, and the weight of areas; of no use where that is 0."""
        databases = self.contents.databases
        return databases, self.contents.areas if self.area else databases, self.area

    def _absent(self, exclude: Collection[int], pool: IntArray | None) -> Collection[int]:
        """The tables that cannot be chosen."""
        if pool is None:
            return exclude
        return {*exclude, *np.setdiff1d(np.arange(len(self.contents.tables)), pool).tolist()}

    def _without_lookalikes(
        self, similarity: Array, question: EmbeddedQuery, absent: Collection[int], kept: Collection[int]
    ) -> Array:
        """Relevance of all tables, shape (N,), less what editions, variants and twins lose beside those asked for."""
        if self.edition:
            unasked = self.contents.editions.unasked(question.query.question, similarity, absent, kept)
            similarity[unasked] -= self.edition
        if self.variant:
            similarity[self.contents.variants.unasked(self._said(question), kept)] -= self.variant
        if self.twin:
            behind = self.contents.twins.behind(self._said(question), similarity, absent, kept)
            similarity = self.contents.twins.lessened(similarity, behind, self.twin)
        return similarity

    def _said(self, question: EmbeddedQuery) -> set[str]:
        """The words of a question that count, in the singular."""
        text = question.query.question
        return set(map(singular, content_words(text, self.stop_words.of(text))))

    def layers_behind(
        self,
        question: EmbeddedQuery,
        relevance: Array,
        exclude: Collection[int] = (),
        kept: Collection[int] = (),
        pool: IntArray | None = None,
    ) -> dict[int, int]:
        """The tables that another layer of theirs stands before, and this; none where twins do not count.

        Parameters
        ----------
        relevance : array (N,)
        exclude, kept, pool
            As for `tables`.
        """
        twins = self.contents.twins
        if not self.twin or not twins.layered:
            return {}
        return twins.layers_behind(twins.behind(self._said(question), relevance, self._absent(exclude, pool), kept))

    def twins_of(self, tables: IntArray) -> list[int]:
        """The other twins of some tables; none where twins do not count."""
        if not self.twin:
            return []
        return [twin for twins in self.contents.twins.beside(tables.tolist()).values() for twin in twins]

    def mentions(self, question: EmbeddedQuery) -> list[Mention]:
        """The values that a question names; none where they do not count."""
        return self.contents.mentions(question.query.question) if self.value else []

    def matched(
        self,
        question: EmbeddedQuery,
        mentions: Sequence[Mention],
        given: ScoredTables,
        pool: IntArray,
        kept: Collection[int] = (),
    ) -> Array:
        """Relevance of every table of the index, shape (N,), where some have scores of their own retriever.

        Equation (2a) of docs/ranking.md: in place of s_i stands

            (1 - weight) s_i + weight u_i

        u_i is the score of table i, with the deviation that the cosines of the scored tables have, and the mean of
        their s_i; of a table without a score it is s_i, and no more than the least of the others.

        Parameters
        ----------
        pool : array
            The candidates, with scores and without: those that speak for their areas and databases.
        kept : positions
            As for `tables`.
        """
        own = self._similarity(question, mentions)
        cosines = text_cosines(self.contents, question.vectors[0], self.names)
        scaled = on_scale(given.scores, cosines[given.tables]) + (own - cosines)[given.tables].mean()
        theirs = np.minimum(own, scaled.min())
        theirs[given.tables] = scaled
        absent = self._absent((), pool)
        mixed = with_areas((1 - given.weight) * own + given.weight * theirs, *self._areas, absent)
        mixed = self._without_lookalikes(mixed, question, absent, kept)
        return with_databases(mixed, self.contents.databases, self.database, absent)

    def columns(self, question: EmbeddedQuery, columns: IntArray, mentions: Sequence[Mention]) -> Array:
        """Relevance of C columns to the m sub-queries of a question that names some values, shape (m, C)."""
        subqueries = question.query.subqueries
        cosines = fine_relevance(self.contents, columns, question.vectors[1:])
        if self.lexical:
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

    m_v is 1, or `UNMARKED` for a single word that nothing marks as a name.
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
    relevance: Array, databases: IntArray, areas: IntArray, weight: float, exclude: Collection[int] = ()
) -> Array:
    """Relevance of n tables less what their subject areas fall short of the best table of their database, shape (n,).

    Equation (6) of docs/ranking.md:

        s'_i = s_i - area * (max_{j in i's database} s_j - max_{j in i's area} s_j)

    Parameters
    ----------
    relevance : array (n,)
    databases, areas : arrays (n,)
        Numbers of the database and of the area of each; an area of -1 is none, and falls short by nothing.
    weight : float
    exclude : positions
        Tables that do not count as the best.
    """
    if not weight:
        return relevance
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
    if exclude:
        relevance = relevance.copy()
        relevance[list(exclude)] = -np.inf
    count = min(count, len(relevance) - len(exclude))
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
    standard = (scores - of_pool.mean()) / spread if spread > 0 else np.zeros_like(scores)
    scaled: Array = wanted.mean() + wanted.std() * standard
    return scaled


def fine_relevance(contents: IndexContents, columns: IntArray, subqueries: Vectors) -> Array:
    """Relevance r_qk of each column to each sub-query: cosine with the column text, shape (m, C)."""
    cosines: Array = (subqueries @ contents.column_vectors[columns].T).astype(np.float64)
    return cosines


def with_short_forms(
    fine: Array,
    contents: IndexContents,
    columns: IntArray,
    subqueries: Sequence[str],
    stop_words: Collection[str] = STOP_WORDS,
) -> Array:
    """Fine relevance where names have words of sub-queries in short, shape (m, C): equation (8) of docs/ranking.md.

        r_qk + (1 - r_qk) SHORT_FORM h_qk / |q|

    |q| is the number of words of q that count, h_qk of how many of them the name of column k has a short form
    (`jar.text.short_forms`).

    Parameters
    ----------
    fine : array (m, C)
    columns : array (C,)
        Positions in the index.
    subqueries : m texts
    """
    read = fine
    for place, subquery in enumerate(subqueries):
        words = set(map(singular, content_words(subquery, stop_words)))
        short = [having for word in words if len(having := contents.columns_short_for(word))]
        hits = sum((np.isin(columns, having) for having in short), np.zeros(len(columns)))
        if hits.any():
            read = fine.copy() if read is fine else read
            read[place] += (1 - read[place]) * SHORT_FORM * hits / len(words)
    return read


def with_values(
    fine: Cosines, owner: IntArray, columns: IntArray, subqueries: Sequence[str], mentions: Sequence[Mention]
) -> Cosines:
    """Fine relevance where values count that a sub-query names, shape (m, C): equation (7) of docs/ranking.md.

        r_qk + (1 - r_qk) m_v |v| / (|q| sqrt(n_v)),    for each value v in q that column k has

    |v| and |q| are numbers of words, n_v is how many tables of these columns have the value, m_v as for
    `value_relevance`. A sub-query that is a value which one table has is answered by its column completely.

    Parameters
    ----------
    fine : array (m, C)
    owner : array
        Table of each column of the index.
    columns : array (C,)
        Positions in the index.
    subqueries : m texts
    mentions : list of Mention
    """
    asked = [folded_words(subquery) for subquery in subqueries]
    raised = fine
    for mention in mentions:
        here, words = np.isin(columns, mention.columns), folded_words(mention.text)
        tables = len(np.unique(owner[columns[here]]))
        for place, said in enumerate(asked):
            if tables and _has_run(said, words):
                raised = fine.copy() if raised is fine else raised
                share = mention.weight * len(words) / (len(said) * np.sqrt(tables))
                raised[place, here] += (1 - raised[place, here]) * share
    return raised


def _has_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether words have a run of others, one after the other."""
    return any(words[start : start + len(run)] == run for start in range(len(words) - len(run) + 1))


def schema_similarity(contents: IndexContents, columns: IntArray) -> Array:
    """Cosine between the schema texts of columns, shape (C, C)."""
    vectors = contents.schema_vectors[columns]
    cosines: Array = (vectors @ vectors.T).astype(np.float64)
    return cosines
